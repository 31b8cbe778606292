/* SPDX-License-Identifier: MIT */
/* Taking memory from an arena without a call. Part of arena_internal.h. */
#ifndef MCPW_BUMP_FAST_H
#define MCPW_BUMP_FAST_H

/* The free part of a block is always a multiple of MCPW_ARENA_ALIGN, so a size that fits still fits after
 * rounding up, and the rounding cannot overflow. */
MCPW_INLINE void *mcpw_arena_bump(mcpw_arena *arena, size_t size) {
    unsigned char *const at = arena->next;
    if (MCPW_UNLIKELY(!mcpw_arena_fits(arena, size))) {
        return mcpw_arena_bump_slow(arena, size);
    }
    MCPW_ASSUME(at != NULL); /* there is room after it */
    arena->next = at + mcpw_arena_round(size);
    return at;
}

#endif
