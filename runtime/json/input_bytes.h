/* SPDX-License-Identifier: MIT */
/* Comparing input with patterns of the pool, where no register of 16 bytes does it. */
#ifndef MCPW_INPUT_BYTES_H
#define MCPW_INPUT_BYTES_H

#include "../base/compiler.h"

/* Input bytes held for comparison with several patterns. */
typedef const unsigned char *mcpw_input16;

MCPW_INLINE mcpw_input16 mcpw_load_input16(const unsigned char *p) { return p; }

/* Whether the bytes that mask selects equal those of the pattern. len is the length of the pattern. The
 * sentinel has none of its own, and is known by its mask. */
MCPW_INLINE bool mcpw_pattern_matches(mcpw_input16 input, const char *pattern, unsigned mask, unsigned len) {
    return memcmp(input, pattern, mask == 0xffff ? 16 : len) == 0;
}

#endif
