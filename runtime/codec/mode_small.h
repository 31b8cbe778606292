/* SPDX-License-Identifier: MIT */
/* The mode where size counts: one walk, which stores where it is given a place, and tells. */
#ifndef MCPW_MODE_SMALL_H
#define MCPW_MODE_SMALL_H

#include "mode_reports.h"

MCPW_INLINE bool mode_stores(const void *out) { return out != NULL; }

MCPW_INLINE void mode_keep_raw(mcpw_walk *w, unsigned kind, unsigned index, unsigned check,
                               const mcpw_json *json) {
    (void)w;
    (void)kind;
    (void)index;
    (void)check;
    (void)json;
}

MCPW_INLINE void mode_at_member(mcpw_walk *w, const mcpw_row *row, const unsigned char *p) {
    (void)w;
    (void)row;
    (void)p;
}

MCPW_INLINE unsigned char *mode_take_string(mcpw_walk *w, unsigned char *p, mcpw_str *out) {
    return mcpw_read_string(&w->reader, p, out);
}

#endif
