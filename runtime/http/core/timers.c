/* SPDX-License-Identifier: MIT */
/* A binary heap in an array: the root is at 1, and the children of entry i are at 2i and 2i + 1. Each timer
 * knows its place, so that it can be removed. */
#include "timers.h"

enum { FIRST_TIMERS = 64 };

bool mcpw_timers_reserve(mcpw_timers *timers, const mcpw_allocator *allocator, size_t count) {
    if (count < timers->capacity) { /* place 0 is unused */
        return true;
    }
    const size_t twice = 2 * timers->capacity;
    const size_t least = count < FIRST_TIMERS ? FIRST_TIMERS : count + 1;
    const size_t capacity = twice > least ? twice : least;
    mcpw_timer_entry *const heap =
        mcpw_resize(allocator, timers->heap, timers->capacity * sizeof *heap, capacity * sizeof *heap);
    if (heap == NULL) {
        return false;
    }
    timers->heap = heap;
    timers->capacity = capacity;
    return true;
}

void mcpw_timers_free(mcpw_timers *timers, const mcpw_allocator *allocator) {
    if (timers->heap != NULL) {
        (void)mcpw_resize(allocator, timers->heap, timers->capacity * sizeof *timers->heap, 0);
    }
}

static void put(mcpw_timers *timers, size_t place, mcpw_timer_entry entry) {
    timers->heap[place] = entry;
    entry.timer->place = place;
}

/* Moves an entry up to its place. */
static void rise(mcpw_timers *timers, size_t place, mcpw_timer_entry entry) {
    while (place > 1 && timers->heap[place / 2].due > entry.due) {
        put(timers, place, timers->heap[place / 2]);
        place /= 2;
    }
    put(timers, place, entry);
}

/* Moves an entry down to its place. */
static void sink(mcpw_timers *timers, size_t place, mcpw_timer_entry entry) {
    for (size_t child = 2 * place; child <= timers->count; child = 2 * place) {
        if (child < timers->count && timers->heap[child + 1].due < timers->heap[child].due) {
            child++;
        }
        if (timers->heap[child].due >= entry.due) {
            break;
        }
        put(timers, place, timers->heap[child]);
        place = child;
    }
    put(timers, place, entry);
}

void mcpw_timers_expire_by(mcpw_timers *timers, mcpw_timer *timer, uint64_t due) {
    const mcpw_timer_entry entry = {due > timers->now ? due : timers->now + 1, timer};
    if (timers->now == UINT64_MAX || due == UINT64_MAX ||
        (timer->place != 0 && timers->heap[timer->place].due <= due)) {
        return;
    }
    rise(timers, timer->place != 0 ? timer->place : ++timers->count, entry);
}

void mcpw_timers_stop(mcpw_timers *timers, mcpw_timer *timer) {
    const size_t place = timer->place;
    if (place == 0) {
        return;
    }
    timer->place = 0;
    const mcpw_timer_entry last = timers->heap[timers->count--];
    if (last.timer == timer) {
        return;
    }
    if (place > 1 && timers->heap[place / 2].due > last.due) {
        rise(timers, place, last);
    } else {
        sink(timers, place, last);
    }
}

void mcpw_timers_advance(mcpw_timers *timers, uint64_t now) {
    timers->now = now;
    while (timers->count != 0 && timers->heap[1].due <= now) {
        mcpw_timer *const first = timers->heap[1].timer;
        mcpw_timers_stop(timers, first);
        first->expire(first->owner);
    }
}

uint64_t mcpw_timers_deadline(const mcpw_timers *timers) {
    return timers->count != 0 ? timers->heap[1].due : UINT64_MAX;
}
