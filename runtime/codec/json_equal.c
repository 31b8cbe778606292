/* SPDX-License-Identifier: MIT */
/* Equality of two raw values. Both are checked first; from then on nothing has to be.
 *
 * Members may stand in any order: where they do not stand side by side their names are sorted. Where names
 * repeat, which JSON allows, the first of one object belongs to the first of the other, the second to the
 * second, and so on. No value is compared twice, so that nesting does not multiply the work. */
#include <mcpw/codec.h>
#include <mcpw/json.h>

#if !defined(MCPW_NO_MALLOC)
#include <stdlib.h>
#endif

#include "json_scan.h"
#include "number.h"
#include "value.h"

static bool equal_values(mcpw_json a, mcpw_json b);

/* ---- members in any order ---- */

#if defined(MCPW_NO_MALLOC)
/* The first name that stands behind `before` in the order of names. */
static const void *next_name(const mcpw_unordered *u, const mcpw_walk *side, const void *before) {
    mcpw_walk walk = *side;
    const void *next = NULL;
    for (const void *name = u->step(&walk); name != NULL; name = u->step(&walk)) {
        if ((before == NULL || mcpw_precedes(before, name, u->order)) &&
            (next == NULL || mcpw_precedes(name, next, u->order))) {
            next = name;
        }
    }
    return next;
}

/* Slow for many, but without memory to sort them in. */
bool mcpw_equal_unordered(const mcpw_unordered *u, const mcpw_walk *a, const mcpw_walk *b, size_t count) {
    const void *name = NULL;
    const void *other = NULL;
    for (size_t n = 0; n < count; n++) {
        name = next_name(u, a, name);
        other = next_name(u, b, other);
        if (u->order(name, other) != 0 || !u->equal(u, name, other)) {
            return false;
        }
    }
    return true;
}
#else
static void sorted_names(const mcpw_unordered *u, const mcpw_walk *side, const void **names, size_t count) {
    mcpw_walk walk = *side;
    for (size_t n = 0; n < count; n++) {
        names[n] = u->step(&walk);
    }
    mcpw_sort(names, count, u->order);
}

bool mcpw_equal_unordered(const mcpw_unordered *u, const mcpw_walk *a, const mcpw_walk *b, size_t count) {
    const void *few[2 * MCPW_FEW_KEYS];
    const void **const names = count <= MCPW_FEW_KEYS ? few : malloc(2 * count * sizeof *names);
    const void **const others = names != NULL ? names + count : NULL;
    bool equal = names != NULL;
    if (equal) {
        sorted_names(u, a, names, count);
        sorted_names(u, b, others, count);
    }
    for (size_t n = 0; n < count && equal; n++) {
        equal = u->order(names[n], others[n]) == 0 && u->equal(u, names[n], others[n]);
    }
    if (names != few) {
        free((void *)names);
    }
    return equal;
}
#endif

/* ---- raw objects and arrays ---- */

/* The order of two string tokens, which have been checked, by code point. */
static int compare_strings(const void *a, const void *b) {
    const unsigned char *p = (const unsigned char *)a + 1;
    const unsigned char *q = (const unsigned char *)b + 1;
    for (;;) {
        while (*p == *q && *p != '"' && *p != '\\') {
            p++;
            q++;
        }
        if (*p == '"' || *q == '"') {
            return *p == '"' ? (*q == '"' ? 0 : -1) : 1;
        }
        if (*p != '\\' && *q != '\\') { /* the order of UTF-8 is that of its characters */
            return *p < *q ? -1 : 1;
        }
        const uint32_t c = mcpw_next_character(&p);
        const uint32_t d = mcpw_next_character(&q);
        if (c != d) {
            return c < d ? -1 : 1;
        }
    }
}

static const void *step(mcpw_walk *walk) {
    mcpw_json key;
    return mcpw_json_next(&walk->json, &key, NULL) ? key.ptr : NULL;
}

/* The value of the member whose name stands at key. */
static mcpw_json value_behind(const void *key, const char *end) {
    mcpw_json_iter it = {key, end, MCPW_JSON_OBJECT, MCPW_OK, false};
    mcpw_json value = {NULL, 0};
    if (!mcpw_json_next(&it, NULL, &value)) {
        value.len = 0; /* cannot be: it was read before */
    }
    return value;
}

typedef struct unordered {
    mcpw_unordered names;
    const char *end; /* of either text */
    const char *other_end;
} unordered;

static bool equal_behind(const mcpw_unordered *u, const void *a, const void *b) {
    const unordered *const objects = (const unordered *)(const void *)u;
    return equal_values(value_behind(a, objects->end), value_behind(b, objects->other_end));
}

/* Items, or members, side by side: the latter for as long as the names are in the same order. */
static bool equal_members(mcpw_json a, mcpw_json b) {
    mcpw_walk i;
    mcpw_walk j;
    if (mcpw_json_iterate(a, &i.json) != MCPW_OK || mcpw_json_iterate(b, &j.json) != MCPW_OK) {
        return false;
    }
    for (size_t seen = 0;; seen++) {
        const mcpw_walk i_here = i;
        const mcpw_walk j_here = j;
        mcpw_json key;
        mcpw_json other;
        mcpw_json x;
        mcpw_json y;
        const bool more = mcpw_json_next(&i.json, &key, &x);
        if (more != mcpw_json_next(&j.json, &other, &y)) {
            return false;
        }
        if (!more) {
            return true;
        }
        if (key.ptr != NULL && compare_strings(key.ptr, other.ptr) != 0) {
            const unordered u = {{step, compare_strings, equal_behind}, i.json.end, j.json.end};
            const size_t count = mcpw_json_count(a);
            return count == mcpw_json_count(b) &&
                   mcpw_equal_unordered(&u.names, &i_here, &j_here, count - seen);
        }
        if (!equal_values(x, y)) {
            return false;
        }
    }
}

static bool equal_values(mcpw_json a, mcpw_json b) {
    const mcpw_json_kind kind = mcpw_json_kind_of(a);
    if (kind != mcpw_json_kind_of(b)) {
        return false;
    }
    if (a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0) {
        return true;
    }
    switch (kind) {
    case MCPW_JSON_NUMBER:
        return mcpw_compare_decimal(a.ptr, a.len, b.ptr, b.len) == 0;
    case MCPW_JSON_STRING:
        return compare_strings(a.ptr, b.ptr) == 0;
    case MCPW_JSON_ARRAY:
    case MCPW_JSON_OBJECT:
        return equal_members(a, b);
    default: /* true, false, null: their text would have been the same */
        return false;
    }
}

bool mcpw_json_equal(mcpw_json a, mcpw_json b) {
    size_t offset = 0;
    if (a.ptr == NULL || b.ptr == NULL) {
        return a.ptr == b.ptr;
    }
    const bool same = a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
    if (mcpw_scan_whole(a, MCPW_MAX_DEPTH, &a, &offset) != MCPW_OK) {
        return false;
    }
    return same || (mcpw_scan_whole(b, MCPW_MAX_DEPTH, &b, &offset) == MCPW_OK && equal_values(a, b));
}
