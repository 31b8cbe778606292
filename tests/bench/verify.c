/* SPDX-License-Identifier: MIT */
/*
 * The CPU time of verifying the token of a request when the key is known, beside that of its signature alone,
 * in one run. It prints a table.
 *
 *   bench_verify [TIMES]
 */
#include "../unit/jose_forge.h"
#include "../unit/jose_vectors.h"

#include "jose/jose.h"

#include <mcpw/oauth_verifier.h>

#include <time.h>

enum { TIMES = 2000, ROUNDS = 5, DECIMAL = 10, PROOFS = 20000 };

typedef struct bench {
    mcpw_oauth_verifier *verifier;
    mcpw_http_credentials credentials;
    const mcpw_oauth_key *holder; /* of proofs; NULL: none */
    char *proofs[PROOFS];
    size_t next_proof;
    uint64_t now;
    mcpw_jose_jws jws; /* the same token, for its signature alone */
    mcpw_jose_public_key key;
    mcpw_arena arena;
} bench;

static void judged(void *user, void *waiter, const mcpw_http_verdict *verdict) {
    (void)user, (void)waiter, (void)verdict;
}

static double cpu_us(clock_t began, unsigned long times) {
    static const double million = 1e6;
    return (double)(clock() - began) * million / CLOCKS_PER_SEC / (double)times;
}

/* Verifies a token as a server does for each request. */
static bool verify(bench *b) {
    mcpw_http_verdict verdict = MCPW_HTTP_VERDICT_INIT;
    if (b->holder != NULL) {
        b->credentials.proof = mcpw_str_from(b->proofs[b->next_proof++]);
    }
    return mcpw_oauth_verifier_verify(b->verifier, b, &b->credentials, b->now, &verdict) == MCPW_OK &&
           verdict.outcome == MCPW_HTTP_VALID;
}

static bool verify_signature(const bench *b) {
    return mcpw_jose_verify(b->jws.algorithm, b->key.key, b->jws.input, b->jws.signature);
}

/* ---- Preparing ---- */

static char *copy(const char *text) {
    char *const out = malloc(strlen(text) + 1);
    return out != NULL ? strcpy(out, text) : NULL;
}

static const char *proof_of(const bench *b, size_t number) {
    char header[FORGE_ROOM];
    char claims[FORGE_ROOM];
    char ath[MCPW_OAUTH_THUMBPRINT_SIZE];
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, (const unsigned char *)b->credentials.token.ptr,
                             b->credentials.token.len);
    forge_base64(ath, sizeof ath, digest, sizeof digest);
    (void)snprintf(header, sizeof header, "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":%s}",
                   mcpw_oauth_key_public(b->holder).ptr);
    (void)snprintf(claims, sizeof claims,
                   "{\"jti\":\"%zu\",\"htm\":\"POST\",\"htu\":\"" FORGE_RESOURCE
                   "\",\"iat\":1800000000,\"ath\":\"%s\"}",
                   number, ath);
    return forge(b->holder, header, claims);
}

static bool open_bench(bench *b, const char *private_key, const char *public_key, bool is_bound) {
    char claims[FORGE_ROOM];
    char header[FORGE_ROOM / 2];
    char set[FORGE_ROOM];
    mcpw_jose_json_key jwk;
    mcpw_oauth_verifier_config config = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    const mcpw_oauth_dpop_config dpop = MCPW_OAUTH_DPOP_CONFIG_INIT;
    mcpw_oauth_fetch fetch = MCPW_OAUTH_FETCH_INIT;
    mcpw_http_verdict verdict = MCPW_HTTP_VERDICT_INIT;
    mcpw_oauth_key *const key = forge_key(private_key, NULL);
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    *b = (bench){.now = (uint64_t)FORGE_NOW * FORGE_MS, .arena = MCPW_ARENA_INIT};
    b->holder = is_bound ? key : NULL;
    bool is_good = mcpw_oauth_key_signer(key, &signer) == MCPW_OK;
    (void)snprintf(header, sizeof header, "{\"alg\":\"%s\",\"kid\":\"k\"}", signer.algorithm);
    (void)snprintf(claims, sizeof claims,
                   "{\"iss\":\"" FORGE_ISSUER "\",\"sub\":\"user-1\",\"aud\":\"" FORGE_RESOURCE
                   "\",\"exp\":1800003600,\"iat\":1800000000,\"scope\":\"notes:read notes:write\"%s%s%s}",
                   is_bound ? ",\"cnf\":{\"jkt\":\"" : "", is_bound ? mcpw_oauth_key_thumbprint(key).ptr : "",
                   is_bound ? "\"}" : "");
    char *const token = copy(forge(key, header, claims));
    (void)snprintf(set, sizeof set, "{\"keys\":[{\"kid\":\"k\",%s]}", public_key + 1);
    b->credentials = (mcpw_http_credentials){.struct_size = sizeof b->credentials,
                                             .scheme = is_bound ? MCPW_HTTP_DPOP : MCPW_HTTP_BEARER,
                                             .token = mcpw_str_from(token),
                                             .method = mcpw_str_from("POST"),
                                             .url = mcpw_str_from(FORGE_RESOURCE),
                                             .resource = mcpw_str_from(FORGE_RESOURCE)};
    config.issuer = FORGE_ISSUER;
    config.jwks_uri = FORGE_ISSUER "/jwks";
    config.dpop = &dpop;
    config.judged = judged;
    b->verifier = mcpw_oauth_verifier_new(&config, NULL);
    is_good = is_good &&
              mcpw_oauth_verifier_verify(b->verifier, b, &b->credentials, b->now, &verdict) == MCPW_PENDING &&
              mcpw_oauth_verifier_next(b->verifier, &fetch);
    mcpw_oauth_verifier_response(b->verifier, fetch.number, 200, mcpw_str_from(set));
    return is_good &&
           mcpw_jose_jws_read("token", b->credentials.token, FORGE_ROOM, signer.algorithm, &b->arena, &b->jws,
                              NULL) == MCPW_OK &&
           mcpw_jose_decode(&mcpw_jose_json_key_table, mcpw_str_from(public_key), &b->arena, &jwk, NULL) ==
               MCPW_OK &&
           mcpw_jose_public_key_of(&jwk, &b->arena, &b->key) == MCPW_OK;
}

/* ---- Measuring ---- */

static bool measure(const char *name, const char *private_key, const char *public_key, bool is_bound,
                    unsigned long times) {
    static bench b;
    double all = 1e9;
    double alone = 1e9;
    if (!open_bench(&b, private_key, public_key, is_bound)) {
        return false;
    }
    for (size_t i = 0; is_bound && i < times * ROUNDS && i < PROOFS; i++) {
        b.proofs[i] = copy(proof_of(&b, i));
    }
    for (unsigned round = 0; round < ROUNDS; round++) { /* the best of each, in turn */
        clock_t began = clock();
        for (unsigned long i = 0; i < times; i++) {
            if (!verify(&b)) {
                return false;
            }
        }
        const double whole = cpu_us(began, times);
        began = clock();
        for (unsigned long i = 0; i < times; i++) {
            if (!verify_signature(&b)) {
                return false;
            }
        }
        const double part = cpu_us(began, times);
        all = whole < all ? whole : all;
        alone = part < alone ? part : alone;
    }
    printf("| %s | %.0f us | %.0f us | %.2f |\n", name, all, alone, all / alone);
    mcpw_oauth_verifier_free(b.verifier);
    mcpw_jose_public_key_free(&b.key);
    mcpw_arena_free(&b.arena);
    return true;
}

int main(int argc, char **argv) {
    const unsigned long asked = argc > 1 ? strtoul(argv[1], NULL, DECIMAL) : TIMES;
    const unsigned long times = asked * ROUNDS <= PROOFS ? asked : PROOFS / ROUNDS;
    printf("| token of a request, key known | CPU | its signature alone | ratio |\n|-|-:|-:|-:|\n");
    const bool is_good =
        measure("JWT, ES256", VECTOR_P256_PEM, VECTOR_P256_PUBLIC, false, times) &&
        measure("JWT, RS256", VECTOR_RSA_PEM, VECTOR_RSA_PUBLIC, false, times) &&
        measure("JWT, EdDSA", VECTOR_ED25519_PEM, VECTOR_ED25519_PUBLIC, false, times) &&
        measure("JWT and DPoP proof, ES256", VECTOR_P256_PEM, VECTOR_P256_PUBLIC, true, times);
    if (!is_good) {
        (void)fprintf(stderr, "bench_verify: a token was not verified as it should be\n");
    }
    return is_good ? 0 : 1;
}
