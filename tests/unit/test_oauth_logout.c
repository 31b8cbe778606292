/* SPDX-License-Identifier: MIT */
/* Logouts: the tokens are forgotten first, and revoked by the issuer that they came from. (RFC 7009.) */
#include "counting_allocator.h"
#include "oauth_world.h"

#define WORLD_REVOKE WORLD_AS "/revoke"

static const char names_revocation[] = ",\"revocation_endpoint\":\"" WORLD_REVOKE "\"";

static world w;

/* The server answers requests for a revocation. */
static void answer(int status, const char *body, const char *location) {
    w.overrides[0] = (world_override){"POST", WORLD_REVOKE, status, body, location};
}

/* Opens a client of a server that revokes tokens. */
static void open_client(void) {
    w.as[0].issues_refresh = true;
    w.as[0].more = names_revocation;
    answer(200, "", NULL);
    world_open(&w);
}

static void log_in(void) {
    open_client();
    CHECK(world_call(&w) == 200);
    w.log_len = 0;
    w.log[0] = '\0';
}

static void open_with_token(mcpw_oauth_store *store) {
    world_init(&w);
    w.config.store = store;
    log_in();
}

/* Logs out, and checks that no token is left, whatever the server says. */
static mcpw_oauth_step log_out(void) {
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    mcpw_oauth_revoke(w.oauth);
    CHECK(mcpw_oauth_read(w.oauth, &login) == MCPW_E_NOT_FOUND);
    const mcpw_oauth_step step = world_drive(&w);
    CHECK(mcpw_oauth_read(w.oauth, &login) == MCPW_E_NOT_FOUND);
    world_check_secrets(&w);
    return step;
}

/* The number of requests for a revocation. */
static unsigned revocations(void) {
    unsigned count = 0;
    for (const char *at = w.log; (at = strstr(at, "POST " WORLD_REVOKE)) != NULL; at++) {
        count++;
    }
    return count;
}

static void both_tokens_are_revoked(void) {
    open_with_token(NULL);
    CHECK(log_out() == MCPW_OAUTH_DONE && revocations() == 2);
    const char *const refresh =
        strstr(w.log, "token=refresh-token-1&token_type_hint=refresh_token&client_id=registered-one");
    const char *const access =
        strstr(w.log, "token=access-token-1&token_type_hint=access_token&client_id=registered-one");
    CHECK(refresh != NULL && access != NULL && refresh < access);
    CHECK(world_call(&w) == 200 && w.authorizations == 2); /* the next request logs in */
    world_close(&w);
}

static void the_stored_token_is_gone_before_the_first_request(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    open_with_token(store);
    mcpw_oauth_revoke(w.oauth);
    CHECK(w.log_len == 0);
    mcpw_oauth *const other = mcpw_oauth_new(&w.config, &w.error);
    CHECK(mcpw_oauth_read(other, &login) == MCPW_E_NOT_FOUND);
    mcpw_oauth_free(other);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_program_that_has_only_the_store_revokes(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    open_with_token(store);
    mcpw_oauth_free(w.oauth);
    world_open(&w);
    CHECK(log_out() == MCPW_OAUTH_DONE && revocations() == 2);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void without_a_token_nothing_is_requested(void) {
    world_init(&w);
    world_open(&w);
    CHECK(log_out() == MCPW_OAUTH_DONE && w.log_len == 0);
    CHECK(world_call(&w) == 200);
    world_close(&w);
}

static void an_expired_access_token_is_not_sent(void) {
    open_with_token(NULL);
    world_pass_time(&w, 3600000);
    CHECK(log_out() == MCPW_OAUTH_DONE && revocations() == 1 && world_saw(&w, "refresh-token-1"));
    world_close(&w);
}

static void issuer_binding_tokens_go_to_their_issuer_alone(void) {
    open_with_token(NULL);
    w.current_as = 1; /* the MCP server names another one now, and is not even asked */
    CHECK(log_out() == MCPW_OAUTH_DONE && revocations() == 2);
    CHECK(!world_saw(&w, WORLD_AS2) && !world_saw(&w, WORLD_ORIGIN));
    world_close(&w);
    open_with_token(NULL);
    w.as[0].says_issuer = WORLD_AS2;
    CHECK(log_out() == MCPW_OAUTH_FAILED && revocations() == 0 && strstr(w.error.message, "issuer") != NULL);
    world_close(&w);
}

static void a_client_with_a_secret_authenticates(void) {
    const mcpw_oauth_credential credential = {
        .issuer = WORLD_AS, .client_id = "known-client", .client_secret = "known-secret"};
    world_init(&w);
    w.config.credentials = &credential;
    w.config.credential_count = 1;
    w.as[0].methods = "[\"client_secret_basic\"]";
    log_in();
    CHECK(log_out() == MCPW_OAUTH_DONE && revocations() == 2);
    CHECK_STRING(w.basic, "Basic a25vd24tY2xpZW50Omtub3duLXNlY3JldA==");
    CHECK(!world_saw(&w, "client_id="));
    world_close(&w);
}

static void issuer_binding_a_secret_of_another_issuer_is_not_sent(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    const mcpw_oauth_credential credentials[] = {
        {.issuer = WORLD_AS2, .client_id = "registered-one", .client_secret = "known-secret"},
        {.issuer = "https://as3.example.com",
         .client_id = "registered-one",
         .client_secret = "known-secret"}};
    open_with_token(store);
    mcpw_oauth_free(w.oauth);
    w.config.credentials = credentials;
    w.config.credential_count = 2;
    world_open(&w);
    CHECK(log_out() == MCPW_OAUTH_FAILED && strstr(w.error.message, "of another issuer") != NULL);
    CHECK(revocations() == 0 && !world_saw(&w, "Basic"));
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_logout_registers_no_client(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    const mcpw_str registration = MCPW_STR("[\"client\",\"" WORLD_AS "\"]");
    open_with_token(store);
    mcpw_oauth_free(w.oauth);
    CHECK(store->save(store->self, registration, (mcpw_str){NULL, 0}) == MCPW_OK);
    world_open(&w);
    CHECK(log_out() == MCPW_OAUTH_DONE && revocations() == 2 && w.registrations == 1);
    CHECK(world_saw(&w, "client_id=registered-one"));
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_server_that_revokes_nothing_is_reported(void) {
    open_with_token(NULL);
    w.as[0].more = NULL;
    CHECK(log_out() == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_NOT_FOUND);
    CHECK(strstr(w.error.message, "revocation_endpoint: is missing; the token stays valid") != NULL);
    world_close(&w);
}

static void server_side_request_forgery_the_endpoint_is_checked(void) {
    static const char *const places[] = {"http://as.example.com/revoke", "https://10.0.0.1/revoke",
                                         "http://127.0.0.1/revoke", "file:///revoke"};
    char more[WORLD_TEXT];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        open_with_token(NULL);
        (void)snprintf(more, sizeof more, ",\"revocation_endpoint\":\"%s\"", places[i]);
        w.as[0].more = more;
        CHECK(log_out() == MCPW_OAUTH_FAILED && !world_saw(&w, "POST"));
        CHECK(strstr(w.error.message, "revocation_endpoint") != NULL);
        world_close(&w);
    }
}

static void a_bad_endpoint_is_no_reason_to_refuse_a_login(void) {
    world_init(&w);
    w.as[0].more = ",\"revocation_endpoint\":\"ftp://as.example.com/\"";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    world_close(&w);
}

static void a_server_that_refuses_is_reported(void) {
    open_with_token(NULL);
    answer(401, "{\"error\":\"invalid_client\",\"error_description\":\"\\u001b[2J\"}", NULL);
    CHECK(log_out() == MCPW_OAUTH_FAILED && revocations() == 1 && w.error.code == MCPW_E_UNAUTHORIZED);
    CHECK_STRING(w.error.message,
                 "revocation endpoint: invalid_client: \\x1b[2J; the token stays valid until it expires");
    world_close(&w);
    open_with_token(NULL);
    answer(503, "busy", NULL);
    CHECK(log_out() == MCPW_OAUTH_FAILED && revocations() == 1 && w.error.code == MCPW_E_HTTP);
    CHECK(strstr(w.error.message, "503") != NULL);
    world_close(&w);
}

static void secret_disclosure_a_server_that_repeats_the_token_is_not_quoted(void) {
    open_with_token(NULL);
    answer(400, "{\"error\":\"x\",\"error_description\":\"not yours: refresh-token-1\"}", NULL);
    CHECK(log_out() == MCPW_OAUTH_FAILED);
    world_close(&w);
}

static void redirects_of_revocations_are_not_followed(void) {
    open_with_token(NULL);
    answer(307, "", "https://evil.example.com/revoke");
    CHECK(log_out() == MCPW_OAUTH_FAILED && revocations() == 1 && !world_saw(&w, "evil"));
    CHECK(strstr(w.error.message, "307") != NULL);
    world_close(&w);
}

static void an_access_token_may_end_with_its_refresh_token(void) {
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    static const char body[] = "{\"error\":\"unsupported_token_type\"}";
    open_with_token(NULL);
    mcpw_oauth_revoke(w.oauth);
    for (unsigned i = 0; i < 2; i++) { /* the metadata, the refresh token */
        CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_SEND);
        world_send(&w, &order);
    }
    answer(400, body, NULL);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE && revocations() == 2);
    world_close(&w);
    open_with_token(NULL);
    answer(400, body, NULL);
    CHECK(log_out() == MCPW_OAUTH_FAILED && revocations() == 1);
    world_close(&w);
}

static void a_silent_server_ends_by_the_deadline(void) {
    enum { LOGOUT_MS = 10000 };
    open_with_token(NULL);
    w.is_silent = true;
    mcpw_oauth_revoke(w.oauth);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT && mcpw_oauth_deadline(w.oauth) == w.now + LOGOUT_MS);
    world_pass_time(&w, LOGOUT_MS);
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_TIMEOUT);
    CHECK(strstr(w.error.message, "the token stays valid until it expires") != NULL);
    w.is_silent = false;
    CHECK(world_call(&w) == 200 && w.authorizations == 2);
    world_close(&w);
}

static void a_server_that_is_gone_is_reported(void) {
    const mcpw_error why = {.code = MCPW_E_CONNECTION, .message = "could not connect"};
    open_with_token(NULL);
    w.is_silent = true;
    mcpw_oauth_revoke(w.oauth);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    mcpw_oauth_no_response(w.oauth, &why);
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED);
    CHECK_STRING(w.error.message, "metadata of the authorization server: no response: could not connect; the "
                                  "token stays valid until it expires");
    world_close(&w);
}

static void a_logout_ends_a_login(void) {
    open_with_token(NULL);
    w.is_user_away = true;
    mcpw_oauth_begin(w.oauth, true);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    CHECK(log_out() == MCPW_OAUTH_DONE);
    CHECK(mcpw_oauth_redirected(w.oauth, MCPW_STR_VALUE("?code=x"), &w.error) == MCPW_E_STATE);
    mcpw_oauth_revoke(NULL);
    world_close(&w);
}

/* Logs out, and lets memory run out at one of the allocations, for good. */
static bool live(counting *memory, size_t fail_at) {
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    *memory = (counting){.in_use = 0};
    world_init(&w);
    w.config.allocator = counting_allocator(memory);
    open_client();
    memory->stingy = true; /* so that an arena has no room that it was not asked for */
    CHECK(world_call(&w) == 200);
    memory->calls = 0;
    memory->fail_at = fail_at;
    memory->stays_out = true;
    mcpw_oauth_revoke(w.oauth);
    const mcpw_oauth_step step = world_drive(&w);
    const bool has_failed = memory->calls >= fail_at;
    CHECK(step == MCPW_OAUTH_DONE || (has_failed && step == MCPW_OAUTH_FAILED));
    memory->fail_at = 0;
    memory->stays_out = false;
    CHECK(mcpw_oauth_read(w.oauth, &login) == MCPW_E_NOT_FOUND);
    world_close(&w);
    CHECK(memory->in_use == 0);
    return has_failed;
}

static void memory_that_runs_out_leaves_no_token(void) {
    counting memory;
    enum { MOST = 2000 };
    size_t fail_at = 1;
    while (fail_at < MOST && live(&memory, fail_at)) {
        fail_at++;
    }
    CHECK(fail_at > 3 && fail_at < MOST);
}

int main(void) {
    RUN(both_tokens_are_revoked);
    RUN(the_stored_token_is_gone_before_the_first_request);
    RUN(a_program_that_has_only_the_store_revokes);
    RUN(without_a_token_nothing_is_requested);
    RUN(an_expired_access_token_is_not_sent);
    RUN(issuer_binding_tokens_go_to_their_issuer_alone);
    RUN(a_client_with_a_secret_authenticates);
    RUN(issuer_binding_a_secret_of_another_issuer_is_not_sent);
    RUN(a_logout_registers_no_client);
    RUN(a_server_that_revokes_nothing_is_reported);
    RUN(server_side_request_forgery_the_endpoint_is_checked);
    RUN(a_bad_endpoint_is_no_reason_to_refuse_a_login);
    RUN(a_server_that_refuses_is_reported);
    RUN(secret_disclosure_a_server_that_repeats_the_token_is_not_quoted);
    RUN(redirects_of_revocations_are_not_followed);
    RUN(an_access_token_may_end_with_its_refresh_token);
    RUN(a_silent_server_ends_by_the_deadline);
    RUN(a_server_that_is_gone_is_reported);
    RUN(a_logout_ends_a_login);
    RUN(memory_that_runs_out_leaves_no_token);
    return check_end();
}
