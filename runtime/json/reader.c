/* SPDX-License-Identifier: MIT */
/* The common part of both readers. */
#include "reader.h"

#include "number.h"

MCPW_NOINLINE unsigned char *mcpw_skip_space(mcpw_reader *r, unsigned char *p) {
    while (mcpw_is_space(*p)) {
        r->saw_line_break |= *p == '\n' || *p == '\r';
        p++;
        mcpw_look_ahead(r, p);
    }
    return p;
}

/* ---- strings ---- */

unsigned char *mcpw_token_unescape(mcpw_reader *r, unsigned char *p, char *out, size_t size, size_t *len) {
    unsigned char *const end = mcpw_skip_string(r, p);
    if (end != NULL) {
        *len = mcpw_undo_escapes((unsigned char *)out, size, p, end - 1);
    }
    return end;
}

/* ---- numbers ---- */

/* Finds the end of the number at p, if there is one. */
static unsigned char *number_end(mcpw_reader *r, unsigned char *p) {
    return *p == '-' || mcpw_is_digit(*p) ? mcpw_skip_number(r, p) : mcpw_stop(r, p, MCPW_E_TYPE);
}

MCPW_NOINLINE unsigned char *mcpw_read_int_slow(mcpw_reader *r, unsigned char *p, int64_t *out) {
    unsigned char *const end = number_end(r, p);
    if (end == NULL) {
        return NULL;
    }
    const mcpw_status status = mcpw_parse_int64((const char *)p, (size_t)(end - p), out);
    return status == MCPW_OK ? end : mcpw_stop(r, p, status);
}

MCPW_NOINLINE unsigned char *mcpw_read_double_slow(mcpw_reader *r, unsigned char *p, double *out) {
    unsigned char *const end = number_end(r, p);
    if (end == NULL) {
        return NULL;
    }
    const mcpw_status status = mcpw_parse_double((const char *)p, (size_t)(end - p), out);
    return status == MCPW_OK ? end : mcpw_stop(r, p, status);
}

/* ---- any value ---- */
