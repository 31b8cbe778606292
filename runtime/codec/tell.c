/* SPDX-License-Identifier: MIT */
/* To whom failures are told, and where they are. Not on the path of valid messages. */
#include "tell.h"

bool mcpw_is_verdict(mcpw_status status) {
    switch (status) {
    case MCPW_E_TYPE:
    case MCPW_E_VALUE:
    case MCPW_E_RANGE:
    case MCPW_E_OVERFLOW:
    case MCPW_E_LENGTH:
    case MCPW_E_MISSING:
    case MCPW_E_UNEXPECTED:
    case MCPW_E_DUPLICATE:
    case MCPW_E_UNION:
    case MCPW_E_FORMAT:
        return true;
    default:
        return false;
    }
}

/* A key of the text, which may have escapes; they are known to be well-formed. Of a long key only as many of
 * the last bytes are kept as a path can show. */
static void prepend_key(mcpw_error *error, const mcpw_frame *f) {
    enum { KEPT = 2 * MCPW_ERROR_PATH_SIZE, ROOM = 2 * KEPT };
    unsigned char plain[ROOM];
    size_t used = 0;
    const unsigned char *p = (const unsigned char *)f->key;
    const unsigned char *const end = p + f->key_len;
    while (p < end) {
        if (used > ROOM - sizeof(uint32_t)) {
            memmove(plain, plain + used - KEPT, KEPT);
            used = KEPT;
        }
        used += mcpw_put_character(plain + used, mcpw_next_character(&p));
    }
    mcpw_error_prepend_key(error, (const char *)plain, used);
}

void mcpw_tell_path(const mcpw_teller *t) {
    for (const mcpw_frame *f = t->frame; f != NULL; f = f->up) {
        if (f->key != NULL) {
            prepend_key(t->error, f);
        } else {
            mcpw_error_prepend_index(t->error, f->index);
        }
    }
}

bool mcpw_tell_begin(mcpw_teller *t, mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    (void)mcpw_stop(r, p, status);
    return mcpw_is_wanted(t);
}

void mcpw_forgive(mcpw_teller *t, mcpw_reader *r) {
    r->status = MCPW_OK;
    if (mcpw_is_wanted(t)) {
        t->error->code = MCPW_OK;
    }
}

bool mcpw_report(mcpw_teller *t, mcpw_reader *r) {
    mcpw_describe(t, r);
    if (!t->collect || t->quiet != 0 || t->stopped || !mcpw_is_verdict(r->status)) {
        return false;
    }
    if (t->first == MCPW_OK) {
        t->first = r->status;
    }
    if (!t->on_error(t->user, t->error)) {
        t->stopped = true;
        return false;
    }
    mcpw_forgive(t, r);
    return true;
}

unsigned char *mcpw_recover(mcpw_teller *t, mcpw_reader *r, unsigned char *start) {
    return mcpw_report(t, r) ? mcpw_skip_value(r, start) : NULL;
}
