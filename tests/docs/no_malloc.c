/* SPDX-License-Identifier: MIT */
/* Linked in the place of malloc and its like: nobody may call them. */
#include <stdlib.h>

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *ptr, size_t size);

void *__wrap_malloc(size_t size) {
    (void)size;
    abort();
}

void *__wrap_calloc(size_t count, size_t size) {
    (void)count;
    (void)size;
    abort();
}

void *__wrap_realloc(void *ptr, size_t size) {
    (void)ptr;
    (void)size;
    abort();
}
