/* SPDX-License-Identifier: MIT */
/*
 * Copying by registers of 64 bytes, on processors with AVX-512 that also look bytes up in a table of 128
 * (VBMI). That table answers at once which bytes are special; what is below 64 bytes is read under a mask, so
 * that no length needs a loop or a branch of its own.
 */
#include "masks.h"
#include "runs.h"

#if defined(MCPW_HAS_PATHS)
#include <immintrin.h>

#include "../base/compiler.h"

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vbmi,bmi2")))

enum { LANE = 64, LANES = 4 };

typedef struct special_table {
    __m512i low;  /* of the bytes below 64: the top bit of those that are special */
    __m512i high; /* of those below 128 */
} special_table;

TARGET MCPW_INLINE special_table make_table(void) {
    const char s = INT8_MIN;
    const special_table table = {
        _mm512_mask_blend_epi8(UINT64_C(0xffffffff) | UINT64_C(1) << '"', _mm512_setzero_si512(),
                               _mm512_set1_epi8(s)),
        _mm512_mask_blend_epi8(UINT64_C(1) << ('\\' - LANE), _mm512_setzero_si512(), _mm512_set1_epi8(s))};
    return table;
}

/* The top bit of each special byte (see lane.h); what is not ASCII has it from the start. */
TARGET MCPW_INLINE __m512i special_of(special_table table, __m512i v) {
    return _mm512_or_si512(_mm512_permutex2var_epi8(table.low, v, table.high), v);
}

TARGET MCPW_INLINE __m512i copy_lane(special_table table, unsigned char *to, const unsigned char *from) {
    const __m512i v = _mm512_loadu_si512(from);
    _mm512_storeu_si512(to, v);
    return special_of(table, v);
}

/* The same for n bytes, at most a lane. */
TARGET MCPW_INLINE __m512i copy_few(special_table table, unsigned char *to, const unsigned char *from,
                                    size_t n) {
    const __mmask64 mask = _bzhi_u64(~UINT64_C(0), (unsigned)n);
    const __m512i v = _mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), mask, from);
    _mm512_mask_storeu_epi8(to, mask, v);
    return special_of(table, v);
}

/* Copies four lanes at these places. */
TARGET MCPW_INLINE __m512i copy_four(special_table table, unsigned char *to, const unsigned char *from,
                                     size_t second, size_t third, size_t fourth) {
    const __m512i a =
        _mm512_or_si512(copy_lane(table, to, from), copy_lane(table, to + second, from + second));
    const __m512i b = copy_lane(table, to + third, from + third);
    return _mm512_or_si512(a, _mm512_or_si512(b, copy_lane(table, to + fourth, from + fourth)));
}

/* One lane after the other, up to the first special byte. */
TARGET MCPW_NOINLINE static size_t copy_slowly(unsigned char *to, const unsigned char *from, size_t n) {
    const special_table table = make_table();
    for (size_t i = 0; i < n; i += LANE) {
        const size_t left = n - i < LANE ? n - i : LANE;
        const uint64_t special = _mm512_movepi8_mask(copy_few(table, to + i, from + i, left));
        if (special != 0) {
            return i + mcpw_lowest_bit(special);
        }
    }
    return n;
}

/* Copies more than a lane and at most four, which overlap; whether a special byte is among them. */
TARGET MCPW_INLINE __m512i copy_some(special_table table, unsigned char *to, const unsigned char *from,
                                     size_t n) {
    const size_t last = n - LANE;
    return copy_four(table, to, from, last < LANE ? last : LANE, last < 2 * LANE ? last : 2 * LANE, last);
}

TARGET static size_t copy(unsigned char *to, const unsigned char *from, size_t n) {
    const special_table table = make_table();
    __m512i special = _mm512_setzero_si512();
    size_t i = 0;
    while (n - i > LANES * LANE) {
        special = copy_four(table, to + i, from + i, LANE, 2 * LANE, 3 * LANE);
        if (MCPW_UNLIKELY(_mm512_movepi8_mask(special) != 0)) {
            return i + copy_slowly(to + i, from + i, n - i);
        }
        i += LANES * LANE;
    }
    special =
        n - i > LANE ? copy_some(table, to + i, from + i, n - i) : copy_few(table, to + i, from + i, n - i);
    return MCPW_LIKELY(_mm512_movepi8_mask(special) == 0) ? n : i + copy_slowly(to + i, from + i, n - i);
}

TARGET static const unsigned char *scan(const unsigned char *p, const unsigned char *end) {
    return mcpw_runs_avx2.scan(p, end);
}

enum { MASKS_FROM = 1024 }; /* measured: below so many bytes the plain way is as fast */

const mcpw_runs mcpw_runs_avx512 = {"AVX-512", scan, copy, mcpw_masks_avx512, MASKS_FROM};
#else
typedef int mcpw_no_avx512; /* ISO C wants a declaration in every file */
#endif
