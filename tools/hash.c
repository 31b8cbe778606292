/* SPDX-License-Identifier: MIT */
/* SipHash-2-4 of Aumasson and Bernstein: https://www.aumasson.jp/siphash/siphash.pdf */
#include "hash.h"

enum { WORDS = 4, WORD = sizeof(uint64_t), BYTE_BITS = 8, LENGTH_SHIFT = 56, ROUNDS = 2, LAST_ROUNDS = 4 };

static uint64_t turn(uint64_t x, unsigned by) { return x << by | x >> (64 - by); }

static void mix(uint64_t v[WORDS], int rounds) {
    for (; rounds > 0; rounds--) {
        v[0] += v[1];
        v[1] = turn(v[1], 13) ^ v[0];
        v[0] = turn(v[0], 32);
        v[2] += v[3];
        v[3] = turn(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = turn(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = turn(v[1], 17) ^ v[2];
        v[2] = turn(v[2], 32);
    }
}

static void take(uint64_t v[WORDS], uint64_t word) {
    v[3] ^= word;
    mix(v, ROUNDS);
    v[0] ^= word;
}

/* Loads up to eight bytes, lowest first. */
static uint64_t load(const unsigned char *p, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word |= (uint64_t)p[i] << (BYTE_BITS * i);
    }
    return word;
}

uint64_t hash_bytes(const hash_key *key, const void *bytes, size_t len) {
    const unsigned char *p = bytes;
    size_t left = len;
    uint64_t v[WORDS] = {key->low ^ UINT64_C(0x736f6d6570736575), key->high ^ UINT64_C(0x646f72616e646f6d),
                         key->low ^ UINT64_C(0x6c7967656e657261), key->high ^ UINT64_C(0x7465646279746573)};
    for (; left >= WORD; left -= WORD, p += WORD) {
        take(v, load(p, WORD));
    }
    take(v, load(p, left) | (uint64_t)len << LENGTH_SHIFT);
    v[2] ^= 0xff;
    mix(v, LAST_ROUNDS);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
