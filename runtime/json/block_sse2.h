/* SPDX-License-Identifier: MIT */
/* Blocks of 16 bytes, on x86-64. */
#ifndef MCPW_BLOCK_SSE2_H
#define MCPW_BLOCK_SSE2_H

#include <emmintrin.h>

#include "../base/compiler.h"

#define MCPW_BLOCK_NAME "SSE2"

enum { MCPW_BLOCK = 16 };
typedef uint32_t mcpw_special;

/* The quote moves next to the control characters, and non-ASCII bytes are negative. So one saturating
 * subtraction leaves the top bit, the one that counts, in all of them and in no other. */
MCPW_INLINE mcpw_special mcpw_special_of(__m128i v) {
    const __m128i moved = _mm_xor_si128(v, _mm_set1_epi8('"' ^ ' '));
    const __m128i low = _mm_subs_epi8(moved, _mm_set1_epi8(' ' + 1));
    const __m128i backslash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
    return (mcpw_special)_mm_movemask_epi8(_mm_or_si128(low, backslash));
}

MCPW_INLINE mcpw_special mcpw_special_bytes(const unsigned char *p) {
    return mcpw_special_of(_mm_loadu_si128((const __m128i *)(const void *)p));
}

/* The same while copying the bytes. */
MCPW_INLINE mcpw_special mcpw_special_copy(unsigned char *to, const unsigned char *p) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    _mm_storeu_si128((__m128i *)(void *)to, v);
    return mcpw_special_of(v);
}

/* Copies 16 bytes; nonzero when one of them is special. */
MCPW_INLINE uint64_t mcpw_copy16(unsigned char *to, const unsigned char *from) {
    return mcpw_special_copy(to, from);
}

/* Nonzero when a byte of two words is special. */
MCPW_INLINE uint64_t mcpw_special_in_words(uint64_t a, uint64_t b) {
    return mcpw_special_of(_mm_set_epi64x((long long)b, (long long)a));
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) { return mcpw_lowest_bit(m); }

/* The special bytes of four blocks, which are looked at together: one branch for all is mispredicted less. */
enum { MCPW_WIDE = 4 * MCPW_BLOCK, MCPW_WIDE_BITS = 1 /* a byte */ };

MCPW_INLINE uint64_t mcpw_special_wide(const unsigned char *p) {
    uint64_t m = mcpw_special_bytes(p);
    m |= (uint64_t)mcpw_special_bytes(p + MCPW_BLOCK) << MCPW_BLOCK;
    m |= (uint64_t)mcpw_special_bytes(p + 2 * MCPW_BLOCK) << 2 * MCPW_BLOCK;
    return m | (uint64_t)mcpw_special_bytes(p + 3 * MCPW_BLOCK) << 3 * MCPW_BLOCK;
}

MCPW_INLINE unsigned mcpw_wide_first(uint64_t m) { return mcpw_lowest_bit(m); }

/* Input bytes held for comparison with several patterns. */
typedef __m128i mcpw_input16;

MCPW_INLINE mcpw_input16 mcpw_load_input16(const unsigned char *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Whether the bytes that mask selects equal those of the pattern. len is the pattern's length. */
MCPW_INLINE bool mcpw_pattern_matches(mcpw_input16 input, const char *pattern, unsigned mask, unsigned len) {
    const __m128i want = _mm_loadu_si128((const __m128i *)(const void *)pattern);
    (void)len;
    return ((unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(input, want)) & mask) == mask;
}

#endif
