/* SPDX-License-Identifier: MIT */
/* Whether memory stays what it was after a warm-up, as an allocator that counts and the system see it. */
#ifndef MCPW_TESTS_LOAD_STEADY_H
#define MCPW_TESTS_LOAD_STEADY_H

#include "memory.h"

#include <stdlib.h>

enum { STEADY_WARM_UP = 20000, STEADY_MOST_KIB = 1024 };

/* An allocator that counts its calls and what is in use. */
typedef struct counted {
    size_t calls;
    size_t in_use;
} counted;

static inline void *counted_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    counted *const c = user;
    if (new_size == 0) {
        c->in_use -= ptr != NULL ? old_size : 0;
        free(ptr);
        return NULL;
    }
    void *const fresh = realloc(ptr, new_size);
    if (fresh != NULL) {
        c->calls++;
        c->in_use += new_size - (ptr != NULL ? old_size : 0);
    }
    return fresh;
}

/* The figures that have to stay as they are. */
typedef struct state {
    long rss;
    counted memory;
} state;

static inline state look(const counted *memory) {
    const state s = {memory_kib("VmRSS:"), *memory};
    return s;
}

/* Whether as many bytes are in use, and the system gave no more. */
static inline bool keeps_memory(const state *before, const counted *memory, unsigned long count,
                                const char *what) {
    const state now = look(memory);
    const long growth = before->rss < 0 ? 0 : now.rss - before->rss;
    printf("%lu %s: RSS %ld KiB, %+ld since the first %d; %zu bytes in use, %+ld; %zu allocations more\n",
           count, what, now.rss, growth, STEADY_WARM_UP, now.memory.in_use,
           (long)(now.memory.in_use - before->memory.in_use), now.memory.calls - before->memory.calls);
    return (growth <= STEADY_MOST_KIB || !MEMORY_IS_OURS) && now.memory.in_use == before->memory.in_use;
}

/* Likewise, and nothing was allocated. */
static inline bool is_steady(const state *before, const counted *memory, unsigned long count,
                             const char *what) {
    return keeps_memory(before, memory, count, what) && memory->calls == before->memory.calls;
}

#endif
