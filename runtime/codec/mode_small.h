/* SPDX-License-Identifier: MIT */
/* The mode where size counts: one walk, which stores if it gets a place, and reports. */
#ifndef MCPW_MODE_SMALL_H
#define MCPW_MODE_SMALL_H

#include "mode_reports.h"

MCPW_INLINE bool mode_stores(const void *out) { return out != NULL; }

/* Values are checked again: to know that they were takes code. */
MCPW_INLINE mcpw_json mode_raw(const mcpw_walk *w, mcpw_ref ref, const unsigned char *from,
                               const unsigned char *to) {
    const mcpw_json text = {(const char *)from, (size_t)(to - from), 0};
    (void)w;
    (void)ref;
    return text;
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
