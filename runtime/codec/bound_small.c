/* SPDX-License-Identifier: MIT */
/* How values stand to bounds, of which small tables hold the schema's texts alone. */
#include "../json/number.h"
#include "check.h"

int mcpw_order_to_bound(const mcpw_revision *revision, const mcpw_check *c, const mcpw_checked *value,
                        bool is_max) {
    const char *const bound = revision->pool + (is_max ? c->max_text : c->min_text);
    char digits[MCPW_INT_SIZE];
    mcpw_str text = value->text;
    if (value->kind != MCPW_KIND_NUMBER) {
        text.ptr = digits;
        text.len = mcpw_format_int(digits, value->integer);
    }
    return mcpw_compare_decimal(text.ptr, text.len, bound, strlen(bound));
}
