/* SPDX-License-Identifier: MIT */
/* UTF-8: the functions that are not inline. */
#include <mcpw/error.h>

#include "utf8.h"

unsigned mcpw_utf8_length(const unsigned char *text, size_t len) {
    if (len == 0) {
        return 0;
    }
    return text[0] < 0x80 ? 1 : mcpw_utf8_sequence(text, len);
}

unsigned mcpw_put_character(unsigned char *to, uint32_t c) {
    if (c < 0x80) {
        to[0] = (unsigned char)c;
        return 1;
    }
    const unsigned n = c < 0x800 ? 2U : c < 0x10000 ? 3U : 4U;
    for (unsigned i = n - 1; i > 0; i--) {
        to[i] = (unsigned char)(0x80U | (c & 0x3fU));
        c >>= 6;
    }
    to[0] = (unsigned char)((0xf00U >> n & 0xf0U) | c);
    return n;
}
