/* SPDX-License-Identifier: MIT */
/* Mistakes for which other clients got advisories, by their classes. None of them can be made here. */
#include "oauth_world.h"

#include <time.h>

static world w;

static const mcpw_oauth_credential known = {.client_id = "known", .client_secret = "known-secret"};
static const mcpw_oauth_credential bound = {
    .issuer = WORLD_AS, .client_id = "known", .client_secret = "known-secret"};

/* The config is refused, by the name of a member. */
static void check_refused(const char *member) {
    mcpw_oauth *const oauth = mcpw_oauth_new(&w.config, &w.error);
    CHECK(oauth == NULL && w.error.code == MCPW_E_ARGUMENT);
    CHECK(strstr(w.error.message, member) != NULL);
    world_check_secrets(&w);
    mcpw_oauth_free(oauth);
    mcpw_arena_free(&w.arena);
}

/* The login ends before anybody was asked to register, authorize or issue. */
static void check_stopped(const char *words) {
    world_open(&w);
    CHECK(world_call(&w) == 0);
    CHECK(w.registrations == 0 && w.authorizations == 0 && w.tokens == 0);
    if (strstr(w.error.message, words) == NULL) {
        CHECK_STRING(w.error.message, words);
    }
    world_check_secrets(&w);
    world_close(&w);
}

/* ---- Bound to the issuer (CVE-2026-104850, GHSA-qx49-fqc8-xw99) ------------------------------------------
 */

static void issuer_binding_a_secret_needs_an_issuer(void) {
    world_init(&w);
    w.config.credentials = &known;
    w.config.credential_count = 1;
    check_refused("issuer");
}

static void issuer_binding_a_grant_without_a_user_needs_an_issuer(void) {
    world_init(&w);
    w.config.grant = MCPW_OAUTH_JWT_BEARER;
    w.config.assertion = "the.workload.jwt";
    check_refused("issuer");
}

static void issuer_binding_the_switch_for_tests_pins_what_is_discovered(void) {
    world_init(&w);
    w.config.grant = MCPW_OAUTH_JWT_BEARER;
    w.config.assertion = "the.workload.jwt";
    w.config.trust_discovered_issuer = true;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    world_close(&w);
}

static void issuer_binding_a_secret_stays_with_its_issuer_on_401(void) {
    world_init(&w);
    w.config.credentials = &bound;
    w.config.credential_count = 1;
    w.current_as = 1;
    check_stopped("authorization_servers: expected " WORLD_AS);
    CHECK(!world_saw(&w, "known-secret") && !world_saw(&w, WORLD_AS2));
}

static void issuer_binding_of_several_credentials_only_the_issuers_own_is_used(void) {
    const mcpw_oauth_credential both[] = {
        bound, {.issuer = WORLD_AS2, .client_id = "other", .client_secret = "other-secret"}};
    world_init(&w);
    w.config.credentials = both;
    w.config.credential_count = 2;
    w.current_as = 1;
    w.as[1].methods = "[\"client_secret_post\"]";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK_STRING(world_param(&w, w.form, "client_secret"), "other-secret");
    CHECK(!world_saw(&w, "known-secret"));
    world_close(&w);
}

static void issuer_binding_credentials_of_other_issuers_alone_are_no_help(void) {
    const mcpw_oauth_credential both[] = {
        {.issuer = "https://a.example.com", .client_id = "a", .client_secret = "known-secret"},
        {.issuer = "https://b.example.com", .client_id = "b", .client_secret = "known-secret"}};
    world_init(&w);
    w.config.credentials = both;
    w.config.credential_count = 2;
    check_stopped("the client's credentials are of another issuer than " WORLD_AS);
    CHECK(!world_saw(&w, "known-secret"));
}

static void issuer_binding_of_several_issuers_the_one_that_knows_the_client_is_asked(void) {
    const mcpw_oauth_credential both[] = {
        {.issuer = "https://a.example.com", .client_id = "a", .client_secret = "known-secret"},
        {.issuer = WORLD_AS2,
         .client_id = "b",
         .client_secret = "other-secret",
         .method = MCPW_OAUTH_METHOD_POST}};
    world_init(&w);
    w.config.credentials = both;
    w.config.credential_count = 2;
    w.current_as = 1;
    w.overrides[0] = (world_override){"GET", WORLD_PRM_PATH, 200,
                                      "{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS
                                      "\",\"" WORLD_AS2 "\"]}",
                                      NULL};
    world_open(&w);
    CHECK(world_call(&w) == 200 && !world_saw(&w, "known-secret"));
    CHECK_STRING(world_param(&w, w.form, "client_secret"), "other-secret");
    world_close(&w);
}

static void issuer_binding_a_secret_stays_with_its_issuer_without_resource_metadata(void) {
    world_init(&w);
    w.config.credentials = &bound;
    w.config.credential_count = 1;
    w.prm_url = w.prm_named = NULL;
    w.as[1].issuer = WORLD_ORIGIN;
    w.as[1].metadata_url = WORLD_ORIGIN "/.well-known/oauth-authorization-server";
    check_stopped("authorization_servers: expected " WORLD_AS);
}

static void issuer_binding_a_token_stays_with_its_issuer_on_step_up(void) {
    world_init(&w);
    w.as[0].issues_refresh = true;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    w.needs = "mcp:write";
    w.current_as = 1;
    const size_t before = w.log_len;
    CHECK(world_call(&w) == 200);
    CHECK(strstr(w.log + before, "refresh-token-1") == NULL && w.refreshes == 0);
    CHECK(strstr(w.log + before, "POST " WORLD_AS "/") == NULL);
    world_close(&w);
}

static void issuer_binding_a_refresh_token_stays_with_its_issuer(void) {
    world_init(&w);
    w.as[0].issues_refresh = true;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    w.current_as = 1;
    w.token[0] = '\0'; /* the MCP server refuses it */
    const size_t before = w.log_len;
    CHECK(world_call(&w) == 200);
    CHECK(strstr(w.log + before, "refresh-token-1") == NULL);
    world_close(&w);
}

static void issuer_binding_a_refresh_token_stays_though_the_client_id_is_portable(void) {
    world_init(&w);
    w.config.client_metadata_url = WORLD_CIMD;
    w.as[0].issues_refresh = true;
    w.as[0].more = w.as[1].more = ",\"client_id_metadata_document_supported\":true";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    w.current_as = 1;
    const size_t before = w.log_len;
    CHECK(world_call(&w) == 200 && w.authorizations == 2);
    CHECK(strstr(w.log + before, "refresh-token-1") == NULL);
    world_close(&w);
}

static void issuer_binding_what_is_stored_without_issuer_is_discarded(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    const mcpw_str server = MCPW_STR("[\"server\",\"" WORLD_MCP "\"]");
    const mcpw_str token = MCPW_STR("[\"token\",\"" WORLD_AS "\",\"" WORLD_MCP "\",\"c\"]");
    world_init(&w);
    w.config.store = store;
    CHECK(store->save(store->self, server,
                      MCPW_STR_VALUE("{\"issuer\":\"" WORLD_AS "\",\"resource\":\"" WORLD_MCP
                                     "\",\"client_id\":\"c\"}")) == MCPW_OK);
    CHECK(store->save(store->self, token,
                      MCPW_STR_VALUE("{\"resource\":\"" WORLD_MCP
                                     "\",\"client_id\":\"c\",\"access_token\":\"stolen\"}")) == MCPW_OK);
    world_open(&w);
    CHECK(world_call(&w) == 200 && !world_saw(&w, "stolen") && w.authorizations == 1);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void resource_confusion_a_stored_token_for_another_resource_is_discarded(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    const mcpw_str server = MCPW_STR("[\"server\",\"" WORLD_MCP "\"]");
    const mcpw_str token = MCPW_STR("[\"token\",\"" WORLD_AS "\",\"https://other.example.com/\",\"c\"]");
    const mcpw_str login = MCPW_STR("{\"issuer\":\"" WORLD_AS
                                    "\",\"resource\":\"https://other.example.com/\",\"client_id\":\"c\","
                                    "\"access_token\":\"stolen\"}");
    world_init(&w);
    w.config.store = store;
    CHECK(store->save(store->self, server, login) == MCPW_OK &&
          store->save(store->self, token, login) == MCPW_OK);
    world_open(&w);
    CHECK(world_call(&w) == 200 && !world_saw(&w, "stolen") && w.authorizations == 1);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void issuer_binding_a_stored_token_of_another_issuer_is_discarded(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    world_init(&w);
    w.config.store = store;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    mcpw_oauth_free(w.oauth);
    w.config.issuer = WORLD_AS2;
    w.current_as = 1;
    world_open(&w);
    const size_t before = w.log_len;
    CHECK(world_call(&w) == 200 && strstr(w.log + before, "access-token-1") == NULL);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void issuer_binding_a_login_keeps_the_issuer_that_it_began_with(void) {
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    world_init(&w);
    w.is_user_away = true;
    world_open(&w);
    mcpw_oauth_begin(w.oauth, false);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    w.current_as = 1; /* while the user is in the browser */
    char redirect[WORLD_TEXT * 3];
    (void)snprintf(redirect, sizeof redirect,
                   "code=the-code-of-the-user&state=%s&iss=https%%3A%%2F%%2Fas.example.com",
                   w.redirect_state);
    CHECK(mcpw_oauth_redirected(w.oauth, mcpw_str_from(redirect), &w.error) == MCPW_OK);
    CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_SEND);
    CHECK_TEXT(order.url.ptr, order.url.len, WORLD_AS "/token");
    world_close(&w);
}

/* ---- The resource (CVE-2026-63127) ----------------------------------------------------------------------
 */

static void resource_confusion_another_origin_or_path_is_refused(void) {
    static const char *const resources[] = {
        "https://evil.example.com/mcp",     "http://mcp.example.com/mcp",
        "https://mcp.example.com:444/mcp",  "https://mcp.example.com/mc",
        "https://mcp.example.com/mcp/deep", "https://mcp.example.com/other",
        "https://mcp.example.com/mcp?x=1",  "https://mcp.example.com/mcp#frag",
        "https://user@mcp.example.com/mcp", "https://mcp.example.com.evil/mcp"};
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        world_init(&w);
        w.resource = resources[i];
        check_stopped("resource metadata: resource");
    }
}

static void resource_confusion_a_path_above_is_taken_byte_for_byte(void) {
    static const char *const resources[] = {"https://mcp.example.com", "https://mcp.example.com/",
                                            "https://MCP.example.com:443/mcp",
                                            "https://mcp.example.com/mcp/"};
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        world_init(&w);
        w.resource = resources[i];
        world_open(&w);
        CHECK(world_call(&w) == 200);
        CHECK_STRING(world_param(&w, w.page, "resource"), resources[i]);
        CHECK_STRING(world_param(&w, w.form, "resource"), resources[i]);
        world_close(&w);
    }
}

static void resource_confusion_metadata_without_resource_are_refused(void) {
    world_init(&w);
    w.overrides[0] =
        (world_override){"GET", WORLD_PRM_PATH, 200, "{\"authorization_servers\":[\"" WORLD_AS "\"]}", NULL};
    check_stopped("resource metadata");
}

/* ---- Discovery (GHSA-c9xm-49cp-xcr9) --------------------------------------------------------------------
 */

static void server_side_request_forgery_issuers_that_are_refused(void) {
    static const char *const issuers[] = {"http://as.example.com",
                                          "https://127.0.0.1",
                                          "http://localhost:9",
                                          "https://[::1]",
                                          "https://10.0.0.1",
                                          "https://192.168.1.1",
                                          "https://172.16.0.1",
                                          "https://169.254.169.254",
                                          "https://[fd00::1]",
                                          "https://[fe80::1]",
                                          "https://[::ffff:10.0.0.1]",
                                          "https://2130706433",
                                          "https://0x7f000001",
                                          "https://127.1",
                                          "https://0.0.0.0",
                                          "https://100.64.0.1",
                                          "https://localhost.",
                                          "https://x.LOCALHOST",
                                          "https://127.0.0.1.",
                                          "https://a..",
                                          "https://[2002:0a00:0001::1]",
                                          "https://user:pw@as.example.com",
                                          "ftp://as.example.com",
                                          "file:///etc/passwd",
                                          "https://as.example.com#x",
                                          "https://as.example.com?x=1",
                                          "javascript:alert(1)",
                                          "https://",
                                          "https://as.example.com:0",
                                          "https://as.example.com:99999"};
    for (size_t i = 0; i < sizeof issuers / sizeof *issuers; i++) {
        world_init(&w);
        w.as[0].issuer = issuers[i];
        check_stopped("resource metadata: authorization_servers");
        CHECK(w.gets == 1);
    }
}

static void server_side_request_forgery_named_metadata_lie_on_the_servers_origin(void) {
    static const char *const named[] = {"https://other.example.com/prm",
                                        "https://mcp.example.com:8443/prm",
                                        "http://mcp.example.com/prm",
                                        "https://169.254.169.254/latest",
                                        "https://x@mcp.example.com/prm",
                                        "https://mcp.example.com/prm#x",
                                        "/prm"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        world_init(&w);
        w.prm_named = named[i];
        check_stopped(i < 2 ? "resource metadata: expected on the MCP server's own origin"
                            : "WWW-Authenticate of the MCP server: resource_metadata");
        CHECK(w.gets == 0);
    }
}

static void server_side_request_forgery_foreign_metadata_can_be_allowed(void) {
    world_init(&w);
    w.config.foreign_metadata = true;
    w.prm_url = w.prm_named = "https://other.example.com/prm";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    world_close(&w);
}

static void server_side_request_forgery_endpoints_are_checked(void) {
    static const char *const members[] = {"token_endpoint", "authorization_endpoint",
                                          "registration_endpoint"};
    static const char *const urls[] = {"http://as.example.com/x", "https://127.0.0.1/x", "https://10.1.2.3/x",
                                       "file:///x"};
    for (size_t i = 0; i < sizeof members / sizeof *members * (sizeof urls / sizeof *urls); i++) {
        char body[WORLD_TEXT];
        const char *const member = members[i % 3];
        const char *const url = urls[i / 3];
        (void)snprintf(body, sizeof body,
                       "{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s\",\"token_endpoint\":\"%s\","
                       "\"registration_endpoint\":\"%s\",\"code_challenge_methods_supported\":[\"S256\"]}",
                       WORLD_AS, i % 3 == 1 ? url : WORLD_AS "/a", i % 3 == 0 ? url : WORLD_AS "/t",
                       i % 3 == 2 ? url : WORLD_AS "/r");
        world_init(&w);
        w.overrides[0] =
            (world_override){"GET", WORLD_AS "/.well-known/oauth-authorization-server", 200, body, NULL};
        check_stopped(member);
    }
}

static void server_side_request_forgery_the_adapter_is_told_to_check_addresses(void) {
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    world_init(&w);
    world_open(&w);
    CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_SEND && order.public_only);
    world_close(&w);
    world_init(&w);
    w.config.server_url = "http://127.0.0.1:3000/mcp";
    world_open(&w);
    CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_SEND && !order.public_only);
    world_close(&w);
}

/* ---- Redirects (CVE-2026-64684) -------------------------------------------------------------------------
 */

static void redirects_of_metadata_are_followed_and_checked(void) {
    world_init(&w);
    w.overrides[0] = (world_override){"GET", WORLD_PRM_PATH, 301, NULL, "/there"};
    w.overrides[1] = (world_override){"GET", WORLD_ORIGIN "/there", 307, NULL, WORLD_ORIGIN "/prm"};
    w.prm_url = WORLD_ORIGIN "/prm";
    w.overrides[2] = (world_override){"GET", WORLD_AS "/.well-known/oauth-authorization-server", 302, NULL,
                                      "https://cdn.example.com/as"};
    w.as[0].metadata_url = "https://cdn.example.com/as";
    world_open(&w);
    CHECK(world_call(&w) == 200 && w.gets == 5);
    world_close(&w);
}

static void redirects_of_metadata_to_a_bad_place_are_refused(void) {
    static const char *const places[] = {"http://mcp.example.com/prm", "https://169.254.169.254/",
                                         "https://localhost/",         "//127.0.0.1/prm",
                                         "https://u@mcp.example.com/", "https://other.example.com/"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        world_init(&w);
        w.overrides[0] = (world_override){"GET", WORLD_PRM_PATH, 302, NULL, places[i]};
        check_stopped("");
        CHECK(w.gets == 1);
    }
    for (size_t i = 0; i + 1 < sizeof places / sizeof *places; i++) { /* the last may have the metadata */
        world_init(&w);
        w.overrides[0] =
            (world_override){"GET", WORLD_AS "/.well-known/oauth-authorization-server", 302, NULL, places[i]};
        check_stopped("redirect");
        CHECK(w.gets == 2);
    }
}

static void redirects_of_metadata_have_a_limit(void) {
    world_init(&w);
    w.overrides[0] = (world_override){"GET", WORLD_PRM_PATH, 302, NULL, WORLD_PRM_PATH};
    check_stopped("too many redirects");
    CHECK(w.gets == 4);
}

static void redirects_that_lead_nowhere_are_refused(void) {
    world_init(&w);
    w.overrides[0] = (world_override){"GET", WORLD_PRM_PATH, 302, NULL, NULL};
    check_stopped("a redirect that leads nowhere");
}

static void redirects_of_token_requests_are_not_followed(void) {
    world_init(&w);
    w.overrides[0] = (world_override){"POST", WORLD_AS "/token", 307, NULL, "https://evil.example.com/"};
    world_open(&w);
    CHECK(world_call(&w) == 0 && !world_saw(&w, "evil.example.com"));
    CHECK(strstr(w.error.message, "token endpoint: HTTP status 307") != NULL);
    world_check_secrets(&w);
    world_close(&w);
}

static void redirects_of_registrations_are_not_followed(void) {
    world_init(&w);
    w.overrides[0] = (world_override){"POST", WORLD_AS "/register", 308, NULL, "https://evil.example.com/"};
    check_stopped("registration of the client: HTTP status 308");
    CHECK(!world_saw(&w, "evil.example.com"));
}

static void redirects_no_secret_goes_to_metadata(void) {
    world_init(&w);
    w.as[0].issues_refresh = true;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    w.token[0] = '\0';
    const size_t before = w.log_len;
    CHECK(world_call(&w) == 200 && w.refreshes == 1);
    const char *const get = strstr(w.log + before, "GET");
    const char *const post = strstr(w.log + before, "POST");
    CHECK(get != NULL && post != NULL && get < post);
    const char *const token = strstr(get, "token-1");
    CHECK(token == NULL || token > post);
    world_close(&w);
}

/* ---- The browser (CVE-2025-6514), the way back -----------------------------------------------------------
 */

static void command_injection_authorization_urls_that_are_refused(void) {
    static const char *const urls[] = {
        "http://as.example.com/a",        "https://as.example.com/a\\nb",  "file:///bin/sh",
        "https://as.example.com/$(id) x", "https://as.example.com/a\\\"b", "https://as.example.com/`id`"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        char body[WORLD_TEXT];
        (void)snprintf(body, sizeof body,
                       "{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s\",\"token_endpoint\":\"%s/t\","
                       "\"registration_endpoint\":\"%s/r\",\"code_challenge_methods_supported\":[\"S256\"]}",
                       WORLD_AS, urls[i], WORLD_AS, WORLD_AS);
        world_init(&w);
        w.overrides[0] =
            (world_override){"GET", WORLD_AS "/.well-known/oauth-authorization-server", 200, body, NULL};
        check_stopped("authorization_endpoint");
    }
}

static void command_injection_everything_in_the_url_is_escaped(void) {
    world_init(&w);
    w.scope = "a$(id) b`x`&c=d";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK(strpbrk(w.page, "$`() \n") == NULL);
    CHECK_STRING(world_param(&w, w.page, "scope"), w.scope);
    world_close(&w);
}

static void cross_site_request_forgery_a_redirect_with_another_state_is_ignored(void) {
    static const char *const redirects[] = {"code=x",
                                            "code=x&state=",
                                            "code=x&state=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                                            "",
                                            "error=access_denied",
                                            "http://127.0.0.1:8765/other?code=x",
                                            "http://127.0.0.1:8765/callback#code=x"};
    char redirect[WORLD_TEXT * 3];
    world_init(&w);
    w.is_user_away = true;
    world_open(&w);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    for (size_t i = 0; i < sizeof redirects / sizeof *redirects; i++) {
        CHECK(mcpw_oauth_redirected(w.oauth, mcpw_str_from(redirects[i]), &w.error) == MCPW_E_VALUE);
        world_check_secrets(&w);
        CHECK(world_drive(&w) == MCPW_OAUTH_WAIT && w.tokens == 0);
    }
    (void)snprintf(redirect, sizeof redirect, "state=%s&state=%s&code=x&iss=" WORLD_AS, w.redirect_state,
                   w.redirect_state);
    CHECK(mcpw_oauth_redirected(w.oauth, mcpw_str_from(redirect), &w.error) == MCPW_E_VALUE);
    static const char *const elsewhere[] = {
        "/callbacks?",
        "/?",
        "/callback/?",
        "/callback&",
        "http://127.0.0.1:8765/other?",
        "http://127.0.0.1:8765/callback2?",
        "http://127.0.0.1:8765/callback/?",
        "http://127.0.0.1:8766/callback?",
        "https://127.0.0.1:8765/callback?",
        "http://127.0.0.1:8765/callback&",
    };
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        (void)snprintf(redirect, sizeof redirect, "%sstate=%s&code=the-code-of-the-user&iss=" WORLD_AS,
                       elsewhere[i], w.redirect_state);
        CHECK(mcpw_oauth_redirected(w.oauth, mcpw_str_from(redirect), &w.error) == MCPW_E_VALUE);
        CHECK(world_drive(&w) == MCPW_OAUTH_WAIT && w.tokens == 0);
    }
    (void)snprintf(redirect, sizeof redirect, "/callback?state=%s&code=the-code-of-the-user&iss=" WORLD_AS,
                   w.redirect_state);
    CHECK(mcpw_oauth_redirected(w.oauth, mcpw_str_from(redirect), &w.error) == MCPW_OK);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE);
    CHECK(mcpw_oauth_redirected(w.oauth, mcpw_str_from(redirect), &w.error) == MCPW_E_STATE);
    world_close(&w);
}

static void a_redirect_uri_without_a_path_has_the_path_of_the_browser(void) {
    char redirect[WORLD_TEXT * 2];
    world_init(&w);
    w.is_user_away = true;
    w.config.redirect_uri = "http://localhost:8765";
    world_open(&w);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    (void)snprintf(redirect, sizeof redirect, "http://LOCALHOST:8765/?state=%s&code=x&iss=" WORLD_AS,
                   w.redirect_state);
    CHECK(mcpw_oauth_redirected(w.oauth, mcpw_str_from(redirect), &w.error) == MCPW_OK);
    world_close(&w);
}

static void the_page_stays_readable_while_the_user_is_away(void) {
    mcpw_oauth_order opened = MCPW_OAUTH_ORDER_INIT;
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    char page[WORLD_TEXT];
    world_init(&w);
    world_open(&w);
    while (mcpw_oauth_next(w.oauth, &opened, &w.error) == MCPW_OAUTH_SEND) {
        world_send(&w, &opened);
    }
    world_copy(page, opened.url);
    CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_WAIT && order.until == w.now + 300000);
    mcpw_oauth_response(w.oauth, 200, NULL, 0, MCPW_STR_VALUE("{}"));
    mcpw_oauth_no_response(w.oauth, NULL);
    CHECK(mcpw_oauth_next(w.oauth, &order, &w.error) == MCPW_OAUTH_WAIT);
    CHECK_STRING(opened.url.ptr, page);
    world_close(&w);
}

static void code_interception_states_and_verifiers_are_new_each_time(void) {
    char first[WORLD_TEXT];
    char verifier[WORLD_TEXT];
    world_init(&w);
    world_open(&w);
    CHECK(world_call(&w) == 200);
    memcpy(first, w.redirect_state, sizeof first);
    world_copy(verifier, mcpw_str_from(world_param(&w, w.form, "code_verifier")));
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.authorizations == 2);
    CHECK(strcmp(first, w.redirect_state) != 0);
    CHECK(strcmp(verifier, world_param(&w, w.form, "code_verifier")) != 0);
    world_close(&w);
}

static void code_interception_a_server_without_pkce_is_refused(void) {
    world_init(&w);
    w.as[0].no_pkce = true;
    check_stopped("code_challenge_methods_supported");
}

/* ---- Where tokens go -------------------------------------------------------------------------------------
 */

static void token_passthrough_no_token_for_another_url(void) {
    static const char *const urls[] = {"https://evil.example.com/mcp",
                                       "http://mcp.example.com/mcp",
                                       "https://mcp.example.com/other",
                                       "https://mcp.example.com:444/mcp",
                                       "https://mcp.example.com@evil.example.com/mcp",
                                       "https://mcp.example.com/mcp/x"};
    world_init(&w);
    world_open(&w);
    CHECK(world_call(&w) == 200);
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
        CHECK(mcpw_oauth_fields(w.oauth, "POST", urls[i], &pass, &w.error) == MCPW_OK &&
              pass.field_count == 0);
        CHECK(mcpw_oauth_answered(w.oauth, &pass, 401, MCPW_STR_VALUE("Bearer"), (mcpw_str){NULL, 0},
                                  &w.error) == MCPW_OAUTH_ACCEPT);
    }
    world_close(&w);
}

static void token_passthrough_a_server_without_tls_is_refused(void) {
    static const char *const urls[] = {"http://mcp.example.com/mcp",    "http://10.0.0.1/mcp",
                                       "ws://mcp.example.com",          "https://u@mcp.example.com/mcp",
                                       "https://mcp.example.com/mcp#x", ""};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        world_init(&w);
        w.config.server_url = urls[i];
        check_refused("server_url");
    }
}

static void header_injection_tokens_that_cannot_stand_in_a_header_are_refused(void) {
    static const char *const tokens[] = {"a\\r\\nX: y", "a b", "a\\u0000b", "\\u00e4"};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        char body[WORLD_TEXT];
        (void)snprintf(body, sizeof body, "{\"access_token\":\"%s\",\"token_type\":\"Bearer\"}", tokens[i]);
        world_init(&w);
        w.overrides[0] = (world_override){"POST", WORLD_AS "/token", 200, body, NULL};
        world_open(&w);
        CHECK(world_call(&w) == 0 && strstr(w.error.message, "token response: access_token") != NULL);
        world_close(&w);
    }
}

/* ---- Loops and time --------------------------------------------------------------------------------------
 */

static void login_loops_a_server_that_refuses_every_token_is_given_up(void) {
    world_init(&w);
    w.token_as = 0;
    world_open(&w);
    for (unsigned i = 0; i < 5; i++) {
        mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
        mcpw_oauth_action action = MCPW_OAUTH_AGAIN;
        for (unsigned sent = 0; sent < 20 && action != MCPW_OAUTH_GIVE_UP; sent++) {
            CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &pass, &w.error) == MCPW_OK);
            action = mcpw_oauth_answered(w.oauth, &pass, 401,
                                         MCPW_STR_VALUE("Bearer error_description=\"it has expired\", "
                                                        "resource_metadata=\"" WORLD_PRM_PATH "\""),
                                         (mcpw_str){NULL, 0}, &w.error);
            CHECK(action != MCPW_OAUTH_BEGIN || world_drive(&w) == MCPW_OAUTH_DONE);
        }
        CHECK(action == MCPW_OAUTH_GIVE_UP && strstr(w.error.message, "issues: it has expired; ") != NULL);
    }
    CHECK(w.authorizations == 3);
    world_close(&w);
}

static void login_loops_an_authorization_server_that_fails_is_given_up(void) {
    world_init(&w);
    w.as[0].token_error = "server_error";
    world_open(&w);
    for (unsigned i = 0; i < 6; i++) {
        CHECK(world_call(&w) == 0 && strstr(w.error.message, "server_error") != NULL);
    }
    CHECK(w.authorizations == 3);
    mcpw_oauth_begin(w.oauth, false); /* the user tries once more */
    w.as[0].token_error = NULL;
    CHECK(world_call(&w) == 200);
    world_close(&w);
}

static void login_loops_after_a_minute_it_is_tried_again(void) {
    world_init(&w);
    w.as[0].token_error = "server_error";
    world_open(&w);
    for (unsigned i = 0; i < 5; i++) {
        CHECK(world_call(&w) == 0);
    }
    w.as[0].token_error = NULL;
    CHECK(world_call(&w) == 0 && w.authorizations == 3);
    world_pass_time(&w, 60000);
    CHECK(world_call(&w) == 200 && w.authorizations == 4);
    world_close(&w);
}

static void login_loops_a_clock_that_is_put_back_makes_no_pause_longer(void) {
    enum { HOUR = 3600000, MINUTE = 60000 };
    world_init(&w);
    w.as[0].token_error = "server_error";
    world_open(&w);
    for (unsigned i = 0; i < 4; i++) {
        CHECK(world_call(&w) == 0);
    }
    w.as[0].token_error = NULL;
    w.now -= HOUR;
    world_pass_time(&w, 0);
    CHECK(world_call(&w) == 0 && w.authorizations == 3);
    world_pass_time(&w, MINUTE);
    CHECK(world_call(&w) == 200 && w.authorizations == 4);
    world_close(&w);
}

static void login_loops_a_client_without_a_user_does_not_step_up(void) {
    world_init(&w);
    w.config.grant = MCPW_OAUTH_CLIENT_CREDENTIALS;
    w.config.credentials = &bound;
    w.config.credential_count = 1;
    w.needs = "mcp:admin";
    world_open(&w);
    CHECK(world_call(&w) == 0 && w.tokens == 1 && strstr(w.error.message, "mcp:admin") != NULL);
    world_close(&w);
}

static void login_loops_a_silent_server_ends_by_the_deadline(void) {
    world_init(&w);
    w.is_silent = true;
    world_open(&w);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    CHECK(mcpw_oauth_deadline(w.oauth) == w.now + 30000);
    world_pass_time(&w, 29999);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    world_pass_time(&w, 1);
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_TIMEOUT);
    CHECK(strstr(w.error.message, "resource metadata") != NULL);
    CHECK(mcpw_oauth_deadline(w.oauth) == UINT64_MAX);
    mcpw_oauth_response(w.oauth, 200, NULL, 0, MCPW_STR_VALUE("{}")); /* too late: ignored */
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED);
    world_close(&w);
}

static void login_loops_a_user_who_never_comes_back_ends_by_the_deadline(void) {
    world_init(&w);
    w.is_user_away = true;
    world_open(&w);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT && mcpw_oauth_deadline(w.oauth) == w.now + 300000);
    world_pass_time(&w, 300000);
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_TIMEOUT);
    world_close(&w);
}

static void login_loops_no_response_is_reported(void) {
    const mcpw_error why = {.code = MCPW_E_CONNECTION, .message = "could not connect"};
    world_init(&w);
    w.is_silent = true;
    world_open(&w);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    mcpw_oauth_no_response(w.oauth, &why);
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_CONNECTION);
    CHECK_STRING(w.error.message, "resource metadata: no response: could not connect; try again later");
    world_close(&w);
}

/* ---- Keys ------------------------------------------------------------------------------------------------
 */

static void algorithm_confusion_only_asymmetric_keys_sign(void) {
    static const char *const algorithms[] = {"none", "HS256", "", NULL, "es256"};
    unsigned count = 0;
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    signer.self = &count;
    signer.sign = world_sign;
    signer.public_key = WORLD_JWK;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        world_init(&w);
        signer.algorithm = algorithms[i];
        w.config.dpop = &signer;
        check_refused("dpop");
    }
}

static void algorithm_confusion_a_private_key_never_stands_in_a_proof(void) {
    static const char *const keys[] = {
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"A\",\"y\":\"B\",\"d\":\"C\"}",
        "{\"kty\":\"oct\",\"k\":\"A\"}", "[]", "{", NULL};
    unsigned count = 0;
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    signer.self = &count;
    signer.sign = world_sign;
    signer.algorithm = "ES256";
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        world_init(&w);
        signer.public_key = keys[i];
        w.config.dpop = &signer;
        check_refused("dpop");
    }
}

static void secret_disclosure_a_server_that_repeats_secrets_is_not_quoted(void) {
    static const char *const grants[] = {"the-code-of-the-user", "known-secret"};
    for (size_t i = 0; i < sizeof grants / sizeof *grants; i++) {
        char body[WORLD_TEXT];
        (void)snprintf(body, sizeof body, "{\"error\":\"invalid_grant\",\"error_description\":\"bad: %s\"}",
                       grants[i]);
        world_init(&w);
        w.config.credentials = &bound;
        w.config.credential_count = 1;
        w.overrides[0] = (world_override){"POST", WORLD_AS "/token", 400, body, NULL};
        world_open(&w);
        CHECK(world_call(&w) == 0 && strstr(w.error.message, "invalid_grant") != NULL);
        world_check_secrets(&w);
        world_close(&w);
    }
}

static void secret_disclosure_texts_of_servers_are_made_printable(void) {
    world_init(&w);
    w.overrides[0] =
        (world_override){"POST", WORLD_AS "/token", 400,
                         "{\"error\":\"x\\u001b[2J\",\"error_description\":\"\\u202Eevil\\n\"}", NULL};
    world_open(&w);
    CHECK(world_call(&w) == 0);
    CHECK(strpbrk(w.error.message, "\033\n") == NULL && strstr(w.error.message, "\\x1b[2J") != NULL);
    world_close(&w);
}

static void secret_disclosure_texts_of_the_network_are_made_printable(void) {
    const mcpw_error why = {.code = MCPW_E_CONNECTION,
                            .message =
                                "server said: \x1b[2J\r\n\xe2\x80\xae\xff and more than that, to which "
                                "it adds so many words that no message has room for all of them"};
    world_init(&w);
    w.is_silent = true;
    world_open(&w);
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    mcpw_oauth_no_response(w.oauth, &why);
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_CONNECTION);
    CHECK(strpbrk(w.error.message, "\033\r\n\xe2\xff") == NULL);
    CHECK(strstr(w.error.message, "server said: \\x1b[2J\\x0d\\x0a\\xe2\\x80\\xae\\xff") != NULL);
    CHECK(strstr(w.error.message, "; try again later") != NULL);
    world_close(&w);
}

/* ---- Work without end -------------------------------------------------------------------------------------
 */

enum { LONG_TEXT = 250000, LONG_TOKEN = 60000, LONG_CHALLENGE = MCPW_MAX_CHALLENGE - 64, MOST_WORDS = 100 };

/* A text with so many words in its middle that it is as long as the client accepts. A word is three bytes. */
static mcpw_str long_text(const char *before, const char *between, unsigned words, size_t most,
                          const char *after) {
    static char text[LONG_TEXT];
    size_t len = (size_t)snprintf(text, sizeof text, "%s", before);
    for (unsigned i = 0; len < most; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%03x",
                                i == 0           ? ""
                                : i % words == 0 ? between
                                                 : " ",
                                i);
    }
    len += (size_t)snprintf(text + len, sizeof text - len, "%s", after);
    return (mcpw_str){text, len};
}

/* The login has failed for its scopes, and the processor was busy for less than a second. */
static void check_scopes_refused(clock_t began) {
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED);
    CHECK(strstr(w.error.message, "bytes together") != NULL);
    CHECK(clock() - began < CLOCKS_PER_SEC);
    CHECK(w.authorizations <= 1);
    world_close(&w);
}

static void answer_all(const char *const *bodies) {
    for (; *bodies != NULL; bodies++) {
        CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
        mcpw_oauth_response(w.oauth, 200, NULL, 0, mcpw_str_from(*bodies));
    }
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
}

#define SHORT_RESOURCE "{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS "\"]}"
#define SHORT_SERVER                                                                                         \
    "{\"issuer\":\"" WORLD_AS "\",\"authorization_endpoint\":\"" WORLD_AS                                    \
    "/authorize\",\"token_endpoint\":\"" WORLD_AS "/token\",\"registration_endpoint\":\"" WORLD_AS           \
    "/register\",\"code_challenge_methods_supported\":[\"S256\"]}"

static void denial_of_service_many_scopes_of_the_metadata_are_refused_at_once(void) {
    static const char *const none[] = {NULL};
    world_init(&w);
    w.is_silent = true;
    world_open(&w);
    answer_all(none);
    const clock_t began = clock();
    mcpw_oauth_response(w.oauth, 200, NULL, 0,
                        long_text("{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS
                                  "\"],\"scopes_supported\":[\"",
                                  "\",\"", MOST_WORDS, LONG_TEXT - WORLD_TEXT, "\"]}"));
    CHECK(world_drive(&w) == MCPW_OAUTH_WAIT);
    mcpw_oauth_response(w.oauth, 200, NULL, 0, MCPW_STR_VALUE(SHORT_SERVER));
    check_scopes_refused(began);
}

static void denial_of_service_many_scopes_of_a_challenge_are_refused_at_once(void) {
    static const char *const bodies[] = {SHORT_RESOURCE, NULL};
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    world_init(&w);
    w.is_silent = true;
    world_open(&w);
    CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &pass, NULL) == MCPW_OK);
    CHECK(mcpw_oauth_answered(w.oauth, &pass, 401, long_text("Bearer scope=\"", " ", 1, LONG_CHALLENGE, "\""),
                              (mcpw_str){NULL, 0}, NULL) == MCPW_OAUTH_BEGIN);
    answer_all(bodies);
    const clock_t began = clock();
    mcpw_oauth_response(w.oauth, 200, NULL, 0, MCPW_STR_VALUE(SHORT_SERVER));
    check_scopes_refused(began);
}

static void denial_of_service_many_scopes_of_a_token_are_refused_at_once(void) {
    static const char *const bodies[] = {SHORT_RESOURCE, SHORT_SERVER, "{\"client_id\":\"one\"}", NULL};
    world_init(&w);
    w.is_silent = true;
    world_open(&w);
    answer_all(bodies);
    const clock_t began = clock();
    mcpw_oauth_response(w.oauth, 200, NULL, 0,
                        long_text("{\"access_token\":\"token\",\"token_type\":\"Bearer\",\"scope\":\"", " ",
                                  1, LONG_TOKEN, "\"}"));
    check_scopes_refused(began);
}

int main(void) {
    RUN(issuer_binding_a_secret_needs_an_issuer);
    RUN(issuer_binding_a_grant_without_a_user_needs_an_issuer);
    RUN(issuer_binding_the_switch_for_tests_pins_what_is_discovered);
    RUN(issuer_binding_a_secret_stays_with_its_issuer_on_401);
    RUN(issuer_binding_of_several_credentials_only_the_issuers_own_is_used);
    RUN(issuer_binding_credentials_of_other_issuers_alone_are_no_help);
    RUN(issuer_binding_of_several_issuers_the_one_that_knows_the_client_is_asked);
    RUN(issuer_binding_a_secret_stays_with_its_issuer_without_resource_metadata);
    RUN(issuer_binding_a_token_stays_with_its_issuer_on_step_up);
    RUN(issuer_binding_a_refresh_token_stays_with_its_issuer);
    RUN(issuer_binding_a_refresh_token_stays_though_the_client_id_is_portable);
    RUN(issuer_binding_what_is_stored_without_issuer_is_discarded);
    RUN(resource_confusion_a_stored_token_for_another_resource_is_discarded);
    RUN(issuer_binding_a_stored_token_of_another_issuer_is_discarded);
    RUN(issuer_binding_a_login_keeps_the_issuer_that_it_began_with);
    RUN(resource_confusion_another_origin_or_path_is_refused);
    RUN(resource_confusion_a_path_above_is_taken_byte_for_byte);
    RUN(resource_confusion_metadata_without_resource_are_refused);
    RUN(server_side_request_forgery_issuers_that_are_refused);
    RUN(server_side_request_forgery_named_metadata_lie_on_the_servers_origin);
    RUN(server_side_request_forgery_foreign_metadata_can_be_allowed);
    RUN(server_side_request_forgery_endpoints_are_checked);
    RUN(server_side_request_forgery_the_adapter_is_told_to_check_addresses);
    RUN(redirects_of_metadata_are_followed_and_checked);
    RUN(redirects_of_metadata_to_a_bad_place_are_refused);
    RUN(redirects_of_metadata_have_a_limit);
    RUN(redirects_that_lead_nowhere_are_refused);
    RUN(redirects_of_token_requests_are_not_followed);
    RUN(redirects_of_registrations_are_not_followed);
    RUN(redirects_no_secret_goes_to_metadata);
    RUN(command_injection_authorization_urls_that_are_refused);
    RUN(command_injection_everything_in_the_url_is_escaped);
    RUN(cross_site_request_forgery_a_redirect_with_another_state_is_ignored);
    RUN(a_redirect_uri_without_a_path_has_the_path_of_the_browser);
    RUN(the_page_stays_readable_while_the_user_is_away);
    RUN(code_interception_states_and_verifiers_are_new_each_time);
    RUN(code_interception_a_server_without_pkce_is_refused);
    RUN(token_passthrough_no_token_for_another_url);
    RUN(token_passthrough_a_server_without_tls_is_refused);
    RUN(header_injection_tokens_that_cannot_stand_in_a_header_are_refused);
    RUN(login_loops_a_server_that_refuses_every_token_is_given_up);
    RUN(login_loops_an_authorization_server_that_fails_is_given_up);
    RUN(login_loops_after_a_minute_it_is_tried_again);
    RUN(login_loops_a_clock_that_is_put_back_makes_no_pause_longer);
    RUN(login_loops_a_client_without_a_user_does_not_step_up);
    RUN(login_loops_a_silent_server_ends_by_the_deadline);
    RUN(login_loops_a_user_who_never_comes_back_ends_by_the_deadline);
    RUN(login_loops_no_response_is_reported);
    RUN(algorithm_confusion_only_asymmetric_keys_sign);
    RUN(algorithm_confusion_a_private_key_never_stands_in_a_proof);
    RUN(secret_disclosure_a_server_that_repeats_secrets_is_not_quoted);
    RUN(secret_disclosure_texts_of_servers_are_made_printable);
    RUN(secret_disclosure_texts_of_the_network_are_made_printable);
    RUN(denial_of_service_many_scopes_of_the_metadata_are_refused_at_once);
    RUN(denial_of_service_many_scopes_of_a_challenge_are_refused_at_once);
    RUN(denial_of_service_many_scopes_of_a_token_are_refused_at_once);
    return check_end();
}
