/* SPDX-License-Identifier: MIT */
/* The part of a mode that keeps no place: of decoding, and of all in builds whose errors have no paths. */
#ifndef MCPW_MODE_NO_PLACES_H
#define MCPW_MODE_NO_PLACES_H

#include "walk.h"

MCPW_INLINE void mode_enter(mcpw_walk *w, mcpw_frame *frame, const char *key, size_t len) {
    (void)w;
    (void)frame;
    (void)key;
    (void)len;
}

MCPW_INLINE void mode_at_item(mcpw_frame *frame, size_t index) {
    (void)frame;
    (void)index;
}

MCPW_INLINE void mode_at_entry(mcpw_frame *frame, const unsigned char *key, const unsigned char *end) {
    (void)frame;
    (void)key;
    (void)end;
}

MCPW_INLINE void mode_leave(mcpw_walk *w, const mcpw_frame *frame) {
    (void)w;
    (void)frame;
}

#endif
