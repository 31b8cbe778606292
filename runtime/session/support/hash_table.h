/* SPDX-License-Identifier: MIT */
/* A table finds objects by a hash. Objects contain their links, so a table has memory only for buckets. */
#ifndef MCPW_HASH_TABLE_H
#define MCPW_HASH_TABLE_H

#include <mcpw/arena.h>

/* The most buckets that the object around a table holds. The table allocates more. */
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

/* Begins with the caller's buckets, MCPW_TABLE_FEW at most. All of them are NULL. */
static inline void mcpw_table_init(mcpw_hash_table *table, mcpw_hash_link **few, uint32_t count) {
    *table = (mcpw_hash_table){few, count, 0};
}

/* Frees the buckets that the table allocated. */
static inline void mcpw_table_free(const mcpw_hash_table *table, const mcpw_allocator *allocator) {
    if (table->bucket_count > MCPW_TABLE_FEW) {
        (void)mcpw_resize(allocator, (void *)table->buckets, table->bucket_count * sizeof *table->buckets, 0);
    }
}

/* A hash of a text that no peer chooses, or whose collisions cost nothing. For other texts see
 * mcpw_session_hash32. */
uint32_t mcpw_table_hash(mcpw_str text);
/* Moves all objects to other buckets, which are NULL. The old ones are NULL afterwards. */
void mcpw_table_move(mcpw_hash_table *table, mcpw_hash_link **buckets, uint32_t count);
/* Doubles the buckets. Without memory the chains grow instead. False: no memory for the first ones. */
bool mcpw_table_grow(mcpw_hash_table *table, const mcpw_allocator *allocator);

static inline mcpw_hash_link **mcpw_table_bucket(const mcpw_hash_table *table, uint32_t hash) {
    return table->buckets + (hash & (table->bucket_count - 1));
}

/* The first link that may have this hash; NULL: there is none. */
static inline mcpw_hash_link *mcpw_table_first(const mcpw_hash_table *table, uint32_t hash) {
    return table->count != 0 ? *mcpw_table_bucket(table, hash) : NULL;
}

/* Finds an object by the text of its mcpw_str at this offset. It begins with its link. NULL: none. */
static inline void *mcpw_table_find(const mcpw_hash_table *table, uint32_t hash, mcpw_str text,
                                    size_t offset) {
    mcpw_hash_link *link = mcpw_table_first(table, hash);
    while (link != NULL &&
           (link->hash != hash ||
            !mcpw_str_equal(*(const mcpw_str *)(const void *)((const char *)link + offset), text))) {
        link = link->next;
    }
    return link;
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

/* Removes an object that is in the table. */
static inline void mcpw_table_drop(mcpw_hash_table *table, const mcpw_hash_link *link) {
    mcpw_hash_link **at = mcpw_table_bucket(table, link->hash);
    while (*at != link) {
        at = &(*at)->next;
    }
    *at = link->next;
    table->count--;
}

#endif
