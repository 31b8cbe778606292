/* SPDX-License-Identifier: MIT */
/* The mode of decoding: the walk stores what it reads, and says only that it failed. The validator says
 * why, so that nothing here carries paths and messages. walk.inc has the list of what a mode is. */
#ifndef MCPW_MODE_DECODE_H
#define MCPW_MODE_DECODE_H

#include "check.h"
#include "check_text.h"
#include "error_report.h"
#include "kinds.h"
#include "mode_no_places.h"
#include "raw_seal.h"
#include "store.h"

MCPW_INLINE bool mode_stores(const void *out) {
    (void)out;
    return true;
}

MCPW_INLINE mcpw_tag mode_watch(mcpw_walk *w, const mcpw_row *row) {
    const mcpw_tag none = {NULL, 0, NULL};
    (void)w;
    (void)row;
    return none;
}

MCPW_INLINE unsigned char *mode_watched(mcpw_walk *w, mcpw_tag before) {
    (void)w;
    return before.at;
}

MCPW_INLINE void mode_at_member(mcpw_walk *w, const mcpw_row *row, const unsigned char *p) {
    (void)w;
    (void)row;
    (void)p;
}

MCPW_INLINE unsigned char *mode_take_string(mcpw_walk *w, unsigned char *p, mcpw_str *out) {
    return mcpw_read_string(&w->reader, p, out);
}

MCPW_INLINE mcpw_json mode_raw(const mcpw_walk *w, mcpw_ref ref, const unsigned char *from,
                               const unsigned char *to) {
    const mcpw_json text = {(const char *)from, (size_t)(to - from), mcpw_seal_decoded(w, ref, from, to)};
    return text;
}

MCPW_INLINE unsigned char *mode_fail(mcpw_walk *w, const unsigned char *p, mcpw_status status,
                                     const char *text) {
    (void)text;
    return mcpw_stop(&w->reader, p, status);
}

MCPW_INLINE unsigned char *mode_fail_type(mcpw_walk *w, const unsigned char *p, const char *expected) {
    (void)expected;
    return mcpw_stop(&w->reader, p, MCPW_E_TYPE);
}

/* The reader has noted what is wrong with the number. */
MCPW_INLINE unsigned char *mode_fail_number(mcpw_walk *w, unsigned char *p, const char *expected) {
    (void)w;
    (void)p;
    (void)expected;
    return NULL;
}

MCPW_INLINE unsigned char *mode_fail_check(mcpw_walk *w, const unsigned char *p, mcpw_status status,
                                           unsigned check) {
    (void)check;
    return mcpw_stop(&w->reader, p, status);
}

MCPW_INLINE unsigned char *mode_fail_enum(mcpw_walk *w, unsigned char *p, uint16_t index) {
    (void)index;
    return mcpw_stop(&w->reader, p, MCPW_E_VALUE);
}

MCPW_INLINE unsigned char *mode_fail_const(mcpw_walk *w, unsigned char *p, const mcpw_const *want) {
    (void)want;
    return mcpw_stop(&w->reader, p, MCPW_E_VALUE);
}

MCPW_INLINE unsigned char *mode_fail_union(mcpw_walk *w, unsigned char *p, const mcpw_union *u) {
    (void)u;
    return mcpw_stop(&w->reader, p, MCPW_E_UNION);
}

MCPW_INLINE bool mode_fail_missing(mcpw_walk *w, const unsigned char *p, const mcpw_row *row) {
    (void)row;
    (void)mcpw_stop(&w->reader, p, MCPW_E_MISSING);
    return false;
}

MCPW_INLINE void mode_describe(mcpw_walk *w) { (void)w; }

MCPW_INLINE unsigned char *mode_recover(mcpw_walk *w, unsigned char *start) {
    (void)w;
    (void)start;
    return NULL;
}

#endif
