/* SPDX-License-Identifier: MIT */
/* The parts of a walk that are the same for whoever walks. */
#include "walk.h"

mcpw_status mcpw_walk_open(mcpw_walk *w, const mcpw_revision *revision, const char *text, size_t len,
                           mcpw_arena *arena, const mcpw_options *options) {
    return mcpw_walk_open_inline(w, revision, text, len, arena, options);
}

void mcpw_walk_open_in_place(mcpw_walk *w, const mcpw_revision *revision, char *text, size_t len,
                             mcpw_arena *arena, unsigned flags) {
    mcpw_walk_set_up(w, revision, arena, flags);
    mcpw_reader_open_in_place(&w->reader, text, len, MCPW_DEFAULT_DEPTH);
}

bool mcpw_spend(mcpw_walk *w, const unsigned char *from, const unsigned char *to) {
    const size_t most = (SIZE_MAX - MCPW_WORK_BASE) / MCPW_WORK_FACTOR;
    const size_t budget = (w->reader.len < most ? w->reader.len : most) * MCPW_WORK_FACTOR + MCPW_WORK_BASE;
    const size_t cost = (size_t)(to - from);
    if (cost > budget - w->spent) {
        w->spent = budget;
        (void)mcpw_stop(&w->reader, to, MCPW_E_WORK);
        return false;
    }
    w->spent += cost;
    return true;
}
