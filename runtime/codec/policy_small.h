/* SPDX-License-Identifier: MIT */
/* The policy where size counts: one walk, which stores where it is given a place, and tells. */
#ifndef MCPW_POLICY_SMALL_H
#define MCPW_POLICY_SMALL_H

#include "policy_tells.h"

MCPW_INLINE bool policy_stores(const void *out) { return out != NULL; }

MCPW_INLINE void policy_keep_raw(mcpw_walk *w, unsigned kind, unsigned index, unsigned check,
                                 const mcpw_json *json) {
    (void)w;
    (void)kind;
    (void)index;
    (void)check;
    (void)json;
}

MCPW_INLINE void policy_at_member(mcpw_walk *w, const mcpw_row *row, const unsigned char *p) {
    (void)w;
    (void)row;
    (void)p;
}

MCPW_INLINE unsigned char *policy_take_string(mcpw_walk *w, unsigned char *p, mcpw_str *out) {
    return mcpw_read_string(&w->reader, p, out);
}

#endif
