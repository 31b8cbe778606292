/* SPDX-License-Identifier: MIT */
/* What is too long for write_fast.h. Small builds have write_small.c. */
#include "../json/lane_runs.h"
#include "write.h"

#include <assert.h>

enum { LONG_TEXT = 64 }; /* bytes from which on it pays to ask for the best way */

static const mcpw_runs *best_runs(mcpw_writer *w) {
    if (w->runs == NULL) {
        w->runs = mcpw_runs_here();
    }
    return w->runs;
}

MCPW_NOINLINE unsigned char *mcpw_write_string_long(mcpw_writer *w, unsigned char *p, const unsigned char *s,
                                                    size_t n) {
    const size_t plain = n < LONG_TEXT ? mcpw_lane_copy(p, s, n) : best_runs(w)->copy(p, s, n);
    if (MCPW_UNLIKELY(plain != n)) {
        return mcpw_write_string_rest(w, p + plain, s + plain, n - plain);
    }
    p[n] = '"';
    return p + n + 1;
}

MCPW_NOINLINE unsigned char *mcpw_write_string_rest(mcpw_writer *w, unsigned char *p, const unsigned char *s,
                                                    size_t n) {
    static_assert(MCPW_ESCAPED_STEP <= MCPW_ROOM / 2, "a step is paid for by the room that there always is");
    const mcpw_runs *const runs = best_runs(w);
    if (MCPW_UNLIKELY(!runs->is_utf8(s, n))) {
        return mcpw_write_stop(w, MCPW_E_UTF8);
    }
    while (n > 0) {
        const size_t step = n < MCPW_ESCAPE_STEP ? n : MCPW_ESCAPE_STEP;
        p = runs->escape(p, s, step);
        s += step;
        n -= step;
        p = mcpw_room(w, p, n);
        if (MCPW_UNLIKELY(p == NULL)) {
            return NULL;
        }
    }
    *p = '"';
    return p + 1;
}
