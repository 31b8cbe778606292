/* SPDX-License-Identifier: MIT */
/* How values stand to bounds, which the tables hold as integers and doubles too. */
#include "../json/number.h"
#include "check.h"

static int order_of(int64_t a, int64_t b) { return (a > b) - (a < b); }

/* Rounding keeps order, so the doubles decide unless they are equal; then the decimals do. */
static int order_of_number(const mcpw_checked *value, double bound, const char *bound_text) {
    if (value->number < bound || value->number > bound) {
        return value->number < bound ? -1 : 1;
    }
    return mcpw_compare_decimal(value->text.ptr, value->text.len, bound_text, strlen(bound_text));
}

int mcpw_order_to_bound(const mcpw_revision *revision, const mcpw_check *c, const mcpw_checked *value,
                        bool is_max) {
    if (value->kind == MCPW_KIND_NUMBER) {
        return order_of_number(value, is_max ? c->max_number : c->min_number,
                               revision->pool + (is_max ? c->max_text : c->min_text));
    }
    return order_of(value->integer, is_max ? c->max : c->min);
}
