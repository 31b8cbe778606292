/* SPDX-License-Identifier: MIT */
/* Objects whose members stand in another order: whose values belong together. There are two ways, and a build
 * has one: unordered_sort.c sorts the names, in memory of malloc; unordered_find.c, for small builds and for
 * those without malloc, looks for each name, which is slow for many. The options of the build choose, so that
 * whoever compiles all files of this folder has one of them too.
 *
 * If names repeat, the first of one object belongs to the first of the other, and so on. */
#ifndef MCPW_UNORDERED_H
#define MCPW_UNORDERED_H

#include "scanner.h"

/* ---- raw values (json_equal.c) ---- */

/* An open value: an object is unordered once a name differs. */
enum { MCPW_LEVEL_ARRAY, MCPW_LEVEL_OBJECT, MCPW_LEVEL_UNORDERED };

enum { MCPW_SIDES = 2 };

/* A place in one of two texts that are compared. */
typedef struct mcpw_side {
    const unsigned char *at;
    const unsigned char *begin; /* of the text */
    mcpw_scanner scanner;
    const struct mcpw_skip *skips; /* where arrays and objects end, by their number; of unordered_sort.c */
    size_t number;                 /* of the next array or object to be opened */
} mcpw_side;

/* Two texts, known to be well-formed, that are walked side by side. */
typedef struct mcpw_comparison {
    mcpw_side sides[MCPW_SIDES];
    unsigned open; /* levels */
    unsigned char levels[MCPW_MAX_DEPTH];
    mcpw_arena scratch;       /* of unordered_sort.c, */
    struct mcpw_pairs *pairs; /* as are those of the innermost unordered object */
} mcpw_comparison;

/* Before and after a comparison. */
void mcpw_pairs_init(mcpw_comparison *c);
void mcpw_pairs_free(mcpw_comparison *c);

/* Both sides are at names that differ: goes to the values of the first pair. False: the objects differ, or
 * memory ran out. */
bool mcpw_pairs_begin(mcpw_comparison *c);

/* Both sides are past the values of a pair: goes to those of the next, or, with *more false, past the
 * objects. */
bool mcpw_pairs_next(mcpw_comparison *c, bool *more);

/* Whether two string tokens, which have been checked, are the same by code point. */
bool mcpw_same_string(const unsigned char *p, const unsigned char *q);

/* The member at whose name p stands: the place of its value. */
MCPW_INLINE const unsigned char *mcpw_side_value(mcpw_side *side, const unsigned char *name) {
    return mcpw_scan_name(&side->scanner, name, NULL);
}

/* ---- entries of maps, and kept members (equal.c) ---- */

/* Whether what has these names is equal. */
typedef struct mcpw_entries {
    bool (*equal)(const struct mcpw_entries *e, const void *a, const void *b);
    size_t size; /* of an entry, which begins with its name */
} mcpw_entries;

/* Whether `count` entries from a and b on, all of which have names, are equal in any order. */
bool mcpw_equal_unordered(const mcpw_entries *e, const unsigned char *a, const unsigned char *b,
                          size_t count);

#endif
