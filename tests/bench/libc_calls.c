/* SPDX-License-Identifier: MIT */
#include "libc_calls.h"

#if defined(BENCH_WRAP_MALLOC)
/* The linker sends the calls of all objects in the program here (--wrap). */
static size_t calls;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *ptr, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *ptr, size_t size);

void *__wrap_malloc(size_t size) {
    calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    calls++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *ptr, size_t size) {
    calls++;
    return __real_realloc(ptr, size);
}

size_t bench_libc_calls(void) { return calls; }
#else
size_t bench_libc_calls(void) { return 0; }
#endif
