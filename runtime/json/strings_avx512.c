/* SPDX-License-Identifier: MIT */
#include "strings_avx512.h"

#if defined(MCPW_HAS_ISA_VARIANTS)
#include <immintrin.h>

#include "characters.h"

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2,popcnt")))

enum { BLOCK = 64, HALF = 32 };

/* ---- UTF-8 ---- */

/*
 * What can be wrong with two neighbours, after J. Keiser and D. Lemire, "Validating UTF-8 In Less Than One
 * Instruction Per Byte" (2021): each half of the first byte and the upper half of the second one say which
 * errors they would be part of, and what all three say is one. Only that a third or fourth byte follows two
 * or three places behind its first one, which PAIR stands for, is looked at beyond neighbours.
 */
enum {
    CUT = 1 << 0,       /* a first byte, and none that continues it */
    STRAY = 1 << 1,     /* ASCII, and a byte that continues */
    LONG3 = 1 << 2,     /* a character in three bytes that takes two */
    LARGE = 1 << 3,     /* past U+10FFFF, the second byte from 0x90 on */
    HALF_PAIR = 1 << 4, /* half of a pair of surrogates */
    LONG2 = 1 << 5,     /* a character in two bytes that takes one */
    LONG4 = 1 << 6,     /* in four bytes that takes three; past U+10FFFF with a second byte below 0x90 */
    PAIR = 1 << 7,      /* two that continue */
    ANY_LOW = CUT | STRAY | PAIR,
    PAST = ANY_LOW | LARGE | LONG4
};

/* 16 bytes, in each quarter of a block. */
TARGET MCPW_INLINE __m512i quarters(const unsigned char table[16]) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)table));
}

TARGET MCPW_INLINE __m512i upper_halves(__m512i v) {
    return _mm512_and_si512(_mm512_srli_epi16(v, 4), _mm512_set1_epi8(0x0f));
}

/* The block that begins `back` bytes before v, whose predecessor is `before`. */
TARGET MCPW_INLINE __m512i moved(__m512i before, __m512i v, __m512i places, char back) {
    return _mm512_permutex2var_epi8(before, _mm512_sub_epi8(places, _mm512_set1_epi8(back)), v);
}

/* By the upper half of the first byte, by its lower half, and by the upper half of the second byte. */
static const unsigned char first_upper[16] = {STRAY,
                                              STRAY,
                                              STRAY,
                                              STRAY,
                                              STRAY,
                                              STRAY,
                                              STRAY,
                                              STRAY,
                                              PAIR,
                                              PAIR,
                                              PAIR,
                                              PAIR,
                                              CUT | LONG2,
                                              CUT,
                                              CUT | LONG3 | HALF_PAIR,
                                              CUT | LARGE | LONG4};
static const unsigned char first_lower[16] = {ANY_LOW | LONG3 | LONG2 | LONG4,
                                              ANY_LOW | LONG2,
                                              ANY_LOW,
                                              ANY_LOW,
                                              ANY_LOW | LARGE,
                                              PAST,
                                              PAST,
                                              PAST,
                                              PAST,
                                              PAST,
                                              PAST,
                                              PAST,
                                              PAST,
                                              PAST | HALF_PAIR,
                                              PAST,
                                              PAST};
static const unsigned char second_upper[16] = {CUT,
                                               CUT,
                                               CUT,
                                               CUT,
                                               CUT,
                                               CUT,
                                               CUT,
                                               CUT,
                                               STRAY | LONG2 | PAIR | LONG3 | LONG4,
                                               STRAY | LONG2 | PAIR | LONG3 | LARGE,
                                               STRAY | LONG2 | PAIR | HALF_PAIR | LARGE,
                                               STRAY | LONG2 | PAIR | HALF_PAIR | LARGE,
                                               CUT,
                                               CUT,
                                               CUT,
                                               CUT};

/* Nonzero where a block is no UTF-8. */
TARGET MCPW_INLINE __m512i errors_in(__m512i before, __m512i v, __m512i places) {
    const __m512i first = moved(before, v, places, 1);
    const __m512i lower = _mm512_and_si512(first, _mm512_set1_epi8(0x0f));
    const __m512i a = _mm512_shuffle_epi8(quarters(first_upper), upper_halves(first));
    const __m512i b = _mm512_shuffle_epi8(quarters(first_lower), lower);
    const __m512i c = _mm512_shuffle_epi8(quarters(second_upper), upper_halves(v));
    const __m512i wrong = _mm512_and_si512(_mm512_and_si512(a, b), c);
    /* The top bit, where the character began two bytes before with 0xe0 or more, or three with 0xf0. */
    const __m512i third = _mm512_subs_epu8(moved(before, v, places, 2), _mm512_set1_epi8(0xe0 - 0x80));
    const __m512i fourth = _mm512_subs_epu8(moved(before, v, places, 3), _mm512_set1_epi8(0xf0 - 0x80));
    const __m512i due = _mm512_and_si512(_mm512_or_si512(third, fourth), _mm512_set1_epi8(INT8_MIN));
    return _mm512_xor_si512(wrong, due);
}

/* Behind the text stand zeros, one at least: they cut off a character that is not complete. */
TARGET bool mcpw_is_utf8_avx512(const unsigned char *text, size_t n) {
    static const unsigned char numbers[BLOCK] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i places = _mm512_add_epi8(_mm512_loadu_si512(numbers), _mm512_set1_epi8(BLOCK));
    __m512i before = _mm512_setzero_si512();
    __m512i errors = _mm512_setzero_si512();
    size_t i = 0;
    for (; n - i >= BLOCK; i += BLOCK) {
        const __m512i v = _mm512_loadu_si512(text + i);
        errors = _mm512_or_si512(errors, errors_in(before, v, places));
        before = v;
    }
    const __mmask64 left = _bzhi_u64(~UINT64_C(0), (unsigned)(n - i));
    const __m512i v = _mm512_maskz_loadu_epi8(left, text + i);
    errors = _mm512_or_si512(errors, errors_in(before, v, places));
    return _mm512_test_epi8_mask(errors, errors) == 0;
}

/* ---- escapes ---- */

/* Bytes that become an escape. */
TARGET MCPW_INLINE __mmask32 to_escape(__m256i v, __mmask32 controls) {
    return controls | _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('"')) |
           _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('\\'));
}

/* One byte after the other, for escapes of six bytes, which are rare. */
TARGET MCPW_NOINLINE static unsigned char *escape_slowly(unsigned char *to, const unsigned char *from,
                                                         size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (mcpw_needs_escape(from[i])) {
            to = mcpw_put_escape(to, from[i]);
        } else {
            *to++ = from[i];
        }
    }
    return to;
}

/* Doubles each byte, with a backslash before it, and leaves out the backslashes that are not wanted. */
TARGET MCPW_INLINE unsigned char *put_pairs(unsigned char *to, __m256i letters, __mmask32 escapes, size_t n) {
    const uint64_t all = _bzhi_u64(UINT64_C(0xaaaaaaaaaaaaaaaa), (unsigned)n * 2);
    const uint64_t kept = all | _pdep_u64(escapes, UINT64_C(0x5555555555555555));
    const __m512i high = _mm512_slli_epi16(_mm512_cvtepu8_epi16(letters), 8);
    const __m512i pairs = _mm512_or_si512(high, _mm512_set1_epi16('\\'));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(kept, pairs));
    return to + _mm_popcnt_u64(kept);
}

/* The same for at most half a block. */
TARGET MCPW_INLINE unsigned char *escape_half(unsigned char *to, const unsigned char *from, size_t n) {
    static const char letters[HALF + 1] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";
    const __mmask32 there = _bzhi_u32(~0U, (unsigned)n);
    const __m256i v = _mm256_mask_loadu_epi8(_mm256_set1_epi8(' '), there, from);
    const __mmask32 controls = _mm256_cmplt_epu8_mask(v, _mm256_set1_epi8(' '));
    const __mmask32 escapes = to_escape(v, controls);
    if (escapes == 0) {
        _mm256_storeu_si256((__m256i *)(void *)to, v);
        return to + n;
    }
    const __m256i table = _mm256_loadu_si256((const __m256i *)(const void *)letters);
    const __m256i lettered = _mm256_mask_permutexvar_epi8(v, controls, v, table);
    if (MCPW_UNLIKELY(_mm256_mask_cmpeq_epi8_mask(controls, lettered, _mm256_set1_epi8('u')) != 0)) {
        return escape_slowly(to, from, n);
    }
    return put_pairs(to, lettered, escapes, n);
}

TARGET unsigned char *mcpw_escape_avx512(unsigned char *to, const unsigned char *from, size_t n) {
    const size_t first = n < HALF ? n : HALF;
    to = escape_half(to, from, first);
    return n > HALF ? escape_half(to, from + HALF, n - HALF) : to;
}
#else
typedef int mcpw_no_strings_avx512; /* ISO C wants a declaration in every file */
#endif
