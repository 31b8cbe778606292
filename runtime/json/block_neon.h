/* SPDX-License-Identifier: MIT */
/* Blocks of 16 bytes, on 64-bit ARM. */
#ifndef MCPW_BLOCK_NEON_H
#define MCPW_BLOCK_NEON_H

#include <arm_neon.h>

#include "input_bytes.h"

#define MCPW_BLOCK_NAME "NEON"

enum { MCPW_BLOCK = 16 };
typedef uint64_t mcpw_special; /* four bits a byte */

MCPW_INLINE mcpw_special mcpw_special_of(uint8x16_t v) {
    const uint8x16_t quote = vceqq_u8(v, vdupq_n_u8('"'));
    const uint8x16_t backslash = vceqq_u8(v, vdupq_n_u8('\\'));
    const uint8x16_t low = vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(0x20));
    const uint8x16_t any = vorrq_u8(vorrq_u8(quote, backslash), low);
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(any), 4)), 0);
}

MCPW_INLINE mcpw_special mcpw_special_bytes(const unsigned char *p) { return mcpw_special_of(vld1q_u8(p)); }

/* The same while copying the bytes. */
MCPW_INLINE mcpw_special mcpw_special_copy(unsigned char *to, const unsigned char *p) {
    const uint8x16_t v = vld1q_u8(p);
    vst1q_u8(to, v);
    return mcpw_special_of(v);
}

/* Copies 16 bytes; nonzero when one of them is special. */
MCPW_INLINE uint64_t mcpw_copy16(unsigned char *to, const unsigned char *from) {
    return mcpw_special_copy(to, from);
}

/* Nonzero when a byte of two words is special. */
MCPW_INLINE uint64_t mcpw_special_in_words(uint64_t a, uint64_t b) {
    return mcpw_special_of(vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(a), vcreate_u64(b))));
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) { return mcpw_lowest_bit(m) >> 2; }

/* As wide as one block: see block_sse2.h. */
enum { MCPW_WIDE = MCPW_BLOCK, MCPW_WIDE_BITS = 4 };

MCPW_INLINE mcpw_special mcpw_special_wide(const unsigned char *p) { return mcpw_special_bytes(p); }

MCPW_INLINE unsigned mcpw_wide_first(mcpw_special m) { return mcpw_special_first(m); }

#endif
