/* SPDX-License-Identifier: MIT */
/* An allocator in one block of memory: the first free piece that is large enough. */
#ifndef DEVICE_POOL_H
#define DEVICE_POOL_H

#include <mcpw/arena.h>

/* A piece of the block: its size comes first. Pieces that are free form a list, from low to high addresses.
 */
typedef struct pool_piece {
    size_t size; /* bytes, this header included */
    struct pool_piece *next;
} pool_piece;

typedef struct pool {
    pool_piece *free;
    size_t used; /* bytes that are taken now, */
    size_t most; /* and at most */
} pool;

/* Makes the block free. It is aligned for any type, and stays. */
void pool_open(pool *p, void *block, size_t size);

/* The function of a mcpw_allocator whose user is a pool. */
void *pool_resize(void *user, void *ptr, size_t old_size, size_t new_size);

#endif
