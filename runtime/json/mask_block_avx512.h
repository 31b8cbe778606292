/* SPDX-License-Identifier: MIT */
/* Blocks of 64 bytes in one register of AVX-512: see masks_skip.inc. */
#ifndef MCPW_MASK_BLOCK_AVX512_H
#define MCPW_MASK_BLOCK_AVX512_H

#include <immintrin.h>

#include "../base/compiler.h"

#define MCPW_MASK_BLOCK_TARGET                                                                               \
    __attribute__((target("avx512f,avx512bw,avx512vbmi2,avx2,bmi,bmi2,lzcnt,popcnt,pclmul")))
#define MCPW_MASK_BLOCK_INLINE MCPW_MASK_BLOCK_TARGET MCPW_INLINE

typedef __m512i mcpw_mask_block;

MCPW_MASK_BLOCK_INLINE mcpw_mask_block mcpw_mask_block_load(const unsigned char *p) {
    return _mm512_loadu_si512(p);
}

MCPW_MASK_BLOCK_INLINE void mcpw_mask_block_store(unsigned char *to, mcpw_mask_block v) {
    _mm512_storeu_si512(to, v);
}

/* The highest bit of each byte: set in those that are not ASCII. */
MCPW_MASK_BLOCK_INLINE uint64_t mcpw_mask_block_signs(mcpw_mask_block v) { return _mm512_movepi8_mask(v); }

MCPW_MASK_BLOCK_INLINE uint64_t mcpw_mask_block_equal(mcpw_mask_block v, char c) {
    return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c));
}

/* Bytes at most `most`, which is not negative. */
MCPW_MASK_BLOCK_INLINE uint64_t mcpw_mask_block_up_to(mcpw_mask_block v, char most) {
    return _mm512_cmple_epu8_mask(v, _mm512_set1_epi8(most));
}

/* Whether a backslash, a control character or a byte that is not ASCII is there: as signed numbers the latter
 * two are below the space. */
MCPW_MASK_BLOCK_INLINE bool mcpw_mask_block_has_rare(mcpw_mask_block v) {
    const __mmask64 low = _mm512_cmplt_epi8_mask(v, _mm512_set1_epi8(' '));
    const __mmask64 slash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
    return !_kortestz_mask64_u8(low, slash);
}

/* Each byte with the bits of `set`. */
MCPW_MASK_BLOCK_INLINE mcpw_mask_block mcpw_mask_block_or(mcpw_mask_block v, char set) {
    return _mm512_or_si512(v, _mm512_set1_epi8(set));
}

/* Each byte less c. */
MCPW_MASK_BLOCK_INLINE mcpw_mask_block mcpw_mask_block_less(mcpw_mask_block v, char c) {
    return _mm512_sub_epi8(v, _mm512_set1_epi8(c));
}

/* Where bit 5 is set, which tells { from [ and } from ]. */
MCPW_MASK_BLOCK_INLINE uint64_t mcpw_mask_block_bit5(mcpw_mask_block v) {
    return _mm512_test_epi8_mask(v, _mm512_set1_epi8(' '));
}

/* For each bit of `which`, in turn, writes a byte that has a bit for each of the four masks. A block is
 * written. */
MCPW_MASK_BLOCK_INLINE void mcpw_mask_block_list(unsigned char *to, uint64_t which, uint64_t first,
                                                 uint64_t second, uint64_t third, uint64_t fourth) {
    __m512i what = _mm512_maskz_set1_epi8(first, 1);
    what = _mm512_mask_add_epi8(what, second, what, _mm512_set1_epi8(1 << 1));
    what = _mm512_mask_add_epi8(what, third, what, _mm512_set1_epi8(1 << 2));
    what = _mm512_mask_add_epi8(what, fourth, what, _mm512_set1_epi8(1 << 3));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(which, what));
}

#endif
