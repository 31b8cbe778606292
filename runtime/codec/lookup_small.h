/* SPDX-License-Identifier: MIT */
/* Part of tables.h: the small library, whose tables have no masks and no hashes, leaves all to the plain way
 * of lookup.c. */
#ifndef MCPW_LOOKUP_SMALL_H
#define MCPW_LOOKUP_SMALL_H

#include "../json/number.h"

/* Whether the plain key of a row stands at p. */
MCPW_INLINE bool mcpw_row_matches(const mcpw_tables *t, const unsigned char *p, mcpw_input16 input,
                                  const mcpw_row *row) {
    const unsigned char *pattern = (const unsigned char *)t->pool + mcpw_row_key(t->revision, row);
    (void)input;
    while (*pattern != 0 && *pattern == *p) {
        pattern++;
        p++;
    }
    return *pattern == 0;
}

#define mcpw_test_matches(t, p, test) ((void)(p), (void)(test), false)
#define mcpw_enum_matches(t, p, e, end) 0
#define mcpw_const_matches(t, p, want, end) false
#define mcpw_find_hashed(revision, s, key, len, row) false

MCPW_INLINE bool mcpw_const_is(const mcpw_const *want, mcpw_json text, int64_t value) {
    int64_t wanted = 0;
    (void)want;
    return mcpw_parse_int64(text.ptr, text.len, &wanted) == MCPW_OK && value == wanted;
}

/* Small tables have no hashes of methods. */
#define mcpw_has_method_slots(revision) false
#define mcpw_method_slot(revision, name, len) ((unsigned)MCPW_NO_INDEX)

#endif
