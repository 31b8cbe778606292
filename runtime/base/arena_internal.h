/* SPDX-License-Identifier: MIT */
/* The arena as the engine uses it: an inline bump, and marks to go back to when a union alternative fails.
 *
 * Blocks form one list from the oldest to the newest. Those after the current one are spare: a rewind
 * leaves them there, so that the next attempt allocates nothing. */
#ifndef MCPW_ARENA_INTERNAL_H
#define MCPW_ARENA_INTERNAL_H

#include <mcpw/arena.h>

#include "compiler.h"

enum { MCPW_ARENA_ALIGN = 16 };

/* mcpw_arena_bump where the current block is full, or size is 0. In the small library every call is this one.
 */
void *mcpw_arena_bump_slow(mcpw_arena *arena, size_t size);

/* Whether the current block has room for size bytes; false for size 0. */
MCPW_INLINE bool mcpw_arena_fits(const mcpw_arena *arena, size_t size) {
    return size - 1 < (size_t)((uintptr_t)arena->end - (uintptr_t)arena->next);
}

/* A size that fits in memory, rounded up to the alignment. */
MCPW_INLINE size_t mcpw_arena_round(size_t size) {
    return (size + (MCPW_ARENA_ALIGN - 1)) & ~(size_t)(MCPW_ARENA_ALIGN - 1);
}

/* mcpw_arena_bump(arena, size) gives size bytes, aligned for any type. It is not NULL on success, not even
 * for size 0. NULL when memory or the limit runs out. */
#if defined(MCPW_SMALL)
#include "bump_small.h"
#else
#include "bump_fast.h"
#endif

/* Why an allocation has just failed: MCPW_E_ARENA or MCPW_E_MEMORY. */
MCPW_INLINE mcpw_status mcpw_arena_status(const mcpw_arena *arena) { return arena->status; }

/* The function of an allocator whose user is an arena, for buffers that lie in it. Old blocks stay until the
 * arena is rewound. */
void *mcpw_resize_in_arena(void *user, void *ptr, size_t old_size, size_t new_size);

#endif
