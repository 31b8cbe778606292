/* SPDX-License-Identifier: MIT */
/* Blocks of 8 bytes, on any processor. */
#ifndef MCPW_BLOCK_WORD_H
#define MCPW_BLOCK_WORD_H

#include "input_bytes.h"
#include "word.h"

#define MCPW_BLOCK_NAME "SWAR"

enum { MCPW_BLOCK = sizeof(uint64_t) };
typedef uint64_t mcpw_special;

MCPW_INLINE mcpw_special mcpw_special_bytes(const unsigned char *p) {
    return mcpw_special_in_word(mcpw_load_le64(p));
}

/* The same while copying the bytes. */
MCPW_INLINE mcpw_special mcpw_special_copy(unsigned char *to, const unsigned char *p) {
    memcpy(to, p, sizeof(uint64_t));
    return mcpw_special_in_word(mcpw_load_le64(p));
}

/* Copies 16 bytes; nonzero when one of them is special. */
MCPW_INLINE uint64_t mcpw_copy16(unsigned char *to, const unsigned char *from) {
    return mcpw_special_copy(to, from) | mcpw_special_copy(to + MCPW_BLOCK, from + MCPW_BLOCK);
}

/* Nonzero when a byte of two words is special. */
MCPW_INLINE uint64_t mcpw_special_in_words(uint64_t a, uint64_t b) {
    return mcpw_special_in_word(a) | mcpw_special_in_word(b);
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) { return mcpw_lowest_bit(m) >> 3; }

/* As wide as one block: see block_sse2.h. */
enum { MCPW_WIDE = MCPW_BLOCK, MCPW_WIDE_BITS = 0 /* the first flag alone is exact */ };

MCPW_INLINE mcpw_special mcpw_special_wide(const unsigned char *p) { return mcpw_special_bytes(p); }

MCPW_INLINE unsigned mcpw_wide_first(mcpw_special m) { return mcpw_special_first(m); }

#endif
