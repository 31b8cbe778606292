/* SPDX-License-Identifier: MIT */
/* The tables of a revision at hand, and finding in the text what they name (lookup.c): keys, enum values,
 * constants. */
#ifndef MCPW_TABLES_H
#define MCPW_TABLES_H

#include <mcpw/codec.h>
#include <mcpw/detail/table.h>

#include "../json/reader.h"

/* The parts of a revision that are read all the time. */
typedef struct mcpw_tables {
    const mcpw_revision *revision;
    const char *pool;
    const mcpw_row *rows;
} mcpw_tables;

MCPW_INLINE mcpw_tables mcpw_tables_of(const mcpw_revision *revision) {
    const mcpw_tables tables = {revision, revision->pool, revision->rows};
    return tables;
}

enum { MCPW_PATTERN_MASK = 0xffff };

/* The bytes of a long pattern after the first 16, the last 16 of them overlapping others. */
MCPW_INLINE bool mcpw_pattern_tail(const unsigned char *p, const char *pattern, unsigned len) {
    for (unsigned i = MCPW_PATTERN_BYTES; i + MCPW_PATTERN_BYTES < len; i += MCPW_PATTERN_BYTES) {
        if (!mcpw_pattern_matches(mcpw_load_input16(p + i), pattern + i, MCPW_PATTERN_MASK,
                                  MCPW_PATTERN_BYTES)) {
            return false;
        }
    }
    const unsigned last = len - MCPW_PATTERN_BYTES;
    return mcpw_pattern_matches(mcpw_load_input16(p + last), pattern + last, MCPW_PATTERN_MASK,
                                MCPW_PATTERN_BYTES);
}

/* Whether the input at p, of which input holds the first bytes, is the pattern of a row or test: len bytes
 * at pool + key, of which the first 16 are compared under the mask. */
MCPW_INLINE bool mcpw_key_matches(const unsigned char *p, mcpw_input16 input, const char *pattern,
                                  unsigned mask, unsigned len) {
    if (!mcpw_pattern_matches(input, pattern, mask, len)) {
        return false;
    }
    return MCPW_LIKELY(len <= MCPW_PATTERN_BYTES) || mcpw_pattern_tail(p, pattern, len);
}

enum { MCPW_KEY_QUOTES = 3, MCPW_VALUE_QUOTES = 2 }; /* "": and "" around a text in the pool */

/* Look-ups by more than one comparison, and their ways. */
#if defined(MCPW_SMALL)
#include "lookup_small.h"
#else
#include "lookup_fast.h"
#endif

/* The name of a member, for lookup: where it stands, or undone in buffer. */
typedef struct mcpw_key_token {
    const char *ptr;
    size_t len;          /* more than MCPW_MAX_KEY when it is too long to be in a table */
    unsigned char *text; /* after the opening quote */
    unsigned char *end;  /* the closing quote */
    char buffer[MCPW_MAX_KEY + 2];
} mcpw_key_token;

/* Reads a key and its colon without changing the text; returns where the value begins. */
unsigned char *mcpw_read_key(mcpw_reader *r, unsigned char *p, mcpw_key_token *key);

/* The row of that name, or NULL. */
const mcpw_row *mcpw_find_row(const mcpw_revision *revision, const mcpw_struct *s, const char *key,
                              size_t len);

/* The value's number in the enum, from 1; 0 when it is none of them; -1 when p is no string. *end receives
 * the place after the string. */
int mcpw_match_enum(const mcpw_tables *t, mcpw_reader *r, unsigned char *p, uint16_t index,
                    unsigned char **end);

/* Whether the value at p is the constant; *end receives the place after it. */
bool mcpw_match_const(const mcpw_tables *t, mcpw_reader *r, unsigned char *p, const mcpw_const *want,
                      unsigned char **end);

/* Whether a text is the one that stands between quotes at an offset of the pool. */
bool mcpw_is_pooled(const char *pool, unsigned offset, const char *text, size_t len);

/* Whether the string at p is that text of the pool. *end receives the place after it, or NULL when it is
 * broken; what is no string leaves it alone. */
bool mcpw_token_is(mcpw_reader *r, const char *pool, unsigned offset, unsigned char *p, unsigned char **end);

#endif
