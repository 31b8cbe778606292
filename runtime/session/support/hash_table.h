/* SPDX-License-Identifier: MIT */
/* Objects that are found by a hash. Each has its link inside of it, so a table has memory for buckets alone.
 */
#ifndef MCPW_HASH_TABLE_H
#define MCPW_HASH_TABLE_H

#include <mcpw/arena.h>

/* At most so many buckets lie in the object that the table is in. More are the table's own. */
enum { MCPW_TABLE_FEW = 4 };

typedef struct mcpw_hash_link {
    struct mcpw_hash_link *next;
    uint32_t hash;
} mcpw_hash_link;

/* All zeros: a table that has no buckets yet. */
typedef struct mcpw_hash_table {
    mcpw_hash_link **buckets;
    uint32_t bucket_count; /* a power of two */
    uint32_t count;
} mcpw_hash_table;

/* The object that a link is a member of. */
#define MCPW_HOLDER_OF(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

/* Begins with buckets that stay the caller's, MCPW_TABLE_FEW at most. All of them are NULL. */
static inline void mcpw_table_init(mcpw_hash_table *table, mcpw_hash_link **few, uint32_t count) {
    *table = (mcpw_hash_table){few, count, 0};
}

/* Frees the buckets that are the table's own. */
static inline void mcpw_table_free(const mcpw_hash_table *table, const mcpw_allocator *allocator) {
    if (table->bucket_count > MCPW_TABLE_FEW) {
        (void)mcpw_resize(allocator, (void *)table->buckets, table->bucket_count * sizeof *table->buckets, 0);
    }
}

/* Moves all objects to other buckets. All of these are NULL; those of before are so then. */
void mcpw_table_move(mcpw_hash_table *table, mcpw_hash_link **buckets, uint32_t count);
/* Makes twice as many buckets. Without memory the chains grow instead; false: there is none for the first. */
bool mcpw_table_grow(mcpw_hash_table *table, const mcpw_allocator *allocator);
/* Finds an object that begins with its link, and has a mcpw_str with this text at this offset; NULL: none. */
void *mcpw_table_find(const mcpw_hash_table *table, uint32_t hash, mcpw_str text, size_t offset);

static inline mcpw_hash_link **mcpw_table_bucket(const mcpw_hash_table *table, uint32_t hash) {
    return table->buckets + (hash & (table->bucket_count - 1));
}

/* The first link that may have this hash; NULL: there is none. */
static inline mcpw_hash_link *mcpw_table_first(const mcpw_hash_table *table, uint32_t hash) {
    return table->count != 0 ? *mcpw_table_bucket(table, hash) : NULL;
}

/* Makes room for one more object; false: there is no memory. */
static inline bool mcpw_table_reserve(mcpw_hash_table *table, const mcpw_allocator *allocator) {
    return table->count < table->bucket_count || mcpw_table_grow(table, allocator);
}

static inline void mcpw_table_put(mcpw_hash_table *table, mcpw_hash_link *link, uint32_t hash) {
    mcpw_hash_link **const bucket = mcpw_table_bucket(table, hash);
    link->hash = hash;
    link->next = *bucket;
    *bucket = link;
    table->count++;
}

/* Takes an object out that is in the table. */
static inline void mcpw_table_drop(mcpw_hash_table *table, const mcpw_hash_link *link) {
    mcpw_hash_link **at = mcpw_table_bucket(table, link->hash);
    while (*at != link) {
        at = &(*at)->next;
    }
    *at = link->next;
    table->count--;
}

#endif
