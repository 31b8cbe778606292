/* SPDX-License-Identifier: MIT */
/* Bounds of numbers, lengths and counts: the checks table. */
#include "engine_internal.h"
#include "number.h"

static bool between(const mcpw_check *c, int64_t value) {
    if ((c->flags & MCPW_CHECK_MIN) != 0 &&
        (value < c->min || ((c->flags & MCPW_CHECK_ABOVE_MIN) != 0 && value == c->min))) {
        return false;
    }
    return (c->flags & MCPW_CHECK_MAX) == 0 || value < c->max ||
           ((c->flags & MCPW_CHECK_BELOW_MAX) == 0 && value == c->max);
}

bool mcpw_integer_in_bounds(const mcpw_reader *r, int64_t value, unsigned check) {
    return between(r->revision->checks + check, value);
}

bool mcpw_count_in_bounds(const mcpw_reader *r, size_t count, unsigned check) {
    const uint64_t wide = count; /* than a size_t of 32 bits, which could never pass INT64_MAX */
    return between(r->revision->checks + check, wide > INT64_MAX ? INT64_MAX : (int64_t)wide);
}

/* Continuation bytes do not begin a character. */
static size_t code_points(const char *text, size_t len) {
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return n;
}

bool mcpw_string_in_bounds(const mcpw_reader *r, const char *text, size_t len, unsigned check) {
    const mcpw_check *const c = r->revision->checks + check;
    return c->flags == 0 || between(c, (int64_t)code_points(text, len));
}

/* Rounding keeps order, so the doubles decide unless they are equal; then the decimals do. */
static int compare_bound(double value, const unsigned char *from, const unsigned char *to, double bound,
                         const char *bound_text) {
    if (value < bound || value > bound) {
        return value < bound ? -1 : 1;
    }
    return mcpw_compare_decimal((const char *)from, (size_t)(to - from), bound_text, strlen(bound_text));
}

bool mcpw_number_in_bounds(const mcpw_reader *r, double value, const unsigned char *from,
                           const unsigned char *to, unsigned check) {
    const mcpw_check *const c = r->revision->checks + check;
    if ((c->flags & MCPW_CHECK_MIN) != 0) {
        const int order = compare_bound(value, from, to, c->min_number, r->pool + c->min_text);
        if (order < 0 || (order == 0 && (c->flags & MCPW_CHECK_ABOVE_MIN) != 0)) {
            return false;
        }
    }
    if ((c->flags & MCPW_CHECK_MAX) != 0) {
        const int order = compare_bound(value, from, to, c->max_number, r->pool + c->max_text);
        if (order > 0 || (order == 0 && (c->flags & MCPW_CHECK_BELOW_MAX) != 0)) {
            return false;
        }
    }
    return true;
}
