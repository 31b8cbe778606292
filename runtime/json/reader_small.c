/* SPDX-License-Identifier: MIT */
/* The parts of the small reader that are not inline. */
#include "reader.h"

#if defined(MCPW_SMALL)
#include "scanner.h"

mcpw_status mcpw_reader_start(mcpw_reader *r, const char *text, size_t len, unsigned depth,
                              mcpw_arena *arena) {
    mcpw_reader_set_up(r, text, len, depth);
    unsigned char *const base = mcpw_arena_bump(arena, len + MCPW_TAIL);
    if (base == NULL) {
        return mcpw_arena_status(arena);
    }
    mcpw_reader_set_copy(r, base);
    if (len != 0) {
        memcpy(base, text, len);
    }
    return MCPW_OK;
}

void mcpw_reader_open_in_place(mcpw_reader *r, char *text, size_t len, unsigned depth) {
    mcpw_reader_set_up(r, NULL, len, depth);
    mcpw_reader_set_copy(r, (unsigned char *)text);
}

/* The same as scanner.c. */
typedef const unsigned char *scan(mcpw_scanner *s, const unsigned char *p);

static unsigned char *run(mcpw_reader *r, mcpw_scanner *s, unsigned char *p, scan *what) {
    mcpw_scanner_open(s, r->base + r->len, r->depth);
    const unsigned char *const end = what(s, p);
    r->saw_line_break |= s->saw_line_break;
    return end != NULL ? p + (end - p) : mcpw_stop(r, s->at, s->status);
}

unsigned char *mcpw_skip_value(mcpw_reader *r, unsigned char *p) {
    mcpw_scanner s;
    return run(r, &s, p, mcpw_scan_value);
}

unsigned char *mcpw_skip_number(mcpw_reader *r, unsigned char *p) {
    mcpw_scanner s;
    return run(r, &s, p, mcpw_scan_number);
}

unsigned char *mcpw_scan(mcpw_reader *r, unsigned char *p) {
    (void)r;
    while (!mcpw_is_special(*p)) {
        p++;
    }
    return p;
}

unsigned char *mcpw_skip_string(mcpw_reader *r, unsigned char *p) {
    mcpw_scanner s;
    return run(r, &s, p - 1, mcpw_scan_string);
}

unsigned char *mcpw_read_string(mcpw_reader *r, unsigned char *p, mcpw_str *out) {
    unsigned char *const start = p;
    if (out == NULL) {
        return mcpw_skip_string(r, p);
    }
    p = mcpw_scan(r, p);
    size_t len = (size_t)(p - start);
    p = *p == '"' ? p + 1 : mcpw_token_unescape(r, start, (char *)start, SIZE_MAX, &len);
    if (p != NULL) {
        start[len] = 0;
        out->ptr = (const char *)start;
        out->len = len;
    }
    return p;
}
#endif
