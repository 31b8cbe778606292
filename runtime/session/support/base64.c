/* SPDX-License-Identifier: MIT */
/* Base64 as RFC 4648, section 4, has it: padded, nothing in between, and one text only for each value. */
#include "base64.h"

#include <mcpw/server.h>

enum { GROUP = 4, TRIPLE = 3, SEXTET = 6, OCTET = 8, LOW6 = 63, FIRST = '+', LETTERS = 80 };

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* By character from '+' on: its value plus one. 0 stands for what is not in the alphabet. */
static const uint8_t values[LETTERS] = {
    63, 0,  0,  0,  64, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 0,  0,  0,  0,  0,  0,  0,  1,  2,  3,  4, 5,
    6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 0,  0,  0,  0,  0, 0,
    27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52};

unsigned char *mcpw_base64_put(unsigned char *to, const unsigned char *from, size_t len) {
    for (; len >= TRIPLE; len -= TRIPLE, from += TRIPLE, to += GROUP) {
        const uint32_t bits = (uint32_t)from[0] << 2 * OCTET | (uint32_t)from[1] << OCTET | from[2];
        to[0] = (unsigned char)alphabet[bits >> 3 * SEXTET];
        to[1] = (unsigned char)alphabet[bits >> 2 * SEXTET & LOW6];
        to[2] = (unsigned char)alphabet[bits >> SEXTET & LOW6];
        to[3] = (unsigned char)alphabet[bits & LOW6];
    }
    if (len != 0) {
        const uint32_t bits = (uint32_t)from[0] << 2 * OCTET | (len == 2 ? (uint32_t)from[1] << OCTET : 0);
        to[0] = (unsigned char)alphabet[bits >> 3 * SEXTET];
        to[1] = (unsigned char)alphabet[bits >> 2 * SEXTET & LOW6];
        to[2] = len == 2 ? (unsigned char)alphabet[bits >> SEXTET & LOW6] : '=';
        to[3] = '=';
        to += GROUP;
    }
    return to;
}

mcpw_str mcpw_base64_encode(mcpw_arena *arena, const void *bytes, size_t len) {
    mcpw_str text = {NULL, 0};
    if (arena == NULL || (bytes == NULL && len != 0) || len > SIZE_MAX / 2) {
        return text;
    }
    unsigned char *const to = mcpw_arena_alloc(arena, mcpw_base64_size(len) + 1);
    if (to == NULL) {
        return text;
    }
    *mcpw_base64_put(to, bytes, len) = '\0';
    text.ptr = (const char *)to;
    text.len = mcpw_base64_size(len);
    return text;
}

static unsigned value_plus_one(unsigned char c) {
    const unsigned at = (unsigned)c - FIRST;
    return at < LETTERS ? values[at] : 0;
}

/* The n characters of one group as bits from the top; false when one is no character of base64. */
static bool read_group(const unsigned char *from, size_t n, uint32_t *bits) {
    *bits = 0;
    for (size_t i = 0; i < GROUP; i++) {
        const unsigned v = i < n ? value_plus_one(from[i]) : 1;
        if (v == 0) {
            return false;
        }
        *bits = *bits << SEXTET | (v - 1);
    }
    return true;
}

mcpw_status mcpw_base64_decode(mcpw_arena *arena, mcpw_str text, mcpw_str *out) {
    const unsigned char *from = (const unsigned char *)text.ptr;
    size_t len = text.len;
    uint32_t bits = 0;
    if (arena == NULL || text.ptr == NULL || out == NULL) {
        return MCPW_E_ARGUMENT;
    }
    if (len % GROUP != 0) {
        return MCPW_E_FORMAT;
    }
    while (len != 0 && text.len - len < 2 && from[len - 1] == '=') {
        len--;
    }
    const size_t size = len / GROUP * TRIPLE + (len % GROUP) * SEXTET / OCTET;
    const mcpw_mark mark = mcpw_arena_mark(arena);
    unsigned char *to = mcpw_arena_alloc(arena, size + 1);
    if (to == NULL) {
        return arena->status;
    }
    out->ptr = (const char *)to;
    out->len = size;
    bool good = true;
    for (; good && len >= GROUP; len -= GROUP, from += GROUP, to += TRIPLE) {
        good = read_group(from, GROUP, &bits);
        to[0] = (unsigned char)(bits >> 2 * OCTET);
        to[1] = (unsigned char)(bits >> OCTET);
        to[2] = (unsigned char)bits;
    }
    if (good && len != 0) { /* bits that stand for no byte must be zero */
        const size_t rest = len * SEXTET / OCTET;
        good = read_group(from, len, &bits) && (bits << (rest + 1) * OCTET) == 0;
        to[0] = (unsigned char)(bits >> 2 * OCTET);
        to[rest - 1] = (unsigned char)(bits >> (TRIPLE - rest) * OCTET);
        to += rest;
    }
    *to = '\0';
    if (!good) {
        out->ptr = NULL;
        out->len = 0;
        mcpw_arena_rewind(arena, mark);
        return MCPW_E_FORMAT;
    }
    return MCPW_OK;
}
