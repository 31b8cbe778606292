/* SPDX-License-Identifier: MIT */
/* Blocks of one byte, for the small library. */
#ifndef MCPW_BLOCK_BYTE_H
#define MCPW_BLOCK_BYTE_H

#include "../base/compiler.h"

#define MCPW_BLOCK_NAME "bytes"

enum { MCPW_BLOCK = 1 };
typedef unsigned mcpw_special;

MCPW_INLINE mcpw_special mcpw_special_bytes(const unsigned char *p) {
    return *p < ' ' || *p >= 0x80 || *p == '"' || *p == '\\';
}

/* The same while copying the bytes. */
MCPW_INLINE mcpw_special mcpw_special_copy(unsigned char *to, const unsigned char *p) {
    *to = *p;
    return mcpw_special_bytes(p);
}

MCPW_INLINE unsigned mcpw_special_first(mcpw_special m) {
    (void)m;
    return 0;
}

/* Input bytes held for comparison with several patterns. */
typedef const unsigned char *mcpw_input16;

MCPW_INLINE mcpw_input16 mcpw_load_input16(const unsigned char *p) { return p; }

/* The tables of the small library have no masks. A text that matches the sentinel in part is refused a little
 * later. */
MCPW_INLINE bool mcpw_pattern_matches(mcpw_input16 input, const char *pattern, unsigned mask, unsigned len) {
    (void)mask;
    return memcmp(input, pattern, len < 16 ? len : 16) == 0;
}

#endif
