/* SPDX-License-Identifier: MIT */
/* UTF-8. The rules of Unicode for it are implemented only here. */
#ifndef MCPW_UTF8_H
#define MCPW_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mcpw/base.h>

#include "compiler.h"

enum { MCPW_CHARACTER_SIZE = 4 }; /* bytes of the longest character */

MCPW_INLINE bool mcpw_is_continuation(unsigned char c) { return (c & 0xc0U) == 0x80U; }

/* Length of the sequence at p, whose first byte is 0x80 or more, with `left` bytes, one at least, to read. 0
 * when it is none or cut off. (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing past
 * U+10FFFF.) */
MCPW_INLINE unsigned mcpw_utf8_sequence(const unsigned char *p, size_t left) {
    const unsigned char a = p[0];
    if (a < 0xc2 || a > 0xf4 || left < 2 || !mcpw_is_continuation(p[1])) {
        return 0;
    }
    if (a < 0xe0) {
        return 2;
    }
    if (left < 3 || !mcpw_is_continuation(p[2])) {
        return 0;
    }
    if (a < 0xf0) {
        return (a == 0xe0 && p[1] < 0xa0) || (a == 0xed && p[1] > 0x9f) ? 0 : 3;
    }
    if (left < 4 || !mcpw_is_continuation(p[3])) {
        return 0;
    }
    return (a == 0xf0 && p[1] < 0x90) || (a == 0xf4 && p[1] > 0x8f) ? 0 : 4;
}

/* Writes a character, 1 to 4 bytes; returns how many. */
unsigned mcpw_put_character(unsigned char *to, uint32_t c);

#endif
