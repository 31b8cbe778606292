/* SPDX-License-Identifier: MIT */
/* How often this program has called malloc, calloc and realloc; always 0 where that cannot be counted. */
#ifndef BENCH_LIBC_CALLS_H
#define BENCH_LIBC_CALLS_H

#include <stddef.h>

size_t bench_libc_calls(void);

#endif
