/* SPDX-License-Identifier: MIT */
/*
 * Which raw values in an arena are known to be good, because they were checked when they were decoded into
 * it: writing one again need not check it again.
 *
 * A value is known by its place and its length together. A part of it is not known, nor is the same text
 * elsewhere, so what a program puts together itself is always checked. What is known is forgotten with the
 * memory that it lies in: by a reset, and by a rewind to before it was noted.
 */
#ifndef MCPW_BASE_KNOWN_H
#define MCPW_BASE_KNOWN_H

#include "arena_internal.h"

/* Shorter values cost less to check than to find. */
enum { MCPW_KNOWN_LEAST = 48 };

typedef struct mcpw_known {
    const char *ptr;
    size_t len;
    const void *tables; /* the tables by which it was checked */
    uint32_t what;      /* what it was checked to be, in the tables' own terms */
    uint32_t levels;    /* levels that it may nest at most */
} mcpw_known;

/* Notes a value of at least MCPW_KNOWN_LEAST bytes that was just checked. Without memory for that it stays
 * unknown. */
void mcpw_known_mark(mcpw_arena *arena, const mcpw_known *value);

/* What is known of a value; NULL: nothing. */
const mcpw_known *mcpw_known_find(const mcpw_arena *arena, const char *ptr, size_t len);

/* Whether all that is known was noted before a mark. `table` is not NULL. */
#if defined(MCPW_SMALL) /* which notes nothing */
#define mcpw_known_before(table, mark) ((void)(table), (void)(mark), true)
#else
bool mcpw_known_before(const struct mcpw_known_table *table, mcpw_mark mark);
#endif

#endif
