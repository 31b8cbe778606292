/* SPDX-License-Identifier: MIT */
/* A server's tokens by the issuer's keys: fetched when needed, kept, rotated, and never for free. */
#include "jose_vectors.h"
#include "verifier_world.h"

static world w;
static char token[FORGE_ROOM * 3];

static void open_world(void) {
    world_init(&w);
    world_open(&w);
    (void)snprintf(token, sizeof token, "%s", world_token(&w, w.key, ""));
}

/* A world that has the keys. */
static void open_with_keys(void) {
    open_world();
    CHECK(world_bearer(&w, 0, token) == -1);
    world_give_keys(&w, w.key);
    CHECK(w.is_judged[0] && w.outcomes[0] == MCPW_HTTP_VALID);
    w.fetches = w.judged = 0;
}

/* ---- Fetching ------------------------------------------------------------------------------------------ */

static void keys_are_fetched_for_the_first_token_alone(void) {
    open_world();
    CHECK(world_asks(&w, NULL)); /* nothing before that */
    CHECK(world_bearer(&w, 0, token) == -1 && world_bearer(&w, 1, token) == -1);
    CHECK(world_asks(&w, WORLD_OAUTH_METADATA) && w.fetch.max_body == 262144 && w.fetch.field_count == 1);
    CHECK_STRING(w.fetch.method, "GET");
    CHECK(world_asks(&w, NULL)); /* once for both */
    world_answer(&w, 200, WORLD_METADATA);
    CHECK(w.judged == 0 && world_asks(&w, WORLD_JWKS_URI));
    world_answer(&w, 200, world_jwks(w.key));
    CHECK(w.judged == 2 && w.outcomes[0] == MCPW_HTTP_VALID && w.outcomes[1] == MCPW_HTTP_VALID);
    CHECK_STRING(w.subject, "ann");
    CHECK(world_bearer(&w, 2, token) == MCPW_HTTP_VALID && world_asks(&w, NULL));
    world_close(&w);
}

static void metadata_are_looked_for_at_each_place(void) {
    world_init(&w);
    w.config.issuer = "https://as.example.com/t";
    world_open(&w);
    CHECK(world_bearer(&w, 0, world_token(&w, w.key, "")) == -1);
    CHECK(world_asks(&w, "https://as.example.com/.well-known/oauth-authorization-server/t"));
    world_answer(&w, 404, "");
    CHECK(world_asks(&w, "https://as.example.com/.well-known/openid-configuration/t"));
    world_answer(&w, 404, "");
    CHECK(world_asks(&w, "https://as.example.com/t/.well-known/openid-configuration"));
    world_answer(&w, 404, "");
    CHECK(w.judged == 1 && w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE && world_asks(&w, NULL));
    CHECK(strstr(w.warning, "https://as.example.com/t") != NULL);
    world_close(&w);
}

static void a_place_of_keys_may_be_configured(void) {
    world_init(&w);
    w.config.jwks_uri = WORLD_JWKS_URI;
    world_open(&w);
    CHECK(world_bearer(&w, 0, world_token(&w, w.key, "")) == -1);
    CHECK(world_asks(&w, WORLD_JWKS_URI));
    world_close(&w); /* with a request under way */
}

static void broken(const char *metadata, const char *word) {
    open_world();
    CHECK(world_bearer(&w, 0, token) == -1);
    CHECK(world_asks(&w, WORLD_OAUTH_METADATA));
    world_answer(&w, 200, metadata);
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE && w.judged == 1 && world_asks(&w, NULL));
    CHECK(strstr(w.warning, word) != NULL);
    world_close(&w);
}

static void metadata_that_do_not_fit_are_refused(void) {
    broken("{\"issuer\":\"https://evil.example.com\",\"jwks_uri\":\"https://evil.example.com/\"}",
           "another issuer");
    broken("{\"issuer\":\"" FORGE_ISSUER "/\",\"jwks_uri\":\"https://as.example.com/j\"}", "another issuer");
    broken("{\"issuer\":\"" FORGE_ISSUER "\"}", "jwks_uri");
    broken("{\"issuer\":\"" FORGE_ISSUER "\",\"jwks_uri\":\"http://as.example.com/j\"}", "https");
    broken("{\"issuer\":\"" FORGE_ISSUER "\",\"jwks_uri\":\"http://127.0.0.1/j\"}", "https");
    broken("{\"issuer\":\"" FORGE_ISSUER "\",\"jwks_uri\":\"file:///etc/passwd\"}", "https");
    broken("<html>", "JSON");
}

static void broken_keys(const char *keys, const char *word) {
    open_world();
    CHECK(world_bearer(&w, 0, token) == -1 && world_asks(&w, WORLD_OAUTH_METADATA));
    world_answer(&w, 200, WORLD_METADATA);
    CHECK(world_asks(&w, WORLD_JWKS_URI));
    world_answer(&w, 200, keys);
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE && strstr(w.warning, word) != NULL);
    world_close(&w);
}

static void keys_beyond_a_limit_are_refused(void) {
    enum { KIB_300 = 300 * 1024, KEYS = 100 };
    char *const text = calloc(1, KIB_300 + 1);
    memset(text, ' ', KIB_300);
    memcpy(text, "{\"keys\":[]}", strlen("{\"keys\":[]}"));
    broken_keys(text, "longer");
    (void)strcpy(text, "{\"keys\":[");
    for (unsigned i = 0; i < KEYS; i++) {
        (void)sprintf(text + strlen(text), "%s{\"kty\":\"new\"}", i != 0 ? "," : "");
    }
    broken_keys(strcat(text, "]}"), "keys");
    free(text);
    broken_keys("{\"keys\":[]}", "none of them");
    broken_keys("{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}", "none of them");
}

/* ---- Rotation ------------------------------------------------------------------------------------------ */

static void a_rotated_key_is_found_by_one_fetch(void) {
    mcpw_oauth_key *const next = mcpw_oauth_key_new(NULL, NULL);
    open_with_keys();
    world_pass(&w, 30000);
    CHECK(world_bearer(&w, 0, world_token(&w, next, "")) == -1);
    CHECK(world_asks(&w, WORLD_JWKS_URI)); /* the metadata are known */
    world_answer(&w, 200, world_jwks(next));
    CHECK(w.outcomes[0] == MCPW_HTTP_VALID && w.fetches == 1);
    CHECK(world_bearer(&w, 1, token) == MCPW_HTTP_INVALID_TOKEN); /* of the old key */
    CHECK(world_asks(&w, NULL));
    world_close(&w);
    mcpw_oauth_key_free(next);
}

static void invented_keys_cost_the_issuer_one_fetch(void) {
    enum { TOKENS = 1000 };
    mcpw_oauth_key *const invented = mcpw_oauth_key_new(NULL, NULL);
    open_with_keys();
    world_pass(&w, 30000);
    for (unsigned i = 0; i < TOKENS; i++) {
        char header[64];
        (void)snprintf(header, sizeof header, "{\"alg\":\"ES256\",\"kid\":\"k-%u\"}", i);
        CHECK(world_bearer(&w, i, forge(invented, header, "{}")) == (i == 0 ? -1 : MCPW_HTTP_INVALID_TOKEN));
        if (i == 0) {
            CHECK(world_asks(&w, WORLD_JWKS_URI));
            world_answer(&w, 200, world_jwks(w.key));
            CHECK(w.outcomes[0] == MCPW_HTTP_INVALID_TOKEN);
        }
        CHECK(world_asks(&w, NULL));
        world_pass(&w, 20);
    }
    CHECK(w.fetches == 1 && world_bearer(&w, 0, token) == MCPW_HTTP_VALID);
    world_close(&w);
    mcpw_oauth_key_free(invented);
}

static void old_keys_are_renewed_while_they_are_used(void) {
    open_with_keys();
    world_pass(&w, 599999);
    CHECK(world_bearer(&w, 0, token) == MCPW_HTTP_VALID && world_asks(&w, NULL));
    world_pass(&w, 1);
    CHECK(world_bearer(&w, 0, token) == MCPW_HTTP_VALID);
    CHECK(world_asks(&w, WORLD_JWKS_URI));
    CHECK(world_bearer(&w, 0, token) == MCPW_HTTP_VALID); /* meanwhile */
    world_answer(&w, 200, world_jwks(w.key));
    CHECK(world_bearer(&w, 0, token) == MCPW_HTTP_VALID && world_asks(&w, NULL));
    world_close(&w);
}

static void keys_do_not_last_longer_by_a_clock_that_is_put_back(void) {
    open_with_keys();
    w.now -= 600000;
    CHECK(world_bearer(&w, 0, token) == MCPW_HTTP_VALID && world_asks(&w, WORLD_JWKS_URI));
    world_answer(&w, 200, world_jwks(w.key));
    w.now -= 3600001;
    CHECK(world_bearer(&w, 0, token) == -1 && world_asks(&w, WORLD_JWKS_URI));
    world_answer(&w, 200, world_jwks(w.key));
    CHECK(w.outcomes[0] == MCPW_HTTP_VALID);
    world_close(&w);
}

/* ---- An issuer that fails ------------------------------------------------------------------------------ */

static void without_keys_no_token_is_verified(void) {
    const mcpw_error error = {.code = MCPW_E_CONNECTION, .message = "connection refused"};
    open_world();
    CHECK(world_bearer(&w, 0, token) == -1 && world_asks(&w, WORLD_OAUTH_METADATA));
    mcpw_oauth_verifier_no_response(w.verifier, w.fetch.number, &error);
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE && strstr(w.warning, "connection refused") != NULL);
    CHECK(world_bearer(&w, 0, token) == MCPW_HTTP_UNVERIFIABLE && world_asks(&w, NULL)); /* not at once */
    world_pass(&w, 3000);
    CHECK(world_bearer(&w, 0, token) == -1);
    world_give_keys(&w, w.key);
    CHECK(w.outcomes[0] == MCPW_HTTP_VALID);
    world_close(&w);
}

static void kept_keys_outlast_an_issuer_that_is_down(void) {
    open_with_keys();
    for (unsigned minute = 1; minute <= 60; minute++) {
        world_pass(&w, 60000);
        const char *const fresh = world_token(&w, w.key, "");
        CHECK(world_bearer(&w, 0, fresh) == MCPW_HTTP_VALID);
        while (mcpw_oauth_verifier_next(w.verifier, &w.fetch)) {
            world_answer(&w, 503, "");
            w.fetches++;
        }
    }
    CHECK(w.fetches >= 51 && w.fetches <= 60 && strstr(w.warning, "503") != NULL);
    world_pass(&w, 60000);
    CHECK(world_bearer(&w, 0, world_token(&w, w.key, "")) == -1);
    CHECK(!world_asks(&w, NULL));
    world_answer(&w, 503, "");
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE);
    world_close(&w);
}

static void a_slow_issuer_is_given_up(void) {
    open_world();
    CHECK(mcpw_oauth_verifier_deadline(w.verifier) == UINT64_MAX);
    CHECK(world_bearer(&w, 0, token) == -1 && world_asks(&w, WORLD_OAUTH_METADATA));
    CHECK(mcpw_oauth_verifier_deadline(w.verifier) == w.now + 5000);
    world_pass(&w, 4999);
    CHECK(w.judged == 0);
    world_pass(&w, 1);
    CHECK(w.judged == 1 && w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE);
    world_answer(&w, 200, WORLD_METADATA); /* too late */
    CHECK(world_asks(&w, NULL));
    world_close(&w);
}

static void an_issuer_that_dies_between_metadata_and_keys_is_named(void) {
    open_world();
    CHECK(world_bearer(&w, 0, token) == -1 && world_asks(&w, WORLD_OAUTH_METADATA));
    world_answer(&w, 200, WORLD_METADATA);
    CHECK(world_asks(&w, WORLD_JWKS_URI));
    mcpw_oauth_verifier_no_response(w.verifier, w.fetch.number, NULL);
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE && strstr(w.warning, FORGE_ISSUER) != NULL);
    world_pass(&w, 3000);
    CHECK(world_bearer(&w, 0, token) == -1 && world_asks(&w, WORLD_OAUTH_METADATA)); /* it may have moved */
    world_close(&w);
}

static void warnings_are_printable(void) {
    const mcpw_error why = {.code = MCPW_E_CONNECTION, .message = "it said \x1b[2J\xe2\x80\xae"};
    open_world();
    CHECK(world_bearer(&w, 0, token) == -1 && world_asks(&w, WORLD_OAUTH_METADATA));
    mcpw_oauth_verifier_no_response(w.verifier, w.fetch.number, &why);
    CHECK(strpbrk(w.warning, "\033\xe2") == NULL);
    CHECK(strstr(w.warning, "it said \\x1b[2J\\xe2\\x80\\xae") != NULL);
    world_close(&w);
}

static void redirects_are_not_followed(void) {
    open_world();
    CHECK(world_bearer(&w, 0, token) == -1 && world_asks(&w, WORLD_OAUTH_METADATA));
    world_answer(&w, 302, "");
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE && world_asks(&w, NULL) &&
          strstr(w.warning, "302") != NULL);
    world_close(&w);
}

/* ---- Waiters ------------------------------------------------------------------------------------------- */

static void only_so_many_tokens_wait(void) {
    world_init(&w);
    w.config.max_waiting = 3;
    world_open(&w);
    (void)snprintf(token, sizeof token, "%s", world_token(&w, w.key, ""));
    for (unsigned i = 0; i < 5; i++) {
        CHECK(world_bearer(&w, i, token) == (i < 3 ? -1 : MCPW_HTTP_UNVERIFIABLE));
    }
    mcpw_oauth_verifier_cancel(w.verifier, &w.outcomes[1]);
    mcpw_oauth_verifier_cancel(w.verifier, &w.outcomes[4]); /* which does not wait */
    CHECK(world_bearer(&w, 3, token) == -1);
    world_give_keys(&w, w.key);
    CHECK(w.judged == 3 && !w.is_judged[1] && w.is_judged[3]);
    world_close(&w);
}

static void a_text_that_is_no_token_does_not_wait(void) {
    open_world();
    CHECK(world_bearer(&w, 0, "opaque") == MCPW_HTTP_INVALID_TOKEN);
    CHECK(world_bearer(&w, 0, forge(w.key, "{\"alg\":\"none\"}", "{}")) == MCPW_HTTP_INVALID_TOKEN);
    CHECK(world_asks(&w, NULL));
    world_close(&w);
}

static void another_audience_is_refused(void) {
    char claims[FORGE_ROOM];
    open_with_keys();
    (void)snprintf(claims, sizeof claims,
                   "{\"iss\":\"" FORGE_ISSUER
                   "\",\"sub\":\"ann\",\"aud\":\"https://other.example.com\",\"exp\":1800003600}");
    CHECK(world_bearer(&w, 0, forge(w.key, "{\"alg\":\"ES256\"}", claims)) == MCPW_HTTP_INVALID_TOKEN);
    CHECK(strstr(w.description, "aud") != NULL);
    CHECK(world_bearer(&w, 0,
                       forge(w.key, "{\"alg\":\"ES256\"}",
                             "{\"iss\":\"" FORGE_ISSUER "\",\"aud\":\"" FORGE_RESOURCE
                             "\",\"exp\":1800003600}")) == MCPW_HTTP_INVALID_TOKEN); /* of nobody */
    world_close(&w);
}

/* ---- Bound tokens -------------------------------------------------------------------------------------- */

static mcpw_oauth_key *holder;

static const char *bound_token(void) {
    char more[WORLD_TEXT];
    (void)snprintf(more, sizeof more, ",\"cnf\":{\"jkt\":\"%s\"}", mcpw_oauth_key_thumbprint(holder).ptr);
    (void)snprintf(token, sizeof token, "%s", world_token(&w, w.key, more));
    return token;
}

/* Sends a token with a proof that has an id and perhaps a nonce. */
static int with_proof(const char *id, const char *nonce) {
    char header[FORGE_ROOM];
    char claims[FORGE_ROOM];
    char ath[MCPW_OAUTH_THUMBPRINT_SIZE];
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, (const unsigned char *)token, strlen(token));
    forge_base64(ath, sizeof ath, digest, sizeof digest);
    (void)snprintf(header, sizeof header, "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":%s}",
                   mcpw_oauth_key_public(holder).ptr);
    (void)snprintf(claims, sizeof claims,
                   "{\"jti\":\"%s\",\"htm\":\"POST\",\"htu\":\"" FORGE_RESOURCE
                   "\",\"iat\":%llu,\"ath\":\"%s\",\"nonce\":\"%s\"}",
                   id, (unsigned long long)(w.now / 1000), ath, nonce);
    mcpw_http_credentials credentials = {.scheme = MCPW_HTTP_DPOP,
                                         .token = mcpw_str_from(token),
                                         .proof = mcpw_str_from(forge(holder, header, claims))};
    return world_verify(&w, 0, &credentials);
}

static void open_with_dpop(const mcpw_oauth_dpop_config *dpop) {
    holder = mcpw_oauth_key_new(NULL, NULL);
    world_init(&w);
    w.config.jwks_uri = WORLD_JWKS_URI;
    w.config.dpop = dpop;
    world_open(&w);
    CHECK(world_bearer(&w, 0, world_token(&w, w.key, "")) == -1);
    world_give_keys(&w, w.key);
}

static void close_with_dpop(void) {
    world_close(&w);
    mcpw_oauth_key_free(holder);
}

static void a_bound_token_needs_its_proof(void) {
    const mcpw_oauth_dpop_config dpop = MCPW_OAUTH_DPOP_CONFIG_INIT;
    open_with_dpop(&dpop);
    CHECK(world_bearer(&w, 0, bound_token()) == MCPW_HTTP_INVALID_TOKEN);
    CHECK(strstr(w.description, "DPoP") != NULL);
    CHECK(with_proof("1", "") == MCPW_HTTP_VALID);
    CHECK(with_proof("1", "") == MCPW_HTTP_INVALID_PROOF && strstr(w.description, "jti") != NULL);
    mcpw_oauth_key *const thief = mcpw_oauth_key_new(NULL, NULL);
    mcpw_oauth_key *const owner = holder;
    holder = thief;
    CHECK(with_proof("2", "") == MCPW_HTTP_INVALID_PROOF && strstr(w.description, "jkt") != NULL);
    (void)snprintf(token, sizeof token, "%s", world_token(&w, w.key, ""));
    CHECK(with_proof("3", "") == MCPW_HTTP_INVALID_TOKEN && strstr(w.description, "Bearer") != NULL);
    holder = owner;
    mcpw_oauth_key_free(thief);
    close_with_dpop();
}

static void a_nonce_is_given_and_required(void) {
    char nonce[WORLD_TEXT];
    mcpw_oauth_dpop_config dpop = MCPW_OAUTH_DPOP_CONFIG_INIT;
    dpop.nonce_ms = 60000;
    open_with_dpop(&dpop);
    (void)bound_token();
    CHECK(with_proof("1", "") == MCPW_HTTP_NEEDS_NONCE && w.nonce[0] != '\0');
    (void)snprintf(nonce, sizeof nonce, "%s", w.nonce);
    CHECK(with_proof("2", nonce) == MCPW_HTTP_VALID && w.nonce[0] != '\0');
    close_with_dpop();
}

static void a_server_without_proofs_refuses_bound_tokens(void) {
    open_with_dpop(NULL);
    (void)bound_token();
    CHECK(with_proof("1", "") == MCPW_HTTP_INVALID_TOKEN && strstr(w.description, "proofs") != NULL);
    close_with_dpop();
}

/* ---- Configs ------------------------------------------------------------------------------------------- */

static bool is_refused(void) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_verifier *const none = mcpw_oauth_verifier_new(&w.config, &error);
    mcpw_oauth_verifier_free(none);
    return none == NULL && error.code == MCPW_E_ARGUMENT;
}

static void configs_that_cannot_be_used_are_refused(void) {
    static const char *const issuers[] = {NULL, "as", "http://as.example.com", "https://as.example.com?a",
                                          "ftp://a"};
    world_init(&w);
    for (size_t i = 0; i < sizeof issuers / sizeof *issuers; i++) {
        w.config.issuer = issuers[i];
        CHECK(is_refused());
    }
    w.config.issuer = FORGE_ISSUER;
    w.config.jwks_uri = "http://127.0.0.1/jwks";
    CHECK(is_refused());
    w.config.issuer = "http://127.0.0.1:8080";
    CHECK(!is_refused());
    w.config.algorithms = "HS256";
    CHECK(is_refused());
    w.config.algorithms = NULL;
    w.config.judged = NULL;
    CHECK(is_refused());
    w.config.judged = world_judged;
    w.config.check = MCPW_OAUTH_BY_INTROSPECTION;
    CHECK(is_refused()); /* without credentials */
    mcpw_oauth_key_free(w.key);
}

int main(void) {
    RUN(keys_are_fetched_for_the_first_token_alone);
    RUN(metadata_are_looked_for_at_each_place);
    RUN(a_place_of_keys_may_be_configured);
    RUN(metadata_that_do_not_fit_are_refused);
    RUN(keys_beyond_a_limit_are_refused);
    RUN(a_rotated_key_is_found_by_one_fetch);
    RUN(invented_keys_cost_the_issuer_one_fetch);
    RUN(old_keys_are_renewed_while_they_are_used);
    RUN(keys_do_not_last_longer_by_a_clock_that_is_put_back);
    RUN(without_keys_no_token_is_verified);
    RUN(kept_keys_outlast_an_issuer_that_is_down);
    RUN(a_slow_issuer_is_given_up);
    RUN(an_issuer_that_dies_between_metadata_and_keys_is_named);
    RUN(warnings_are_printable);
    RUN(redirects_are_not_followed);
    RUN(only_so_many_tokens_wait);
    RUN(a_text_that_is_no_token_does_not_wait);
    RUN(another_audience_is_refused);
    RUN(a_bound_token_needs_its_proof);
    RUN(a_nonce_is_given_and_required);
    RUN(a_server_without_proofs_refuses_bound_tokens);
    RUN(configs_that_cannot_be_used_are_refused);
    return check_end();
}
