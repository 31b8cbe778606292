/* SPDX-License-Identifier: MIT */
/* Looking up names. They are sorted by hash, and a bucket has the place where those with the same highest
 * bits stand. Whatever the names are, a look-up costs no more than a binary search. */
#include "shapes.h"

int mcpw_compare_name(uint32_t hash, const char *text, size_t len, const mcpw_name *name, const char *pool) {
    if (hash != name->hash) {
        return hash < name->hash ? -1 : 1;
    }
    if (len != name->text.count) {
        return len < name->text.count ? -1 : 1;
    }
    return memcmp(text, pool + name->text.first, len);
}

const mcpw_name *mcpw_search_names(const mcpw_schema *schema, const mcpw_name *low, const mcpw_name *high,
                                   uint32_t hash, const char *text, size_t len) {
    while (low < high) {
        const mcpw_name *const middle = low + (high - low) / 2;
        const int order = mcpw_compare_name(hash, text, len, middle, schema->pool);
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

bool mcpw_has_word(const mcpw_schema *schema, mcpw_span names, const char *text, size_t len) {
    const mcpw_name *const first = schema->names + names.first;
    return mcpw_search_names(schema, first, first + names.count, mcpw_hash_text(text, len), text, len) !=
           NULL;
}
