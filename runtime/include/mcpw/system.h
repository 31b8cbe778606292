/* SPDX-License-Identifier: MIT */
/*
 * The parts of the system that the library uses, for extensions that need the same: locks between threads,
 * unpredictable bytes, and the time of day. They work on every system that the library works on.
 */
#ifndef MCPW_SYSTEM_H
#define MCPW_SYSTEM_H

#include <mcpw/arena.h>
#include <mcpw/error.h>

MCPW_BEGIN_DECLS

/* A lock between threads. On a system without threads it does nothing. */
typedef struct mcpw_lock mcpw_lock;

/* A lock that no thread holds; NULL without memory. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_lock *mcpw_lock_new(const mcpw_allocator *allocator);
/* Frees a lock that no thread holds. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_lock_free(mcpw_lock *lock, const mcpw_allocator *allocator);
/* Takes the lock, and waits until no other thread holds it. A thread that holds it must not take it again. */
MCPW_SESSION_API void mcpw_lock_take(mcpw_lock *lock);
/* Gives the lock back. The caller holds it. */
MCPW_SESSION_API void mcpw_lock_give(mcpw_lock *lock);

/* Fills len bytes with bytes that nobody can predict: keys, ids. MCPW_E_STATE in a library without libsodium,
 * which Windows does not need, or if the system has no such bytes. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_random(void *bytes, size_t len);

/* The time in ms since 1970, which may be set back; full seconds in a C library without timespec_get, 0 where
 * there is no clock. mcpw_session_time_of_day asks the clock of a session's config first. */
MCPW_SESSION_API uint64_t mcpw_time_of_day(void);

MCPW_END_DECLS

#endif
