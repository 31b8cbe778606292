/* SPDX-License-Identifier: MIT */
/* Part of mode_reports.h: the walk keeps in mind where it stands, for the paths of errors. */
#ifndef MCPW_MODE_PLACES_H
#define MCPW_MODE_PLACES_H

#include "walk.h"

MCPW_INLINE void mode_enter(mcpw_walk *w, mcpw_frame *frame, const char *key, size_t len) {
    frame->up = w->reporter.frame;
    frame->key = key;
    frame->key_len = len;
    frame->index = 0;
    w->reporter.frame = frame;
}

MCPW_INLINE void mode_at_item(mcpw_frame *frame, size_t index) { frame->index = index; }

MCPW_INLINE void mode_at_entry(mcpw_frame *frame, const unsigned char *key, const unsigned char *end) {
    frame->key = (const char *)key;
    frame->key_len = (size_t)(end - key);
}

MCPW_INLINE void mode_leave(mcpw_walk *w, const mcpw_frame *frame) { w->reporter.frame = frame->up; }

#endif
