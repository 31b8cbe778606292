/* SPDX-License-Identifier: MIT */
#include "hash_table.h"

#include <string.h>

enum { FIRST = 16 };                  /* buckets where there were none */
enum { PRIME = 16777619, FOLD = 16 }; /* the prime of FNV-1a, and half the bits of a hash */

static uint32_t word_at(const char *at) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The words of the text. The last bytes are a word that may overlap the one before. */
uint32_t mcpw_table_hash(mcpw_str text) {
    enum { WORD = sizeof(uint32_t) };
    uint32_t hash = (uint32_t)text.len;
    size_t at = 0;
    for (; at + WORD < text.len; at += WORD) {
        hash = (hash ^ word_at(text.ptr + at)) * PRIME;
        hash ^= hash >> FOLD;
    }
    if (text.len >= WORD) {
        hash ^= word_at(text.ptr + text.len - WORD);
    } else {
        for (; at < text.len; at++) {
            hash = (hash ^ (unsigned char)text.ptr[at]) * PRIME;
        }
    }
    hash *= PRIME;
    return hash ^ hash >> FOLD;
}

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
