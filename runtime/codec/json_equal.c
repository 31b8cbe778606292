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

#include "engine_internal.h"
#include "json_scan.h"
#include "number.h"

static bool equal_values(mcpw_json a, mcpw_json b);

static bool equal_arrays(mcpw_json a, mcpw_json b) {
    mcpw_json_iter i;
    mcpw_json_iter j;
    mcpw_json x = {NULL, 0};
    mcpw_json y = {NULL, 0};
    bool more = mcpw_json_iterate(a, &i) == MCPW_OK && mcpw_json_iterate(b, &j) == MCPW_OK;
    while (more) {
        more = mcpw_json_next(&i, NULL, &x);
        if (more != mcpw_json_next(&j, NULL, &y)) {
            return false;
        }
        if (more && !equal_values(x, y)) {
            return false;
        }
    }
    return true;
}

/* The order of two names by code point, and of two with the same name by where they stand. */
static int compare_keys(const void *a, const void *b) {
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

static int order_of_keys(const void *a, const void *b) {
    const int order = compare_keys(a, b);
    return order != 0 ? order : (const char *)a < (const char *)b ? -1 : (const char *)a > (const char *)b;
}

#if !defined(MCPW_NO_MALLOC)
static void sorted_keys(mcpw_json_iter it, const void **keys, size_t count) {
    mcpw_json key = {NULL, 0};
    for (size_t n = 0; n < count && mcpw_json_next(&it, &key, NULL); n++) {
        keys[n] = key.ptr;
    }
    mcpw_sort(keys, count, order_of_keys);
}

#endif

/* The value of the member whose name stands at key. */
static mcpw_json value_behind(const void *key, const char *end) {
    mcpw_scanner s = {(const unsigned char *)end, NULL, MCPW_OK, MCPW_MAX_DEPTH};
    const unsigned char *p = mcpw_scan_string(&s, key);
    p = mcpw_scan_space(&s, mcpw_scan_space(&s, p) + 1);
    const unsigned char *const behind = mcpw_scan_value(&s, p);
    const mcpw_json value = {(const char *)p, (size_t)(behind - p)};
    return value;
}

#if defined(MCPW_NO_MALLOC)
/* The first key from there on that stands behind `before` in the order of keys. */
static const void *next_key(mcpw_json_iter it, const void *before) {
    const void *next = NULL;
    mcpw_json key = {NULL, 0};
    while (mcpw_json_next(&it, &key, NULL)) {
        const void *const at = key.ptr;
        if ((before == NULL || order_of_keys(at, before) > 0) &&
            (next == NULL || order_of_keys(at, next) < 0)) {
            next = at;
        }
    }
    return next;
}

/* The members from i and j on, of which there are `count` in each, in whatever order: slow for many, but
 * without memory to sort them in. */
static bool equal_unordered(mcpw_json_iter i, mcpw_json_iter j, size_t count) {
    const void *key = NULL;
    const void *other = NULL;
    for (size_t n = 0; n < count; n++) {
        key = next_key(i, key);
        other = next_key(j, other);
        if (compare_keys(key, other) != 0 ||
            !equal_values(value_behind(key, i.end), value_behind(other, j.end))) {
            return false;
        }
    }
    return true;
}
#else
/* The members from i and j on, of which there are `count` in each, in whatever order. */
static bool equal_unordered(mcpw_json_iter i, mcpw_json_iter j, size_t count) {
    const void *few[2 * MCPW_FEW_KEYS];
    const void **const keys = count <= MCPW_FEW_KEYS ? few : malloc(2 * count * sizeof *keys);
    const void **const others = keys != NULL ? keys + count : NULL;
    bool equal = keys != NULL;
    if (equal) {
        sorted_keys(i, keys, count);
        sorted_keys(j, others, count);
    }
    for (size_t n = 0; n < count && equal; n++) {
        equal = compare_keys(keys[n], others[n]) == 0 &&
                equal_values(value_behind(keys[n], i.end), value_behind(others[n], j.end));
    }
    if (keys != few) {
        free((void *)keys);
    }
    return equal;
}
#endif

/* Side by side for as long as the names are in the same order. */
static bool equal_objects(mcpw_json a, mcpw_json b) {
    mcpw_json_iter i;
    mcpw_json_iter j;
    size_t left = mcpw_json_count(a);
    if (left != mcpw_json_count(b) || mcpw_json_iterate(a, &i) != MCPW_OK ||
        mcpw_json_iterate(b, &j) != MCPW_OK) {
        return false;
    }
    for (;; left--) {
        const mcpw_json_iter i_here = i;
        const mcpw_json_iter j_here = j;
        mcpw_json key = {NULL, 0};
        mcpw_json other = {NULL, 0};
        mcpw_json x = {NULL, 0};
        mcpw_json y = {NULL, 0};
        if (!mcpw_json_next(&i, &key, &x) || !mcpw_json_next(&j, &other, &y)) {
            return true;
        }
        if (!mcpw_tokens_equal(key, other)) {
            return equal_unordered(i_here, j_here, left);
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
        return mcpw_tokens_equal(a, b);
    case MCPW_JSON_ARRAY:
        return equal_arrays(a, b);
    case MCPW_JSON_OBJECT:
        return equal_objects(a, b);
    default: /* true, false, null: their text would have been the same */
        return false;
    }
}

/* The value without white space around it. */
static mcpw_json trim(mcpw_json value) {
    while (value.len > 0 && (unsigned char)value.ptr[0] <= ' ') {
        value.ptr++;
        value.len--;
    }
    while (value.len > 0 && (unsigned char)value.ptr[value.len - 1] <= ' ') {
        value.len--;
    }
    return value;
}

bool mcpw_json_equal(mcpw_json a, mcpw_json b) {
    if (a.ptr == NULL || b.ptr == NULL) {
        return a.ptr == b.ptr;
    }
    if (mcpw_json_check(a, MCPW_MAX_DEPTH, NULL) != MCPW_OK) {
        return false;
    }
    if (a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0) {
        return true;
    }
    return mcpw_json_check(b, MCPW_MAX_DEPTH, NULL) == MCPW_OK && equal_values(trim(a), trim(b));
}
