/* SPDX-License-Identifier: MIT */
/* A table of objects by a hash. An object begins with the link to the next one in its bucket. */
#ifndef MCPW_TASKS_TABLE_H
#define MCPW_TASKS_TABLE_H

#include <mcpw/arena.h>

/* All zeros: an empty table. */
typedef struct mcpw_task_table {
    void **buckets;
    size_t bucket_count; /* a power of two */
    size_t count;
} mcpw_task_table;

/* A hash of a text. The seed is random, so that nobody can choose texts with equal hashes. */
uint32_t mcpw_task_hash(uint32_t seed, mcpw_str text);

/* The first object that may have this hash; NULL: there is none. */
static inline void *mcpw_task_table_first(const mcpw_task_table *table, uint32_t hash) {
    return table->count != 0 ? table->buckets[hash & (table->bucket_count - 1)] : NULL;
}

/* Makes room for one more object. Without memory the chains grow; false: there is no bucket at all. */
bool mcpw_task_table_reserve(mcpw_task_table *table, const mcpw_allocator *allocator,
                             uint32_t (*hash)(const void *object));
void mcpw_task_table_put(mcpw_task_table *table, void *object, uint32_t hash);
/* Removes an object that is in the table. */
void mcpw_task_table_drop(mcpw_task_table *table, void *object, uint32_t hash);
/* Frees the buckets. */
void mcpw_task_table_free(mcpw_task_table *table, const mcpw_allocator *allocator);

#endif
