/* SPDX-License-Identifier: MIT */
/*
 * String text in one pass by AVX2 (see put in runs.h). A block of 64 bytes is copied as it is. If it has more
 * than plain ASCII, it is then checked as a whole, and the bits of a mask lead from one escape to the next. A
 * block ends after its last complete character, so that nothing is carried from block to block.
 */
#ifndef MCPW_PUT_AVX2_H
#define MCPW_PUT_AVX2_H

#include "characters.h"
#include "runs.h"

#include <immintrin.h>

#define MCPW_PUT_TARGET __attribute__((target("avx2")))

/*
 * The possible faults of two neighbours, after J. Keiser and D. Lemire, "Validating UTF-8 In Less Than One
 * Instruction Per Byte" (2021): each half of the first byte and the upper half of the second one say which
 * errors they would be part of, and what all three say is one. Only that a third or fourth byte follows two
 * or three places after its first one, which PAIR stands for, is looked at beyond neighbours.
 */
enum {
    MCPW_U_CUT = 1 << 0,   /* a first byte, and none that continues it */
    MCPW_U_STRAY = 1 << 1, /* ASCII, and a byte that continues */
    MCPW_U_LONG3 = 1 << 2, /* a character in three bytes that takes two */
    MCPW_U_LARGE = 1 << 3, /* past U+10FFFF, the second byte from 0x90 on */
    MCPW_U_HALF = 1 << 4,  /* half of a pair of surrogates */
    MCPW_U_LONG2 = 1 << 5, /* a character in two bytes that takes one */
    MCPW_U_LONG4 = 1 << 6, /* in four bytes that takes three; past U+10FFFF with a second byte below 0x90 */
    MCPW_U_PAIR = 1 << 7,  /* two that continue */
    MCPW_U_ANY = MCPW_U_CUT | MCPW_U_STRAY | MCPW_U_PAIR,
    MCPW_U_PAST = MCPW_U_ANY | MCPW_U_LARGE | MCPW_U_LONG4,
    MCPW_U_TAIL = MCPW_U_STRAY | MCPW_U_LONG2 | MCPW_U_PAIR
};

enum { MCPW_PUT_HALF = 32, MCPW_PUT_BLOCK = 2 * MCPW_PUT_HALF };
enum { MCPW_PUT_LONG = 4 }; /* plain blocks, after which many more are likely */

typedef struct mcpw_put_block {
    __m256i low;
    __m256i high;
} mcpw_put_block;

MCPW_PUT_TARGET MCPW_INLINE __m256i mcpw_put_load(const unsigned char *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

MCPW_PUT_TARGET MCPW_INLINE void mcpw_put_store(unsigned char *p, __m256i v) {
    _mm256_storeu_si256((__m256i *)(void *)p, v);
}

MCPW_PUT_TARGET MCPW_INLINE mcpw_put_block mcpw_put_load_block(const unsigned char *p) {
    return (mcpw_put_block){mcpw_put_load(p), mcpw_put_load(p + MCPW_PUT_HALF)};
}

MCPW_PUT_TARGET MCPW_INLINE void mcpw_put_store_block(unsigned char *p, mcpw_put_block b) {
    mcpw_put_store(p, b.low);
    mcpw_put_store(p + MCPW_PUT_HALF, b.high);
}

/* The top bit of each byte. */
MCPW_PUT_TARGET MCPW_INLINE uint64_t mcpw_put_bits(mcpw_put_block b) {
    return (uint32_t)_mm256_movemask_epi8(b.low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(b.high) << 32;
}

/* The bits of the first n bytes, at least one. */
MCPW_INLINE uint64_t mcpw_put_first_bits(uint64_t bits, unsigned n) {
    return bits & ~UINT64_C(0) >> (MCPW_PUT_BLOCK - n);
}

/* The top bit of each special byte (see block_sse2.h). */
MCPW_PUT_TARGET MCPW_INLINE __m256i mcpw_put_special_half(__m256i v) {
    const __m256i moved = _mm256_xor_si256(v, _mm256_set1_epi8('"' ^ ' '));
    const __m256i low = _mm256_subs_epi8(moved, _mm256_set1_epi8(' ' + 1));
    return _mm256_or_si256(low, _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')));
}

MCPW_PUT_TARGET MCPW_INLINE mcpw_put_block mcpw_put_special(mcpw_put_block b) {
    return (mcpw_put_block){mcpw_put_special_half(b.low), mcpw_put_special_half(b.high)};
}

/* The same 16 bytes in both halves of a block, by the half of a byte that they are looked up with. */
#define MCPW_FOUR(x) (x), (x), (x), (x)
static const unsigned char mcpw_first_upper[16] = {MCPW_FOUR(MCPW_U_STRAY),
                                                   MCPW_FOUR(MCPW_U_STRAY),
                                                   MCPW_FOUR(MCPW_U_PAIR),
                                                   MCPW_U_CUT | MCPW_U_LONG2,
                                                   MCPW_U_CUT,
                                                   MCPW_U_CUT | MCPW_U_LONG3 | MCPW_U_HALF,
                                                   MCPW_U_CUT | MCPW_U_LARGE | MCPW_U_LONG4};
static const unsigned char mcpw_first_lower[16] = {MCPW_U_ANY | MCPW_U_LONG3 | MCPW_U_LONG2 | MCPW_U_LONG4,
                                                   MCPW_U_ANY | MCPW_U_LONG2,
                                                   MCPW_U_ANY,
                                                   MCPW_U_ANY,
                                                   MCPW_U_ANY | MCPW_U_LARGE,
                                                   MCPW_FOUR(MCPW_U_PAST),
                                                   MCPW_FOUR(MCPW_U_PAST),
                                                   MCPW_U_PAST | MCPW_U_HALF,
                                                   MCPW_U_PAST,
                                                   MCPW_U_PAST};
static const unsigned char mcpw_second_upper[16] = {MCPW_FOUR(MCPW_U_CUT),
                                                    MCPW_FOUR(MCPW_U_CUT),
                                                    MCPW_U_TAIL | MCPW_U_LONG3 | MCPW_U_LONG4,
                                                    MCPW_U_TAIL | MCPW_U_LONG3 | MCPW_U_LARGE,
                                                    MCPW_U_TAIL | MCPW_U_HALF | MCPW_U_LARGE,
                                                    MCPW_U_TAIL | MCPW_U_HALF | MCPW_U_LARGE,
                                                    MCPW_FOUR(MCPW_U_CUT)};

MCPW_PUT_TARGET MCPW_INLINE __m256i mcpw_put_table(const unsigned char table[16]) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

/* Nonzero where v, which stands after `before`, is no UTF-8. */
MCPW_PUT_TARGET MCPW_INLINE __m256i mcpw_put_errors(__m256i before, __m256i v) {
    const __m256i nibble = _mm256_set1_epi8(0x0f);
    const __m256i middle = _mm256_permute2x128_si256(before, v, 0x21);
    const __m256i first = _mm256_alignr_epi8(v, middle, 15);
    const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(first, 4), nibble);
    const __m256i second = _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble);
    const __m256i a = _mm256_shuffle_epi8(mcpw_put_table(mcpw_first_upper), upper);
    const __m256i b = _mm256_shuffle_epi8(mcpw_put_table(mcpw_first_lower), _mm256_and_si256(first, nibble));
    const __m256i c = _mm256_shuffle_epi8(mcpw_put_table(mcpw_second_upper), second);
    const __m256i wrong = _mm256_and_si256(_mm256_and_si256(a, b), c);
    const __m256i third = _mm256_subs_epu8(_mm256_alignr_epi8(v, middle, 14), _mm256_set1_epi8(0xe0 - 0x80));
    const __m256i fourth = _mm256_subs_epu8(_mm256_alignr_epi8(v, middle, 13), _mm256_set1_epi8(0xf0 - 0x80));
    const __m256i due = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(INT8_MIN));
    return _mm256_xor_si256(wrong, due);
}

/* How many of the first n bytes of a block are whole characters; 0: they are no UTF-8. Only a block of the
 * full size may end within a character. */
MCPW_PUT_TARGET MCPW_INLINE unsigned mcpw_put_whole(mcpw_put_block b, unsigned n) {
    static const unsigned char kept[2 * MCPW_PUT_BLOCK] = {
        MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff),
        MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff),
        MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff), MCPW_FOUR(0xff)};
    static const unsigned char complete[MCPW_PUT_HALF] = {MCPW_FOUR(0xff),
                                                          MCPW_FOUR(0xff),
                                                          MCPW_FOUR(0xff),
                                                          MCPW_FOUR(0xff),
                                                          MCPW_FOUR(0xff),
                                                          MCPW_FOUR(0xff),
                                                          MCPW_FOUR(0xff),
                                                          0xff,
                                                          0xef,
                                                          0xdf,
                                                          0xbf};
    const mcpw_put_block mask = mcpw_put_load_block(kept + MCPW_PUT_BLOCK - n);
    const __m256i low = _mm256_and_si256(b.low, mask.low);
    const __m256i high = _mm256_and_si256(b.high, mask.high);
    const __m256i wrong =
        _mm256_or_si256(mcpw_put_errors(_mm256_setzero_si256(), low), mcpw_put_errors(low, high));
    if (MCPW_UNLIKELY(!_mm256_testz_si256(wrong, wrong))) {
        return 0;
    }
    const __m256i cut = _mm256_subs_epu8(high, mcpw_put_load(complete)); /* first bytes that lack the rest */
    const __m256i is_whole = _mm256_cmpeq_epi8(cut, _mm256_setzero_si256());
    const uint32_t open = ~(uint32_t)_mm256_movemask_epi8(is_whole);
    return open != 0 ? MCPW_PUT_HALF + mcpw_lowest_bit(open) : n;
}

/* A text. Its last block lies in a copy, too, with a block of zeros after it, so that a block can be read
 * wherever the text has a byte, and nothing is read past the text. */
typedef struct mcpw_put_text {
    const unsigned char *end;
    unsigned char last[2 * MCPW_PUT_BLOCK];
} mcpw_put_text;

/* Copies fewer bytes than a block in pieces that overlap. */
MCPW_PUT_TARGET MCPW_INLINE void mcpw_put_few(unsigned char *to, const unsigned char *from, size_t n) {
    if (n >= MCPW_PUT_HALF) {
        mcpw_put_store(to, mcpw_put_load(from));
        mcpw_put_store(to + n - MCPW_PUT_HALF, mcpw_put_load(from + n - MCPW_PUT_HALF));
    } else if (n >= MCPW_PUT_HALF / 2) {
        memcpy(to, from, MCPW_PUT_HALF / 2);
        memcpy(to + n - MCPW_PUT_HALF / 2, from + n - MCPW_PUT_HALF / 2, MCPW_PUT_HALF / 2);
    } else if (n >= sizeof(uint64_t)) {
        memcpy(to, from, sizeof(uint64_t));
        memcpy(to + n - sizeof(uint64_t), from + n - sizeof(uint64_t), sizeof(uint64_t));
    } else {
        for (size_t i = 0; i < n; i++) {
            to[i] = from[i];
        }
    }
}

MCPW_PUT_TARGET MCPW_INLINE void mcpw_put_open(mcpw_put_text *t, const unsigned char *from,
                                               const unsigned char *end) {
    const mcpw_put_block zeros = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    const size_t n = (size_t)(end - from);
    t->end = end;
    mcpw_put_store_block(t->last + MCPW_PUT_BLOCK, zeros);
    if (MCPW_LIKELY(n >= MCPW_PUT_BLOCK)) {
        mcpw_put_store_block(t->last, mcpw_put_load_block(end - MCPW_PUT_BLOCK));
    } else {
        mcpw_put_few(t->last + MCPW_PUT_BLOCK - n, from, n);
    }
}

/* The block at a place of the text. */
MCPW_PUT_TARGET MCPW_INLINE mcpw_put_block mcpw_put_block_at(const mcpw_put_text *t, const unsigned char *p) {
    const size_t left = (size_t)(t->end - p);
    return mcpw_put_load_block(left >= MCPW_PUT_BLOCK ? p : t->last + MCPW_PUT_BLOCK - left);
}

/* Writes a block of n bytes that is not plain ASCII to p, where it was copied to already; `special` tells its
 * special bytes. Returns the place after what was written, or NULL when that is no UTF-8, and how many bytes
 * were taken. */
MCPW_PUT_TARGET MCPW_NOINLINE static unsigned char *mcpw_put_hard(const mcpw_put_text *t, unsigned char *p,
                                                                  const unsigned char *from, uint64_t special,
                                                                  unsigned *n) {
    const mcpw_put_block b = mcpw_put_block_at(t, from);
    const uint64_t not_ascii = mcpw_put_bits(b) & special;
    unsigned at = 0;
    if (not_ascii != 0) {
        *n = mcpw_put_whole(b, *n);
        if (MCPW_UNLIKELY(*n == 0)) {
            return NULL;
        }
        special = mcpw_put_first_bits(special & ~not_ascii, *n);
    }
    for (; special != 0; special &= special - 1) {
        const unsigned next = mcpw_lowest_bit(special);
        p = mcpw_put_escape(p + (next - at), from[next]);
        at = next + 1;
        mcpw_put_store_block(p, mcpw_put_block_at(t, from + at));
    }
    return p + (*n - at);
}

/* Copies 64 bytes; the top bits tell where they are special. */
MCPW_PUT_TARGET MCPW_INLINE __m256i mcpw_put_copy_block(unsigned char *to, const unsigned char *from) {
    const mcpw_put_block b = mcpw_put_load_block(from);
    mcpw_put_store_block(to, b);
    const mcpw_put_block special = mcpw_put_special(b);
    return _mm256_or_si256(special.low, special.high);
}

/* See plain in runs.h. The first block and the last one overlap where there is nothing between them. */
MCPW_PUT_TARGET MCPW_INLINE bool mcpw_put_plain(unsigned char *to, const unsigned char *from, size_t n) {
    const size_t last = n - MCPW_PUT_BLOCK;
    __m256i special = mcpw_put_copy_block(to, from);
    special = _mm256_or_si256(special, mcpw_put_copy_block(to + last, from + last));
    for (size_t i = MCPW_PUT_BLOCK; i < last; i += MCPW_PUT_BLOCK) {
        special = _mm256_or_si256(special, mcpw_put_copy_block(to + i, from + i));
    }
    return _mm256_movemask_epi8(special) == 0;
}

/* See put in runs.h. `copy` is the same function of the path: it copies long plain runs. */
MCPW_PUT_TARGET MCPW_INLINE const unsigned char *mcpw_put(unsigned char **to, const unsigned char *from,
                                                          const unsigned char *end,
                                                          const unsigned char *limit, mcpw_copier *copy) {
    mcpw_put_text t;
    unsigned char *p = *to;
    unsigned plain = 0;
    mcpw_put_open(&t, from, end);
    while (from != end && end - from <= limit - p) {
        unsigned n = end - from < MCPW_PUT_BLOCK ? (unsigned)(end - from) : MCPW_PUT_BLOCK;
        const mcpw_put_block b = mcpw_put_block_at(&t, from);
        const uint64_t special = mcpw_put_first_bits(mcpw_put_bits(mcpw_put_special(b)), n);
        mcpw_put_store_block(p, b);
        if (MCPW_LIKELY(special == 0)) {
            p += n;
            plain++;
        } else {
            p = mcpw_put_hard(&t, p, from, special, &n);
            if (MCPW_UNLIKELY(p == NULL)) {
                return NULL;
            }
            plain = 0;
        }
        from += n;
        if (MCPW_UNLIKELY(plain == MCPW_PUT_LONG)) {
            const size_t run = copy(p, from, (size_t)(end - from));
            p += run;
            from += run;
            plain = 0;
        }
    }
    *to = p;
    return from;
}

#endif
