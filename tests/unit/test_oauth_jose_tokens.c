/* SPDX-License-Identifier: MIT */
/* Access tokens: each rule refuses what breaks it. */
#include "jose_forge.h"
#include "jose_rfc.h"
#include "jose_vectors.h"

#include <mcpw/json.h>

static const char *const audiences[] = {"https://other.example.com", FORGE_RESOURCE};
static mcpw_oauth_key *key;   /* ES256 */
static mcpw_oauth_key *rsa;   /* RS256 */
static mcpw_oauth_jwks *keys; /* with `key` alone */
static mcpw_error error;
static mcpw_arena arena = MCPW_ARENA_INIT;
static mcpw_oauth_claims claims;

static mcpw_oauth_rules rules(void) {
    mcpw_oauth_rules own = MCPW_OAUTH_RULES_INIT;
    own.issuer = FORGE_ISSUER;
    own.audiences = audiences;
    own.audience_count = 2;
    return own;
}

static mcpw_status check_with(const mcpw_oauth_rules *own, const mcpw_oauth_jwks *set, const char *token,
                              uint64_t seconds) {
    mcpw_arena_reset(&arena);
    claims = (mcpw_oauth_claims)MCPW_OAUTH_CLAIMS_INIT;
    error = (mcpw_error){.code = MCPW_OK};
    const mcpw_status status =
        mcpw_oauth_jwt_check(own, set, mcpw_str_from(token), seconds * FORGE_MS, &arena, &claims, &error);
    CHECK(status == MCPW_OK || (error.code == status && error.message[0] != '\0'));
    CHECK(status == MCPW_OK || strstr(error.message, "eyJ") == NULL);
    return status;
}

static mcpw_status check(const char *token) {
    const mcpw_oauth_rules own = rules();
    return check_with(&own, keys, token, FORGE_NOW);
}

/* Whether it is refused, with a message that has the word. */
static bool refused(const char *token, const char *word) {
    const mcpw_status status = check(token);
    return status == MCPW_E_UNAUTHORIZED && strstr(error.message, word) != NULL;
}

#define HEADER "{\"alg\":\"ES256\",\"typ\":\"at+jwt\"}"
#define WHO "\"iss\":\"" FORGE_ISSUER "\",\"sub\":\"user-1\""
#define AUDIENCE ",\"aud\":\"" FORGE_RESOURCE "\""
#define TIMES ",\"iat\":1800000000,\"exp\":1800003600"
#define GOOD "{" WHO AUDIENCE TIMES "}"

static void a_token_gives_its_claims(void) {
    CHECK(check(forge(key, HEADER,
                      "{" WHO ",\"client_id\":\"c\",\"scope\":\"a b\",\"aud\":[\"x\",\"" FORGE_RESOURCE
                      "\"],\"exp\":1800003600.5,\"cnf\":{\"jkt\":"
                      "\"0123456789012345678901234567890123456789012\"},\"own\":7}")) == MCPW_OK);
    CHECK_STRING(claims.issuer.ptr, FORGE_ISSUER);
    CHECK_STRING(claims.subject.ptr, "user-1");
    CHECK_STRING(claims.client_id.ptr, "c");
    CHECK_STRING(claims.scopes.ptr, "a b");
    CHECK_STRING(claims.thumbprint.ptr, "0123456789012345678901234567890123456789012");
    CHECK(claims.expires_at == UINT64_C(1800003600500));
    int64_t own = 0;
    CHECK(mcpw_json_get_int(claims.all, "own", &own) == MCPW_OK && own == 7);
    CHECK(check(forge(key, HEADER, GOOD)) == MCPW_OK && claims.thumbprint.ptr == NULL);
}

static void tokens_of_another_library_are_taken(void) {
    static const char *const tokens[] = {VECTOR_ES256, VECTOR_RS256, VECTOR_PS256, VECTOR_EDDSA};
    const mcpw_oauth_rules own = rules();
    mcpw_oauth_jwks *const set = mcpw_oauth_jwks_read(forge_text(VECTOR_JWKS), NULL, NULL);
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        CHECK(check_with(&own, set, tokens[i], FORGE_NOW) == MCPW_OK);
        CHECK_STRING(claims.scopes.ptr, "notes:read notes:write");
    }
    CHECK(check_with(&own, set, VECTOR_RS384, FORGE_NOW) == MCPW_E_UNAUTHORIZED); /* not by default */
    mcpw_oauth_rules more = rules();
    more.algorithms = "RS384 ES384";
    CHECK(check_with(&more, set, VECTOR_RS384, FORGE_NOW) == MCPW_OK);
    CHECK(check_with(&more, set, VECTOR_ES256, FORGE_NOW) == MCPW_E_UNAUTHORIZED);
    mcpw_oauth_jwks_free(set);
}

/* ---- Algorithms (RFC 8725, sections 2.1, 3.1) ---------------------------------------------------------- */

static void a_token_without_signature_is_refused(void) {
    CHECK(refused(forge(NULL, "{\"alg\":\"none\"}", GOOD), "algorithm"));
    CHECK(refused(forge(NULL, "{\"alg\":\"None\"}", GOOD), "algorithm"));
    CHECK(refused(forge(key, "{\"alg\":\"none\"}", GOOD), "algorithm"));
    CHECK(refused(forge(NULL, HEADER, GOOD), "signature"));
    CHECK(refused(forge(key, "{\"typ\":\"JWT\"}", GOOD), "alg"));
}

/* HMAC by the public key, as a text that everybody has. */
static void a_public_key_is_no_secret(void) {
    char token[FORGE_ROOM];
    unsigned char tag[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_state state;
    const mcpw_str secret = mcpw_oauth_key_public(rsa);
    (void)snprintf(token, sizeof token, "%s", forge(NULL, "{\"alg\":\"HS256\"}", GOOD));
    (void)crypto_auth_hmacsha256_init(&state, (const unsigned char *)secret.ptr, secret.len);
    (void)crypto_auth_hmacsha256_update(&state, (const unsigned char *)token, strlen(token) - 1);
    (void)crypto_auth_hmacsha256_final(&state, tag);
    forge_base64(token + strlen(token), sizeof token - strlen(token), tag, sizeof tag);
    mcpw_oauth_jwks *const set = forge_set(rsa);
    const mcpw_oauth_rules own = rules();
    CHECK(check_with(&own, set, token, FORGE_NOW) == MCPW_E_UNAUTHORIZED);
    mcpw_oauth_rules bad = rules();
    bad.algorithms = "RS256 HS256"; /* which nobody can allow */
    CHECK(check_with(&bad, set, token, FORGE_NOW) == MCPW_E_ARGUMENT);
    bad.algorithms = "none";
    CHECK(check_with(&bad, set, token, FORGE_NOW) == MCPW_E_ARGUMENT);
    mcpw_oauth_jwks_free(set);
}

static void an_algorithm_must_fit_the_key(void) {
    mcpw_oauth_jwks *const set = forge_set(rsa); /* whose JWK says RS256 */
    const mcpw_oauth_rules own = rules();
    CHECK(check_with(&own, set, forge(rsa, "{\"alg\":\"RS256\"}", GOOD), FORGE_NOW) == MCPW_OK);
    CHECK(check_with(&own, set, forge(rsa, "{\"alg\":\"ES256\"}", GOOD), FORGE_NOW) == MCPW_E_NOT_FOUND);
    CHECK(check_with(&own, set, forge(rsa, "{\"alg\":\"PS256\"}", GOOD), FORGE_NOW) == MCPW_E_NOT_FOUND);
    mcpw_oauth_jwks_free(set);
}

static void a_wrong_signature_is_refused(void) {
    mcpw_oauth_key *const other = mcpw_oauth_key_new(NULL, NULL);
    CHECK(refused(forge(other, HEADER, GOOD), "signature"));
    mcpw_oauth_key_free(other);
}

/* ---- The header ---------------------------------------------------------------------------------------- */

static void extensions_are_refused(void) {
    CHECK(refused(forge(key, "{\"alg\":\"ES256\",\"crit\":[\"exp\"]}", GOOD), "crit"));
    CHECK(refused(forge(key, "{\"alg\":\"ES256\",\"crit\":[]}", GOOD), "crit"));
    CHECK(refused(forge(key, "{\"alg\":\"ES256\",\"b64\":false,\"crit\":[\"b64\"]}", GOOD), "crit"));
}

static void a_type_must_be_that_of_an_access_token(void) {
    mcpw_oauth_rules own = rules();
    CHECK(check(forge(key, "{\"alg\":\"ES256\"}", GOOD)) == MCPW_OK);
    CHECK(check(forge(key, "{\"alg\":\"ES256\",\"typ\":\"JWT\"}", GOOD)) == MCPW_OK);
    CHECK(refused(forge(key, "{\"alg\":\"ES256\",\"typ\":\"dpop+jwt\"}", GOOD), "typ"));
    CHECK(refused(forge(key, "{\"alg\":\"ES256\",\"typ\":\"logout+jwt\"}", GOOD), "typ"));
    own.type = "at+jwt";
    CHECK(check_with(&own, keys, forge(key, "{\"alg\":\"ES256\",\"typ\":\"JWT\"}", GOOD), FORGE_NOW) ==
          MCPW_E_UNAUTHORIZED);
    CHECK(check_with(&own, keys, forge(key, "{\"alg\":\"ES256\"}", GOOD), FORGE_NOW) == MCPW_E_UNAUTHORIZED);
    CHECK(check_with(&own, keys, forge(key, "{\"alg\":\"ES256\",\"typ\":\"application/AT+JWT\"}", GOOD),
                     FORGE_NOW) == MCPW_OK);
}

static void a_key_is_found_by_its_id(void) {
    char text[FORGE_ROOM];
    const mcpw_oauth_rules own = rules();
    (void)snprintf(text, sizeof text, "{\"keys\":[{\"kid\":\"a\",%s,{\"kid\":\"b\",%s]}",
                   &VECTOR_P256_PUBLIC[1], &RFC7515_A3_KEY[1]);
    mcpw_oauth_jwks *const set = mcpw_oauth_jwks_read(mcpw_str_from(text), NULL, NULL);
    mcpw_oauth_key *const a = forge_key(VECTOR_P256_PEM, NULL);
    CHECK(check_with(&own, set, forge(a, "{\"alg\":\"ES256\",\"kid\":\"a\"}", GOOD), FORGE_NOW) == MCPW_OK);
    CHECK(check_with(&own, set, forge(a, "{\"alg\":\"ES256\",\"kid\":\"b\"}", GOOD), FORGE_NOW) ==
          MCPW_E_UNAUTHORIZED);
    CHECK(check_with(&own, set, forge(a, "{\"alg\":\"ES256\",\"kid\":\"c\"}", GOOD), FORGE_NOW) ==
          MCPW_E_NOT_FOUND);
    /* two keys fit, and the token names none */
    CHECK(check_with(&own, set, forge(a, "{\"alg\":\"ES256\"}", GOOD), FORGE_NOW) == MCPW_E_NOT_FOUND);
    CHECK(check_with(&own, NULL, forge(a, "{\"alg\":\"ES256\"}", GOOD), FORGE_NOW) == MCPW_E_NOT_FOUND);
    mcpw_oauth_key_free(a);
    mcpw_oauth_jwks_free(set);
}

/* ---- Claims -------------------------------------------------------------------------------------------- */

static void another_issuer_is_refused(void) {
    CHECK(refused(forge(key, HEADER, "{\"iss\":\"https://evil.example.com\"" AUDIENCE TIMES "}"), "iss"));
    CHECK(refused(forge(key, HEADER, "{\"iss\":\"" FORGE_ISSUER "/\"" AUDIENCE TIMES "}"), "iss"));
    CHECK(refused(forge(key, HEADER, "{\"sub\":\"user-1\"" AUDIENCE TIMES "}"), "iss"));
}

/* GHSA-w4fh-qvv9-3v23: a token of another server of the same issuer. */
static void another_audience_is_refused(void) {
    CHECK(refused(forge(key, HEADER, "{" WHO TIMES "}"), "aud"));
    CHECK(refused(forge(key, HEADER, "{" WHO ",\"aud\":\"https://mcp.example.com\"" TIMES "}"), "aud"));
    CHECK(refused(forge(key, HEADER, "{" WHO ",\"aud\":[]" TIMES "}"), "aud"));
    CHECK(refused(forge(key, HEADER, "{" WHO ",\"aud\":[\"a\",\"b\"]" TIMES "}"), "aud"));
    CHECK(refused(forge(key, HEADER, "{" WHO ",\"aud\":null" TIMES "}"), "aud"));
    CHECK(refused(forge(key, HEADER, "{" WHO ",\"aud\":{\"a\":\"" FORGE_RESOURCE "\"}" TIMES "}"), "aud"));
}

static void a_token_must_expire(void) {
    CHECK(refused(forge(key, HEADER, "{" WHO AUDIENCE "}"), "exp"));
    CHECK(refused(forge(key, HEADER, "{" WHO AUDIENCE ",\"exp\":\"1800003600\"}"), "exp"));
    CHECK(refused(forge(key, HEADER, "{" WHO AUDIENCE ",\"exp\":-1}"), "exp"));
    CHECK(refused(forge(key, HEADER, "{" WHO AUDIENCE ",\"exp\":1e300}"), "exp"));
}

static void times_have_a_leeway(void) {
    mcpw_oauth_rules own = rules();
    const char *const token = forge(key, HEADER, GOOD);
    CHECK(check_with(&own, keys, token, 1800003659) == MCPW_OK);
    CHECK(check_with(&own, keys, token, 1800003660) == MCPW_E_UNAUTHORIZED &&
          strstr(error.message, "expired") != NULL);
    CHECK(check_with(&own, keys, token, 1799999940) == MCPW_OK);
    CHECK(check_with(&own, keys, token, 1799999939) == MCPW_E_UNAUTHORIZED &&
          strstr(error.message, "future") != NULL);
    own.leeway_ms = 1000;
    CHECK(check_with(&own, keys, token, 1800003601) == MCPW_E_UNAUTHORIZED);
    CHECK(check_with(&own, keys, token, 1800003600) == MCPW_OK);
}

static void a_clock_five_minutes_off_is_named(void) {
    const mcpw_oauth_rules own = rules();
    CHECK(check_with(&own, keys, forge(key, HEADER, GOOD), FORGE_NOW - 300) == MCPW_E_UNAUTHORIZED);
    CHECK(strstr(error.message, "compare the clocks") != NULL);
}

static void a_token_is_not_valid_before_its_time(void) {
    CHECK(refused(forge(key, HEADER, "{" WHO AUDIENCE TIMES ",\"nbf\":1800000061}"), "nbf"));
    CHECK(check(forge(key, HEADER, "{" WHO AUDIENCE TIMES ",\"nbf\":1800000060}")) == MCPW_OK);
}

static void a_binding_that_is_not_known_is_refused(void) {
    CHECK(refused(forge(key, HEADER, "{" WHO AUDIENCE TIMES ",\"cnf\":{\"x5t#S256\":\"a\"}}"), "cnf"));
    CHECK(refused(forge(key, HEADER, "{" WHO AUDIENCE TIMES ",\"cnf\":{\"jkt\":\"short\"}}"), "jkt"));
}

static void repeated_claims_are_refused(void) {
    CHECK(refused(forge(key, HEADER, "{" WHO AUDIENCE AUDIENCE TIMES "}"), "aud"));
    CHECK(refused(forge(key, "{\"alg\":\"ES256\",\"alg\":\"none\"}", GOOD), "alg"));
}

/* ---- Form ---------------------------------------------------------------------------------------------- */

static void texts_that_are_no_jws_are_refused(void) {
    static const char *const texts[] = {
        "", "a", "a.b", "..", "a.b.c.d", "e30.e30.e30", "e30=.e30.e30", "e3 0.e30.e30", "bm8.e30.e30"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(check(texts[i]) == MCPW_E_UNAUTHORIZED);
    }
    char text[FORGE_ROOM];
    (void)snprintf(text, sizeof text, "%s=", forge(key, HEADER, GOOD));
    CHECK(refused(text, "base64url"));
    (void)snprintf(text, sizeof text, "%s.", forge(key, HEADER, GOOD));
    CHECK(refused(text, "no JWS"));
    CHECK(refused(forge(key, HEADER, "[]"), "claims"));
    CHECK(refused(forge(key, HEADER, "text"), "claims"));
}

static void a_long_token_is_refused(void) {
    mcpw_oauth_rules own = rules();
    const char *const token = forge(key, HEADER, GOOD);
    own.max_token = strlen(token);
    CHECK(check_with(&own, keys, token, FORGE_NOW) == MCPW_OK);
    own.max_token--;
    CHECK(check_with(&own, keys, token, FORGE_NOW) == MCPW_E_UNAUTHORIZED);
    CHECK(strstr(error.message, "limit") != NULL);
}

static void rules_without_issuer_or_audience_are_refused(void) {
    mcpw_oauth_rules own = rules();
    own.issuer = NULL;
    CHECK(check_with(&own, keys, "a", FORGE_NOW) == MCPW_E_ARGUMENT);
    own = rules();
    own.audience_count = 0;
    CHECK(check_with(&own, keys, "a", FORGE_NOW) == MCPW_E_ARGUMENT);
    CHECK(check_with(NULL, keys, "a", FORGE_NOW) == MCPW_E_ARGUMENT);
}

int main(void) {
    key = mcpw_oauth_key_new(NULL, NULL);
    rsa = forge_key(VECTOR_RSA_PEM, NULL);
    keys = forge_set(key);
    RUN(a_token_gives_its_claims);
    RUN(tokens_of_another_library_are_taken);
    RUN(a_token_without_signature_is_refused);
    RUN(a_public_key_is_no_secret);
    RUN(an_algorithm_must_fit_the_key);
    RUN(a_wrong_signature_is_refused);
    RUN(extensions_are_refused);
    RUN(a_type_must_be_that_of_an_access_token);
    RUN(a_key_is_found_by_its_id);
    RUN(another_issuer_is_refused);
    RUN(another_audience_is_refused);
    RUN(a_token_must_expire);
    RUN(times_have_a_leeway);
    RUN(a_clock_five_minutes_off_is_named);
    RUN(a_token_is_not_valid_before_its_time);
    RUN(a_binding_that_is_not_known_is_refused);
    RUN(repeated_claims_are_refused);
    RUN(texts_that_are_no_jws_are_refused);
    RUN(a_long_token_is_refused);
    RUN(rules_without_issuer_or_audience_are_refused);
    mcpw_oauth_jwks_free(keys);
    mcpw_oauth_key_free(key);
    mcpw_oauth_key_free(rsa);
    mcpw_arena_free(&arena);
    return check_end();
}
