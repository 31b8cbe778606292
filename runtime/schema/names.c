/* SPDX-License-Identifier: MIT */
/* Looking up names. They are sorted by hash, and a bucket tells where those with the same highest bits stand.
 * Whatever the names are, a look-up costs no more than a binary search. */
#include "shapes.h"

enum { HASH_BITS = 32 };

int mcpw_compare_name(uint32_t hash, const char *text, size_t len, const mcpw_name *name, const char *pool) {
    if (hash != name->hash) {
        return hash < name->hash ? -1 : 1;
    }
    if (len != name->text.count) {
        return len < name->text.count ? -1 : 1;
    }
    return memcmp(text, pool + name->text.first, len);
}

static const mcpw_name *search(const mcpw_schema *schema, const mcpw_name *low, const mcpw_name *high,
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

const mcpw_name *mcpw_find_name(const mcpw_schema *schema, const mcpw_object_row *row, uint32_t hash,
                                const char *text, size_t len) {
    const uint32_t *const bucket =
        schema->numbers + row->buckets + (size_t)((uint64_t)hash >> (HASH_BITS - row->bucket_bits));
    const mcpw_name *const names = schema->names + row->names.first;
    const mcpw_name *const first = names + bucket[0];
    if (MCPW_LIKELY(bucket[1] - bucket[0] <= 1)) {
        const bool same = bucket[1] != bucket[0] && first->hash == hash && first->text.count == len &&
                          mcpw_same_text(schema->pool + first->text.first, text, len);
        return same ? first : NULL;
    }
    return search(schema, names + bucket[0], names + bucket[1], hash, text, len);
}

bool mcpw_has_word(const mcpw_schema *schema, mcpw_span names, const char *text, size_t len) {
    const mcpw_name *const first = schema->names + names.first;
    return search(schema, first, first + names.count, mcpw_hash_text(text, len), text, len) != NULL;
}
