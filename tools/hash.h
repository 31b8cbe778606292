/* SPDX-License-Identifier: MIT */
/* A keyed hash for tables with untrusted keys: without the key nobody can make texts that collide. */
#ifndef MCPWIRE_HASH_H
#define MCPWIRE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct hash_key {
    uint64_t low;
    uint64_t high;
} hash_key;

/* A secret key (hash_key.c). If the system has no random bytes, it is made of the clock and an address. */
hash_key hash_key_new(void);

/* SipHash-2-4. */
uint64_t hash_bytes(const hash_key *key, const void *bytes, size_t len);

#endif
