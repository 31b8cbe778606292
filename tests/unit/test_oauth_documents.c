/* SPDX-License-Identifier: MIT */
/* Hostile documents: each ends the login with an error that names the document and what was expected. */
#include "oauth_world.h"

#include "proof.h"
#include "url.h"

#include <stdint.h>

static world w;

#define METADATA_URL WORLD_AS "/.well-known/oauth-authorization-server"
#define ENDPOINTS                                                                                            \
    "\"authorization_endpoint\":\"" WORLD_AS "/authorize\",\"token_endpoint\":\"" WORLD_AS                   \
    "/token\",\"registration_endpoint\":\"" WORLD_AS                                                         \
    "/register\",\"code_challenge_methods_supported\":[\"S256\"]"

/* One answer of the world is this one. The message of the error has these words. */
static void check_answer(const char *method, const char *url, int status, const char *body,
                         const char *words) {
    world_init(&w);
    w.overrides[0] = (world_override){method, url, status, body, NULL};
    world_open(&w);
    CHECK(world_call(&w) == 0);
    if (strstr(w.error.message, words) == NULL) {
        CHECK_STRING(w.error.message, words);
    }
    CHECK(w.error.code != MCPW_OK && strlen(w.error.message) < sizeof w.error.message);
    world_check_secrets(&w);
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED); /* as often as it is asked */
    world_close(&w);
}

static void metadata_of_the_resource(void) {
    static const struct {
        const char *body;
        const char *words;
    } bad[] = {
        {"", "resource metadata: "},
        {"<html>", "resource metadata: "},
        {"[]", "resource metadata: expected object, got array"},
        {"{\"resource\":\"" WORLD_MCP "\"}", "authorization_servers"},
        {"{\"resource\":5,\"authorization_servers\":[\"" WORLD_AS "\"]}",
         "resource metadata: /resource: expected string"},
        {"{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":\"" WORLD_AS "\"}",
         "resource metadata: /authorization_servers: expected array"},
        {"{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[]}",
         "resource metadata: /authorization_servers"},
        {"{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[null]}",
         "resource metadata: /authorization_servers/0"},
        {"{\"resource\":\"" WORLD_MCP "\",\"resource\":\"" WORLD_MCP
         "\",\"authorization_servers\":[\"" WORLD_AS "\"]}",
         "resource metadata: /resource"},
        {"{\"Resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS "\"]}", "resource"},
        {"{\"resource\":\"" WORLD_MCP "\\u0000\",\"authorization_servers\":[\"" WORLD_AS "\"]}",
         "resource metadata: resource"},
        {"{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS "\\n\"]}",
         "resource metadata: authorization_servers"},
        {"{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS "\"]} {}",
         "resource metadata: "},
        {"{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS "\"],\"x\":"
         "[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]}",
         "resource metadata: "},
        {"{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS
         "\"],\"scopes_supported\":[\"a\\u0007\"]}",
         "scopes of the MCP server"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_answer("GET", WORLD_PRM_PATH, 200, bad[i].body, bad[i].words);
        CHECK(w.registrations == 0 && w.authorizations == 0);
    }
    check_answer("GET", WORLD_PRM_PATH, 500, "{}", "resource metadata: HTTP status 500");
    check_answer("GET", WORLD_PRM_PATH, 404, "{}", "resource metadata: HTTP status 404"); /* it was named */
}

static void metadata_of_the_authorization_server(void) {
    static const struct {
        const char *body;
        const char *words;
    } bad[] = {
        {"null", "metadata of the authorization server: expected object, got null"},
        {"{" ENDPOINTS "}", "issuer"},
        {"{\"issuer\":\"" WORLD_AS "\"}", "token_endpoint: is missing"},
        {"{\"issuer\":\"" WORLD_AS "\",\"token_endpoint\":\"" WORLD_AS "/t\"}",
         "authorization_endpoint: is missing"},
        {"{\"issuer\":\"" WORLD_AS "/\"," ENDPOINTS "}", "issuer: expected " WORLD_AS ", byte for byte"},
        {"{\"issuer\":\"" WORLD_AS "\",\"issuer\":\"https://x.example\"," ENDPOINTS "}", "issuer"},
        {"{\"issuer\":{}," ENDPOINTS "}", "issuer: expected string, got object"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_answer("GET", METADATA_URL, 200, bad[i].body, bad[i].words);
        CHECK(w.registrations == 0 && w.authorizations == 0);
    }
    check_answer("GET", METADATA_URL, 503, "", "metadata of the authorization server: HTTP status 503");
    check_answer("GET", METADATA_URL, 404, "{}", "metadata of the authorization server: none at " WORLD_AS);
}

/* Servers of the Python SDK 1.x add a slash to the issuer, and the metadata of the issuer have none. */
static void a_slash_after_the_issuer(void) {
    static const char *const named =
        "{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS "/\"]}";
    check_answer("GET", WORLD_PRM_PATH, 200, named, "configure it as the expected issuer");
    CHECK(w.registrations == 0 && w.authorizations == 0);
    world_init(&w);
    w.config.issuer = WORLD_AS;
    w.overrides[0] = (world_override){"GET", WORLD_PRM_PATH, 200, named, NULL};
    world_open(&w);
    CHECK(world_call(&w) == 200);
    world_close(&w);
}

static void a_slash_after_the_path_of_an_issuer_is_another_issuer(void) {
    static const char *const named =
        "{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS "/a/\"]}";
    world_init(&w);
    w.config.issuer = WORLD_AS "/a";
    w.overrides[0] = (world_override){"GET", WORLD_PRM_PATH, 200, named, NULL};
    world_open(&w);
    CHECK(world_call(&w) == 0 && strstr(w.error.message, "authorization_servers: expected") != NULL);
    world_close(&w);
}

static void answers_to_registrations(void) {
    static const char *const url = WORLD_AS "/register";
    check_answer("POST", url, 201, "{}", "registration response: ");
    check_answer("POST", url, 201, "{\"client_id\":\"\"}", "registration response: ");
    check_answer("POST", url, 201, "{\"client_id\":\"c\",\"client_secret\":[\"secret-of-x\"]}",
                 "registration response: value has the wrong JSON type");
    check_answer("POST", url, 400,
                 "{\"error\":\"invalid_redirect_uri\",\"error_description\":\"only https\"}",
                 "registration of the client: invalid_redirect_uri: only https; register a client by hand");
    check_answer("POST", url, 403, "no", "registration of the client: HTTP status 403");
}

static void token_answers(void) {
    static const char *const url = WORLD_AS "/token";
    check_answer("POST", url, 200, "access_token=access-token-x&token_type=bearer", "token response: ");
    check_answer("POST", url, 200, "{\"access_token\":\"access-token-x\"}", "token response: ");
    check_answer("POST", url, 200, "{\"access_token\":[\"access-token-x\"],\"token_type\":\"Bearer\"}",
                 "token response: ");
    check_answer("POST", url, 200, "{\"access_token\":\"access-token-x\",\"token_type\":\"mac\"}",
                 "token response: token_type: expected Bearer");
    check_answer("POST", url, 200, "{\"access_token\":\"access-token-x\",\"token_type\":\"DPoP\"}",
                 "token response: token_type: expected Bearer");
    check_answer("POST", url, 200,
                 "{\"access_token\":\"access-token-x\",\"token_type\":\"Bearer\",\"expires_in\":-1}",
                 "token response: ");
    check_answer(
        "POST", url, 200,
        "{\"access_token\":\"access-token-x\",\"token_type\":\"Bearer\",\"expires_in\":\"access-token-y\"}",
        "token response: ");
    check_answer("POST", url, 200,
                 "{\"access_token\":\"access-token-x\",\"token_type\":\"Bearer\",\"scope\":\"a\\u0001\"}",
                 "token response: scope");
    check_answer("POST", url, 200, "{\"access_token\":\"access-token-x", "token response: ");
    check_answer("POST", url, 200, "{\"error\":\"invalid_grant\"}", "token response: ");
    check_answer("POST", url, 400, "{\"error\":5}", "token endpoint: HTTP status 400");
    check_answer("POST", url, 401, "{\"error\":\"invalid_client\",\"error_description\":\"who are you\"}",
                 "token endpoint: invalid_client: who are you; log in again");
}

static void redirects_without_a_code_are_reported(void) {
    char redirect[WORLD_TEXT * 3];
    world_init(&w);
    w.is_user_away = true;
    world_open(&w);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    (void)snprintf(redirect, sizeof redirect, "state=%s&code=&iss=" WORLD_AS, w.redirect_state);
    CHECK(mcpw_oauth_redirected(w.oauth, mcpw_str_from(redirect), &w.error) == MCPW_OK);
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED &&
          strstr(w.error.message, "redirect: code: is missing") != NULL);
    world_close(&w);
}

static void a_server_that_registers_nobody_is_reported(void) {
    world_init(&w);
    w.as[0].no_registration = true;
    world_open(&w);
    CHECK(world_call(&w) == 0 &&
          strstr(w.error.message, "registration_endpoint: is missing; register a client") != NULL);
    world_close(&w);
}

static void answers_of_the_identity_provider(void) {
    static const mcpw_oauth_credential known = {.client_id = "known", .client_secret = "known-secret"};
    static const struct {
        int status;
        const char *body;
        const char *words;
    } bad[] = {
        {400, "{\"error\":\"invalid_grant\"}",
         "identity provider: invalid_grant; log in at the identity provider"},
        {200, "{}", "token response: "},
        {200, "{\"access_token\":\"x\",\"token_type\":\"Bearer\"}", "token_type: expected N_A"},
        {200, "{\"access_token\":\"x\",\"token_type\":\"N_A\"}", "issued_token_type: expected an ID-JAG"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        world_init(&w);
        w.config.grant = MCPW_OAUTH_ID_JAG;
        w.config.issuer = WORLD_AS;
        w.config.credentials = &known;
        w.config.credential_count = 1;
        w.config.idp_token_endpoint = "https://idp.example.com/token";
        w.config.idp_client_id = "idp-client";
        w.config.idp_id_token = "id-token-of-the-user";
        w.overrides[0] =
            (world_override){"POST", "https://idp.example.com/token", bad[i].status, bad[i].body, NULL};
        world_open(&w);
        CHECK(world_call(&w) == 0 && strstr(w.error.message, bad[i].words) != NULL);
        CHECK(w.tokens == 0);
        world_check_secrets(&w);
        world_close(&w);
    }
}

static void null_members_are_absent(void) {
    world_init(&w);
    w.overrides[0] = (world_override){"POST", WORLD_AS "/token", 200,
                                      "{\"access_token\":\"access-token-1\",\"token_type\":\"bearer\","
                                      "\"refresh_token\":null,\"expires_in\":null,"
                                      "\"scope\":null,\"more\":{\"a\":[1]}}",
                                      NULL};
    world_open(&w);
    mcpw_oauth_begin(w.oauth, false);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE);
    world_close(&w);
}

static void lifetimes_that_are_too_long_do_not_overflow(void) {
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    world_init(&w);
    w.overrides[0] = (world_override){
        "POST", WORLD_AS "/token", 200,
        "{\"access_token\":\"access-token-1\",\"token_type\":\"Bearer\",\"expires_in\":9223372036854775807}",
        NULL};
    world_open(&w);
    mcpw_oauth_begin(w.oauth, false);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE && mcpw_oauth_read(w.oauth, &login) == MCPW_OK);
    CHECK(login.expires_at > w.now && login.expires_at < INT64_MAX);
    world_close(&w);
}

/* GHSA-rwrf-2pqf-9j8j: a document without end. */
static void documents_that_are_too_long_are_refused(void) {
    const size_t len = 256 * 1024 + 1;
    char *const body = malloc(len);
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    CHECK(body != NULL);
    memset(body, ' ', len);
    world_init(&w);
    world_open(&w);
    CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_SEND && order.max_body == len - 1);
    mcpw_oauth_response(w.oauth, 200, NULL, 0, (mcpw_str){body, len});
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_SIZE);
    CHECK(strstr(w.error.message, "resource metadata: longer than 262144 bytes") != NULL);
    world_close(&w);
    free(body);
}

static void scopes_that_are_too_long_are_refused(void) {
    char scope[WORLD_TEXT];
    memset(scope, 'a', sizeof scope);
    scope[sizeof scope - 1] = '\0';
    world_init(&w);
    w.config.max_scopes = 100;
    w.scope = scope;
    w.scope += WORLD_TEXT - 102; /* 101 bytes */
    world_open(&w);
    CHECK(world_call(&w) == 0 && strstr(w.error.message, "at most 100 bytes") != NULL &&
          w.authorizations == 0);
    world_close(&w);
}

static void challenges_that_cannot_be_read_are_none(void) {
    static const char *const values[] = {"", ",,,",
                                         "Bearer resource_metadata=", "Bearer resource_metadata=\"", "\x01"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
        world_init(&w);
        world_open(&w);
        CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &pass, &w.error) == MCPW_OK);
        CHECK(mcpw_oauth_answered(w.oauth, &pass, 401, mcpw_str_from(values[i]), mcpw_str_from(values[i]),
                                  &w.error) == MCPW_OAUTH_BEGIN);
        const mcpw_oauth_step step = world_drive(&w);
        CHECK(step == MCPW_OAUTH_DONE || step == MCPW_OAUTH_FAILED);
        world_close(&w);
    }
}

static void responses_that_nobody_asked_for_are_ignored(void) {
    world_init(&w);
    world_open(&w);
    mcpw_oauth_response(w.oauth, 200, NULL, 0, MCPW_STR_VALUE("{}"));
    mcpw_oauth_no_response(w.oauth, NULL);
    CHECK(mcpw_oauth_redirected(w.oauth, MCPW_STR_VALUE("code=x"), &w.error) == MCPW_E_STATE);
    CHECK(world_call(&w) == 200);
    mcpw_oauth_response(w.oauth, 500, NULL, 0, MCPW_STR_VALUE("{}"));
    mcpw_oauth_no_response(w.oauth, NULL);
    CHECK(world_call(&w) == 200);
    world_close(&w);
}

static void misuse_is_an_error(void) {
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    mcpw_error error;
    CHECK(mcpw_oauth_new(NULL, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    mcpw_oauth_free(NULL);
    mcpw_oauth_begin(NULL, false);
    mcpw_oauth_forget(NULL);
    mcpw_oauth_memory_free(NULL);
    mcpw_oauth_files_free(NULL);
    CHECK(mcpw_oauth_deadline(NULL) == UINT64_MAX);
    CHECK(mcpw_oauth_next(NULL, &order, &error) == MCPW_OAUTH_FAILED && error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_fields(NULL, "GET", WORLD_MCP, &pass, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_oauth_answered(NULL, &pass, 200, (mcpw_str){NULL, 0}, (mcpw_str){NULL, 0}, &error) ==
          MCPW_OAUTH_GIVE_UP);
    world_init(&w);
    w.oauth = mcpw_oauth_new(&w.config, &error);
    CHECK(mcpw_oauth_next(w.oauth, &order, &error) == MCPW_OAUTH_FAILED && error.code == MCPW_E_STATE);
    CHECK(mcpw_oauth_fields(w.oauth, "GET", WORLD_MCP, &pass, &error) == MCPW_E_STATE);
    world_close(&w);
}

static void configs_that_lack_something_are_refused(void) {
    static const mcpw_oauth_credential no_id = {.client_secret = "known-secret", .issuer = WORLD_AS};
    static const mcpw_oauth_credential no_secret = {.client_id = "c", .method = MCPW_OAUTH_METHOD_POST};
    static const mcpw_oauth_credential no_key = {
        .client_id = "c", .method = MCPW_OAUTH_METHOD_JWT, .issuer = WORLD_AS};
    for (unsigned i = 0; i < 9; i++) {
        mcpw_oauth_store store = MCPW_OAUTH_STORE_INIT;
        world_init(&w);
        w.config.issuer = WORLD_AS;
        w.config.credentials = i == 0 ? &no_id : i == 1 ? &no_secret : &no_key;
        w.config.credential_count = i < 3 ? 1 : 0;
        w.config.redirect_uri = i == 3 ? NULL : i == 4 ? "http://app.example.com/" : WORLD_REDIRECT;
        w.config.client_metadata_url = i == 5 ? "https://client.example.com" : NULL;
        w.config.store = i == 6 ? &store : NULL;
        w.config.grant = i == 7   ? MCPW_OAUTH_CLIENT_CREDENTIALS
                         : i == 8 ? MCPW_OAUTH_ID_JAG
                                  : MCPW_OAUTH_CODE;
        CHECK(mcpw_oauth_new(&w.config, &w.error) == NULL && w.error.code == MCPW_E_ARGUMENT);
        CHECK(strncmp(w.error.message, "config: ", strlen("config: ")) == 0);
        world_check_secrets(&w);
        mcpw_arena_free(&w.arena);
    }
}

/* ---- Rare ways of using a login ---------------------------------------------------------------------------
 */

static void white_space_around_fields_is_no_part_of_them(void) {
    const mcpw_http_field fields[] = {{MCPW_STR("Location"), MCPW_STR(" \t" WORLD_ORIGIN "/elsewhere \t")}};
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    world_init(&w);
    world_open(&w);
    mcpw_oauth_begin(w.oauth, false);
    CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_SEND);
    mcpw_oauth_response(w.oauth, 302, fields, 1, MCPW_STR_VALUE(""));
    CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_SEND);
    CHECK_TEXT(order.url.ptr, order.url.len, WORLD_ORIGIN "/elsewhere");
    world_close(&w);
}

static void nothing_is_no_argument(void) {
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    const mcpw_str none = {NULL, 0};
    world_init(&w);
    world_open(&w);
    CHECK(mcpw_oauth_redirected(w.oauth, none, &w.error) == MCPW_E_ARGUMENT);
    CHECK(strstr(w.error.message, "mcpw_oauth_redirected") != NULL);
    CHECK(mcpw_oauth_read(w.oauth, NULL) == MCPW_E_ARGUMENT);
    login.struct_size = 1;
    CHECK(mcpw_oauth_read(w.oauth, &login) == MCPW_E_ARGUMENT);
    world_close(&w);
}

static void a_store_in_memory_knows_nothing_of_keys_that_it_never_got(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    const mcpw_str key = MCPW_STR("[\"server\",\"x\"]");
    const mcpw_str none = {NULL, 0};
    mcpw_str value;
    mcpw_arena arena = MCPW_ARENA_INIT;
    store->unlock(store->self, key);
    CHECK(store->save(store->self, key, none) == MCPW_OK);
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_E_NOT_FOUND);
    mcpw_arena_free(&arena);
    mcpw_oauth_memory_free(store);
}

/* ---- Nonces -----------------------------------------------------------------------------------------------
 */

static bool keeps(const char *place, size_t len) {
    char nonce[512];
    mcpw_oauth_url url;
    memset(nonce, 'n', sizeof nonce);
    CHECK(mcpw_oauth_url_read(mcpw_str_from(place), &url));
    return mcpw_oauth_keep_nonce(w.oauth, &url, (mcpw_str){nonce, len});
}

static void a_host_that_is_too_long_to_be_kept_has_no_nonce(void) {
    enum { LONG = 320 };
    char place[LONG + 16] = "https://";
    world_init(&w);
    world_open(&w);
    memset(place + strlen("https://"), 'a', LONG);
    CHECK(!keeps(place, 1));
    world_close(&w);
}

static void nonces_of_4_origins_are_kept_of_256_bytes_at_most(void) {
    static const char *const places[] = {"https://a.example/x", "https://b.example/", "https://c.example/",
                                         "https://d.example/"};
    world_init(&w);
    world_open(&w);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        CHECK(!keeps(places[i], 257) && keeps(places[i], 256));
    }
    CHECK(!keeps("https://A.example:443/y", 256)); /* it is known, as all are */
    CHECK(keeps("https://e.example/", 256));       /* in the place of the oldest */
    CHECK(!keeps("https://d.example/", 256) && keeps("https://a.example/", 256));
    world_close(&w);
}

/* The name that the refusal of a config begins with. */
static void check_config(const char *member) {
    const size_t len = strlen("config: ");
    CHECK(mcpw_oauth_new(&w.config, &w.error) == NULL && w.error.code == MCPW_E_ARGUMENT);
    CHECK(strncmp(w.error.message, "config: ", len) == 0 &&
          strncmp(w.error.message + len, member, strlen(member)) == 0);
    mcpw_arena_free(&w.arena);
}

static void structs_that_were_not_initialised_are_refused(void) {
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    mcpw_oauth_store store = MCPW_OAUTH_STORE_INIT;
    signer.struct_size = store.struct_size = 1;
    for (unsigned i = 0; i < 4; i++) {
        world_init(&w);
        w.config.struct_size = i == 0 ? 1 : w.config.struct_size;
        w.config.signer = i == 1 ? &signer : NULL;
        w.config.dpop = i == 2 ? &signer : NULL;
        w.config.store = i == 3 ? &store : NULL;
        check_config("struct_size");
    }
}

static void grants_that_lack_something_are_refused(void) {
    static const mcpw_oauth_credential known = {.client_id = "c"};
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    world_init(&w);
    w.config.grant = (mcpw_oauth_grant)(MCPW_OAUTH_JWT_BEARER + 1);
    check_config("grant");
    world_init(&w);
    w.config.grant = MCPW_OAUTH_JWT_BEARER;
    w.config.issuer = WORLD_AS;
    check_config("assertion");
    world_init(&w);
    w.config.grant = MCPW_OAUTH_ID_JAG;
    w.config.issuer = WORLD_AS;
    w.config.credentials = &known;
    w.config.credential_count = 1;
    w.config.idp_token_endpoint = "https://idp.example.com/token";
    check_config("idp_id_token");
    world_init(&w);
    signer.algorithm = "none";
    w.config.signer = &signer;
    check_config("signer");
}

/* ---- URLs ------------------------------------------------------------------------------------------------
 */

static void urls_that_are_none(void) {
    static const char *const bad[] = {"",
                                      "x",
                                      "https:",
                                      "https://",
                                      "https:///a",
                                      "https://:1",
                                      "https://a:",
                                      "https://a:b",
                                      "https://a:65536",
                                      "https://a b",
                                      "https://a@b",
                                      "https://a\\b",
                                      "https://[::1",
                                      "https://[x]",
                                      "https://[]",
                                      "https://a%41",
                                      "https://a\t",
                                      "https://\xC3\xA4",
                                      "//a",
                                      "https://a:-1"};
    char longest[MCPW_OAUTH_MOST_URL + 2];
    mcpw_oauth_url url;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!mcpw_oauth_url_read(mcpw_str_from(bad[i]), &url));
    }
    memset(longest, 'a', sizeof longest);
    memcpy(longest, "https://", strlen("https://"));
    CHECK(mcpw_oauth_url_read((mcpw_str){longest, MCPW_OAUTH_MOST_URL}, &url));
    CHECK(!mcpw_oauth_url_read((mcpw_str){longest, MCPW_OAUTH_MOST_URL + 1}, &url));
    CHECK(!mcpw_oauth_url_read((mcpw_str){"https://a\0b", 11}, &url));
}

static void urls_are_taken_apart(void) {
    mcpw_oauth_url url;
    CHECK(mcpw_oauth_url_read(mcpw_str_from("HTTPS://A.example:8443/p/q?x=/y#f"), &url));
    CHECK_TEXT(url.origin.ptr, url.origin.len, "HTTPS://A.example:8443");
    CHECK_TEXT(url.host.ptr, url.host.len, "A.example");
    CHECK_TEXT(url.path.ptr, url.path.len, "/p/q");
    CHECK_TEXT(url.query.ptr, url.query.len, "?x=/y");
    CHECK(url.port == 8443 && url.is_https && url.has_fragment);
    CHECK(mcpw_oauth_url_read(mcpw_str_from("http://[::1]?x"), &url) && url.port == 80 && url.path.len == 0);
    CHECK_TEXT(url.host.ptr, url.host.len, "[::1]");
    CHECK(mcpw_oauth_url_is_loopback(&url));
}

static void locations_are_resolved(void) {
    static const struct {
        const char *location;
        const char *url;
    } all[] = {{"https://b/x", "https://b/x"}, {"//b/x", "https://b/x"},   {"/x", "https://a:1/x"},
               {"x", "https://a:1/p/x"},       {"?y", "https://a:1/p/?y"}, {"", "https://a:1/p/"}};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_oauth_url base;
    CHECK(mcpw_oauth_url_read(mcpw_str_from("https://a:1/p/q?z"), &base));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const mcpw_str url = mcpw_oauth_url_resolve(&arena, &base, mcpw_str_from(all[i].location));
        CHECK_TEXT(url.ptr, url.len, all[i].url);
    }
    CHECK(mcpw_oauth_url_read(mcpw_str_from("https://a"), &base));
    const mcpw_str url = mcpw_oauth_url_resolve(&arena, &base, mcpw_str_from("x"));
    CHECK_TEXT(url.ptr, url.len, "https://a/x");
    mcpw_arena_free(&arena);
}

static void addresses_that_are_public(void) {
    static const unsigned char ipv4[][5] = {
        {8, 8, 8, 8, 1},      {1, 1, 1, 1, 1},     {172, 15, 0, 1, 1},      {172, 32, 0, 1, 1},
        {100, 63, 0, 1, 1},   {100, 128, 0, 1, 1}, {192, 169, 0, 1, 1},     {223, 255, 255, 1, 1},
        {10, 1, 2, 3, 0},     {127, 0, 0, 1, 0},   {169, 254, 169, 254, 0}, {172, 16, 0, 1, 0},
        {172, 31, 255, 1, 0}, {192, 168, 3, 4, 0}, {100, 64, 0, 1, 0},      {100, 127, 0, 1, 0},
        {0, 0, 0, 0, 0},      {224, 0, 0, 1, 0},   {255, 255, 255, 255, 0}, {198, 19, 0, 1, 0},
        {192, 0, 2, 9, 0},    {203, 0, 113, 7, 0}};
    static const unsigned char ipv6[][17] = {{0x26, 0x06, 0x47, 0, [15] = 1, [16] = 1},
                                             {[15] = 1},
                                             {0},
                                             {0xFC, [15] = 1},
                                             {0xFD, 1, [15] = 1},
                                             {0xFE, 0x80, [15] = 1},
                                             {0xFF, 2, [15] = 1},
                                             {0x20, 1, 0x0D, 0xB8, [15] = 1},
                                             {0x20, 1, 0, 0, [15] = 1},
                                             {[10] = 0xFF, 0xFF, 10, 0, 0, 1},
                                             {[10] = 0xFF, 0xFF, 8, 8, 8, 8, 1},
                                             {0, 0x64, 0xFF, 0x9B, [12] = 127, 0, 0, 1},
                                             {0x20, 2, 192, 168, 0, 1},
                                             {0x20, 2, 8, 8, 8, 8, [16] = 1}};
    for (size_t i = 0; i < sizeof ipv4 / sizeof *ipv4; i++) {
        CHECK(mcpw_oauth_address_is_public(ipv4[i], 4) == (ipv4[i][4] == 1));
    }
    for (size_t i = 0; i < sizeof ipv6 / sizeof *ipv6; i++) {
        CHECK(mcpw_oauth_address_is_public(ipv6[i], 16) == (ipv6[i][16] == 1));
    }
    CHECK(!mcpw_oauth_address_is_public(NULL, 4) && !mcpw_oauth_address_is_public(ipv4[0], 3));
}

int main(void) {
    RUN(metadata_of_the_resource);
    RUN(metadata_of_the_authorization_server);
    RUN(a_slash_after_the_issuer);
    RUN(a_slash_after_the_path_of_an_issuer_is_another_issuer);
    RUN(answers_to_registrations);
    RUN(token_answers);
    RUN(redirects_without_a_code_are_reported);
    RUN(a_server_that_registers_nobody_is_reported);
    RUN(answers_of_the_identity_provider);
    RUN(null_members_are_absent);
    RUN(lifetimes_that_are_too_long_do_not_overflow);
    RUN(documents_that_are_too_long_are_refused);
    RUN(scopes_that_are_too_long_are_refused);
    RUN(challenges_that_cannot_be_read_are_none);
    RUN(responses_that_nobody_asked_for_are_ignored);
    RUN(misuse_is_an_error);
    RUN(configs_that_lack_something_are_refused);
    RUN(white_space_around_fields_is_no_part_of_them);
    RUN(nothing_is_no_argument);
    RUN(a_store_in_memory_knows_nothing_of_keys_that_it_never_got);
    RUN(a_host_that_is_too_long_to_be_kept_has_no_nonce);
    RUN(nonces_of_4_origins_are_kept_of_256_bytes_at_most);
    RUN(structs_that_were_not_initialised_are_refused);
    RUN(grants_that_lack_something_are_refused);
    RUN(urls_that_are_none);
    RUN(urls_are_taken_apart);
    RUN(locations_are_resolved);
    RUN(addresses_that_are_public);
    return check_end();
}
