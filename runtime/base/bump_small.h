/* SPDX-License-Identifier: MIT */
/* Taking memory from an arena, where size counts. Part of arena_internal.h. */
#ifndef MCPW_BUMP_SMALL_H
#define MCPW_BUMP_SMALL_H

#define mcpw_arena_bump mcpw_arena_bump_slow

#endif
