/* SPDX-License-Identifier: MIT */
/* What is too long for write_fast.h. Small builds have write_small.c. */
#include "../json/lane_runs.h"
#include "write.h"

/* Bytes from which on it pays to ask for the best way, and so many behind a special one. */
enum { LONG_TEXT = 64, NEAR_TEXT = 256 };

/* Copies long text up to the first special byte; returns how many come before it. */
static size_t copy_long(mcpw_writer *w, unsigned char *to, const unsigned char *from, size_t n) {
    if (w->runs == NULL) {
        w->runs = mcpw_runs_here();
    }
    return w->runs->copy(to, from, n);
}

size_t mcpw_copy_near(mcpw_writer *w, unsigned char *to, const unsigned char *from, size_t n) {
    size_t i = 0;
    for (; n - i >= MCPW_LANE; i += MCPW_LANE) {
        const mcpw_special m = mcpw_special_copy(to + i, from + i);
        if (m != 0) {
            return i + mcpw_special_first(m);
        }
        if (i >= NEAR_TEXT) {
            return i + copy_long(w, to + i, from + i, n - i);
        }
    }
    to += i;
    from += i;
    const size_t left = n - i;
    const uint64_t special =
        left >= sizeof(uint64_t) ? mcpw_copy_words(to, from, left) : mcpw_copy_few(to, from, left);
    return MCPW_LIKELY(special == 0) ? n : i + mcpw_lane_copy_few(to, from, left);
}

MCPW_NOINLINE unsigned char *mcpw_write_string_long(mcpw_writer *w, unsigned char *p, const unsigned char *s,
                                                    size_t n) {
    const size_t plain = n < LONG_TEXT ? mcpw_lane_copy(p, s, n) : copy_long(w, p, s, n);
    if (MCPW_UNLIKELY(plain != n)) {
        return mcpw_write_string_rest(w, p + plain, s + plain, n - plain);
    }
    p[n] = '"';
    return p + n + 1;
}
