/* SPDX-License-Identifier: MIT */
/* Lanes of 8 bytes, on any processor. */
#ifndef MCPW_LANE_WORD_H
#define MCPW_LANE_WORD_H

#include "input_bytes.h"
#include "word.h"

#define MCPW_LANE_NAME "SWAR"

enum { MCPW_LANE = sizeof(uint64_t) };
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
    return mcpw_special_copy(to, from) | mcpw_special_copy(to + MCPW_LANE, from + MCPW_LANE);
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) { return mcpw_lowest_bit(m) >> 3; }

#endif
