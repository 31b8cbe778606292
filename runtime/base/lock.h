/* SPDX-License-Identifier: MIT */
/* A lock between threads. On a system without threads it does nothing: lock_none.c in place of lock_posix.c.
 */
#ifndef MCPW_LOCK_H
#define MCPW_LOCK_H

#include <mcpw/arena.h>

typedef struct mcpw_lock mcpw_lock;

/* A lock that nobody holds; NULL without memory. */
mcpw_lock *mcpw_lock_new(const mcpw_allocator *allocator);
/* Does nothing for NULL. */
void mcpw_lock_free(mcpw_lock *lock, const mcpw_allocator *allocator);
/* Waits until no other thread holds it. A thread that holds it must not take it again. */
void mcpw_lock_take(mcpw_lock *lock);
void mcpw_lock_give(mcpw_lock *lock);

#endif
