/* SPDX-License-Identifier: MIT */
/* An allocator that counts what is in use and fails on demand. */
#ifndef MCPW_TESTS_COUNTING_ALLOCATOR_H
#define MCPW_TESTS_COUNTING_ALLOCATOR_H

#include <mcpw/arena.h>

#include <stdbool.h>
#include <stdlib.h>

enum {
    COUNTING_LARGE = 4096, /* the smallest block that an arena asks for */
    COUNTING_FREED = 0xa5
};

typedef struct counting {
    size_t in_use;
    size_t calls;   /* allocations, not releases */
    size_t fail_at; /* the allocation that fails, from 1; 0: none */
    bool stays_out; /* all that follow fail, too */
    bool stingy;    /* refuses large blocks: an arena then asks for what it needs and no more, so that each
                       thing that it holds is an allocation of its own, which can be made to fail */
    bool refused;   /* one, just now: what is asked for next is needed */
    bool failed;    /* any was refused so far */
} counting;

/* Whoever looks at memory that is freed goes wrong. A compiler may leave out a memset before a free. */
static inline void counting_spoil(volatile unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bytes[i] = COUNTING_FREED;
    }
}

static inline void *counting_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    counting *const c = user;
    if (new_size == 0) {
        if (ptr != NULL) {
            c->in_use -= old_size;
            counting_spoil(ptr, old_size);
        }
        free(ptr);
        return NULL;
    }
    if (c->stingy && ptr == NULL && new_size >= COUNTING_LARGE && !c->refused) {
        c->refused = c->failed = true;
        return NULL;
    }
    c->refused = false;
    c->calls++;
    if (c->calls == c->fail_at || (c->stays_out && c->calls > c->fail_at)) {
        c->failed = true;
        return NULL;
    }
    void *const fresh = realloc(ptr, new_size);
    if (fresh != NULL) {
        c->in_use += new_size - (ptr != NULL ? old_size : 0);
    }
    return fresh;
}

static inline mcpw_allocator counting_allocator(counting *c) {
    const mcpw_allocator allocator = {counting_resize, c};
    return allocator;
}

#endif
