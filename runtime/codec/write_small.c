/* SPDX-License-Identifier: MIT */
/* write_small.h. Other builds have none of it. */
#include "write.h"

unsigned char *mcpw_write_room(mcpw_writer *w, unsigned char *p, size_t n) {
    return w->limit - p >= (ptrdiff_t)n ? p : mcpw_write_grow(w, p, n);
}

unsigned char *mcpw_write_string(mcpw_writer *w, unsigned char *p, mcpw_str text) {
    p = mcpw_room(w, p, text.len);
    if (p == NULL) {
        return NULL;
    }
    *p = '"';
    return mcpw_write_string_rest(w, p + 1, (const unsigned char *)text.ptr, text.len);
}
