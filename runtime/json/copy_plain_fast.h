/* SPDX-License-Identifier: MIT */
/* Plain text is copied and tested in a few pieces that overlap. */
#ifndef MCPW_COPY_PLAIN_FAST_H
#define MCPW_COPY_PLAIN_FAST_H

#include <string.h>

#include "block.h"

enum { MCPW_COPY_PLAIN_MOST = 4 * MCPW_COPY_BLOCK };

/* Copies 8 to 15 bytes as two words that overlap. The source has no readable byte beyond n. */
MCPW_INLINE uint64_t mcpw_copy_words(unsigned char *to, const unsigned char *from, size_t n) {
    uint64_t a;
    uint64_t b;
    memcpy(&a, from, sizeof a);
    memcpy(&b, from + n - sizeof b, sizeof b);
    memcpy(to, &a, sizeof a);
    memcpy(to + n - sizeof b, &b, sizeof b);
    return mcpw_special_in_words(a, b);
}

/* Copies up to 7 bytes. */
MCPW_INLINE uint64_t mcpw_copy_few(unsigned char *to, const unsigned char *from, size_t n) {
    const uint64_t plain = UINT64_C(0x2020202020202020);
    if (n >= sizeof(uint32_t)) {
        uint32_t a;
        uint32_t b;
        memcpy(&a, from, sizeof a);
        memcpy(&b, from + n - sizeof b, sizeof b);
        memcpy(to, &a, sizeof a);
        memcpy(to + n - sizeof b, &b, sizeof b);
        return mcpw_special_in_words((uint64_t)a | (uint64_t)b << 32, plain);
    }
    if (n == 0) {
        return 0;
    }
    const unsigned char a = from[0];
    const unsigned char b = from[n / 2];
    const unsigned char c = from[n - 1];
    to[0] = a;
    to[n / 2] = b;
    to[n - 1] = c;
    return mcpw_special_in_words((plain << 24) | (uint64_t)a | (uint64_t)b << 8 | (uint64_t)c << 16, plain);
}

/* Copies n bytes, MCPW_COPY_PLAIN_MOST at most; nonzero when one of them is special. Short ones, which are
 * most, are copied in two overlapping pieces. */
MCPW_INLINE uint64_t mcpw_copy_plain_text(unsigned char *to, const unsigned char *from, size_t n) {
    if (n < MCPW_COPY_BLOCK) {
        return n >= sizeof(uint64_t) ? mcpw_copy_words(to, from, n) : mcpw_copy_few(to, from, n);
    }
    uint64_t special =
        mcpw_copy16(to, from) | mcpw_copy16(to + n - MCPW_COPY_BLOCK, from + n - MCPW_COPY_BLOCK);
    if (n > 2 * MCPW_COPY_BLOCK) {
        const size_t back = n - 2 * MCPW_COPY_BLOCK;
        special |= mcpw_copy16(to + MCPW_COPY_BLOCK, from + MCPW_COPY_BLOCK);
        special |= mcpw_copy16(to + back, from + back);
    }
    return special;
}

#endif
