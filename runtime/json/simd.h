/* SPDX-License-Identifier: MIT */
/*
 * The two questions that the reader asks about many bytes at once:
 *   special_bytes(p)         which of the next MCPW_LANE bytes end a plain run of string text?
 *   pattern_matches(p, ...)  do the next 16 bytes, under a mask, equal these from a table's pool?
 * Special are the quote, the backslash, control characters and every byte of a non-ASCII character.
 */
#ifndef MCPW_SIMD_H
#define MCPW_SIMD_H

#include "../base/compiler.h"

#if defined(MCPW_NO_SIMD) || defined(MCPW_SMALL)
#define MCPW_SIMD_NAME "SWAR"
#elif defined(__AVX2__)
#include <immintrin.h>
#define MCPW_SIMD_AVX2 1
#define MCPW_SIMD_SSE2 1
#define MCPW_SIMD_NAME "AVX2"
#elif defined(__SSE2__) || (defined(_MSC_VER) && defined(_M_X64))
#include <emmintrin.h>
#define MCPW_SIMD_SSE2 1
#define MCPW_SIMD_NAME "SSE2"
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define MCPW_SIMD_NEON 1
#define MCPW_SIMD_NAME "NEON"
#else
#define MCPW_SIMD_NAME "SWAR"
#endif

#if defined(MCPW_SIMD_AVX2)

enum { MCPW_LANE = 32 };
typedef uint32_t mcpw_special;

/* The quote moves next to the control characters, and non-ASCII bytes are negative: so one saturating
 * subtraction leaves the top bit, the one that counts, in all of them and in no other. */
MCPW_INLINE mcpw_special mcpw_special_of(__m256i v) {
    const __m256i moved = _mm256_xor_si256(v, _mm256_set1_epi8('"' ^ ' '));
    const __m256i low = _mm256_subs_epi8(moved, _mm256_set1_epi8(' ' + 1));
    const __m256i backslash = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'));
    return (mcpw_special)_mm256_movemask_epi8(_mm256_or_si256(low, backslash));
}

MCPW_INLINE mcpw_special mcpw_special_bytes(const unsigned char *p) {
    return mcpw_special_of(_mm256_loadu_si256((const __m256i *)(const void *)p));
}

/* The same while copying the bytes. */
MCPW_INLINE mcpw_special mcpw_special_copy(unsigned char *to, const unsigned char *p) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);
    _mm256_storeu_si256((__m256i *)(void *)to, v);
    return mcpw_special_of(v);
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) { return mcpw_lowest_bit(m); }

#elif defined(MCPW_SIMD_SSE2)

enum { MCPW_LANE = 16 };
typedef uint32_t mcpw_special;

/* The quote moves next to the control characters, and non-ASCII bytes are negative: so one saturating
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

MCPW_INLINE mcpw_special mcpw_special_copy(unsigned char *to, const unsigned char *p) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    _mm_storeu_si128((__m128i *)(void *)to, v);
    return mcpw_special_of(v);
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) { return mcpw_lowest_bit(m); }

#elif defined(MCPW_SIMD_NEON)

enum { MCPW_LANE = 16 };
typedef uint64_t mcpw_special; /* four bits a byte */

MCPW_INLINE mcpw_special mcpw_special_of(uint8x16_t v) {
    const uint8x16_t quote = vceqq_u8(v, vdupq_n_u8('"'));
    const uint8x16_t backslash = vceqq_u8(v, vdupq_n_u8('\\'));
    const uint8x16_t low = vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(0x20));
    const uint8x16_t any = vorrq_u8(vorrq_u8(quote, backslash), low);
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(any), 4)), 0);
}

MCPW_INLINE mcpw_special mcpw_special_bytes(const unsigned char *p) { return mcpw_special_of(vld1q_u8(p)); }

MCPW_INLINE mcpw_special mcpw_special_copy(unsigned char *to, const unsigned char *p) {
    const uint8x16_t v = vld1q_u8(p);
    vst1q_u8(to, v);
    return mcpw_special_of(v);
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) { return mcpw_lowest_bit(m) >> 2; }

#else

enum { MCPW_LANE = 8 };
typedef uint64_t
    mcpw_special; /* the high bit of each byte; only the lowest flag is exact, as borrows run up */

MCPW_INLINE uint64_t mcpw_load_le64(const unsigned char *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

MCPW_INLINE mcpw_special mcpw_special_of(uint64_t v) {
    const uint64_t ones = 0x0101010101010101ULL;
    const uint64_t highs = 0x8080808080808080ULL;
    const uint64_t quote = v ^ (ones * '"');
    const uint64_t backslash = v ^ (ones * '\\');
    return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((v - ones * 0x20) & ~v) | v) &
           highs;
}

MCPW_INLINE mcpw_special mcpw_special_bytes(const unsigned char *p) {
    return mcpw_special_of(mcpw_load_le64(p));
}

MCPW_INLINE mcpw_special mcpw_special_copy(unsigned char *to, const unsigned char *p) {
    memcpy(to, p, sizeof(uint64_t));
    return mcpw_special_of(mcpw_load_le64(p));
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) { return mcpw_lowest_bit(m) >> 3; }

#endif

/* Copies MCPW_LANES lanes; whether a special byte is among them. */
enum { MCPW_LANES = 4 };

MCPW_INLINE bool mcpw_special_copy_lanes(unsigned char *to, const unsigned char *p) {
    const mcpw_special a = mcpw_special_copy(to, p) | mcpw_special_copy(to + MCPW_LANE, p + MCPW_LANE);
    to += MCPW_LANES / 2 * MCPW_LANE;
    p += MCPW_LANES / 2 * MCPW_LANE;
    const mcpw_special b = mcpw_special_copy(to, p) | mcpw_special_copy(to + MCPW_LANE, p + MCPW_LANE);
    return (a | b) != 0;
}

/* Input bytes held for comparison with several patterns. */
#if defined(MCPW_SIMD_SSE2)
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
#else
typedef const unsigned char *mcpw_input16;

MCPW_INLINE mcpw_input16 mcpw_load_input16(const unsigned char *p) { return p; }

MCPW_INLINE bool mcpw_pattern_matches(mcpw_input16 input, const char *pattern, unsigned mask, unsigned len) {
#if defined(MCPW_SMALL)
    (void)mask; /* the tables have none; a text that matches the sentinel in part is refused a little later */
    return memcmp(input, pattern, len < 16 ? len : 16) == 0;
#else
    return memcmp(input, pattern, mask == 0xffff ? 16 : len) == 0; /* the sentinel's length is not its mask */
#endif
}
#endif

#endif
