/* SPDX-License-Identifier: MIT */
/* Sets of public keys. (RFC 7517, section 5.) */
#include "jose.h"

#include <sodium.h>

struct mcpw_oauth_jwks {
    mcpw_allocator allocator;
    mcpw_arena memory;
    size_t count;
    mcpw_jose_public_key keys[MCPW_OAUTH_MOST_KEYS];
};

/* Adds a key if it can verify signatures. Another key is skipped, which is no error. */
static mcpw_status add(mcpw_oauth_jwks *set, mcpw_json text) {
    mcpw_jose_json_key jwk;
    mcpw_status status =
        mcpw_jose_decode(&mcpw_jose_json_key_table, (mcpw_str){text.ptr, text.len}, &set->memory, &jwk, NULL);
    if (status == MCPW_OK) {
        status = mcpw_jose_public_key_of(&jwk, &set->memory, &set->keys[set->count]);
        set->count += status == MCPW_OK ? 1 : 0;
    }
    return status == MCPW_E_MEMORY ? status : MCPW_OK;
}

static mcpw_status read(mcpw_oauth_jwks *set, mcpw_str text, mcpw_error *error) {
    mcpw_jose_json_key_set found;
    mcpw_status status = mcpw_jose_decode(&mcpw_jose_json_key_set_table, text, &set->memory, &found, error);
    for (size_t i = 0; status == MCPW_OK && i < found.keys.count; i++) {
        status = add(set, found.keys.items[i]);
        if (status != MCPW_OK) {
            (void)mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
        }
    }
    return status;
}

mcpw_oauth_jwks *mcpw_oauth_jwks_read(mcpw_str text, const mcpw_allocator *allocator, mcpw_error *error) {
    const mcpw_allocator outer = allocator != NULL ? *allocator : (mcpw_allocator){NULL, NULL};
    mcpw_oauth_jwks *const set = mcpw_resize(&outer, NULL, 0, sizeof *set);
    (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    if (set == NULL || sodium_init() < 0) {
        (void)mcpw_resize(&outer, set, sizeof *set, 0);
        return NULL;
    }
    *set = (mcpw_oauth_jwks){.memory = MCPW_ARENA_INIT};
    set->allocator = outer;
    set->memory.allocator = outer;
    if (read(set, text, error) != MCPW_OK) {
        mcpw_oauth_jwks_free(set);
        return NULL;
    }
    return set;
}

void mcpw_oauth_jwks_free(mcpw_oauth_jwks *keys) {
    if (keys != NULL) {
        const mcpw_allocator allocator = keys->allocator;
        for (size_t i = 0; i < keys->count; i++) {
            mcpw_jose_public_key_free(&keys->keys[i]);
        }
        mcpw_arena_free(&keys->memory);
        (void)mcpw_resize(&allocator, keys, sizeof *keys, 0);
    }
}

size_t mcpw_oauth_jwks_count(const mcpw_oauth_jwks *keys) { return keys != NULL ? keys->count : 0; }

bool mcpw_jose_fits(const mcpw_jose_public_key *key, const mcpw_jose_algorithm *algorithm) {
    /* EdDSA and Ed25519 are two names of one algorithm. */
    return key->kind == algorithm->kind &&
           (key->only == NULL || key->only == algorithm || key->kind == MCPW_JOSE_ED25519);
}

const mcpw_jose_public_key *mcpw_jose_find(const mcpw_oauth_jwks *keys, mcpw_str kid,
                                           const mcpw_jose_algorithm *algorithm) {
    const mcpw_jose_public_key *found = NULL;
    for (size_t i = 0; i < mcpw_oauth_jwks_count(keys); i++) {
        const mcpw_jose_public_key *const key = &keys->keys[i];
        if (!mcpw_jose_fits(key, algorithm) || (kid.ptr != NULL && !mcpw_str_equal(kid, key->kid))) {
            continue;
        }
        if (kid.ptr != NULL || found != NULL) {
            return found == NULL ? key : NULL;
        }
        found = key;
    }
    return found;
}
