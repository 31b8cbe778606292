/* SPDX-License-Identifier: MIT */
#include "table.h"

enum { FIRST_BUCKETS = 16 };

/* Two products, so that no difference of one word is undone by one of the next, whatever the seed is. */
static uint64_t mix(uint64_t hash, uint64_t word, uint64_t secret) {
    static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio */
    hash = (hash ^ word) * odd;
    hash = (hash ^ hash >> 32) * secret;
    return hash ^ hash >> 29;
}

uint32_t mcpw_task_hash(uint32_t seed, mcpw_str text) {
    const uint64_t secret = ((uint64_t)seed << 32 | seed) | 1;
    uint64_t hash = text.len;
    uint64_t word;
    size_t i = 0;
    for (; text.len - i >= sizeof word; i += sizeof word) {
        memcpy(&word, text.ptr + i, sizeof word);
        hash = mix(hash, word, secret);
    }
    if (i < text.len) {
        word = 0;
        memcpy(&word, text.ptr + i, text.len - i);
        hash = mix(hash, word, secret);
    }
    return (uint32_t)(hash ^ hash >> 32);
}

void mcpw_task_table_put(mcpw_task_table *table, void *object, uint32_t hash) {
    void **const bucket = table->buckets + (hash & (table->bucket_count - 1));
    *(void **)object = *bucket;
    *bucket = object;
    table->count++;
}

void mcpw_task_table_drop(mcpw_task_table *table, void *object, uint32_t hash) {
    void **at = table->buckets + (hash & (table->bucket_count - 1));
    while (*at != object) {
        at = (void **)*at;
    }
    *at = *(void **)object;
    table->count--;
}

bool mcpw_task_table_reserve(mcpw_task_table *table, const mcpw_allocator *allocator,
                             uint32_t (*hash)(const void *object)) {
    const size_t count = table->bucket_count != 0 ? 2 * table->bucket_count : FIRST_BUCKETS;
    if (table->count < table->bucket_count) {
        return true;
    }
    void **const buckets = mcpw_resize(allocator, NULL, 0, count * sizeof *buckets);
    if (buckets == NULL) {
        return table->bucket_count != 0;
    }
    mcpw_task_table grown = {buckets, count, 0};
    memset((void *)buckets, 0, count * sizeof *buckets);
    for (size_t i = 0; i < table->bucket_count; i++) {
        for (void *object = table->buckets[i]; object != NULL;) {
            void *const next = *(void **)object;
            mcpw_task_table_put(&grown, object, hash(object));
            object = next;
        }
    }
    mcpw_task_table_free(table, allocator);
    *table = grown;
    return true;
}

void mcpw_task_table_free(mcpw_task_table *table, const mcpw_allocator *allocator) {
    (void)mcpw_resize(allocator, (void *)table->buckets, table->bucket_count * sizeof *table->buckets, 0);
    *table = (mcpw_task_table){NULL, 0, 0};
}
