/* SPDX-License-Identifier: MIT */
/* compiler.h for gcc and clang. */
#ifndef MCPW_COMPILER_GNU_H
#define MCPW_COMPILER_GNU_H

#include <stdint.h>

#define MCPW_UNUSED __attribute__((unused))
#define MCPW_ALWAYS_INLINE inline __attribute__((always_inline))
#define MCPW_COLD __attribute__((noinline, cold))
#define MCPW_NOINLINE __attribute__((noinline))
#define MCPW_LIKELY(x) __builtin_expect(!!(x), 1)
#define MCPW_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define MCPW_PREFETCH(p) __builtin_prefetch(p)
#define MCPW_ASSUME(x) ((x) ? (void)0 : __builtin_unreachable())

/* The number of the lowest set bit; value is not 0. */
static MCPW_ALWAYS_INLINE unsigned mcpw_lowest_bit(uint64_t value) {
    return (unsigned)__builtin_ctzll(value);
}

#endif
