/* SPDX-License-Identifier: MIT */
/* The scenarios of the official conformance suite, each as a world in memory. */
#include "oauth_world.h"

static world w;

static bool body_has(const char *text) { return strstr(w.registration, text) != NULL; }

/* Every code flow must show this. */
static void check_code_flow(void) {
    CHECK(w.authorizations == 1 && w.tokens == 1);
    CHECK_STRING(world_param(&w, w.page, "response_type"), "code");
    CHECK_STRING(world_param(&w, w.page, "code_challenge_method"), "S256");
    CHECK(strlen(world_param(&w, w.page, "code_challenge")) == 43);
    CHECK(strlen(world_param(&w, w.page, "state")) == 43);
    CHECK_STRING(world_param(&w, w.page, "redirect_uri"), WORLD_REDIRECT);
    CHECK_STRING(world_param(&w, w.page, "resource"), w.resource);
    CHECK_STRING(world_param(&w, w.form, "resource"), w.resource);
    CHECK_STRING(world_param(&w, w.form, "grant_type"), "authorization_code");
    CHECK_STRING(world_param(&w, w.form, "code"), "the-code-of-the-user");
    CHECK(strlen(world_param(&w, w.form, "code_verifier")) == 43);
    CHECK_STRING(w.mcp_authorization, "Bearer access-token-1");
    world_check_secrets(&w);
}

static void metadata_default(void) {
    world_init(&w);
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK(!world_saw(&w, "GET " WORLD_PRM_ROOT "\n"));
    CHECK(w.gets == 2 && w.registrations == 1);
    CHECK(world_call(&w) == 200);
    CHECK(w.gets == 2 && w.calls == 3); /* no second login */
    world_close(&w);
}

static void metadata_var1(void) {
    world_init(&w);
    w.prm_named = NULL;
    w.as[0].metadata_url = WORLD_AS "/.well-known/openid-configuration";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK(strstr(w.log, "GET " WORLD_PRM_PATH "\n") != NULL && !world_saw(&w, "GET " WORLD_PRM_ROOT "\n"));
    world_close(&w);
}

static void metadata_var2(void) {
    world_init(&w);
    w.prm_named = NULL;
    w.prm_url = WORLD_PRM_ROOT;
    w.resource = WORLD_ORIGIN;
    w.as[0].issuer = WORLD_AS "/tenant1";
    w.as[0].metadata_url = WORLD_AS "/.well-known/oauth-authorization-server/tenant1";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK(strstr(w.log, WORLD_PRM_PATH) < strstr(w.log, "GET " WORLD_PRM_ROOT "\n"));
    CHECK(!world_saw(&w, "oauth-authorization-server\n"));
    world_close(&w);
}

static void metadata_var3(void) {
    world_init(&w);
    w.prm_named = w.prm_url = WORLD_ORIGIN "/custom/metadata/location.json";
    w.as[0].issuer = WORLD_AS "/tenant1";
    w.as[0].metadata_url = WORLD_AS "/tenant1/.well-known/openid-configuration";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK(!world_saw(&w, "oauth-authorization-server\n") &&
          !world_saw(&w, WORLD_AS "/.well-known/openid-configuration\n"));
    CHECK(world_saw(&w, WORLD_AS "/.well-known/openid-configuration/tenant1\n"));
    world_close(&w);
}

static void basic_cimd(void) {
    world_init(&w);
    w.config.client_metadata_url = WORLD_CIMD;
    w.as[0].more = ",\"client_id_metadata_document_supported\":true";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK(w.registrations == 0);
    CHECK_STRING(world_param(&w, w.page, "client_id"), WORLD_CIMD);
    CHECK_STRING(world_param(&w, w.form, "client_id"), WORLD_CIMD);
    world_close(&w);
}

static void a_metadata_document_is_no_id_where_it_is_not_advertised(void) {
    world_init(&w);
    w.config.client_metadata_url = WORLD_CIMD;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK_STRING(world_param(&w, w.page, "client_id"), "registered-one");
    world_close(&w);
}

static void scope_from_www_authenticate(void) {
    world_init(&w);
    w.scope = "mcp:basic";
    w.prm_more = ",\"scopes_supported\":[\"mcp:basic\",\"mcp:read\",\"mcp:write\"]";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK_STRING(world_param(&w, w.page, "scope"), "mcp:basic");
    world_close(&w);
}

static void scope_from_scopes_supported(void) {
    world_init(&w);
    w.prm_more = ",\"scopes_supported\":[\"mcp:basic\",\"mcp:read\",\"mcp:write\"]";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK_STRING(world_param(&w, w.page, "scope"), "mcp:basic mcp:read mcp:write");
    world_close(&w);
}

static void scope_omitted_when_undefined(void) {
    world_init(&w);
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK(!world_has_param(&w, w.page, "scope") && !world_has_param(&w, w.form, "scope"));
    world_close(&w);
}

static void scope_step_up(void) {
    world_init(&w);
    w.scope = "mcp:basic";
    w.prm_more = ",\"scopes_supported\":[\"mcp:basic\",\"mcp:write\",\"mcp:profile\"]";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    w.needs = "mcp:write";
    CHECK(world_call(&w) == 200);
    CHECK(w.authorizations == 2 && w.registrations == 1);
    CHECK_STRING(world_param(&w, w.page, "scope"), "mcp:basic mcp:write");
    world_close(&w);
}

static void scope_step_up_asks_the_user_though_there_is_a_refresh_token(void) {
    world_init(&w);
    w.scope = "mcp:basic";
    w.as[0].issues_refresh = true;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    w.needs = "mcp:write";
    CHECK(world_call(&w) == 200);
    CHECK(w.authorizations == 2 && w.refreshes == 0);
    world_close(&w);
}

static void scope_retry_limit(void) {
    world_init(&w);
    w.needs = "mcp:admin";
    w.as[0].ignores_scope = true;
    world_open(&w);
    CHECK(world_call(&w) == 0);
    CHECK(w.error.code == MCPW_E_UNAUTHORIZED && strstr(w.error.message, "mcp:admin") != NULL);
    CHECK(world_call(&w) == 0);
    CHECK(w.authorizations >= 1 && w.authorizations <= 3);
    world_close(&w);
}

static void token_endpoint_auth_basic(void) {
    world_init(&w);
    w.as[0].methods = "[\"client_secret_basic\"]";
    w.as[0].registered_method = "client_secret_basic";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK(body_has("\"token_endpoint_auth_method\":\"client_secret_basic\""));
    CHECK_STRING(w.basic, "Basic cmVnaXN0ZXJlZC1vbmU6c2VjcmV0LW9mLW9uZQ==");
    CHECK(!world_has_param(&w, w.form, "client_secret") && !world_has_param(&w, w.form, "client_id"));
    world_close(&w);
}

static void token_endpoint_auth_post(void) {
    world_init(&w);
    w.as[0].methods = "[\"client_secret_post\"]";
    w.as[0].registered_method = "client_secret_post";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK(w.basic[0] == '\0');
    CHECK_STRING(world_param(&w, w.form, "client_secret"), "secret-of-one");
    CHECK_STRING(world_param(&w, w.form, "client_id"), "registered-one");
    world_close(&w);
}

static void token_endpoint_auth_none(void) {
    world_init(&w); /* the registration hands out a secret all the same */
    w.as[0].registered_method = "none";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK(w.basic[0] == '\0' && !world_has_param(&w, w.form, "client_secret"));
    CHECK_STRING(world_param(&w, w.form, "client_id"), "registered-one");
    world_close(&w);
}

static void token_endpoint_auth_none_where_the_answer_names_no_method(void) {
    world_init(&w);
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK(w.basic[0] == '\0' && !world_has_param(&w, w.form, "client_secret"));
    world_close(&w);
}

static void pre_registration(void) {
    static const mcpw_oauth_credential known = {
        .issuer = WORLD_AS, .client_id = "known client", .client_secret = "known-secret:+"};
    world_init(&w);
    w.config.credentials = &known;
    w.config.credential_count = 1;
    w.as[0].no_registration = true;
    w.as[0].methods = "[\"client_secret_basic\"]";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK_STRING(w.basic, "Basic a25vd24lMjBjbGllbnQ6a25vd24tc2VjcmV0JTNBJTJC");
    CHECK_STRING(world_param(&w, w.page, "client_id"), "known client");
    world_close(&w);
}

static void resource_mismatch(void) {
    world_init(&w);
    w.resource = "https://evil.example.com/mcp";
    world_open(&w);
    CHECK(world_call(&w) == 0);
    CHECK(w.authorizations == 0 && w.registrations == 0 && w.gets == 1);
    CHECK(strstr(w.error.message, "resource metadata: resource") != NULL);
    world_close(&w);
}

static void offline_access_scope(void) {
    world_init(&w);
    w.scope = "mcp:basic";
    w.as[0].more = ",\"scopes_supported\":[\"mcp:basic\",\"offline_access\"]";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK(body_has("\"grant_types\":[\"authorization_code\",\"refresh_token\"]"));
    CHECK_STRING(world_param(&w, w.page, "scope"), "mcp:basic offline_access");
    CHECK_STRING(world_param(&w, w.page, "prompt"), "consent");
    world_close(&w);
}

static void offline_access_not_supported(void) {
    world_init(&w);
    w.scope = "mcp:basic offline_access";
    w.as[0].more = ",\"scopes_supported\":[\"mcp:basic\"]";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK_STRING(world_param(&w, w.page, "scope"), "mcp:basic");
    CHECK(w.warnings == 1 && strstr(w.warning, "offline_access") != NULL);
    world_close(&w);
}

static void authorization_server_migration(void) {
    world_init(&w);
    w.as[0].issues_refresh = true;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    w.current_as = 1;
    const size_t before = w.log_len;
    CHECK(world_call(&w) == 200);
    CHECK(w.registrations == 2 && w.refreshes == 0);
    CHECK_STRING(world_param(&w, w.page, "client_id"), "registered-two");
    const char *const after = strstr(w.log + before, WORLD_AS2);
    CHECK(after != NULL && strstr(after, "registered-one") == NULL &&
          strstr(after, "refresh-token-1") == NULL);
    CHECK(strstr(w.log + before, "POST " WORLD_AS "/") == NULL);
    world_close(&w);
}

static void iss_supported(void) {
    world_init(&w);
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    world_close(&w);
}

static void iss_not_advertised(void) {
    world_init(&w);
    w.as[0].no_iss_support = true;
    w.as[0].iss = "";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    world_close(&w);
}

static void check_bad_issuer(bool is_advertised, const char *iss) {
    world_init(&w);
    w.as[0].no_iss_support = !is_advertised;
    w.as[0].iss = iss;
    world_open(&w);
    CHECK(world_call(&w) == 0);
    CHECK(w.authorizations == 1 && w.tokens == 0 && !world_saw(&w, "/token"));
    CHECK(strstr(w.error.message, "redirect: iss") != NULL);
    world_check_secrets(&w);
    world_close(&w);
}

static void iss_supported_missing(void) { check_bad_issuer(true, ""); }
static void iss_wrong_issuer(void) { check_bad_issuer(true, "https://evil.example.com"); }
static void iss_unexpected(void) { check_bad_issuer(false, "https://evil.example.com"); }
static void iss_normalized(void) { check_bad_issuer(true, WORLD_AS "/"); }

static void iss_mismatch_does_not_show_the_error(void) {
    world_init(&w);
    w.as[0].iss = "https://evil.example.com";
    w.as[0].deny = "phishing_words";
    world_open(&w);
    CHECK(world_call(&w) == 0);
    CHECK(strstr(w.error.message, "phishing_words") == NULL && strstr(w.error.message, "words of") == NULL);
    world_close(&w);
}

static void a_user_who_refuses_is_reported(void) {
    world_init(&w);
    w.as[0].deny = "access_denied";
    world_open(&w);
    CHECK(world_call(&w) == 0);
    CHECK(strstr(w.error.message, "access_denied: words of the server") != NULL && w.tokens == 0);
    world_close(&w);
}

static void metadata_issuer_mismatch(void) {
    world_init(&w);
    w.as[0].says_issuer = "https://other.example.com";
    world_open(&w);
    CHECK(world_call(&w) == 0);
    CHECK(w.gets == 2 && w.registrations == 0 && w.authorizations == 0 && w.tokens == 0);
    CHECK(strstr(w.error.message, "metadata of the authorization server: issuer") != NULL);
    world_close(&w);
}

static void client_credentials_basic(void) {
    static const mcpw_oauth_credential known = {.client_id = "known", .client_secret = "known-secret"};
    world_init(&w);
    w.config.grant = MCPW_OAUTH_CLIENT_CREDENTIALS;
    w.config.redirect_uri = NULL;
    w.config.issuer = WORLD_AS;
    w.config.credentials = &known;
    w.config.credential_count = 1;
    w.as[0].methods = "[\"client_secret_basic\"]";
    w.scope = "mcp:basic";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK(w.authorizations == 0 && w.registrations == 0);
    CHECK_STRING(world_param(&w, w.form, "grant_type"), "client_credentials");
    CHECK_STRING(world_param(&w, w.form, "resource"), WORLD_MCP);
    CHECK_STRING(world_param(&w, w.form, "scope"), "mcp:basic");
    CHECK_STRING(w.basic, "Basic a25vd246a25vd24tc2VjcmV0");
    world_pass_time(&w, 4000000); /* the token has expired: another one, without a 401 */
    const unsigned calls = w.calls;
    CHECK(world_call(&w) == 200 && w.calls == calls + 1 && w.tokens == 2);
    world_close(&w);
}

static void client_credentials_jwt(void) {
    static const mcpw_oauth_credential known = {.client_id = "known"};
    unsigned signatures = 0;
    unsigned char claims[WORLD_TEXT];
    char jwt[WORLD_TEXT];
    size_t len = 0;
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    signer.self = &signatures;
    signer.algorithm = "ES256";
    signer.sign = world_sign;
    world_init(&w);
    w.config.grant = MCPW_OAUTH_CLIENT_CREDENTIALS;
    w.config.signer = &signer;
    w.config.issuer = WORLD_AS;
    w.config.credentials = &known;
    w.config.credential_count = 1;
    w.as[0].methods = "[\"private_key_jwt\"]";
    world_open(&w);
    CHECK(world_call(&w) == 200 && signatures == 1);
    CHECK_STRING(world_param(&w, w.form, "client_assertion_type"),
                 "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    CHECK(!world_has_param(&w, w.form, "client_id") && !world_has_param(&w, w.form, "client_secret"));
    world_copy(jwt, mcpw_str_from(world_param(&w, w.form, "client_assertion")));
    char *const begin = strchr(jwt, '.') + 1;
    *strchr(begin, '.') = '\0';
    CHECK(sodium_base642bin(claims, sizeof claims - 1, begin, strlen(begin), NULL, &len, NULL,
                            sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0);
    claims[len] = '\0';
    CHECK(strstr((const char *)claims, "{\"iss\":\"known\",\"sub\":\"known\",\"aud\":\"" WORLD_AS
                                       "\",\"iat\":1800000000,\"exp\":1800000120,\"jti\":\"") != NULL);
    world_close(&w);
}

static void enterprise_managed_authorization(void) {
    static const mcpw_oauth_credential known = {.client_id = "known", .client_secret = "known-secret"};
    world_init(&w);
    w.config.grant = MCPW_OAUTH_ID_JAG;
    w.config.issuer = WORLD_AS;
    w.config.credentials = &known;
    w.config.credential_count = 1;
    w.config.idp_token_endpoint = "https://idp.example.com/token";
    w.config.idp_client_id = "idp-client";
    w.config.idp_id_token = "id-token-of-the-user";
    w.as[0].methods = "[\"client_secret_basic\"]";
    w.overrides[0] = (world_override){"POST", "https://idp.example.com/token", 200,
                                      "{\"access_token\":\"the.id.jag\",\"issued_token_type\":"
                                      "\"urn:ietf:params:oauth:token-type:id-jag\",\"token_type\":\"N_A\"}",
                                      NULL};
    world_open(&w);
    CHECK(world_call(&w) == 200);
    const char *const exchange =
        strstr(w.log, "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange");
    CHECK(exchange != NULL);
    char form[WORLD_TEXT];
    world_copy(form, (mcpw_str){exchange, strcspn(exchange, "\n")});
    CHECK_STRING(world_param(&w, form, "requested_token_type"), "urn:ietf:params:oauth:token-type:id-jag");
    CHECK_STRING(world_param(&w, form, "audience"), WORLD_AS);
    CHECK_STRING(world_param(&w, form, "resource"), WORLD_MCP);
    CHECK_STRING(world_param(&w, form, "subject_token"), "id-token-of-the-user");
    CHECK_STRING(world_param(&w, form, "subject_token_type"), "urn:ietf:params:oauth:token-type:id_token");
    CHECK_STRING(world_param(&w, form, "client_id"), "idp-client");
    CHECK_STRING(world_param(&w, w.form, "grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer");
    CHECK_STRING(world_param(&w, w.form, "assertion"), "the.id.jag");
    CHECK_STRING(w.basic, "Basic a25vd246a25vd24tc2VjcmV0");
    world_close(&w);
}

static void wif_jwt_bearer(void) {
    world_init(&w);
    w.config.grant = MCPW_OAUTH_JWT_BEARER;
    w.config.issuer = WORLD_AS;
    w.config.assertion = "the.workload.jwt";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK(w.registrations == 0 && w.authorizations == 0);
    CHECK_STRING(world_param(&w, w.form, "assertion"), "the.workload.jwt");
    CHECK_STRING(world_param(&w, w.form, "resource"), WORLD_MCP);
    world_close(&w);
}

static void wif_jwt_bearer_is_tried_once(void) {
    world_init(&w);
    w.config.grant = MCPW_OAUTH_JWT_BEARER;
    w.config.issuer = WORLD_AS;
    w.config.assertion = "the.workload.jwt";
    w.as[0].token_error = "invalid_grant";
    world_open(&w);
    CHECK(world_call(&w) == 0 && strstr(w.error.message, "invalid_grant: the reason") != NULL);
    const size_t len = w.log_len;
    CHECK(world_call(&w) == 0 && strstr(w.log + len, "POST") == NULL && strstr(w.log + len, "GET") == NULL);
    world_check_secrets(&w);
    world_close(&w);
}

static void metadata_backcompat(void) {
    world_init(&w);
    w.prm_url = w.prm_named = NULL;
    w.as[0].issuer = WORLD_ORIGIN;
    w.as[0].metadata_url = WORLD_ORIGIN "/.well-known/oauth-authorization-server";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    world_close(&w);
}

static void endpoint_fallback(void) {
    world_init(&w);
    w.prm_url = w.prm_named = NULL;
    w.as[0].issuer = WORLD_ORIGIN;
    w.as[0].metadata_url = NULL;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    CHECK(world_saw(&w, "POST " WORLD_ORIGIN "/register\n") &&
          world_saw(&w, "POST " WORLD_ORIGIN "/token\n"));
    world_close(&w);
}

static void a_server_without_metadata_can_be_refused(void) {
    world_init(&w);
    w.config.without_metadata = MCPW_OFF;
    w.prm_url = w.prm_named = NULL;
    world_open(&w);
    CHECK(world_call(&w) == 0 && w.error.code == MCPW_E_NOT_FOUND);
    world_close(&w);
}

static void application_type_is_native_on_this_machine(void) {
    world_init(&w);
    world_open(&w);
    CHECK(world_call(&w) == 200 && body_has("\"application_type\":\"native\""));
    CHECK(body_has("\"redirect_uris\":[\"" WORLD_REDIRECT "\"]") && body_has("\"client_name\":\"mcpwire\""));
    world_close(&w);
}

static void application_type_is_web_elsewhere(void) {
    world_init(&w);
    w.config.redirect_uri = "https://app.example.com/callback";
    world_open(&w);
    CHECK(world_call(&w) == 200 && body_has("\"application_type\":\"web\""));
    world_close(&w);
}

static void everything_works_on_this_machine_over_http(void) {
    world_init(&w);
    w.config.server_url = w.resource = "http://localhost:3000/mcp";
    w.prm_url = w.prm_named = "http://localhost:3000/.well-known/oauth-protected-resource/mcp";
    w.as[0].issuer = "http://localhost:3001";
    w.as[0].metadata_url = "http://localhost:3001/.well-known/oauth-authorization-server";
    world_open(&w);
    CHECK(world_call(&w) == 200);
    check_code_flow();
    world_close(&w);
}

int main(void) {
    RUN(metadata_default);
    RUN(metadata_var1);
    RUN(metadata_var2);
    RUN(metadata_var3);
    RUN(basic_cimd);
    RUN(a_metadata_document_is_no_id_where_it_is_not_advertised);
    RUN(scope_from_www_authenticate);
    RUN(scope_from_scopes_supported);
    RUN(scope_omitted_when_undefined);
    RUN(scope_step_up);
    RUN(scope_step_up_asks_the_user_though_there_is_a_refresh_token);
    RUN(scope_retry_limit);
    RUN(token_endpoint_auth_basic);
    RUN(token_endpoint_auth_post);
    RUN(token_endpoint_auth_none);
    RUN(token_endpoint_auth_none_where_the_answer_names_no_method);
    RUN(pre_registration);
    RUN(resource_mismatch);
    RUN(offline_access_scope);
    RUN(offline_access_not_supported);
    RUN(authorization_server_migration);
    RUN(iss_supported);
    RUN(iss_not_advertised);
    RUN(iss_supported_missing);
    RUN(iss_wrong_issuer);
    RUN(iss_unexpected);
    RUN(iss_normalized);
    RUN(iss_mismatch_does_not_show_the_error);
    RUN(a_user_who_refuses_is_reported);
    RUN(metadata_issuer_mismatch);
    RUN(client_credentials_basic);
    RUN(client_credentials_jwt);
    RUN(enterprise_managed_authorization);
    RUN(wif_jwt_bearer);
    RUN(wif_jwt_bearer_is_tried_once);
    RUN(metadata_backcompat);
    RUN(endpoint_fallback);
    RUN(a_server_without_metadata_can_be_refused);
    RUN(application_type_is_native_on_this_machine);
    RUN(application_type_is_web_elsewhere);
    RUN(everything_works_on_this_machine_over_http);
    return check_end();
}
