/* SPDX-License-Identifier: MIT */
/* The borders of keys, tokens, proofs and their verifier: missing arguments, keys that are almost right. */
#include "jose_vectors.h"
#include "verifier_world.h"

static world w;
static mcpw_error error;

static void calls_of_keys_without_their_objects_are_refused(void) {
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    mcpw_oauth_signer bad = {.struct_size = 1};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str pem = {NULL, 0};
    mcpw_oauth_key *const key = forge_key(VECTOR_P256_PRIVATE, NULL);
    CHECK(mcpw_oauth_key_signer(NULL, &signer) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_key_signer(key, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_key_signer(key, &bad) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_key_pem(NULL, &arena, &pem) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_key_pem(key, NULL, &pem) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_key_pem(key, &arena, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_key_public(NULL).ptr == NULL && mcpw_oauth_key_thumbprint(NULL).ptr == NULL);
    CHECK(mcpw_oauth_key_read((mcpw_str){NULL, 0}, NULL, NULL, &error) == NULL &&
          error.code == MCPW_E_FORMAT);
    mcpw_oauth_key_free(NULL);
    mcpw_oauth_key_free(key);
}

static void a_signature_needs_its_room(void) {
    static const char *const keys[] = {VECTOR_P256_PRIVATE, VECTOR_RSA_PRIVATE, VECTOR_ED25519_PRIVATE};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
        unsigned char out[1024];
        size_t len = 10;
        mcpw_oauth_key *const key = forge_key(keys[i], NULL);
        CHECK(mcpw_oauth_key_signer(key, &signer) == MCPW_OK);
        CHECK(signer.sign(signer.self, MCPW_STR_VALUE("text"), out, &len) == MCPW_E_SIZE);
        mcpw_oauth_key_free(key);
    }
}

/* A key that a password protects; nobody is asked for it. */
static const char encrypted[] = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
                                "MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAghfHso4nsYGgICCAAw\n"
                                "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEIM0DpgA0esnZWzvRs48a6sEgZDH\n"
                                "eygpgM8wS022N602uyJXi6J0Zr27vk9bZBdEUGaq0xTwJOMHe3BpueuCwwL1d+f3\n"
                                "otI9cYX7gKfhUGXE7PV3gvWdg8NW40PN8LPQ1LaX+7ccbwP/RueoARsZnPecZI0d\n"
                                "TdTpH5laLn0r8smjIvtUE0sjRZ78l+3L3jNgyB4Jg70qU8sFuIyiac3iFDEbexw=\n"
                                "-----END ENCRYPTED PRIVATE KEY-----\n";

/* A key on secp256k1, which no algorithm here uses. */
static const char on_another_curve[] = "-----BEGIN PRIVATE KEY-----\n"
                                       "MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgMPfHCXLdQTFcxvYWFt9W\n"
                                       "ftGI0lFniH4L2q1YnvzVX6qhRANCAASO3kTZ1gADF6dQ+q+d6KWcVOJbaAf23oea\n"
                                       "sk/JhQXAkBphuOzPv80QNzpowNaW9ZfCAMGV710LPR5IsOsdpM7m\n"
                                       "-----END PRIVATE KEY-----\n";

static void keys_that_are_almost_right_are_refused(void) {
    static const char *const texts[] = {
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AAAA\",\"y\":\"AAAA\",\"d\":\"AAAA\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-521\",\"x\":\"AAAA\",\"y\":\"AAAA\",\"d\":\"AAAA\"}",
        "{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"AAAA\",\"d\":\"AAAA\"}",
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\",\"d\":\"AAAA\"}",
        "{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\",\"d\":\"AQAB\"}",
        "{\"kty\":\"RSA\",\"n\":\"\",\"e\":\"\",\"d\":\"\"}",
        "{\"kty\":\"oct\",\"k\":\"AAAA\"}",
        VECTOR_P256_PUBLIC,
        VECTOR_RSA_PUBLIC,
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
        encrypted,
        on_another_curve,
        "   ",
        "{"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        error = (mcpw_error){.code = MCPW_OK};
        CHECK(mcpw_oauth_key_read(mcpw_str_from(texts[i]), NULL, NULL, &error) == NULL);
        (void)check_that(error.code != MCPW_OK && error.message[0] != '\0', __FILE__, __LINE__, texts[i]);
    }
}

static size_t count_of(const char *member) {
    char text[FORGE_ROOM];
    (void)snprintf(
        text, sizeof text,
        "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"OZzoF8TH0F4vunD3Y-I9SVwU55xNucc1bHfNh0dZoV4\","
        "\"y\":\"xvdS-pfOaKnfaUMwX4xVZ8lS30zsq6cKtB0inMbHgQU\"%s}]}",
        member);
    mcpw_oauth_jwks *const keys = mcpw_oauth_jwks_read(mcpw_str_from(text), NULL, &error);
    const size_t count = keys != NULL ? mcpw_oauth_jwks_count(keys) : 0;
    CHECK(keys != NULL);
    mcpw_oauth_jwks_free(keys);
    return count;
}

static void a_key_of_a_set_must_be_public_and_for_signatures(void) {
    CHECK(count_of("") == 1 && count_of(",\"use\":\"sig\"") == 1 && count_of(",\"use\":\"enc\"") == 0);
    CHECK(count_of(",\"key_ops\":[\"verify\"]") == 1 && count_of(",\"key_ops\":[\"sign\"]") == 0);
    CHECK(count_of(",\"key_ops\":[\"sign\",\"verify\"]") == 1 && count_of(",\"key_ops\":[]") == 0);
    CHECK(count_of(",\"key_ops\":[\"verify\"],\"use\":\"enc\"") == 0);
    CHECK(count_of(",\"alg\":\"ES256\"") == 1 && count_of(",\"alg\":\"ES384\"") == 0);
    CHECK(count_of(",\"alg\":\"none\"") == 0 && count_of(",\"alg\":\"RS256\"") == 0);
    CHECK(count_of(",\"d\":\"AAAA\"") == 0 && count_of(",\"k\":\"AAAA\"") == 0);
    CHECK(count_of(",\"p\":\"AAAA\"") == 0 && count_of(",\"q\":\"AAAA\"") == 0);
    CHECK(count_of(",\"dp\":\"AAAA\"") == 0 && count_of(",\"dq\":\"AAAA\"") == 0);
    CHECK(count_of(",\"qi\":\"AAAA\"") == 0 && count_of(",\"oth\":[{}]") == 0);
}

static void a_set_that_is_none_is_refused(void) {
    static const char *const texts[] = {"", "[]", "{}", "{\"keys\":1}", "{\"keys\":[", "{\"keys\":[]} x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        error = (mcpw_error){.code = MCPW_OK};
        CHECK(mcpw_oauth_jwks_read(mcpw_str_from(texts[i]), NULL, &error) == NULL && error.code != MCPW_OK);
    }
    CHECK(mcpw_oauth_jwks_read((mcpw_str){NULL, 0}, NULL, &error) == NULL);
    mcpw_oauth_jwks_free(NULL);
}

static void a_check_needs_rules_and_room(void) {
    const char *audience = FORGE_RESOURCE;
    mcpw_oauth_rules rules = MCPW_OAUTH_RULES_INIT;
    mcpw_oauth_rules bad = {.struct_size = 1};
    mcpw_oauth_claims claims = MCPW_OAUTH_CLAIMS_INIT;
    mcpw_oauth_claims bad_claims = {.struct_size = 1};
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_str token = MCPW_STR(VECTOR_ES256);
    rules.issuer = FORGE_ISSUER;
    rules.audiences = &audience;
    rules.audience_count = 1;
    CHECK(mcpw_oauth_jwt_check(NULL, NULL, token, 1, &arena, &claims, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_jwt_check(&bad, NULL, token, 1, &arena, &claims, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_jwt_check(&rules, NULL, token, 1, NULL, &claims, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_jwt_check(&rules, NULL, token, 1, &arena, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_jwt_check(&rules, NULL, token, 1, &arena, &bad_claims, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_jwt_check(&rules, NULL, token, 1, &arena, &claims, &error) == MCPW_E_NOT_FOUND);
    CHECK(mcpw_oauth_jwt_check(&rules, NULL, (mcpw_str){NULL, 0}, 1, &arena, &claims, &error) ==
          MCPW_E_UNAUTHORIZED);
    rules.leeway_ms = UINT64_C(3600001);
    CHECK(mcpw_oauth_jwt_check(&rules, NULL, token, 1, &arena, &claims, &error) == MCPW_E_ARGUMENT);
    rules.leeway_ms = 0;
    rules.audiences = NULL;
    CHECK(mcpw_oauth_jwt_check(&rules, NULL, token, 1, &arena, &claims, &error) == MCPW_E_ARGUMENT);
    mcpw_arena_free(&arena);
}

static void proofs_need_their_arguments(void) {
    mcpw_oauth_dpop_config bad = {.struct_size = 1};
    mcpw_oauth_dpop_request request = MCPW_OAUTH_DPOP_REQUEST_INIT;
    mcpw_oauth_dpop_request bad_request = {.struct_size = 1};
    char nonce[MCPW_OAUTH_NONCE_BYTES];
    char thumbprint[MCPW_OAUTH_THUMBPRINT_SIZE];
    CHECK(mcpw_oauth_dpop_new(&bad, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    mcpw_oauth_dpop *const dpop = mcpw_oauth_dpop_new(NULL, &error);
    CHECK(mcpw_oauth_dpop_check(NULL, &request, 1, thumbprint, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_dpop_check(dpop, NULL, 1, thumbprint, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_dpop_check(dpop, &bad_request, 1, thumbprint, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_dpop_nonce(NULL, 1, nonce) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_dpop_nonce(dpop, 1, NULL) == MCPW_E_ARGUMENT);
    mcpw_oauth_dpop_free(dpop);
    mcpw_oauth_dpop_free(NULL);
}

/* ---- The verifier -------------------------------------------------------------------------------------- */

static void not_made(void) {
    error = (mcpw_error){.code = MCPW_OK};
    mcpw_oauth_verifier *const verifier = mcpw_oauth_verifier_new(&w.config, &error);
    CHECK(verifier == NULL && error.code == MCPW_E_ARGUMENT);
    mcpw_oauth_verifier_free(verifier);
    mcpw_oauth_key_free(w.key);
    world_init(&w);
}

static void configs_one_step_off_are_refused(void) {
    mcpw_oauth_dpop_config dpop = MCPW_OAUTH_DPOP_CONFIG_INIT;
    CHECK(mcpw_oauth_verifier_new(NULL, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    world_init(&w);
    w.config.struct_size = 1;
    not_made();
    w.config.judged = NULL;
    not_made();
    w.config.issuer = NULL;
    not_made();
    w.config.issuer = "as.example.com";
    not_made();
    w.config.issuer = "https://as.example.com/?a=b";
    not_made();
    w.config.issuer = "http://as.example.com";
    not_made();
    w.config.issuer = FORGE_ISSUER "/#a";
    not_made();
    w.config.jwks_uri = "http://127.0.0.1/jwks";
    not_made();
    w.config.jwks_uri = "jwks";
    not_made();
    w.config.check = MCPW_OAUTH_BY_INTROSPECTION;
    w.config.client_id = "a";
    not_made();
    w.config.check = MCPW_OAUTH_BY_INTROSPECTION;
    w.config.client_secret = "b";
    not_made();
    w.config.check = MCPW_OAUTH_BY_INTROSPECTION;
    w.config.introspection_endpoint = "http://as.example.com/introspect";
    not_made();
    w.config.algorithms = "none";
    not_made();
    dpop.algorithms = "none";
    w.config.dpop = &dpop;
    not_made();
    mcpw_oauth_key_free(w.key);
}

static void calls_of_a_verifier_without_their_objects_do_nothing(void) {
    mcpw_http_credentials credentials = {.struct_size = sizeof credentials};
    mcpw_http_verdict verdict = MCPW_HTTP_VERDICT_INIT;
    mcpw_oauth_fetch bad = {.struct_size = 1};
    world_init(&w);
    w.config.max_document = (size_t)MCPW_OAUTH_MOST_JWKS_BYTES + 1; /* more than the greatest: that is used */
    world_open(&w);
    CHECK(mcpw_oauth_verifier_verify(NULL, &w, &credentials, w.now, &verdict) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_verifier_verify(w.verifier, &w, NULL, w.now, &verdict) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_verifier_verify(w.verifier, &w, &credentials, w.now, NULL) == MCPW_E_ARGUMENT);
    CHECK(!mcpw_oauth_verifier_next(NULL, &w.fetch) && !mcpw_oauth_verifier_next(w.verifier, NULL));
    CHECK(world_bearer(&w, 0, world_token(&w, w.key, "")) == -1);
    CHECK(!mcpw_oauth_verifier_next(w.verifier, &bad));
    CHECK(mcpw_oauth_verifier_deadline(w.verifier) == w.now + 5000 &&
          mcpw_oauth_verifier_deadline(NULL) == UINT64_MAX);
    mcpw_oauth_verifier_advance(NULL, 1);
    mcpw_oauth_verifier_cancel(NULL, &w);
    mcpw_oauth_verifier_response(NULL, 1, 200, MCPW_STR_VALUE("{}"));
    mcpw_oauth_verifier_response(w.verifier, 0, 200, MCPW_STR_VALUE("{}"));
    mcpw_oauth_verifier_no_response(w.verifier, 99, NULL);
    CHECK(w.judged == 0 && world_asks(&w, WORLD_OAUTH_METADATA));
    CHECK(w.fetch.max_body == MCPW_OAUTH_MOST_JWKS_BYTES);
    mcpw_oauth_verifier_no_response(w.verifier, w.fetch.number, NULL);
    CHECK(w.judged == 1 && w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE);
    world_close(&w);
    mcpw_oauth_verifier_free(NULL);
}

static void a_verifier_needs_nobody_who_hears_warnings(void) {
    world_init(&w);
    w.config.on_warning = NULL;
    world_open(&w);
    CHECK(world_bearer(&w, 0, world_token(&w, w.key, "")) == -1 && world_asks(&w, WORLD_OAUTH_METADATA));
    world_answer(&w, 500, "");
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE && w.warnings == 0);
    world_close(&w);
}

static void a_token_of_a_client_or_of_nobody(void) {
    world_init(&w);
    world_open(&w);
    const char *const token = forge(w.key, "{\"alg\":\"ES256\"}",
                                    "{\"iss\":\"" FORGE_ISSUER "\",\"aud\":[\"x\",\"" FORGE_RESOURCE
                                    "\"],\"exp\":1800003600,\"client_id\":\"c\"}");
    CHECK(world_bearer(&w, 0, token) == -1);
    world_give_keys(&w, w.key);
    CHECK(w.outcomes[0] == MCPW_HTTP_VALID && w.subject[0] == '\0');
    CHECK(world_bearer(&w, 0,
                       forge(w.key, "{\"alg\":\"ES256\",\"typ\":\"application/at+jwt\"}",
                             "{\"iss\":\"" FORGE_ISSUER "\",\"aud\":\"" FORGE_RESOURCE
                             "\",\"exp\":1800003600}")) == MCPW_HTTP_INVALID_TOKEN);
    CHECK(strstr(w.description, "neither a user nor a client") != NULL);
    CHECK(world_bearer(&w, 0, forge(w.key, "{\"alg\":\"ES256\",\"b64\":false}", "{}")) ==
          MCPW_HTTP_INVALID_TOKEN);
    CHECK(world_bearer(&w, 0, "a.b.!") == MCPW_HTTP_INVALID_TOKEN);
    CHECK(world_bearer(&w, 0, "") == MCPW_HTTP_INVALID_TOKEN);
    world_close(&w);
}

int main(void) {
    RUN(calls_of_keys_without_their_objects_are_refused);
    RUN(a_signature_needs_its_room);
    RUN(keys_that_are_almost_right_are_refused);
    RUN(a_key_of_a_set_must_be_public_and_for_signatures);
    RUN(a_set_that_is_none_is_refused);
    RUN(a_check_needs_rules_and_room);
    RUN(proofs_need_their_arguments);
    RUN(configs_one_step_off_are_refused);
    RUN(calls_of_a_verifier_without_their_objects_do_nothing);
    RUN(a_verifier_needs_nobody_who_hears_warnings);
    RUN(a_token_of_a_client_or_of_nobody);
    return check_end();
}
