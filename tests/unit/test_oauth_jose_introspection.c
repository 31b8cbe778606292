/* SPDX-License-Identifier: MIT */
/* A server's tokens by introspection: asked about once, kept for a short time, and bounded. */
#include "verifier_world.h"

#define ENDPOINT "https://as.example.com/introspect"
#define GOOD                                                                                                 \
    "{\"active\":true,\"sub\":\"ann\",\"client_id\":\"c\",\"scope\":\"a b\",\"aud\":\"" FORGE_RESOURCE       \
    "\",\"exp\":1800003600}"

static world w;

static void init(void) {
    world_init(&w);
    w.config.check = MCPW_OAUTH_BY_INTROSPECTION;
    w.config.client_id = "server:1";
    w.config.client_secret = "secret %";
    w.config.introspection_endpoint = ENDPOINT;
}

static void open_world(void) {
    init();
    world_open(&w);
}

/* The outcome of a token about which the issuer says this. */
static int outcome_of(const char *token, const char *answer) {
    const int at_once = world_bearer(&w, 0, token);
    if (at_once != -1) {
        return at_once;
    }
    CHECK(world_asks(&w, ENDPOINT));
    world_answer(&w, 200, answer);
    CHECK(w.is_judged[0]);
    return (int)w.outcomes[0];
}

/* ---- Questions ----------------------------------------------------------------------------------------- */

static void the_issuer_is_asked_with_the_credentials_of_the_server(void) {
    open_world();
    CHECK(world_bearer(&w, 0, "opaque/token") == -1 && world_asks(&w, ENDPOINT));
    CHECK_STRING(w.fetch.method, "POST");
    CHECK_STRING(w.fetch.body.ptr, "token=opaque%2Ftoken&token_type_hint=access_token");
    CHECK(w.fetch.field_count == 3);
    CHECK_STRING(w.fetch.fields[2].value.ptr, "Basic c2VydmVyJTNBMTpzZWNyZXQlMjAlMjU=");
    world_answer(&w, 200, GOOD);
    CHECK(w.outcomes[0] == MCPW_HTTP_VALID);
    CHECK_STRING(w.subject, "ann");
    world_close(&w);
}

static void the_endpoint_is_found_in_the_metadata(void) {
    init();
    w.config.introspection_endpoint = NULL;
    world_open(&w);
    CHECK(world_bearer(&w, 0, "one") == -1 && world_bearer(&w, 1, "two") == -1);
    CHECK(world_asks(&w, WORLD_OAUTH_METADATA) && world_asks(&w, NULL));
    world_answer(&w, 200, "{\"issuer\":\"" FORGE_ISSUER "\",\"introspection_endpoint\":\"" ENDPOINT "\"}");
    CHECK(w.judged == 0 && world_asks(&w, ENDPOINT));
    world_answer(&w, 200, GOOD);
    CHECK(world_asks(&w, ENDPOINT));
    world_answer(&w, 200, "{\"active\":false}");
    CHECK(w.outcomes[0] == MCPW_HTTP_VALID && w.outcomes[1] == MCPW_HTTP_INVALID_TOKEN);
    world_close(&w);
}

static void without_an_endpoint_no_token_is_verified(void) {
    init();
    w.config.introspection_endpoint = NULL;
    world_open(&w);
    CHECK(world_bearer(&w, 0, "one") == -1 && world_asks(&w, WORLD_OAUTH_METADATA));
    world_answer(&w, 200, "{\"issuer\":\"" FORGE_ISSUER "\"}");
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE && strstr(w.warning, "introspection_endpoint") != NULL);
    CHECK(world_bearer(&w, 0, "one") == MCPW_HTTP_UNVERIFIABLE && world_asks(&w, NULL));
    world_close(&w);
}

static void requests_with_one_token_share_a_question(void) {
    open_world();
    CHECK(world_bearer(&w, 0, "one") == -1 && world_bearer(&w, 1, "one") == -1);
    CHECK(world_asks(&w, ENDPOINT) && world_asks(&w, NULL));
    CHECK(world_bearer(&w, 2, "one") == -1 && world_asks(&w, NULL));
    world_answer(&w, 200, GOOD);
    CHECK(w.judged == 3 && w.outcomes[2] == MCPW_HTTP_VALID);
    world_close(&w);
}

static void only_so_many_questions_are_asked_at_once(void) {
    uint64_t numbers[20];
    open_world();
    for (unsigned i = 0; i < 20; i++) {
        char token[16];
        (void)snprintf(token, sizeof token, "token-%u", i % 20);
        static char kept[20][16];
        memcpy(kept[i], token, sizeof token);
        CHECK(world_bearer(&w, i, kept[i]) == -1);
    }
    for (unsigned i = 0; i < 8; i++) {
        CHECK(world_asks(&w, ENDPOINT));
        numbers[i] = w.fetch.number;
    }
    CHECK(world_asks(&w, NULL));
    mcpw_oauth_verifier_response(w.verifier, numbers[3], 200, mcpw_str_from(GOOD));
    CHECK(w.judged == 1 && world_asks(&w, ENDPOINT) && world_asks(&w, NULL));
    while (w.judged < 20) { /* each answer makes room for the next question */
        world_pass(&w, 5000);
        while (mcpw_oauth_verifier_next(w.verifier, &w.fetch)) {
            world_answer(&w, 200, GOOD);
        }
    }
    CHECK(world_asks(&w, NULL));
    world_close(&w);
}

static void only_so_many_tokens_wait(void) {
    init();
    w.config.max_waiting = 2;
    world_open(&w);
    CHECK(world_bearer(&w, 0, "a") == -1 && world_bearer(&w, 1, "b") == -1);
    CHECK(world_bearer(&w, 2, "c") == MCPW_HTTP_UNVERIFIABLE);
    mcpw_oauth_verifier_cancel(w.verifier, &w.outcomes[0]);
    CHECK(world_bearer(&w, 2, "c") == -1);
    world_close(&w);
}

/* ---- Answers ------------------------------------------------------------------------------------------- */

static void an_answer_is_kept_for_a_short_time(void) {
    open_world();
    CHECK(outcome_of("one", GOOD) == MCPW_HTTP_VALID && w.fetches == 1);
    world_pass(&w, 9999);
    CHECK(world_bearer(&w, 0, "one") == MCPW_HTTP_VALID && world_asks(&w, NULL));
    world_pass(&w, 1);
    CHECK(outcome_of("one", "{\"active\":false}") == MCPW_HTTP_INVALID_TOKEN && w.fetches == 2);
    CHECK(world_bearer(&w, 0, "one") == MCPW_HTTP_INVALID_TOKEN && world_asks(&w, NULL));
    world_close(&w);
}

static void an_answer_is_not_kept_longer_by_a_clock_that_is_put_back(void) {
    open_world();
    CHECK(outcome_of("one", GOOD) == MCPW_HTTP_VALID);
    w.now -= 1;
    CHECK(world_bearer(&w, 0, "one") == -1 && world_asks(&w, ENDPOINT));
    world_close(&w);
}

/* A stream that listens ends then, and its client's next request is asked about. */
static void an_answer_does_not_hold_for_a_long_stream(void) {
    static const char forever[] = "{\"active\":true,\"sub\":\"ann\",\"aud\":\"" FORGE_RESOURCE "\"}";
    open_world();
    CHECK(outcome_of("one", GOOD) == MCPW_HTTP_VALID && w.lifetime == 600000);
    CHECK(outcome_of("two", forever) == MCPW_HTTP_VALID && w.lifetime == 600000);
    w.now = UINT64_C(1800003000001);
    CHECK(outcome_of("three", GOOD) == MCPW_HTTP_VALID && w.lifetime == 599999);
    world_close(&w);
}

static void an_answer_that_is_kept_expires_with_its_token(void) {
    open_world();
    w.now = UINT64_C(1800003655000);
    CHECK(outcome_of("one", GOOD) == MCPW_HTTP_VALID);
    world_pass(&w, 5000); /* the leeway is over */
    CHECK(world_bearer(&w, 0, "one") == MCPW_HTTP_INVALID_TOKEN && strstr(w.description, "expired") != NULL);
    world_close(&w);
}

static void invented_tokens_drive_out_no_answer(void) {
    init();
    w.config.max_cached = 1;
    world_open(&w);
    CHECK(outcome_of("one", GOOD) == MCPW_HTTP_VALID);
    CHECK(outcome_of("invented", "{\"active\":false}") == MCPW_HTTP_INVALID_TOKEN);
    w.fetches = 0;
    CHECK(world_bearer(&w, 0, "one") == MCPW_HTTP_VALID && world_asks(&w, NULL));
    CHECK(outcome_of("two", GOOD) == MCPW_HTTP_VALID); /* takes the place */
    CHECK(world_bearer(&w, 0, "one") == -1);
    world_close(&w);
}

static void each_rule_refuses(void) {
    static const struct {
        const char *answer;
        const char *word;
    } rows[] = {
        {"{\"active\":false}", "active"},
        {"{\"active\":true,\"sub\":\"a\"}", "aud"},
        {"{\"active\":true,\"sub\":\"a\",\"aud\":\"https://other.example.com\"}", "aud"},
        {"{\"active\":true,\"sub\":\"a\",\"aud\":\"" FORGE_RESOURCE "\",\"exp\":1799990000}", "exp"},
        {"{\"active\":true,\"sub\":\"a\",\"aud\":\"" FORGE_RESOURCE "\",\"nbf\":1800009000}", "nbf"},
        {"{\"active\":true,\"sub\":\"a\",\"aud\":\"" FORGE_RESOURCE
         "\",\"iss\":\"https://evil.example.com\"}",
         "iss"},
        {"{\"active\":true,\"aud\":\"" FORGE_RESOURCE "\"}", "neither"},
        {"{\"active\":true,\"sub\":\"a\",\"aud\":\"" FORGE_RESOURCE "\",\"token_type\":\"DPoP\"}", "cnf"},
        {"{\"active\":true,\"sub\":\"a\",\"aud\":\"" FORGE_RESOURCE "\",\"cnf\":{\"x5t#S256\":\"a\"}}",
         "cnf"},
        {"{\"active\":true,\"sub\":\"a\",\"aud\":\"" FORGE_RESOURCE
         "\",\"cnf\":{\"jkt\":\"0123456789012345678901234567890123456789012\"}}",
         "DPoP"},
    };
    open_world();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char tokens[32][16];
        (void)snprintf(tokens[i], sizeof tokens[i], "token-%u", i);
        CHECK(outcome_of(tokens[i], rows[i].answer) == MCPW_HTTP_INVALID_TOKEN);
        CHECK(strstr(w.description, rows[i].word) != NULL);
    }
    world_close(&w);
}

static void an_answer_that_is_none_verifies_nothing(void) {
    static const char *const answers[] = {"",
                                          "<html>",
                                          "{}",
                                          "{\"active\":\"true\"}",
                                          "[true]",
                                          "{\"active\":1}",
                                          "{\"active\":true,\"aud\":5}",
                                          "{\"active\":true,\"active\":true}"};
    open_world();
    for (unsigned i = 0; i < sizeof answers / sizeof *answers; i++) {
        CHECK(outcome_of("one", answers[i]) == MCPW_HTTP_UNVERIFIABLE);
        CHECK(w.warnings == i + 1);
    }
    world_close(&w);
}

/* ---- An issuer that fails ------------------------------------------------------------------------------ */

static void credentials_that_are_refused_are_reported(void) {
    open_world();
    CHECK(world_bearer(&w, 0, "one") == -1 && world_asks(&w, ENDPOINT));
    world_answer(&w, 401, "{\"error\":\"invalid_client\"}");
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE && strstr(w.warning, "credentials of this server") != NULL);
    world_close(&w);
}

static void an_issuer_that_fails_is_asked_again_for_the_next_request(void) {
    open_world();
    CHECK(world_bearer(&w, 0, "one") == -1 && world_asks(&w, ENDPOINT));
    world_answer(&w, 500, "");
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE);
    CHECK(world_bearer(&w, 0, "one") == -1 && world_asks(&w, ENDPOINT));
    mcpw_oauth_verifier_no_response(w.verifier, w.fetch.number, NULL);
    CHECK(w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE);
    CHECK(world_bearer(&w, 0, "one") == -1 && world_asks(&w, ENDPOINT));
    world_pass(&w, 5000); /* slow */
    CHECK(w.is_judged[0] && w.outcomes[0] == MCPW_HTTP_UNVERIFIABLE);
    CHECK(outcome_of("one", GOOD) == MCPW_HTTP_VALID);
    world_close(&w);
}

static void a_waiter_that_was_cancelled_gets_no_verdict(void) {
    open_world();
    CHECK(world_bearer(&w, 0, "one") == -1 && world_asks(&w, ENDPOINT));
    mcpw_oauth_verifier_cancel(w.verifier, &w.outcomes[0]);
    world_answer(&w, 200, GOOD);
    CHECK(w.judged == 0);
    CHECK(world_bearer(&w, 0, "one") == MCPW_HTTP_VALID); /* the answer was kept */
    world_close(&w);
}

int main(void) {
    RUN(the_issuer_is_asked_with_the_credentials_of_the_server);
    RUN(the_endpoint_is_found_in_the_metadata);
    RUN(without_an_endpoint_no_token_is_verified);
    RUN(requests_with_one_token_share_a_question);
    RUN(only_so_many_questions_are_asked_at_once);
    RUN(only_so_many_tokens_wait);
    RUN(an_answer_is_kept_for_a_short_time);
    RUN(an_answer_is_not_kept_longer_by_a_clock_that_is_put_back);
    RUN(an_answer_does_not_hold_for_a_long_stream);
    RUN(an_answer_that_is_kept_expires_with_its_token);
    RUN(invented_tokens_drive_out_no_answer);
    RUN(each_rule_refuses);
    RUN(an_answer_that_is_none_verifies_nothing);
    RUN(credentials_that_are_refused_are_reported);
    RUN(an_issuer_that_fails_is_asked_again_for_the_next_request);
    RUN(a_waiter_that_was_cancelled_gets_no_verdict);
    return check_end();
}
