/* SPDX-License-Identifier: MIT */
/*
 * Copying by registers of 64 bytes, on processors with AVX-512 that also look bytes up in a table of 128
 * (VBMI). That table answers at once which bytes are special; what is below 64 bytes is read under a mask, so
 * that no length needs a loop or a branch of its own.
 */
#include "masks.h"
#include "runs.h"

#if defined(MCPW_HAS_ISA_VARIANTS)
#include "put_avx2.h"

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vbmi,bmi2")))

enum { BLOCK = 64, BLOCKS = 4 };

/* For each ASCII byte: the top bit when it is special (see block.h). */
#define NONE8 0, 0, 0, 0, 0, 0, 0, 0
#define EACH8 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80
#define QUOTE8 0, 0, 0x80, 0, 0, 0, 0, 0
#define BACKSLASH8 0, 0, 0, 0, 0x80, 0, 0, 0
static const unsigned char specials[2 * BLOCK] = {EACH8, EACH8, EACH8, EACH8, QUOTE8, NONE8,
                                                  NONE8, NONE8, NONE8, NONE8, NONE8,  BACKSLASH8,
                                                  NONE8, NONE8, NONE8, NONE8};

/* The top bit of each special byte; what is not ASCII has it from the start. */
TARGET MCPW_INLINE __m512i special_of(__m512i v) {
    const __m512i low = _mm512_loadu_si512(specials);
    const __m512i high = _mm512_loadu_si512(specials + BLOCK);
    return _mm512_or_si512(_mm512_permutex2var_epi8(low, v, high), v);
}

TARGET MCPW_INLINE __m512i copy_block(unsigned char *to, const unsigned char *from) {
    const __m512i v = _mm512_loadu_si512(from);
    _mm512_storeu_si512(to, v);
    return special_of(v);
}

/* The same for n bytes, at most a block. */
TARGET MCPW_INLINE size_t copy_few(unsigned char *to, const unsigned char *from, size_t n) {
    const __mmask64 mask = _bzhi_u64(~UINT64_C(0), (unsigned)n);
    const __m512i v = _mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), mask, from);
    _mm512_mask_storeu_epi8(to, mask, v);
    const uint64_t special = _mm512_movepi8_mask(special_of(v));
    return special == 0 ? n : mcpw_lowest_bit(special);
}

/* Copies four blocks at these places. Returns where the first special byte is; n: nowhere. */
TARGET MCPW_INLINE size_t copy_four(unsigned char *to, const unsigned char *from, size_t second, size_t third,
                                    size_t fourth, size_t n) {
    const __m512i a = copy_block(to, from);
    const __m512i b = copy_block(to + second, from + second);
    const __m512i c = copy_block(to + third, from + third);
    const __m512i d = copy_block(to + fourth, from + fourth);
    const __m512i any = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
    if (MCPW_LIKELY(_mm512_movepi8_mask(any) == 0)) {
        return n;
    }
    const uint64_t in_a = _mm512_movepi8_mask(a);
    const uint64_t in_b = _mm512_movepi8_mask(b);
    const uint64_t in_c = _mm512_movepi8_mask(c);
    return in_a != 0   ? mcpw_lowest_bit(in_a)
           : in_b != 0 ? second + mcpw_lowest_bit(in_b)
           : in_c != 0 ? third + mcpw_lowest_bit(in_c)
                       : fourth + mcpw_lowest_bit(_mm512_movepi8_mask(d));
}

TARGET static size_t copy(unsigned char *to, const unsigned char *from, size_t n) {
    size_t i = 0;
    for (; n - i > BLOCKS * BLOCK; i += BLOCKS * BLOCK) {
        const size_t plain = copy_four(to + i, from + i, BLOCK, 2 * BLOCK, 3 * BLOCK, BLOCKS * BLOCK);
        if (MCPW_UNLIKELY(plain != BLOCKS * BLOCK)) {
            return i + plain;
        }
    }
    if (n - i <= BLOCK) {
        return i + copy_few(to + i, from + i, n - i);
    }
    const size_t last = n - i - BLOCK; /* two to four blocks, which overlap */
    return i + copy_four(to + i, from + i, last < BLOCK ? last : BLOCK, last < 2 * BLOCK ? last : 2 * BLOCK,
                         last, n - i);
}

TARGET static const unsigned char *scan(const unsigned char *p, const unsigned char *end) {
    return mcpw_runs_avx2.scan(p, end);
}

TARGET static const unsigned char *put(unsigned char **to, const unsigned char *from,
                                       const unsigned char *end, const unsigned char *limit) {
    return mcpw_put(to, from, end, limit, copy);
}

enum { MASKS_FROM = 1024 }; /* measured: below so many bytes the plain way is as fast */

const mcpw_runs mcpw_runs_avx512 = {"AVX-512", scan, copy, put, mcpw_masks_avx512, MASKS_FROM};
#else
typedef int mcpw_no_avx512; /* ISO C wants a declaration in every file */
#endif
