/* SPDX-License-Identifier: MIT */
/* The proofs that were seen: a hash table that keeps each until it is too old to be used again. */
#include "jose.h"

enum { LEAST = 64, SWEEP_MS = 1000, PART = 14 /* bytes of a digest that are kept */, LOAD = 4, SHARES = 8 };

/* 112 bits of a digest under a secret key: nobody can make another proof that has the same ones. */
typedef struct mcpw_jose_seen {
    unsigned char digest[PART];
    uint16_t owner;
    uint64_t until; /* 0: empty */
} mcpw_jose_seen;

static size_t slot_of(const mcpw_jose_seen *slots, size_t capacity, const unsigned char *digest) {
    size_t at = 0;
    memcpy(&at, digest, sizeof at);
    at &= capacity - 1;
    while (slots[at].until != 0 && memcmp(slots[at].digest, digest, PART) != 0) {
        at = (at + 1) & (capacity - 1);
    }
    return at;
}

/* Moves the digests that are still needed into a table with room for them. */
static mcpw_status rebuild(mcpw_jose_replay *replay, uint64_t now) {
    size_t count = 0;
    for (size_t i = 0; i < replay->capacity; i++) {
        count += replay->slots[i].until > now ? 1 : 0;
    }
    size_t capacity = LEAST;
    while (capacity < count * LOAD) {
        capacity *= 2;
    }
    mcpw_jose_seen *const slots = mcpw_resize(&replay->allocator, NULL, 0, capacity * sizeof *slots);
    if (slots == NULL) {
        return MCPW_E_MEMORY;
    }
    memset(slots, 0, capacity * sizeof *slots);
    memset(replay->shares, 0, sizeof replay->shares);
    for (size_t i = 0; i < replay->capacity; i++) {
        if (replay->slots[i].until > now) {
            slots[slot_of(slots, capacity, replay->slots[i].digest)] = replay->slots[i];
            replay->shares[replay->slots[i].owner]++;
        }
    }
    mcpw_jose_replay_free(replay);
    replay->slots = slots;
    replay->capacity = capacity;
    replay->count = count;
    replay->swept_at = now;
    return MCPW_OK;
}

/* Whether there is no room for another digest of an owner. */
static bool is_full(const mcpw_jose_replay *replay, unsigned owner) {
    const bool is_half_full = replay->count >= replay->most - replay->most / 2;
    return replay->count >= replay->most || (is_half_full && replay->shares[owner] > replay->most / SHARES);
}

mcpw_status mcpw_jose_replay_add(mcpw_jose_replay *replay, const unsigned char digest[MCPW_JOSE_DIGEST_SIZE],
                                 unsigned owner, uint64_t now, uint64_t until) {
    const bool is_crowded = 2 * (replay->count + 1) > replay->capacity;
    const bool may_sweep = now >= replay->swept_at + SWEEP_MS || now < replay->swept_at;
    const bool lacks_room = is_full(replay, owner);
    if ((is_crowded && !lacks_room) || (lacks_room && may_sweep)) {
        const mcpw_status status = rebuild(replay, now);
        if (status != MCPW_OK) {
            return status;
        }
    }
    const size_t at = slot_of(replay->slots, replay->capacity, digest);
    mcpw_jose_seen *const slot = &replay->slots[at];
    if (slot->until > now) {
        return MCPW_E_DUPLICATE;
    }
    if (slot->until == 0) {
        if (is_full(replay, owner)) {
            return MCPW_E_FULL;
        }
        replay->count++;
        replay->shares[owner]++;
        slot->owner = (uint16_t)owner;
        memcpy(slot->digest, digest, PART);
    }
    slot->until = until;
    return MCPW_OK;
}

void mcpw_jose_replay_free(mcpw_jose_replay *replay) {
    (void)mcpw_resize(&replay->allocator, replay->slots, replay->capacity * sizeof *replay->slots, 0);
    replay->slots = NULL;
    replay->capacity = 0;
    replay->count = 0;
}
