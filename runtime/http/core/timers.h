/* SPDX-License-Identifier: MIT */
/* Timers in a heap. The next one is found at once, whatever their number. */
#ifndef MCPW_TIMERS_H
#define MCPW_TIMERS_H

#include <mcpw/arena.h>

/* A timer inside the struct of its owner. Zero: it is not set. */
typedef struct mcpw_timer {
    size_t place; /* in the heap, from 1 on; 0: none */
    void *owner;
    void (*expire)(void *owner); /* the timer has expired; it may be set again or freed */
} mcpw_timer;

typedef struct mcpw_timer_entry {
    uint64_t due;
    mcpw_timer *timer;
} mcpw_timer_entry;

typedef struct mcpw_timers {
    mcpw_timer_entry *heap;
    size_t count;
    size_t capacity;
    uint64_t now;
} mcpw_timers;

/* Reserves room for so many timers, so that setting one needs no memory. */
MCPW_NODISCARD bool mcpw_timers_reserve(mcpw_timers *timers, const mcpw_allocator *allocator, size_t count);
void mcpw_timers_free(mcpw_timers *timers, const mcpw_allocator *allocator);
/* Sets a timer to expire at `due` at the latest; a time in the past expires at the next advance. A timer that
 * is set to an earlier time keeps it, so moving a deadline back costs nothing: the owner checks its deadline
 * when the timer expires. UINT64_MAX: no change. */
void mcpw_timers_expire_by(mcpw_timers *timers, mcpw_timer *timer, uint64_t due);
/* Stops a timer. */
void mcpw_timers_stop(mcpw_timers *timers, mcpw_timer *timer);
/* Calls the expired timers, each at most once. */
void mcpw_timers_advance(mcpw_timers *timers, uint64_t now);
/* The time when the first one expires; UINT64_MAX: never. */
uint64_t mcpw_timers_deadline(const mcpw_timers *timers);

#endif
