/* SPDX-License-Identifier: MIT */
/* Token exchange of a gateway: the received token goes to the token endpoint alone. */
#include "check.h"

#include <mcpw/oauth_upstream.h>

#define UPSTREAM "https://up.example.com/mcp"
#define RECEIVED "received-token-secret"

static mcpw_error error;
static mcpw_oauth_order order;
static const uint64_t now = UINT64_C(1800000000000);

static mcpw_oauth_upstream_config config_of(void) {
    mcpw_oauth_upstream_config config = MCPW_OAUTH_UPSTREAM_CONFIG_INIT;
    config.url = UPSTREAM;
    config.issuer = "https://as.example.com";
    config.token_endpoint = "https://as.example.com/token";
    config.client_id = "gateway";
    config.client_secret = "client-secret";
    return config;
}

static mcpw_oauth_upstream *open_with(const mcpw_oauth_upstream_config *config) {
    mcpw_oauth_upstream *const upstream = mcpw_oauth_upstream_new(config, &error);
    CHECK(upstream != NULL);
    order = (mcpw_oauth_order)MCPW_OAUTH_ORDER_INIT;
    return upstream;
}

static mcpw_oauth_upstream *open_one(void) {
    const mcpw_oauth_upstream_config config = config_of();
    return open_with(&config);
}

static mcpw_status ask(mcpw_oauth_upstream *upstream) {
    return mcpw_oauth_upstream_exchange(upstream, mcpw_str_from(RECEIVED), now, &order, &error);
}

static mcpw_status answer(mcpw_oauth_upstream *upstream, int status, const char *body) {
    error = (mcpw_error){.code = MCPW_OK};
    const mcpw_status got = mcpw_oauth_upstream_exchanged(upstream, status, mcpw_str_from(body), now, &error);
    CHECK(strstr(error.message, "secret") == NULL && strstr(error.message, "new-token") == NULL);
    return got;
}

#define NEW(token, type, issued)                                                                             \
    "{\"access_token\":\"" token "\",\"token_type\":\"" type                                                 \
    "\",\"issued_token_type\":\"urn:ietf:params:oauth:token-type:" issued "\",\"expires_in\":60}"
#define GOOD NEW("new-token", "Bearer", "access_token")

static mcpw_status field_at(mcpw_oauth_upstream *upstream, const char *url, uint64_t at,
                            mcpw_http_field *field) {
    *field = (mcpw_http_field){{NULL, 0}, {NULL, 0}};
    return mcpw_oauth_upstream_field(upstream, url, at, field);
}

/* ---- The request --------------------------------------------------------------------------------------- */

static void a_received_token_goes_to_the_token_endpoint(void) {
    mcpw_oauth_upstream *const upstream = open_one();
    CHECK(ask(upstream) == MCPW_OK);
    CHECK_STRING(order.method, "POST");
    CHECK_STRING(order.url.ptr, "https://as.example.com/token");
    CHECK_STRING(
        order.body.ptr,
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=" RECEIVED
        "&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token&requested_token_type="
        "urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token&resource=https%3A%2F%2Fup.example.com%"
        "2Fmcp");
    CHECK(order.field_count == 3 && order.max_body == 262144);
    CHECK_STRING(order.fields[0].value.ptr, "Basic Z2F0ZXdheTpjbGllbnQtc2VjcmV0");
    for (size_t i = 0; i < order.field_count; i++) {
        CHECK(strstr(order.fields[i].value.ptr, RECEIVED) == NULL);
    }
    mcpw_oauth_upstream_free(upstream);
}

static mcpw_status sign(void *self, mcpw_str input, unsigned char *out, size_t *len) {
    (void)self, (void)input;
    memset(out, 1, 64);
    *len = 64;
    return MCPW_OK;
}

static void a_gateway_may_have_a_key(void) {
    mcpw_oauth_upstream_config config = config_of();
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    signer.algorithm = "ES256";
    signer.sign = sign;
    config.client_secret = NULL;
    config.signer = &signer;
    config.audience = "up";
    config.scopes = "a b";
    mcpw_oauth_upstream *const upstream = open_with(&config);
    CHECK(ask(upstream) == MCPW_OK && order.field_count == 2);
    CHECK(strstr(order.body.ptr, "&audience=up&scope=a%20b&client_assertion_type=") != NULL);
    CHECK(strstr(order.body.ptr, "&client_assertion=eyJ") != NULL);
    mcpw_oauth_upstream_free(upstream);
}

/* ---- The new token ------------------------------------------------------------------------------------- */

static void the_new_token_goes_to_the_upstream_alone(void) {
    static const char *const others[] = {"https://up.example.com/",         "https://up.example.com/other",
                                         "https://up.example.com:8443/mcp", "http://up.example.com/mcp",
                                         "https://evil.example.com/mcp",    "up"};
    mcpw_http_field field;
    mcpw_oauth_upstream *const upstream = open_one();
    CHECK(field_at(upstream, UPSTREAM, now, &field) == MCPW_PENDING);
    CHECK(ask(upstream) == MCPW_OK && answer(upstream, 200, GOOD) == MCPW_OK);
    CHECK(field_at(upstream, UPSTREAM, now, &field) == MCPW_OK);
    CHECK_STRING(field.name.ptr, "Authorization");
    CHECK_STRING(field.value.ptr, "Bearer new-token");
    CHECK(field_at(upstream, UPSTREAM "/below", now, &field) == MCPW_OK);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(field_at(upstream, others[i], now, &field) == MCPW_E_ARGUMENT && field.value.ptr == NULL);
    }
    mcpw_oauth_upstream_free(upstream);
}

static void the_received_token_is_never_passed_on(void) {
    mcpw_http_field field;
    mcpw_oauth_upstream *const upstream = open_one();
    CHECK(ask(upstream) == MCPW_OK);
    CHECK(field_at(upstream, UPSTREAM, now, &field) == MCPW_PENDING);
    CHECK(answer(upstream, 200, NEW(RECEIVED, "Bearer", "access_token")) == MCPW_E_UNAUTHORIZED);
    CHECK(strstr(error.message, "received token") != NULL);
    CHECK(field_at(upstream, UPSTREAM, now, &field) == MCPW_PENDING && field.value.ptr == NULL);
    mcpw_oauth_upstream_free(upstream);
}

static void a_token_is_exchanged_again_when_it_expires(void) {
    mcpw_http_field field;
    mcpw_oauth_upstream *const upstream = open_one();
    CHECK(ask(upstream) == MCPW_OK && answer(upstream, 200, GOOD) == MCPW_OK);
    CHECK(field_at(upstream, UPSTREAM, now + 49999, &field) == MCPW_OK);
    CHECK(field_at(upstream, UPSTREAM, now + 50000, &field) == MCPW_PENDING);
    CHECK(ask(upstream) == MCPW_OK && answer(upstream, 403, "") == MCPW_E_UNAUTHORIZED);
    CHECK(field_at(upstream, UPSTREAM, now, &field) == MCPW_PENDING); /* the old one is gone */
    mcpw_oauth_upstream_free(upstream);
}

static void answers_that_are_none_are_refused(void) {
    static const char *const answers[] = {
        "",
        "<html>",
        "{}",
        "{\"access_token\":\"new-token\",\"token_type\":\"Bearer\"}",
        NEW("new-token", "N_A", "access_token"),
        NEW("new-token", "DPoP", "access_token"),
        NEW("new-token", "Bearer", "refresh_token"),
        NEW("new-token\\r\\nX-Evil: 1", "Bearer", "access_token"),
        NEW("new token", "Bearer", "access_token"),
    };
    mcpw_http_field field;
    mcpw_oauth_upstream *const upstream = open_one();
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        CHECK(ask(upstream) == MCPW_OK && answer(upstream, 200, answers[i]) != MCPW_OK);
        CHECK(error.code != MCPW_OK && error.message[0] != '\0');
        CHECK(field_at(upstream, UPSTREAM, now, &field) == MCPW_PENDING);
    }
    CHECK(answer(upstream, 200, GOOD) == MCPW_E_STATE); /* nobody has asked */
    mcpw_oauth_upstream_free(upstream);
}

static void a_long_answer_is_refused(void) {
    mcpw_oauth_upstream_config config = config_of();
    config.max_document = strlen(GOOD) - 1;
    mcpw_oauth_upstream *const upstream = open_with(&config);
    CHECK(ask(upstream) == MCPW_OK && order.max_body == strlen(GOOD) - 1);
    CHECK(answer(upstream, 200, GOOD) == MCPW_E_SIZE);
    mcpw_oauth_upstream_free(upstream);
}

static bool is_refused(const mcpw_oauth_upstream_config *config) {
    error = (mcpw_error){.code = MCPW_OK};
    mcpw_oauth_upstream *const upstream = mcpw_oauth_upstream_new(config, &error);
    mcpw_oauth_upstream_free(upstream);
    return upstream == NULL && error.code == MCPW_E_ARGUMENT;
}

static void configs_that_cannot_be_used_are_refused(void) {
    mcpw_oauth_upstream_config config = config_of();
    config.url = "http://up.example.com/mcp";
    CHECK(is_refused(&config));
    config = config_of();
    config.token_endpoint = "http://as.example.com/token";
    CHECK(is_refused(&config));
    config.token_endpoint = "http://127.0.0.1/token"; /* this machine, where the issuer is not */
    CHECK(is_refused(&config));
    config.issuer = "http://127.0.0.1";
    CHECK(!is_refused(&config));
    config = config_of();
    config.client_secret = NULL;
    CHECK(is_refused(&config));
    config = config_of();
    config.client_id = NULL;
    CHECK(is_refused(&config));
    config = config_of();
    config.issuer = NULL;
    CHECK(is_refused(&config) && is_refused(NULL));
}

int main(void) {
    RUN(a_received_token_goes_to_the_token_endpoint);
    RUN(a_gateway_may_have_a_key);
    RUN(the_new_token_goes_to_the_upstream_alone);
    RUN(the_received_token_is_never_passed_on);
    RUN(a_token_is_exchanged_again_when_it_expires);
    RUN(answers_that_are_none_are_refused);
    RUN(a_long_answer_is_refused);
    RUN(configs_that_cannot_be_used_are_refused);
    return check_end();
}
