/* SPDX-License-Identifier: MIT */
/* The mode of validating: the walk stores nothing, leaves the text as it is, and reports. */
#ifndef MCPW_MODE_VALIDATE_H
#define MCPW_MODE_VALIDATE_H

#include "mode_reports.h"

MCPW_INLINE bool mode_stores(const void *out) {
    (void)out;
    return false;
}

MCPW_INLINE mcpw_json mode_raw(const mcpw_walk *w, mcpw_ref ref, const unsigned char *from,
                               const unsigned char *to) {
    const mcpw_json text = {(const char *)from, (size_t)(to - from), 0};
    (void)w;
    (void)ref;
    return text;
}

MCPW_INLINE mcpw_tag mode_watch(mcpw_walk *w, const mcpw_row *row) {
    const mcpw_tag before = w->tag;
    w->tag = (mcpw_tag){row, w->reader.depth - 1, NULL};
    return before;
}

MCPW_INLINE unsigned char *mode_watched(mcpw_walk *w, mcpw_tag before) {
    unsigned char *const at = w->tag.at;
    w->tag = before;
    return at;
}

MCPW_INLINE void mode_at_member(mcpw_walk *w, const mcpw_row *row, unsigned char *p) {
    if (MCPW_UNLIKELY(row == w->tag.row) && w->tag.depth == w->reader.depth) {
        w->tag.at = p;
    }
}

MCPW_INLINE unsigned char *mode_take_string(mcpw_walk *w, unsigned char *p, mcpw_str *out) {
    (void)out;
    return mcpw_skip_string(&w->reader, p);
}

#endif
