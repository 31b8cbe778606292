/* SPDX-License-Identifier: MIT */
/* The parts that are too long for write_fast.h. Small builds have write_small.c. */
#include "../json/block_runs.h"
#include "write.h"

enum { LONG_TEXT = 64 }; /* bytes from which on it pays to ask for the best way */

MCPW_NOINLINE unsigned char *mcpw_write_string_long(mcpw_writer *w, unsigned char *p, const unsigned char *s,
                                                    size_t n) {
    const size_t plain = n < LONG_TEXT ? mcpw_block_copy(p, s, n) : mcpw_write_runs(w)->copy(p, s, n);
    if (plain != n) {
        return mcpw_write_string_rest(w, p + plain, s + plain, n - plain);
    }
    p[n] = '"';
    return p + n + 1;
}
