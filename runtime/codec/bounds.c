/* SPDX-License-Identifier: MIT */
/* Bounds of numbers, lengths and counts: the checks table. */
#include "../json/number.h"
#include "engine_internal.h"

/* Whether a check holds for what stands in this order (negative, 0, positive) to its bounds. */
static bool holds(const mcpw_check *c, int to_min, int to_max) {
    return ((c->flags & MCPW_CHECK_MIN) == 0 || to_min > 0 ||
            (to_min == 0 && (c->flags & MCPW_CHECK_ABOVE_MIN) == 0)) &&
           ((c->flags & MCPW_CHECK_MAX) == 0 || to_max < 0 ||
            (to_max == 0 && (c->flags & MCPW_CHECK_BELOW_MAX) == 0));
}

#if defined(MCPW_SMALL) /* whose tables have the schema's texts alone */
static bool text_in_bounds(const mcpw_revision *v, const char *text, size_t len, const mcpw_check *c) {
    int order[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        const char *const bound = v->pool + (i == 0 ? c->min_text : c->max_text);
        if ((c->flags & (i == 0 ? MCPW_CHECK_MIN : MCPW_CHECK_MAX)) != 0) {
            order[i] = mcpw_compare_decimal(text, len, bound, strlen(bound));
        }
    }
    return holds(c, order[0], order[1]);
}

static bool between(const mcpw_revision *v, const mcpw_check *c, int64_t value) {
    char text[MCPW_INT_SIZE];
    return text_in_bounds(v, text, mcpw_format_int(text, value), c);
}

bool mcpw_number_in_bounds(const mcpw_revision *v, double value, const unsigned char *from,
                           const unsigned char *to, unsigned check) {
    (void)value;
    return text_in_bounds(v, (const char *)from, (size_t)(to - from), v->checks + check);
}
#else
static int order_of(int64_t a, int64_t b) { return (a > b) - (a < b); }

static bool between(const mcpw_revision *v, const mcpw_check *c, int64_t value) {
    (void)v;
    return holds(c, order_of(value, c->min), order_of(value, c->max));
}

/* Rounding keeps order, so the doubles decide unless they are equal; then the decimals do. */
static int compare_bound(double value, const unsigned char *from, const unsigned char *to, double bound,
                         const char *bound_text) {
    if (value < bound || value > bound) {
        return value < bound ? -1 : 1;
    }
    return mcpw_compare_decimal((const char *)from, (size_t)(to - from), bound_text, strlen(bound_text));
}

bool mcpw_number_in_bounds(const mcpw_revision *v, double value, const unsigned char *from,
                           const unsigned char *to, unsigned check) {
    const mcpw_check *const c = v->checks + check;
    const bool has_min = (c->flags & MCPW_CHECK_MIN) != 0;
    const bool has_max = (c->flags & MCPW_CHECK_MAX) != 0;
    return holds(c, has_min ? compare_bound(value, from, to, c->min_number, v->pool + c->min_text) : 0,
                 has_max ? compare_bound(value, from, to, c->max_number, v->pool + c->max_text) : 0);
}
#endif

bool mcpw_integer_in_bounds(const mcpw_revision *v, int64_t value, unsigned check) {
    return between(v, v->checks + check, value);
}

bool mcpw_count_in_bounds(const mcpw_revision *v, size_t count, unsigned check) {
    const uint64_t wide = count; /* than a size_t of 32 bits, which could never pass INT64_MAX */
    return between(v, v->checks + check, wide > INT64_MAX ? INT64_MAX : (int64_t)wide);
}

/* Continuation bytes do not begin a character. */
static size_t code_points(const char *text, size_t len) {
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return n;
}

bool mcpw_string_in_bounds(const mcpw_revision *v, const char *text, size_t len, unsigned check) {
    const mcpw_check *const c = v->checks + check;
    return c->flags == 0 || between(v, c, (int64_t)code_points(text, len));
}
