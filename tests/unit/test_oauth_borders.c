/* SPDX-License-Identifier: MIT */
/* The borders of a login: arguments that are missing, configs one step off, texts with one character too
 * many, and a token exchange that runs out of memory. */
#include "counting_allocator.h"
#include "oauth_world.h"
#include "url.h"

#include <mcpw/oauth_upstream.h>

static world w;
static unsigned signatures;

/* ---- Arguments ----------------------------------------------------------------------------------------- */

static void calls_without_their_objects_are_refused(void) {
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    mcpw_oauth_order bare = {.struct_size = 1};
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    mcpw_oauth_pass bare_pass = {.struct_size = 1};
    world_init(&w);
    world_open(&w);
    CHECK(mcpw_oauth_next(NULL, &order, NULL) == MCPW_OAUTH_FAILED);
    CHECK(mcpw_oauth_next(w.oauth, NULL, &w.error) == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_next(w.oauth, &bare, &w.error) == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_fields(NULL, "GET", WORLD_MCP, &pass, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_fields(w.oauth, NULL, WORLD_MCP, &pass, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_fields(w.oauth, "GET", NULL, &pass, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_fields(w.oauth, "GET", WORLD_MCP, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_fields(w.oauth, "GET", WORLD_MCP, &bare_pass, NULL) == MCPW_E_ARGUMENT);
    const mcpw_str none = {NULL, 0};
    CHECK(mcpw_oauth_answered(NULL, &pass, 401, none, none, NULL) == MCPW_OAUTH_GIVE_UP);
    CHECK(mcpw_oauth_answered(w.oauth, NULL, 401, none, none, NULL) == MCPW_OAUTH_GIVE_UP);
    CHECK(mcpw_oauth_answered(w.oauth, &bare_pass, 401, none, none, NULL) == MCPW_OAUTH_GIVE_UP);
    CHECK(mcpw_oauth_redirected(NULL, MCPW_STR_VALUE("?code=a"), NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_redirected(w.oauth, none, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_redirected(w.oauth, MCPW_STR_VALUE("?code=a"), NULL) == MCPW_E_STATE);
    mcpw_oauth_advance(NULL, 1);
    mcpw_oauth_response(NULL, 200, NULL, 0, none);
    mcpw_oauth_no_response(NULL, NULL);
    CHECK(mcpw_oauth_deadline(NULL) == UINT64_MAX && mcpw_oauth_deadline(w.oauth) == UINT64_MAX);
    world_close(&w);
}

static void a_request_without_a_response_names_its_receiver(void) {
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    const mcpw_error unsaid = {.code = MCPW_OK};
    for (unsigned i = 0; i < 2; i++) {
        world_init(&w);
        world_open(&w);
        CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_SEND);
        mcpw_oauth_no_response(w.oauth, i == 0 ? NULL : &unsaid);
        mcpw_oauth_no_response(w.oauth, NULL); /* it is over */
        CHECK(mcpw_oauth_next(w.oauth, &order, NULL) == MCPW_OAUTH_FAILED);
        CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_FAILED);
        CHECK(w.error.code == MCPW_E_CONNECTION);
        CHECK_STRING(w.error.message, "resource metadata: no response; try again later");
        world_close(&w);
    }
}

/* ---- Configs ------------------------------------------------------------------------------------------- */

static void limits_of_the_program_hold(void) {
    world_init(&w);
    w.config.client_name = "my program";
    w.config.max_document = 500;
    w.config.max_depth = 4;
    w.config.max_attempts = 2;
    w.config.max_redirects = 1;
    w.config.deadline_ms = 1000;
    w.config.user_ms = 2000;
    world_open(&w);
    CHECK(world_call(&w) == 200 && strstr(w.registration, "\"client_name\":\"my program\"") != NULL);
    world_close(&w);
    world_init(&w);
    w.config.max_document = SIZE_MAX; /* no number of bytes overflows */
    world_open(&w);
    CHECK(world_call(&w) == 200);
    world_close(&w);
    world_init(&w);
    w.config.max_document = 20;
    world_open(&w);
    CHECK(world_call(&w) == 0 && w.error.code == MCPW_E_SIZE);
    world_close(&w);
}

static void a_name_that_is_no_utf8_is_not_registered(void) {
    world_init(&w);
    w.config.client_name = "\xff";
    world_open(&w);
    CHECK(world_call(&w) == 0 && w.error.code == MCPW_E_UTF8 && w.registrations == 0);
    CHECK(strstr(w.error.message, "client_name") != NULL);
    world_close(&w);
}

static void refused(const char *member) {
    w.error = (mcpw_error){.code = MCPW_OK};
    mcpw_oauth *const oauth = mcpw_oauth_new(&w.config, &w.error);
    CHECK(oauth == NULL && w.error.code == MCPW_E_ARGUMENT);
    (void)check_that(strcmp(w.error.path, member) == 0 || strstr(w.error.message, member) != NULL, __FILE__,
                     __LINE__, w.error.message);
    mcpw_oauth_free(oauth);
    world_init(&w);
}

static void credential_refused(mcpw_oauth_credential credential, const char *issuer, const char *member) {
    w.config.credentials = &credential;
    w.config.credential_count = 1;
    w.config.issuer = issuer;
    refused(member);
}

static void configs_one_step_off_are_refused(void) {
    world_init(&w);
    w.config.redirect_uri = "http://app.example.com/callback";
    refused("redirect_uri");
    w.config.redirect_uri = WORLD_REDIRECT "#a";
    refused("redirect_uri");
    w.config.client_metadata_url = "not a URL";
    refused("client_metadata_url");
    w.config.client_metadata_url = "http://127.0.0.1/client.json";
    refused("client_metadata_url");
    w.config.client_metadata_url = "https://client.example.com/";
    refused("client_metadata_url");
    w.config.client_metadata_url = WORLD_CIMD "#a";
    refused("client_metadata_url");
    credential_refused((mcpw_oauth_credential){.client_id = NULL}, WORLD_AS, "credentials");
    credential_refused((mcpw_oauth_credential){.client_id = ""}, WORLD_AS, "credentials");
    credential_refused((mcpw_oauth_credential){.client_id = "a", .client_secret = "b"}, NULL, "issuer");
    credential_refused((mcpw_oauth_credential){.client_id = "a", .method = MCPW_OAUTH_METHOD_BASIC}, WORLD_AS,
                       "credentials");
    credential_refused((mcpw_oauth_credential){.client_id = "a", .method = MCPW_OAUTH_METHOD_POST}, WORLD_AS,
                       "credentials");
    credential_refused((mcpw_oauth_credential){.client_id = "a", .method = MCPW_OAUTH_METHOD_JWT}, WORLD_AS,
                       "credentials");
}

static void a_signing_client_needs_an_issuer(void) {
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    signer.self = &signatures;
    signer.algorithm = "ES256";
    signer.sign = world_sign;
    world_init(&w);
    w.config.signer = &signer;
    credential_refused((mcpw_oauth_credential){.client_id = "a", .method = MCPW_OAUTH_METHOD_JWT}, NULL,
                       "credentials");
    signer.sign = NULL;
    w.config.signer = &signer;
    refused("signer");
}

static void a_store_needs_all_of_its_functions(void) {
    mcpw_oauth_store *const whole = mcpw_oauth_memory_new(NULL);
    world_init(&w);
    for (unsigned i = 0; i < 4; i++) {
        mcpw_oauth_store store = *whole;
        store.lock = i == 0 ? NULL : store.lock;
        store.unlock = i == 1 ? NULL : store.unlock;
        store.load = i == 2 ? NULL : store.load;
        store.save = i == 3 ? NULL : store.save;
        w.config.store = &store;
        refused("store");
    }
    mcpw_oauth_memory_free(whole);
}

static mcpw_status sign_nothing(void *self, mcpw_str input, unsigned char *out, size_t *len) {
    (void)self, (void)input, (void)out;
    *len = 0;
    return MCPW_OK;
}

static mcpw_status sign_too_much(void *self, mcpw_str input, unsigned char *out, size_t *len) {
    (void)self, (void)input, (void)out;
    (*len)++;
    return MCPW_OK;
}

static void a_signature_without_bytes_or_with_too_many_ends_the_login(void) {
    for (unsigned i = 0; i < 2; i++) {
        mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
        signer.algorithm = "ES256";
        signer.public_key = WORLD_JWK;
        signer.sign = i == 0 ? sign_nothing : sign_too_much;
        world_init(&w);
        w.config.dpop = &signer;
        world_open(&w);
        CHECK(world_call(&w) == 0 && w.error.code == MCPW_E_LENGTH && w.tokens == 0);
        world_close(&w);
    }
}

/* ---- Texts --------------------------------------------------------------------------------------------- */

static void escapes_of_a_form_are_read_as_a_browser_does(void) {
    static const struct {
        const char *form;
        const char *value;
    } rows[] = {{"a=%2f%2F%41", "//A"}, {"a=%zz", "%zz"}, {"a=%4", "%4"},   {"a=%4g", "%4g"},
                {"a=1+2", "1 2"},       {"b&a=x", "x"},   {"a=%G1", "%G1"}, {"a=%:1", "%:1"}};
    mcpw_arena arena = MCPW_ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mcpw_str value = {NULL, 0};
        size_t count = 0;
        CHECK(mcpw_oauth_form_find(mcpw_str_from(rows[i].form), "a", &arena, &value, &count) == MCPW_OK);
        CHECK(count == 1);
        CHECK_TEXT(value.ptr, value.len, rows[i].value);
    }
    mcpw_arena_free(&arena);
}

static void a_form_keeps_unreserved_characters_alone(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_oauth_form form = mcpw_oauth_form_in(&arena);
    mcpw_oauth_form_put(&form, "a", MCPW_STR_VALUE("azAZ09-._~@[`{/:"));
    const mcpw_str text = mcpw_oauth_form_end(&form);
    CHECK_TEXT(text.ptr, text.len, "a=azAZ09-._~%40%5B%60%7B%2F%3A");
    mcpw_arena_free(&arena);
}

static void scopes_have_printable_characters_without_quotes(void) {
    CHECK(mcpw_oauth_scope_is_list(MCPW_STR_VALUE("a b:c !~")));
    CHECK(!mcpw_oauth_scope_is_list(MCPW_STR_VALUE("a\x1f")) &&
          !mcpw_oauth_scope_is_list(MCPW_STR_VALUE("\x7f")));
    CHECK(!mcpw_oauth_scope_is_list(MCPW_STR_VALUE("a\"")) &&
          !mcpw_oauth_scope_is_list(MCPW_STR_VALUE("a\\")));
    CHECK(mcpw_oauth_scope_has(MCPW_STR_VALUE("  a   b "), MCPW_STR_VALUE("b")));
    CHECK(!mcpw_oauth_scope_has(MCPW_STR_VALUE("   "), MCPW_STR_VALUE("b")));
}

static bool is_url(const char *text) {
    mcpw_oauth_url url;
    return mcpw_oauth_url_read(mcpw_str_from(text), &url);
}

static void hosts_and_ports_at_their_borders(void) {
    CHECK(is_url("https://a_b-c.example:65535/") && !is_url("https://a.example:65536/"));
    CHECK(!is_url("https://a.example:0/") && !is_url("https://a.example:/") &&
          !is_url("https://a.example:1/0:/ "));
    CHECK(!is_url("https://a.example:6553555555/") && !is_url("https://a.example:12a/"));
    CHECK(is_url("https://[2001:db8::AF.1]/") && !is_url("https://[::g]/") && !is_url("https://[]/"));
    CHECK(!is_url("https://a@b.example/") && !is_url("https://a{.example/") && !is_url("https://a`b/"));
    CHECK(!is_url("https://[::1]x/") && !is_url("https://[::1/") && !is_url("https:///") &&
          !is_url("ftp://a/"));
    CHECK(!is_url("https://a\x7f/") && !is_url("https://a.example/\xc3\xa4"));
}

static bool is_here(const char *text) {
    mcpw_oauth_url url;
    CHECK(mcpw_oauth_url_read(mcpw_str_from(text), &url));
    return mcpw_oauth_url_is_loopback(&url);
}

static void this_machine_has_few_names(void) {
    CHECK(is_here("http://localhost/") && is_here("http://127.255.0.1/") && is_here("http://[::1]/"));
    CHECK(!is_here("http://127.0.0.256/") && !is_here("http://127.0.0/") && !is_here("http://127.0.0.1.1/"));
    CHECK(!is_here("http://127.00.0.1/") && !is_here("http://127..0.1/") && !is_here("http://127.0.0.0001/"));
    CHECK(!is_here("http://128.0.0.1/") && !is_here("http://127.0.0.a/"));
}

static const char *refusal_of(const char *text, const char *server_text) {
    mcpw_oauth_url url;
    mcpw_oauth_url server;
    CHECK(mcpw_oauth_url_read(mcpw_str_from(text), &url));
    CHECK(mcpw_oauth_url_read(mcpw_str_from(server_text), &server));
    const char *const refusal = mcpw_oauth_url_refusal(&url, &server);
    return refusal != NULL ? refusal : "";
}

static void private_servers_may_name_private_addresses(void) {
    static const char *const own[] = {"https://10.0.0.1/",       "https://[fc00::1]/",
                                      "https://[2002:a00:1::]/", "https://[2001:0:1::]/",
                                      "https://[2001::1]/",      "https://[2600:1:2:3::1.2.3.4]/",
                                      "https://[fe80::1]/"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        CHECK(strstr(refusal_of(own[i], WORLD_MCP), "private") != NULL);
        CHECK_STRING(refusal_of(own[i], "https://192.168.0.1/mcp"), "");
    }
    CHECK_STRING(refusal_of("https://[2600:1::1]/", WORLD_MCP), "");
    CHECK_STRING(refusal_of("https://[3fff:1::1]/a#b", "https://10.0.0.1/"), "has a fragment");
}

static bool covers(const char *resource_text, const char *server_text) {
    mcpw_oauth_url resource;
    mcpw_oauth_url server;
    CHECK(mcpw_oauth_url_read(mcpw_str_from(resource_text), &resource));
    CHECK(mcpw_oauth_url_read(mcpw_str_from(server_text), &server));
    return mcpw_oauth_url_covers(&resource, &server);
}

static void a_resource_with_a_query_is_one_server_alone(void) {
    CHECK(covers("https://a.example/mcp?a=1", "https://a.example/mcp?a=1"));
    CHECK(!covers("https://a.example/mcp?a=1", "https://a.example/mcp?a=2"));
    CHECK(!covers("https://a.example/mcp?a=1", "https://a.example/other?a=1"));
    CHECK(covers("https://a.example/", "https://a.example/mcp?a=1") &&
          covers("https://a.example", "https://a.example/"));
    CHECK(!covers("https://a.example/mc", "https://a.example/mcp") &&
          !covers("https://a.example/#a", "https://a.example/"));
    CHECK(!covers("http://a.example/", "https://a.example/") &&
          !covers("https://a.example:444/", "https://a.example/"));
}

static void resolved(const char *base_text, const char *location, const char *want) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_oauth_url base;
    CHECK(mcpw_oauth_url_read(mcpw_str_from(base_text), &base));
    const mcpw_str got = mcpw_oauth_url_resolve(&arena, &base, mcpw_str_from(location));
    CHECK_TEXT(got.ptr, got.len, want);
    mcpw_arena_free(&arena);
}

static void a_location_keeps_what_it_does_not_name(void) {
    resolved("http://127.0.0.1/a", "//b.example/c", "http://b.example/c");
    resolved("https://a.example", "b", "https://a.example/b");
    resolved("https://a.example", "", "https://a.example/");
    resolved("https://a.example/x/y", "b", "https://a.example/x/b");
    resolved("https://a.example/x/y", "/b", "https://a.example/b");
}

/* ---- Token exchange ------------------------------------------------------------------------------------ */

#define ANSWER                                                                                               \
    "{\"access_token\":\"new-token\",\"token_type\":\"Bearer\",\"issued_token_type\":\"urn:ietf:params:"     \
    "oauth:"                                                                                                 \
    "token-type:access_token\",\"expires_in\":60}"

static mcpw_oauth_upstream_config upstream_config(void) {
    mcpw_oauth_upstream_config config = MCPW_OAUTH_UPSTREAM_CONFIG_INIT;
    config.url = "https://up.example.com/mcp";
    config.issuer = WORLD_AS;
    config.token_endpoint = WORLD_AS "/token";
    config.client_id = "gateway";
    config.client_secret = "secret-of-the-gateway";
    config.audience = "up";
    config.scopes = "a b";
    return config;
}

/* One exchange with the allocation n refused. False: all of them were granted. */
static bool exchange(size_t n, const mcpw_oauth_signer *signer, bool is_stingy) {
    counting memory = {.fail_at = n, .stingy = is_stingy};
    mcpw_oauth_upstream_config config = upstream_config();
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    mcpw_http_field field = {{NULL, 0}, {NULL, 0}};
    mcpw_error error = {.code = MCPW_OK};
    config.allocator = counting_allocator(&memory);
    config.signer = signer;
    config.client_secret = signer == NULL ? config.client_secret : NULL;
    mcpw_oauth_upstream *const upstream = mcpw_oauth_upstream_new(&config, &error);
    mcpw_status status = upstream != NULL ? MCPW_OK : error.code;
    if (status == MCPW_OK) {
        status = mcpw_oauth_upstream_exchange(upstream, MCPW_STR_VALUE("received-token"), 1, &order, &error);
    }
    if (status == MCPW_OK) {
        status = mcpw_oauth_upstream_exchanged(upstream, 200, MCPW_STR_VALUE(ANSWER), 1, &error);
    }
    CHECK(status == MCPW_OK || (memory.failed && status == MCPW_E_MEMORY && error.code == status));
    CHECK(strstr(error.message, "token\"") == NULL && strstr(error.message, "secret") == NULL);
    const mcpw_status there = mcpw_oauth_upstream_field(upstream, config.url, 1, &field);
    CHECK(there == (status == MCPW_OK ? MCPW_OK : upstream != NULL ? MCPW_PENDING : MCPW_E_ARGUMENT));
    mcpw_oauth_upstream_free(upstream);
    CHECK(memory.in_use == 0);
    return memory.calls >= n;
}

static void an_exchange_that_lacks_memory_gives_no_token(void) {
    enum { MOST = 200 };
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    signer.self = &signatures;
    signer.algorithm = "ES256";
    signer.sign = world_sign;
    for (unsigned i = 0; i < 4; i++) {
        size_t n = 1;
        while (n < MOST && exchange(n, i < 2 ? NULL : &signer, i % 2 != 0)) {
            n++;
        }
        CHECK(n > 3 && n < MOST);
    }
}

static void an_exchange_needs_all_its_arguments(void) {
    const mcpw_oauth_upstream_config config = upstream_config();
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    mcpw_oauth_order bare = {.struct_size = 1};
    mcpw_http_field field = {{NULL, 0}, {NULL, 0}};
    mcpw_error error = {.code = MCPW_OK};
    const mcpw_str token = MCPW_STR("received-token");
    mcpw_oauth_upstream *const one = mcpw_oauth_upstream_new(&config, &error);
    CHECK(mcpw_oauth_upstream_exchange(NULL, token, 1, &order, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_upstream_exchange(one, (mcpw_str){NULL, 0}, 1, &order, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_upstream_exchange(one, token, 1, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_upstream_exchange(one, token, 1, &bare, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_upstream_exchanged(NULL, 200, token, 1, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_upstream_field(NULL, config.url, 1, &field) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_upstream_field(one, config.url, 1, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_upstream_field(one, "no URL", 1, &field) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_upstream_exchange(one, token, 1, &order, &error) == MCPW_OK);
    CHECK(mcpw_oauth_upstream_exchanged(one, 200, (mcpw_str){NULL, 0}, 1, &error) == MCPW_E_SYNTAX ||
          error.code != MCPW_OK);
    mcpw_oauth_upstream_free(one);
}

static void a_gateway_with_half_a_signer_is_not_made(void) {
    mcpw_oauth_upstream_config config = upstream_config();
    mcpw_oauth_signer signer = {.struct_size = 1};
    mcpw_error error = {.code = MCPW_OK};
    config.client_secret = NULL;
    config.signer = &signer;
    CHECK(mcpw_oauth_upstream_new(&config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    signer = (mcpw_oauth_signer)MCPW_OAUTH_SIGNER_INIT;
    signer.algorithm = "ES256";
    error = (mcpw_error){.code = MCPW_OK};
    CHECK(mcpw_oauth_upstream_new(&config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    CHECK(strstr(error.message, "lacks sign") != NULL);
}

static void a_nonce_beside_another_error_is_no_reason_to_ask_again(void) {
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    const mcpw_http_field nonce = {MCPW_STR_VALUE("DPoP-Nonce"), MCPW_STR_VALUE("n-1")};
    signer.self = &signatures;
    signer.algorithm = "ES256";
    signer.public_key = WORLD_JWK;
    signer.sign = world_sign;
    world_init(&w);
    w.config.dpop = &signer;
    world_open(&w);
    mcpw_oauth_step step = mcpw_oauth_next(w.oauth, &order, &w.error);
    while (step == MCPW_OAUTH_OPEN ||
           (step == MCPW_OAUTH_SEND && !mcpw_str_is(order.url, WORLD_AS "/token"))) {
        if (step == MCPW_OAUTH_OPEN) {
            world_visit(&w, order.url);
        } else {
            world_send(&w, &order);
        }
        step = mcpw_oauth_next(w.oauth, &order, &w.error);
    }
    CHECK(step == MCPW_OAUTH_SEND);
    mcpw_oauth_response(w.oauth, 400, &nonce, 1, MCPW_STR_VALUE("{\"error\":\"invalid_grant\"}"));
    CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_FAILED &&
          w.error.code == MCPW_E_UNAUTHORIZED);
    CHECK(strstr(w.error.message, "invalid_grant") != NULL);
    world_close(&w);
}

int main(void) {
    RUN(a_gateway_with_half_a_signer_is_not_made);
    RUN(a_nonce_beside_another_error_is_no_reason_to_ask_again);
    RUN(calls_without_their_objects_are_refused);
    RUN(a_request_without_a_response_names_its_receiver);
    RUN(limits_of_the_program_hold);
    RUN(a_name_that_is_no_utf8_is_not_registered);
    RUN(configs_one_step_off_are_refused);
    RUN(a_signing_client_needs_an_issuer);
    RUN(a_store_needs_all_of_its_functions);
    RUN(a_signature_without_bytes_or_with_too_many_ends_the_login);
    RUN(escapes_of_a_form_are_read_as_a_browser_does);
    RUN(a_form_keeps_unreserved_characters_alone);
    RUN(scopes_have_printable_characters_without_quotes);
    RUN(hosts_and_ports_at_their_borders);
    RUN(this_machine_has_few_names);
    RUN(private_servers_may_name_private_addresses);
    RUN(a_resource_with_a_query_is_one_server_alone);
    RUN(a_location_keeps_what_it_does_not_name);
    RUN(an_exchange_that_lacks_memory_gives_no_token);
    RUN(an_exchange_needs_all_its_arguments);
    return check_end();
}
