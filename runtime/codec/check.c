/* SPDX-License-Identifier: MIT */
/* Whether a value is what its check demands. */
#include <mcpw/codec.h>

#include "../json/number.h"
#include "check.h"

/* Whether a check holds for what stands in this order (negative, 0, positive) to its bounds. */
static bool holds(const mcpw_check *c, int to_min, int to_max) {
    return ((c->flags & MCPW_CHECK_MIN) == 0 || to_min > 0 ||
            (to_min == 0 && (c->flags & MCPW_CHECK_ABOVE_MIN) == 0)) &&
           ((c->flags & MCPW_CHECK_MAX) == 0 || to_max < 0 ||
            (to_max == 0 && (c->flags & MCPW_CHECK_BELOW_MAX) == 0));
}

/* Continuation bytes do not begin a character. */
static int64_t code_points(mcpw_str text) {
    int64_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        n += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
    }
    return n;
}

static bool in_bounds(const mcpw_revision *revision, const mcpw_check *c, const mcpw_checked *value) {
    mcpw_checked measured = *value;
    if (value->kind == MCPW_KIND_STRING) {
        measured.integer = code_points(value->text);
    }
    const bool has_min = (c->flags & MCPW_CHECK_MIN) != 0;
    const bool has_max = (c->flags & MCPW_CHECK_MAX) != 0;
    return holds(c, has_min ? mcpw_order_to_bound(revision, c, &measured, false) : 0,
                 has_max ? mcpw_order_to_bound(revision, c, &measured, true) : 0);
}

/* The argument is an integer above 0, in decimal. */
static bool is_multiple(const mcpw_revision *revision, const mcpw_check *c, int64_t value) {
    const char *const text = revision->pool + c->argument;
    int64_t factor = 1;
    return mcpw_parse_int64(text, strlen(text), &factor) == MCPW_OK && value % factor == 0;
}

mcpw_status mcpw_check_value(const mcpw_revision *revision, unsigned check, unsigned flags,
                             const mcpw_checked *value) {
    const mcpw_check *const c = revision->checks + check;
    const bool is_number = value->kind == MCPW_KIND_INTEGER || value->kind == MCPW_KIND_NUMBER;
    if (c->flags != 0 && !in_bounds(revision, c, value)) {
        return is_number ? MCPW_E_RANGE : MCPW_E_LENGTH;
    }
    if ((c->flags & MCPW_CHECK_MULTIPLE) != 0 && !is_multiple(revision, c, value->integer)) {
        return MCPW_E_RANGE;
    }
    return (flags & MCPW_STRICT) == 0 || mcpw_has_format(c->format, value) ? MCPW_OK : MCPW_E_FORMAT;
}
