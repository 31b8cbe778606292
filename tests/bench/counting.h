/* SPDX-License-Identifier: MIT */
/* An allocator for arenas and buffers that counts its calls. */
#ifndef BENCH_COUNTING_H
#define BENCH_COUNTING_H

#include <mcpw/arena.h>
#include <stdlib.h>

static inline void *bench_counting_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    (void)old_size;
    ++*(size_t *)user;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

static inline mcpw_allocator bench_counting_allocator(size_t *calls) {
    return (mcpw_allocator){bench_counting_resize, calls};
}

#endif
