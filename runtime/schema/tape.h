/* SPDX-License-Identifier: MIT */
/*
 * A JSON text as a list of nodes, in the order of the text: what a schema is checked against. One pass over
 * the text makes it. Every keyword then finds what it needs by number, as often as it wants, and no part of
 * the text is read twice.
 *
 *     {"a":[1,2],"b":"x"}     0 object, 2 members, next 7     1 name a   2 array, 2 items, next 5   3 1   4 2
 *                             5 name b   6 string x
 */
#ifndef MCPW_TAPE_H
#define MCPW_TAPE_H

#include <mcpw/detail/table_shapes.h>
#include <mcpw/error.h>

#include "../base/arena_internal.h"
#include "../json/word.h"

typedef struct mcpw_tape_limits {
    unsigned depth;
    size_t elements; /* items and members */
} mcpw_tape_limits;

/* Reads one value. The text is copied; all that the tape consists of lies in the arena. */
MCPW_NODISCARD mcpw_status mcpw_tape_read(mcpw_tape *tape, const char *text, size_t len, mcpw_arena *arena,
                                          const mcpw_tape_limits *limits);

/* The number of the node after a value. */
MCPW_INLINE uint32_t mcpw_tape_after(const mcpw_tape *tape, uint32_t node) {
    const mcpw_tape_node *const n = tape->nodes + node;
    return (n->type & MCPW_IS_NESTED) != 0 ? n->next : node + 1;
}

MCPW_INLINE mcpw_str mcpw_tape_text(const mcpw_tape *tape, uint32_t node) {
    const mcpw_str text = {tape->text + tape->nodes[node].at, tape->nodes[node].size};
    return text;
}

MCPW_INLINE bool mcpw_tape_is_true(const mcpw_tape *tape, uint32_t node) {
    return tape->text[tape->nodes[node].at] == 't';
}

/* The value of the member of an object by name; 0 when there is none. */
uint32_t mcpw_tape_find(const mcpw_tape *tape, uint32_t object, const char *name, size_t len);

/* ---- hashes (tape_equal.c) ---- */

enum { MCPW_HASH_WORD = 8, MCPW_HASH_HALF = 4 };

MCPW_INLINE uint64_t mcpw_hash_mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* The first byte lowest on every machine, so that a text has one hash. */
MCPW_INLINE uint64_t mcpw_hash_word(const char *p) { return mcpw_load_le64((const unsigned char *)p); }
MCPW_INLINE uint64_t mcpw_hash_half(const char *p) { return mcpw_load_le32((const unsigned char *)p); }

/* Whether two texts of one length are the same: mcpw_tape_text and its like are mostly short. */
MCPW_INLINE bool mcpw_same_text(const char *a, const char *b, size_t len) {
    if (len > 2 * MCPW_HASH_WORD) {
        return memcmp(a, b, len) == 0;
    }
    if (len >= MCPW_HASH_WORD) {
        const size_t last = len - MCPW_HASH_WORD;
        return mcpw_hash_word(a) == mcpw_hash_word(b) && mcpw_hash_word(a + last) == mcpw_hash_word(b + last);
    }
    if (len >= MCPW_HASH_HALF) {
        const size_t last = len - MCPW_HASH_HALF;
        return mcpw_hash_half(a) == mcpw_hash_half(b) && mcpw_hash_half(a + last) == mcpw_hash_half(b + last);
    }
    return len == 0 || (a[0] == b[0] && a[len / 2] == b[len / 2] && a[len - 1] == b[len - 1]);
}

/* A hash of some bytes. A peer who knows it can make texts that collide: nothing may depend on their being
 * rare. */
MCPW_INLINE uint32_t mcpw_hash_text(const char *p, size_t len) {
    uint64_t hash = mcpw_hash_mix(UINT64_C(0x2545f4914f6cdd1d), len);
    const char *const last = p + len;
    for (; (size_t)(last - p) > MCPW_HASH_WORD; p += MCPW_HASH_WORD) {
        hash = mcpw_hash_mix(hash, mcpw_hash_word(p));
    }
    if (len >= MCPW_HASH_WORD) {
        hash = mcpw_hash_mix(hash, mcpw_hash_word(last - MCPW_HASH_WORD));
    } else if (len >= MCPW_HASH_HALF) {
        hash = mcpw_hash_mix(hash, mcpw_hash_half(p) << 32 | mcpw_hash_half(last - MCPW_HASH_HALF));
    } else if (len != 0) {
        hash = mcpw_hash_mix(hash, (uint64_t)(unsigned char)p[0] << 16 |
                                       (uint64_t)(unsigned char)p[len / 2] << 8 | (unsigned char)last[-1]);
    }
    return (uint32_t)(hash >> 32); /* the upper half depends on every byte, whatever their order in a word */
}

/* ---- equality (tape_equal.c) ---- */

/* The budget of a comparison; *work decreases with each visited node. */
typedef struct mcpw_comparer {
    mcpw_arena *scratch;
    uint64_t work;
    mcpw_status status; /* MCPW_OK, or why it was given up: what it says is worth nothing then */
} mcpw_comparer;

/* Whether two values are equal: numbers by exact value, members in any order. */
bool mcpw_tape_equal(mcpw_comparer *c, const mcpw_tape *a, uint32_t x, const mcpw_tape *b, uint32_t y);

/* A hash that is the same for equal values. */
uint32_t mcpw_tape_hash(mcpw_comparer *c, const mcpw_tape *tape, uint32_t node);

/* Whether two items of an array are equal; *first and *second are their places. */
bool mcpw_tape_has_twins(mcpw_comparer *c, const mcpw_tape *tape, uint32_t array, uint32_t *first,
                         uint32_t *second);

/* Whether a name occurs twice in an object; *again is the node of the second. */
bool mcpw_tape_has_same_names(mcpw_comparer *c, const mcpw_tape *tape, uint32_t object, uint32_t *again);

#endif
