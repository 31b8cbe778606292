/* SPDX-License-Identifier: MIT */
/* What the compiler is told, and what it is asked for: inlining, likelihood, bits. */
#ifndef MCPW_COMPILER_H
#define MCPW_COMPILER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Whether size counts more than speed, which the build's own option says and no flag of the compiler: what is
 * forced inline elsewhere is then left to the compiler, and the engine is compiled once instead of twice. */
#if defined(MCPW_SMALL)
#define MCPW_COMPACT 1
#else
#define MCPW_COMPACT 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#if MCPW_COMPACT
#define MCPW_INLINE static __attribute__((unused))
#else
#define MCPW_INLINE static inline __attribute__((always_inline))
#endif
#define MCPW_COLD __attribute__((noinline, cold))
#define MCPW_NOINLINE __attribute__((noinline))
#define MCPW_LIKELY(x) __builtin_expect(!!(x), 1)
#define MCPW_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define MCPW_ASSUME(x) ((x) ? (void)0 : __builtin_unreachable())
#else
#define MCPW_INLINE static inline
#define MCPW_COLD
#define MCPW_NOINLINE
#define MCPW_LIKELY(x) (x)
#define MCPW_UNLIKELY(x) (x)
#define MCPW_ASSUME(x) ((void)0)
#endif

/* Functions of a header that are inline where speed counts. Where size does, one source file, which declares
 * them `extern inline`, has the only copy; they call nothing that is static. */
#if MCPW_COMPACT
#define MCPW_ONE_COPY inline
#else
#define MCPW_ONE_COPY MCPW_INLINE
#endif

/* Zeroes a struct of a size that the compiler knows, in pieces: longer ones become string instructions, which
 * are slow to start. */
#if MCPW_COMPACT
#define mcpw_clear(to, size) ((void)memset((to), 0, (size)))
#else
MCPW_INLINE void mcpw_clear(void *to, size_t size) {
    enum { PIECE = 64 };
    unsigned char *p = to;
    if (size >= PIECE) {
        memset(p, 0, PIECE);
        p += PIECE;
        size -= PIECE;
    }
    if (size >= PIECE) {
        memset(p, 0, PIECE);
        p += PIECE;
        size -= PIECE;
    }
    if (size >= PIECE) {
        memset(p, 0, PIECE);
        p += PIECE;
        size -= PIECE;
    }
    memset(p, 0, size);
}
#endif

/* The number of the lowest set bit; value is not 0. */
MCPW_INLINE unsigned mcpw_lowest_bit(uint64_t value) {
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_ctzll(value);
#else
    unsigned n = 0;
    while ((value & 1U) == 0) {
        value >>= 1;
        n++;
    }
    return n;
#endif
}

#endif
