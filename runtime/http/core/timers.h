/* SPDX-License-Identifier: MIT */
/* What is due and when: a heap, so that the next one is found at once, and any number of them waits for
 * nothing. */
#ifndef MCPW_TIMERS_H
#define MCPW_TIMERS_H

#include <mcpw/arena.h>

/* In the struct of what is due. Zero: it waits for no time. */
typedef struct mcpw_timer {
    size_t place; /* in the heap, from 1 on; 0: in none */
    void *owner;
    void (*expire)(void *owner); /* its time has come; it may be set again, or be freed */
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

/* Makes room for so many timers: to set one takes no memory. */
MCPW_NODISCARD bool mcpw_timers_reserve(mcpw_timers *timers, const mcpw_allocator *allocator, size_t count);
void mcpw_timers_free(mcpw_timers *timers, const mcpw_allocator *allocator);
/* Sees to it that a timer expires by then, or when time goes on, if that has passed already. Where it is set
 * for an earlier time it stays, so that what puts its time off again and again costs nothing: its owner looks
 * when it expires. UINT64_MAX: no need. */
void mcpw_timers_expire_by(mcpw_timers *timers, mcpw_timer *timer, uint64_t due);
/* A timer expires no more. */
void mcpw_timers_stop(mcpw_timers *timers, mcpw_timer *timer);
/* Calls those whose time has come, each once at most. */
void mcpw_timers_advance(mcpw_timers *timers, uint64_t now);
/* When the first one expires; UINT64_MAX: never. */
uint64_t mcpw_timers_deadline(const mcpw_timers *timers);

#endif
