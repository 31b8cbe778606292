/* SPDX-License-Identifier: MIT */
/* Blocks of 64 bytes in two registers of AVX2: see masks_skip.inc. */
#ifndef MCPW_MASK_BLOCK_AVX2_H
#define MCPW_MASK_BLOCK_AVX2_H

#include <immintrin.h>

#include "../base/compiler.h"

#define MCPW_MASK_BLOCK_TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul")))
#define MCPW_MASK_BLOCK_INLINE MCPW_MASK_BLOCK_TARGET MCPW_INLINE

enum { MCPW_HALF_BLOCK = 32, MCPW_EIGHT = 8 };

typedef struct mcpw_mask_block {
    __m256i a, b;
} mcpw_mask_block;

MCPW_MASK_BLOCK_INLINE mcpw_mask_block mcpw_mask_block_load(const unsigned char *p) {
    const mcpw_mask_block v = {_mm256_loadu_si256((const __m256i *)(const void *)p),
                               _mm256_loadu_si256((const __m256i *)(const void *)(p + MCPW_HALF_BLOCK))};
    return v;
}

MCPW_MASK_BLOCK_INLINE void mcpw_mask_block_store(unsigned char *to, mcpw_mask_block v) {
    _mm256_storeu_si256((__m256i *)(void *)to, v.a);
    _mm256_storeu_si256((__m256i *)(void *)(to + MCPW_HALF_BLOCK), v.b);
}

/* The highest bit of each byte: set in those that are not ASCII. */
MCPW_MASK_BLOCK_INLINE uint64_t mcpw_mask_block_signs(mcpw_mask_block v) {
    const uint64_t high = (uint32_t)_mm256_movemask_epi8(v.b);
    return (uint32_t)_mm256_movemask_epi8(v.a) | high << MCPW_HALF_BLOCK;
}

MCPW_MASK_BLOCK_INLINE uint64_t mcpw_mask_block_equal(mcpw_mask_block v, char c) {
    const __m256i want = _mm256_set1_epi8(c);
    const mcpw_mask_block same = {_mm256_cmpeq_epi8(v.a, want), _mm256_cmpeq_epi8(v.b, want)};
    return mcpw_mask_block_signs(same);
}

/* Bytes at most `most`, which is not negative. */
MCPW_MASK_BLOCK_INLINE uint64_t mcpw_mask_block_up_to(mcpw_mask_block v, char most) {
    const __m256i limit = _mm256_set1_epi8(most);
    const mcpw_mask_block low = {_mm256_cmpeq_epi8(_mm256_min_epu8(v.a, limit), v.a),
                                 _mm256_cmpeq_epi8(_mm256_min_epu8(v.b, limit), v.b)};
    return mcpw_mask_block_signs(low);
}

/* Whether a backslash, a control character or a byte that is not ASCII is there. */
MCPW_MASK_BLOCK_INLINE bool mcpw_mask_block_has_rare(mcpw_mask_block v) {
    const __m256i controls = _mm256_set1_epi8(0x1f);
    const __m256i slash = _mm256_set1_epi8('\\');
    const __m256i control = _mm256_cmpeq_epi8(_mm256_max_epu8(_mm256_min_epu8(v.a, v.b), controls), controls);
    const __m256i slashes = _mm256_or_si256(_mm256_cmpeq_epi8(v.a, slash), _mm256_cmpeq_epi8(v.b, slash));
    const __m256i rare = _mm256_or_si256(_mm256_or_si256(v.a, v.b), _mm256_or_si256(slashes, control));
    return _mm256_movemask_epi8(rare) != 0;
}

/* Each byte with the bits of `set`. */
MCPW_MASK_BLOCK_INLINE mcpw_mask_block mcpw_mask_block_or(mcpw_mask_block v, char set) {
    const __m256i bits = _mm256_set1_epi8(set);
    const mcpw_mask_block with = {_mm256_or_si256(v.a, bits), _mm256_or_si256(v.b, bits)};
    return with;
}

/* Each byte less c. */
MCPW_MASK_BLOCK_INLINE mcpw_mask_block mcpw_mask_block_less(mcpw_mask_block v, char c) {
    const __m256i from = _mm256_set1_epi8(c);
    const mcpw_mask_block less = {_mm256_sub_epi8(v.a, from), _mm256_sub_epi8(v.b, from)};
    return less;
}

/* Where bit 5 is set, which tells { from [ and } from ]. */
MCPW_MASK_BLOCK_INLINE uint64_t mcpw_mask_block_bit5(mcpw_mask_block v) {
    const mcpw_mask_block up = {_mm256_slli_epi16(v.a, 2), _mm256_slli_epi16(v.b, 2)};
    return mcpw_mask_block_signs(up);
}

/* For each bit of `which`, in turn, writes a byte that has a bit for each of the four masks. A block may be
 * written. */
MCPW_MASK_BLOCK_INLINE void mcpw_mask_block_list(unsigned char *to, uint64_t which, uint64_t first,
                                                 uint64_t second, uint64_t third, uint64_t fourth) {
    const uint64_t each = UINT64_C(0x0101010101010101);
    const size_t count = (size_t)_mm_popcnt_u64(which);
    first = _pext_u64(first, which);
    second = _pext_u64(second, which);
    third = _pext_u64(third, which);
    fourth = _pext_u64(fourth, which);
    for (size_t i = 0; i < count; i += MCPW_EIGHT) {
        const uint64_t eight = _pdep_u64(first, each) | _pdep_u64(second, each << 1) |
                               _pdep_u64(third, each << 2) | _pdep_u64(fourth, each << 3);
        memcpy(to + i, &eight, sizeof eight);
        first >>= MCPW_EIGHT;
        second >>= MCPW_EIGHT;
        third >>= MCPW_EIGHT;
        fourth >>= MCPW_EIGHT;
    }
}

#endif
