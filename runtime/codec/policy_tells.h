/* SPDX-License-Identifier: MIT */
/* The part of a policy that says where and why a walk failed, and can go on after a failure. */
#ifndef MCPW_POLICY_TELLS_H
#define MCPW_POLICY_TELLS_H

#include "tell.h"

#define policy_fail mcpw_fail_text
#define policy_fail_type mcpw_fail_type
#define policy_fail_number mcpw_fail_number
#define policy_fail_check mcpw_fail_check
#define policy_fail_enum mcpw_fail_enum
#define policy_fail_const mcpw_fail_const
#define policy_fail_union mcpw_fail_union
#define policy_describe mcpw_describe
#define policy_recover mcpw_recover

/* Whether to go on all the same. */
MCPW_INLINE bool policy_fail_missing(mcpw_walk *w, const unsigned char *p, const mcpw_row *row) {
    (void)row;
    mcpw_tell_missing(w, p, row);
    return mcpw_report(w);
}

MCPW_INLINE void policy_enter(mcpw_walk *w, mcpw_frame *frame, const char *key, size_t len) {
    frame->up = w->teller.frame;
    frame->key = key;
    frame->key_len = len;
    frame->index = 0;
    w->teller.frame = frame;
}

MCPW_INLINE void policy_at_item(mcpw_frame *frame, size_t index) { frame->index = index; }

MCPW_INLINE void policy_at_entry(mcpw_frame *frame, const unsigned char *key, const unsigned char *end) {
    frame->key = (const char *)key;
    frame->key_len = (size_t)(end - key);
}

MCPW_INLINE void policy_leave(mcpw_walk *w, const mcpw_frame *frame) { w->teller.frame = frame->up; }

#endif
