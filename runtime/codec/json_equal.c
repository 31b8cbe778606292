/* SPDX-License-Identifier: MIT */
/* Equality of two raw values. Both are checked first; from then on nothing has to be.
 *
 * Members may stand in any order. Where names repeat, which JSON allows, the first of one object belongs to
 * the first of the other, the second to the second, and so on. No value is compared twice, so that nesting
 * does not multiply the work; only names are looked at again when the order differs. */
#include <mcpw/codec.h>
#include <mcpw/json.h>

#include "json_scan.h"
#include "number.h"
#include "simd.h"

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

/* Which of the members of that name, from `from` up to the key itself, the key is, from 0. */
static size_t occurrence(mcpw_json_iter from, mcpw_json key) {
    mcpw_json other = {NULL, 0};
    size_t n = 0;
    while (mcpw_json_next(&from, &other, NULL) && other.ptr != key.ptr) {
        n += mcpw_tokens_equal(other, key);
    }
    return n;
}

static bool find_occurrence(mcpw_json_iter from, mcpw_json key, size_t n, mcpw_json *value) {
    mcpw_json other = {NULL, 0};
    while (mcpw_json_next(&from, &other, value)) {
        if (mcpw_tokens_equal(other, key) && n-- == 0) {
            return true;
        }
    }
    return false;
}

/* The members from i and j on, whose numbers are the same, in whatever order. */
static bool equal_unordered(mcpw_json_iter i, mcpw_json_iter j) {
    const mcpw_json_iter first = i;
    mcpw_json key = {NULL, 0};
    mcpw_json x = {NULL, 0};
    mcpw_json y = {NULL, 0};
    while (mcpw_json_next(&i, &key, &x)) {
        if (!find_occurrence(j, key, occurrence(first, key), &y) || !equal_values(x, y)) {
            return false;
        }
    }
    return true;
}

/* Side by side for as long as the names are in the same order. */
static bool equal_objects(mcpw_json a, mcpw_json b) {
    mcpw_json_iter i;
    mcpw_json_iter j;
    if (mcpw_json_count(a) != mcpw_json_count(b) || mcpw_json_iterate(a, &i) != MCPW_OK ||
        mcpw_json_iterate(b, &j) != MCPW_OK) {
        return false;
    }
    for (;;) {
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
            return equal_unordered(i_here, j_here);
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
