/* SPDX-License-Identifier: MIT */
/*
 * Keys and tokens of OAuth:
 *
 *     oauth_keys new > key.pem                             a key for a client
 *     oauth_keys show < key.pem                            its public key, for a registration
 *     oauth_keys check ISSUER AUDIENCE JWKS TOKEN          checks an access token; JWKS is a file
 *     oauth_keys check ISSUER AUDIENCE JWKS TOKEN PROOF METHOD URL    and a DPoP proof for it
 */
#include <mcpw/oauth_jose.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_TEXT = MCPW_OAUTH_MOST_JWKS_BYTES, MS = 1000, USAGE = 2 };

static char text[MOST_TEXT + 1];

static mcpw_str read_all(FILE *in) { return (mcpw_str){text, fread(text, 1, MOST_TEXT, in)}; }

static uint64_t now(void) { return (uint64_t)time(NULL) * MS; }

static int fail(const mcpw_error *error) {
    (void)fprintf(stderr, "oauth_keys: %s\n", error->message);
    return 1;
}

static int make_key(void) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str pem = {NULL, 0};
    mcpw_oauth_key *const key = mcpw_oauth_key_new(NULL, &error);
    const int status = key != NULL && mcpw_oauth_key_pem(key, &arena, &pem) == MCPW_OK ? 0 : fail(&error);
    (void)fwrite(pem.ptr != NULL ? pem.ptr : "", 1, pem.len, stdout);
    mcpw_arena_free(&arena);
    mcpw_oauth_key_free(key);
    return status;
}

/* A login takes the signer: config.signer = &signer, or config.dpop = &signer. */
static int show_key(void) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    mcpw_oauth_key *const key = mcpw_oauth_key_read(read_all(stdin), NULL, NULL, &error);
    if (key == NULL || mcpw_oauth_key_signer(key, &signer) != MCPW_OK) {
        return fail(&error);
    }
    (void)printf("algorithm %s\nthumbprint %s\n%s\n", signer.algorithm, mcpw_oauth_key_thumbprint(key).ptr,
                 mcpw_oauth_key_public(key).ptr);
    mcpw_oauth_key_free(key);
    return 0;
}

/* A server keeps the mcpw_oauth_dpop, so that no proof is taken twice. */
static int check_proof(const mcpw_oauth_claims *claims, char **arguments) {
    mcpw_error error = {.code = MCPW_OK};
    char thumbprint[MCPW_OAUTH_THUMBPRINT_SIZE] = "";
    char nonce[MCPW_OAUTH_NONCE_BYTES] = "";
    mcpw_oauth_dpop_request request = MCPW_OAUTH_DPOP_REQUEST_INIT;
    mcpw_oauth_dpop *const dpop = mcpw_oauth_dpop_new(NULL, &error);
    request.token = mcpw_str_from(arguments[0]);
    request.proof = mcpw_str_from(arguments[1]);
    request.method = mcpw_str_from(arguments[2]);
    request.url = mcpw_str_from(arguments[3]);
    request.thumbprint = claims->thumbprint;
    const mcpw_status status = mcpw_oauth_dpop_check(dpop, &request, now(), thumbprint, &error);
    if (status == MCPW_E_MISSING && mcpw_oauth_dpop_nonce(dpop, now(), nonce) == MCPW_OK) {
        (void)printf("repeat with the nonce %s\n", nonce);
    }
    mcpw_oauth_dpop_free(dpop);
    (void)printf("key %s\n", thumbprint);
    return status == MCPW_OK ? 0 : fail(&error);
}

static int check_token(int count, char **arguments) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_oauth_rules rules = MCPW_OAUTH_RULES_INIT;
    mcpw_oauth_claims claims = MCPW_OAUTH_CLAIMS_INIT;
    const char *const audiences[] = {arguments[1]};
    FILE *const file = fopen(arguments[2], "rb");
    if (file == NULL) {
        perror(arguments[2]);
        return 1;
    }
    mcpw_oauth_jwks *const keys = mcpw_oauth_jwks_read(read_all(file), NULL, &error);
    (void)fclose(file);
    rules.issuer = arguments[0];
    rules.audiences = audiences;
    rules.audience_count = 1;
    int status = keys != NULL && mcpw_oauth_jwt_check(&rules, keys, mcpw_str_from(arguments[3]), now(),
                                                      &arena, &claims, &error) == MCPW_OK
                     ? 0
                     : fail(&error);
    if (status == 0) {
        (void)printf("%zu keys, subject %.*s, scopes %.*s\n", mcpw_oauth_jwks_count(keys),
                     (int)claims.subject.len, claims.subject.ptr != NULL ? claims.subject.ptr : "",
                     (int)claims.scopes.len, claims.scopes.ptr != NULL ? claims.scopes.ptr : "");
        status = count == 7 ? check_proof(&claims, arguments + 3) : 0;
    }
    mcpw_oauth_jwks_free(keys);
    mcpw_arena_free(&arena);
    return status;
}

int main(int argc, char **argv) {
    const char *const command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "new") == 0 && argc == 2) {
        return make_key();
    }
    if (strcmp(command, "show") == 0 && argc == 2) {
        return show_key();
    }
    if (strcmp(command, "check") == 0 && (argc == 6 || argc == 9)) {
        return check_token(argc - 2, argv + 2);
    }
    (void)fprintf(stderr,
                  "usage: oauth_keys new | show | check ISSUER AUDIENCE JWKS TOKEN [PROOF METHOD URL]\n");
    return USAGE;
}
