/* SPDX-License-Identifier: MIT */
/* Whatever allocation fails while a token is checked: it is not accepted, nothing leaks, no message holds it,
 * and the next one is checked as ever. */
#include "counting_allocator.h"
#include "jose/verifier.h"
#include "jose_vectors.h"
#include "verifier_world.h"

#define ENDPOINT "https://as.example.com/introspect"
#define ISSUER_METADATA                                                                                      \
    "{\"issuer\":\"" FORGE_ISSUER "\",\"jwks_uri\":\"" WORLD_JWKS_URI                                        \
    "\",\"introspection_endpoint\":\"" ENDPOINT "\"}"

enum { MOST = 2000, FEWEST = 4, ROUNDS = 3, TRIES = 4, A_WHILE = 700000 };

static world w;
static counting memory;
static mcpw_oauth_key *holder;
static const mcpw_oauth_dpop_config *proofs;
static char token[FORGE_ROOM * 3];
static unsigned proof_count;

/* ---- Texts --------------------------------------------------------------------------------------------- */

static mcpw_error fresh_error(void) { return (mcpw_error){.code = MCPW_OK}; }

static void make_token(void) {
    char claims[WORLD_TEXT];
    (void)snprintf(claims, sizeof claims, ",\"client_id\":\"c\",\"scope\":\"a b\",\"cnf\":{\"jkt\":\"%s\"}",
                   mcpw_oauth_key_thumbprint(holder).ptr);
    (void)snprintf(token, sizeof token, "%s", world_token(&w, w.key, proofs != NULL ? claims : ""));
}

/* A proof for the token, which repeats the nonce of the last verdict. */
static const char *make_proof(void) {
    char header[FORGE_ROOM];
    char claims[FORGE_ROOM];
    mcpw_arena arena = MCPW_ARENA_INIT;
    (void)snprintf(header, sizeof header, "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":%s}",
                   mcpw_oauth_key_public(holder).ptr);
    (void)snprintf(claims, sizeof claims,
                   "{\"jti\":\"%u\",\"htm\":\"POST\",\"htu\":\"" FORGE_RESOURCE
                   "\",\"iat\":%llu,\"ath\":\"%s\",\"nonce\":\"%s\"}",
                   ++proof_count, (unsigned long long)(w.now / FORGE_MS),
                   mcpw_oauth_digest(&arena, mcpw_str_from(token)).ptr, w.nonce);
    mcpw_arena_free(&arena);
    return forge(holder, header, claims);
}

static const char *answer_of(mcpw_str url) {
    static char active[FORGE_ROOM];
    static char keys[FORGE_ROOM];
    if (mcpw_str_is(url, ENDPOINT)) {
        (void)snprintf(
            active, sizeof active,
            "{\"active\":true,\"sub\":\"ann\",\"client_id\":\"c\",\"scope\":\"a b\",\"aud\":\"" FORGE_RESOURCE
            "\",\"exp\":%llu}",
            (unsigned long long)(w.now / FORGE_MS + 3600));
        return active;
    }
    if (mcpw_str_is(url, WORLD_JWKS_URI)) {
        (void)snprintf(keys, sizeof keys, "{\"keys\":[%s,%s,%s,%s,%s]}", VECTOR_RSA_PUBLIC,
                       VECTOR_P384_PUBLIC, VECTOR_ED25519_PUBLIC, "{\"kty\":\"new\"}",
                       mcpw_oauth_key_public(w.key).ptr);
        return keys;
    }
    return ISSUER_METADATA;
}

/* ---- A verifier ---------------------------------------------------------------------------------------- */

/* The outcome for the token, with all that is asked for in between. */
static int outcome(void) {
    mcpw_http_credentials credentials = {.scheme = proofs != NULL ? MCPW_HTTP_DPOP : MCPW_HTTP_BEARER,
                                         .token = mcpw_str_from(token),
                                         .proof = mcpw_str_from(proofs != NULL ? make_proof() : NULL)};
    mcpw_arena_free(&w.verifier->scratch);
    const int at_once = world_verify(&w, 0, &credentials);
    while (at_once == -1 && mcpw_oauth_verifier_next(w.verifier, &w.fetch)) {
        mcpw_arena_free(&w.verifier->scratch);
        world_answer(&w, 200, answer_of(w.fetch.url));
    }
    if (at_once == -1) {
        CHECK(w.is_judged[0]);
        return (int)w.outcomes[0];
    }
    return at_once;
}

/* Whether the token is accepted; a first answer may give the nonce that a proof must repeat. */
static bool is_accepted(void) {
    int got = outcome();
    got = got == MCPW_HTTP_NEEDS_NONCE ? outcome() : got;
    CHECK(got == MCPW_HTTP_VALID || (memory.failed && got == MCPW_HTTP_UNVERIFIABLE) ||
          (memory.failed && got == MCPW_HTTP_NEEDS_NONCE));
    return got == MCPW_HTTP_VALID;
}

static void live(void) {
    mcpw_error error = fresh_error();
    w.verifier = mcpw_oauth_verifier_new(&w.config, &error);
    if (w.verifier == NULL) {
        CHECK(memory.failed && error.code == MCPW_E_MEMORY);
        return;
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        make_token();
        (void)is_accepted();
        (void)is_accepted();
        world_pass(&w, A_WHILE);
    }
    memory.fail_at = 0;
    make_token();
    bool is_well = false;
    for (unsigned i = 0; !is_well && i < TRIES; i++) {
        is_well = is_accepted();
        world_pass(&w, A_WHILE);
    }
    CHECK(is_well);
}

/* Lives once for each allocation, which fails. */
static void each_fails_once(void (*prepare)(void), bool is_stingy) {
    bool has_failed = true;
    size_t n = 1;
    for (; has_failed && n < MOST; n++) {
        mcpw_oauth_dpop_config own = MCPW_OAUTH_DPOP_CONFIG_INIT;
        memory = (counting){.fail_at = n, .stingy = is_stingy};
        world_init(&w);
        w.config.allocator = counting_allocator(&memory);
        w.config.max_waiting = w.config.max_cached = w.config.max_requests = 2;
        prepare();
        if (proofs != NULL) {
            own = *proofs;
            own.allocator = counting_allocator(&memory);
            w.config.dpop = &own;
        }
        live();
        has_failed = memory.calls >= n;
        world_close(&w);
        CHECK(memory.in_use == 0);
    }
    CHECK(n > FEWEST && n < MOST);
}

static void each_is_told(void (*prepare)(void)) {
    each_fails_once(prepare, false);
    each_fails_once(prepare, true);
}

static void by_keys(void) {
    w.config.audience = "another";
    w.config.algorithms = "ES256 RS256";
}

static void by_introspection(void) {
    w.config.check = MCPW_OAUTH_BY_INTROSPECTION;
    w.config.client_id = "server:1";
    w.config.client_secret = "secret %";
}

static void memory_runs_out_by_keys(void) { each_is_told(by_keys); }
static void memory_runs_out_by_introspection(void) { each_is_told(by_introspection); }

static void memory_runs_out_with_proofs(void) {
    mcpw_oauth_dpop_config config = MCPW_OAUTH_DPOP_CONFIG_INIT;
    config.nonce_ms = 60000;
    proofs = &config;
    each_is_told(by_keys);
    proofs = NULL;
}

/* ---- Keys ---------------------------------------------------------------------------------------------- */

/* Whether a key that is read fails for want of memory, or is there as a whole. */
static bool read_key(const char *text) {
    const mcpw_allocator allocator = counting_allocator(&memory);
    mcpw_error error = fresh_error();
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str pem = {NULL, 0};
    mcpw_oauth_key *const key = text != NULL
                                    ? mcpw_oauth_key_read(mcpw_str_from(text), NULL, &allocator, &error)
                                    : mcpw_oauth_key_new(&allocator, &error);
    arena.allocator = allocator;
    if (key == NULL) {
        CHECK(error.code == MCPW_E_MEMORY);
    } else {
        CHECK(mcpw_oauth_key_public(key).len != 0 && mcpw_oauth_key_thumbprint(key).len != 0);
        const mcpw_status status = mcpw_oauth_key_pem(key, &arena, &pem);
        CHECK(status == MCPW_OK || (memory.failed && status == MCPW_E_MEMORY));
    }
    mcpw_arena_free(&arena);
    mcpw_oauth_key_free(key);
    CHECK(memory.in_use == 0);
    return memory.calls >= memory.fail_at;
}

static void a_key_is_read_as_a_whole_or_not(void) {
    static const char *const texts[] = {NULL,
                                        VECTOR_RSA_PRIVATE,
                                        VECTOR_RSA_PEM,
                                        VECTOR_P256_PRIVATE,
                                        VECTOR_P384_PRIVATE,
                                        VECTOR_ED25519_PRIVATE,
                                        VECTOR_ED25519_PEM};
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        size_t n = 1;
        do {
            memory = (counting){.fail_at = n, .stingy = i % 2 != 0};
            n++;
        } while (read_key(texts[i / 2]) && n < MOST);
        CHECK(n > FEWEST - 1 && n < MOST);
    }
}

int main(void) {
    holder = mcpw_oauth_key_new(NULL, NULL);
    RUN(memory_runs_out_by_keys);
    RUN(memory_runs_out_by_introspection);
    RUN(memory_runs_out_with_proofs);
    RUN(a_key_is_read_as_a_whole_or_not);
    mcpw_oauth_key_free(holder);
    return check_end();
}
