/* SPDX-License-Identifier: MIT */
/* The path of a failure. */
#include "error_report.h"

#if !defined(MCPW_NO_ERROR_PATH)
/* A key of the text, which may have escapes; they are known to be well-formed. Only the last bytes of a long
 * key are kept, as many as a path can show. */
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

void mcpw_report_path(const mcpw_reporter *t) {
    for (const mcpw_frame *f = t->frame; f != NULL; f = f->up) {
        if (f->key != NULL) {
            prepend_key(t->error, f);
        } else {
            mcpw_error_prepend_index(t->error, f->index);
        }
    }
}
#endif
