/* SPDX-License-Identifier: MIT */
/* Equality of two well-formed JSON values as decode and encode promise it: numbers may have gone through a
 * double, members may have changed places, repeated names stand in their order. */
#ifndef MCPW_FUZZ_JSON_H
#define MCPW_FUZZ_JSON_H

#include "fuzz.h"

#include <mcpw/json.h>

/* The value of the n-th member of that name. */
static inline bool fuzz_member(mcpw_json object, mcpw_json key, size_t n, mcpw_json *value) {
    mcpw_json_iter it;
    mcpw_json other = {NULL, 0, 0};
    FUZZ_ASSERT(mcpw_json_iterate(object, &it) == MCPW_OK);
    while (mcpw_json_next(&it, &other, value)) {
        if (mcpw_json_equal(key, other) && n-- == 0) {
            return true;
        }
    }
    return false;
}

static inline size_t fuzz_earlier(mcpw_json object, mcpw_json key) {
    mcpw_json_iter it;
    mcpw_json other = {NULL, 0, 0};
    mcpw_json value = {NULL, 0, 0};
    size_t n = 0;
    FUZZ_ASSERT(mcpw_json_iterate(object, &it) == MCPW_OK);
    while (mcpw_json_next(&it, &other, &value) && other.ptr != key.ptr) {
        n += mcpw_json_equal(key, other);
    }
    return n;
}

static inline bool fuzz_same_json(mcpw_json a, mcpw_json b) {
    const mcpw_json_kind kind = mcpw_json_kind_of(a);
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json x = {NULL, 0, 0};
    mcpw_json y = {NULL, 0, 0};
    double p = 0;
    double q = 0;
    if (kind != mcpw_json_kind_of(b)) {
        return false;
    }
    if (kind == MCPW_JSON_NUMBER) {
        return mcpw_json_equal(a, b) || (mcpw_json_double(a, &p) == MCPW_OK &&
                                         mcpw_json_double(b, &q) == MCPW_OK && !(p < q || q < p));
    }
    if (kind != MCPW_JSON_ARRAY && kind != MCPW_JSON_OBJECT) {
        return mcpw_json_equal(a, b);
    }
    if (mcpw_json_count(a) != mcpw_json_count(b) || mcpw_json_iterate(a, &it) != MCPW_OK) {
        return false;
    }
    for (size_t i = 0; mcpw_json_next(&it, &key, &x); i++) {
        const bool found = kind == MCPW_JSON_ARRAY ? mcpw_json_at(b, i, &y) == MCPW_OK
                                                   : fuzz_member(b, key, fuzz_earlier(a, key), &y);
        if (!found || !fuzz_same_json(x, y)) {
            return false;
        }
    }
    return it.status == MCPW_OK;
}

/* Whether some object in it has a member twice. */
static inline bool fuzz_has_duplicates(mcpw_json v) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json item = {NULL, 0, 0};
    const mcpw_json_kind kind = mcpw_json_kind_of(v);
    if ((kind != MCPW_JSON_ARRAY && kind != MCPW_JSON_OBJECT) || mcpw_json_iterate(v, &it) != MCPW_OK) {
        return false;
    }
    while (mcpw_json_next(&it, &key, &item)) {
        if ((kind == MCPW_JSON_OBJECT && fuzz_earlier(v, key) != 0) || fuzz_has_duplicates(item)) {
            return true;
        }
    }
    return false;
}

/* Appends the value with the members of every object in reverse order: written from its end backwards. */
static inline char *fuzz_put_reversed(char *end, mcpw_json v) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json item = {NULL, 0, 0};
    const mcpw_json_kind kind = mcpw_json_kind_of(v);
    if (kind != MCPW_JSON_ARRAY && kind != MCPW_JSON_OBJECT) {
        end -= v.len;
        memcpy(end, v.ptr, v.len);
        return end;
    }
    const bool object = kind == MCPW_JSON_OBJECT;
    const size_t count = mcpw_json_count(v);
    *--end = object ? '}' : ']';
    FUZZ_ASSERT(mcpw_json_iterate(v, &it) == MCPW_OK);
    for (size_t i = 0; i < count; i++) { /* an array keeps its order: its last item is written first */
        if (object) {
            FUZZ_ASSERT(mcpw_json_next(&it, &key, &item));
        } else {
            FUZZ_ASSERT(mcpw_json_at(v, count - 1 - i, &item) == MCPW_OK);
        }
        if (i != 0) {
            *--end = ',';
        }
        end = fuzz_put_reversed(end, item);
        if (object) {
            *--end = ':';
            end -= key.len;
            memcpy(end, key.ptr, key.len);
        }
    }
    *--end = object ? '{' : '[';
    return end;
}

/* The value with its members in reverse order, in memory of exactly its size, to be freed. */
static inline char *fuzz_reversed(mcpw_json v, size_t *len) {
    char *const room = fuzz_alloc(v.len);
    const char *const begin = fuzz_put_reversed(room + v.len, v);
    *len = (size_t)(room + v.len - begin);
    char *const out = fuzz_copy(begin, *len);
    free(room);
    return out;
}

#endif
