/* SPDX-License-Identifier: MIT */
/* Blocks of 32 bytes, for files whose functions are compiled for processors with AVX2 (MCPW_BLOCK_TARGET). */
#ifndef MCPW_BLOCK_AVX2_H
#define MCPW_BLOCK_AVX2_H

#include <immintrin.h>

#include "../base/compiler.h"

#define MCPW_BLOCK_NAME "AVX2"
#define MCPW_BLOCK_TARGET __attribute__((target("avx2")))

enum { MCPW_BLOCK = 32 };
typedef uint32_t mcpw_special;

/* See block_sse2.h. */
MCPW_BLOCK_TARGET MCPW_INLINE mcpw_special mcpw_special_of(__m256i v) {
    const __m256i moved = _mm256_xor_si256(v, _mm256_set1_epi8('"' ^ ' '));
    const __m256i low = _mm256_subs_epi8(moved, _mm256_set1_epi8(' ' + 1));
    const __m256i backslash = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'));
    return (mcpw_special)_mm256_movemask_epi8(_mm256_or_si256(low, backslash));
}

MCPW_BLOCK_TARGET MCPW_INLINE mcpw_special mcpw_special_bytes(const unsigned char *p) {
    return mcpw_special_of(_mm256_loadu_si256((const __m256i *)(const void *)p));
}

/* The same while copying the bytes. */
MCPW_BLOCK_TARGET MCPW_INLINE mcpw_special mcpw_special_copy(unsigned char *to, const unsigned char *p) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);
    _mm256_storeu_si256((__m256i *)(void *)to, v);
    return mcpw_special_of(v);
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) { return mcpw_lowest_bit(m); }

#endif
