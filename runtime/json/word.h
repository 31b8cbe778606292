/* SPDX-License-Identifier: MIT */
/* Bytes in a register, whatever the processor. */
#ifndef MCPW_WORD_H
#define MCPW_WORD_H

#include "../base/compiler.h"

/* Eight bytes, or four, the first one lowest. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
MCPW_INLINE uint64_t mcpw_load_le64(const unsigned char *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap64(v);
}

MCPW_INLINE uint32_t mcpw_load_le32(const unsigned char *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap32(v);
}

MCPW_INLINE void mcpw_store_le32(unsigned char *p, uint32_t v) {
    v = __builtin_bswap32(v);
    memcpy(p, &v, sizeof v);
}
#else
MCPW_INLINE uint64_t mcpw_load_le64(const unsigned char *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

MCPW_INLINE uint32_t mcpw_load_le32(const unsigned char *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

MCPW_INLINE void mcpw_store_le32(unsigned char *p, uint32_t v) { memcpy(p, &v, sizeof v); }
#endif

/* The high bit of each special byte (see block.h). Only the lowest flag is exact, as borrows run up; whether
 * there is one holds in whatever order they were loaded. */
MCPW_INLINE uint64_t mcpw_special_in_word(uint64_t v) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t highs = UINT64_C(0x8080808080808080);
    const uint64_t quote = v ^ (ones * '"');
    const uint64_t backslash = v ^ (ones * '\\');
    return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((v - ones * 0x20) & ~v) | v) &
           highs;
}

#endif
