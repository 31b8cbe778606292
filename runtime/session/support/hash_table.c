/* SPDX-License-Identifier: MIT */
#include "hash_table.h"

#include <string.h>

enum { FIRST = 16 }; /* buckets where there were none */

void mcpw_table_move(mcpw_hash_table *table, mcpw_hash_link **buckets, uint32_t count) {
    const mcpw_hash_table before = *table;
    *table = (mcpw_hash_table){buckets, count, 0};
    for (size_t i = 0; i < before.bucket_count; i++) {
        for (mcpw_hash_link *link = before.buckets[i], *next = NULL; link != NULL; link = next) {
            next = link->next;
            mcpw_table_put(table, link, link->hash);
        }
        before.buckets[i] = NULL;
    }
}

bool mcpw_table_grow(mcpw_hash_table *table, const mcpw_allocator *allocator) {
    const uint32_t count = 2 * table->bucket_count > FIRST ? 2 * table->bucket_count : FIRST;
    mcpw_hash_link **const buckets =
        count > table->bucket_count ? mcpw_resize(allocator, NULL, 0, count * sizeof *buckets) : NULL;
    if (buckets == NULL) {
        return table->buckets != NULL;
    }
    memset((void *)buckets, 0, count * sizeof *buckets);
    const mcpw_hash_table before = *table;
    mcpw_table_move(table, buckets, count);
    mcpw_table_free(&before, allocator);
    return true;
}

void *mcpw_table_find(const mcpw_hash_table *table, uint32_t hash, mcpw_str text, size_t offset) {
    mcpw_hash_link *link = mcpw_table_first(table, hash);
    while (link != NULL &&
           (link->hash != hash ||
            !mcpw_str_equal(*(const mcpw_str *)(const void *)((const char *)link + offset), text))) {
        link = link->next;
    }
    return link;
}
