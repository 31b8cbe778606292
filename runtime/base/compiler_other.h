/* SPDX-License-Identifier: MIT */
/* compiler.h for compilers of which nothing is known but that they speak C11. */
#ifndef MCPW_COMPILER_OTHER_H
#define MCPW_COMPILER_OTHER_H

#include <stdint.h>

#define MCPW_UNUSED inline
#define MCPW_ALWAYS_INLINE inline
#define MCPW_COLD
#define MCPW_NOINLINE
#define MCPW_LIKELY(x) (x)
#define MCPW_UNLIKELY(x) (x)
#define MCPW_PREFETCH(p) ((void)(p))
#define MCPW_ASSUME(x) ((void)0)

/* The number of the lowest set bit; value is not 0. */
static inline unsigned mcpw_lowest_bit(uint64_t value) {
    unsigned n = 0;
    while ((value & 1U) == 0) {
        value >>= 1;
        n++;
    }
    return n;
}

#endif
