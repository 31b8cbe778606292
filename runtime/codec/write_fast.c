/* SPDX-License-Identifier: MIT */
/* What is too long for write_fast.h. Small builds have write_small.c. */
#include "../json/copy_plain.h"
#include "write.h"

MCPW_NOINLINE unsigned char *mcpw_write_string_long(mcpw_writer *w, unsigned char *p, const unsigned char *s,
                                                    size_t n) {
    const size_t plain = mcpw_copy_plain(p, s, n);
    if (MCPW_UNLIKELY(plain != n)) {
        return mcpw_write_string_rest(w, p + plain, s + plain, n - plain);
    }
    p[n] = '"';
    return p + n + 1;
}
