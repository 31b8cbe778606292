/* SPDX-License-Identifier: MIT */
/* The logins of everything_client. The suite has no user: whoever is sent to the authorization server is sent
 * back at once, by a redirect that the client reads itself. */
#include "everything_login.h"

#include <mcpw/http_login.h>
#include <mcpw/json.h>

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

static size_t ignore(char *bytes, size_t one, size_t len, void *user) {
    (void)bytes, (void)user;
    return one * len;
}

static mcpw_status follow(void *user, mcpw_http_login *login, const char *url) {
    CURL *const easy = curl_easy_init();
    char *target = NULL;
    mcpw_status status = MCPW_E_CONNECTION;
    (void)user;
    if (easy != NULL && curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore) == CURLE_OK &&
        curl_easy_perform(easy) == CURLE_OK &&
        curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &target) == CURLE_OK && target != NULL) {
        status = mcpw_http_login_redirected(login, mcpw_str_from(target), NULL);
    }
    curl_easy_cleanup(easy);
    return status;
}

static void warn(void *user, const char *message) {
    (void)user;
    (void)fprintf(stderr, "everything_client: %s\n", message);
}

/* A member of the context; NULL: it is not there. */
static const char *given(everything_login *self, const char *name) {
    const char *const context = getenv("MCP_CONFORMANCE_CONTEXT");
    mcpw_str text = {NULL, 0};
    if (context == NULL ||
        mcpw_json_get_string(mcpw_json_from(context), name, &self->arena, &text) != MCPW_OK) {
        return NULL;
    }
    return mcpw_arena_str(&self->arena, text.ptr, text.len).ptr; /* with a NUL */
}

static bool is(const char *scenario, const char *name) {
    return strncmp(scenario, "auth/", sizeof "auth/" - 1) == 0 &&
           strcmp(scenario + sizeof "auth/" - 1, name) == 0;
}

static mcpw_oauth_grant grant_of(const char *scenario) {
    if (is(scenario, "client-credentials-jwt") || is(scenario, "client-credentials-basic")) {
        return MCPW_OAUTH_CLIENT_CREDENTIALS;
    }
    if (is(scenario, "enterprise-managed-authorization")) {
        return MCPW_OAUTH_ID_JAG;
    }
    return is(scenario, "wif-jwt-bearer") ? MCPW_OAUTH_JWT_BEARER : MCPW_OAUTH_CODE;
}

mcpw_status everything_login_begin(everything_login *self, const char *url, const char *scenario,
                                   mcpw_error *error) {
    mcpw_http_login_options options = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_oauth_config config = MCPW_OAUTH_CONFIG_INIT;
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    *self = (everything_login){.arena = MCPW_ARENA_INIT};
    if (scenario == NULL || strncmp(scenario, "auth/", sizeof "auth/" - 1) != 0) {
        return MCPW_OK;
    }
    const char *const pem = given(self, "private_key_pem");
    const bool is_bound = is(scenario, "dpop") || is(scenario, "dpop-nonce");
    if (pem != NULL || is_bound) {
        self->keys = everything_keys_new(mcpw_str_from(pem), &signer, error);
        if (self->keys == NULL) {
            return error->code;
        }
    }
    config.grant = grant_of(scenario);
    const mcpw_oauth_credential credential = {.client_id = given(self, "client_id"),
                                              .client_secret = given(self, "client_secret"),
                                              .method = pem != NULL ? MCPW_OAUTH_METHOD_JWT
                                                                    : MCPW_OAUTH_METHOD_ANY};
    const bool has_client = credential.client_id != NULL && config.grant != MCPW_OAUTH_JWT_BEARER;
    config.credentials = &credential;
    config.credential_count = has_client ? 1 : 0;
    config.trust_discovered_issuer = true; /* the contexts name none */
    config.client_metadata_url = "https://conformance-test.local/client-metadata.json";
    config.idp_token_endpoint = given(self, "idp_token_endpoint");
    config.idp_client_id = given(self, "idp_client_id");
    config.idp_id_token = given(self, "idp_id_token");
    config.assertion = given(self, "valid_jwt");
    config.signer = pem != NULL ? &signer : NULL;
    config.dpop = is_bound ? &signer : NULL;
    options.url = url;
    options.oauth = &config;
    options.directory = "";
    options.browser = "";
    options.on_open = follow;
    options.on_warning = warn;
    self->login = mcpw_http_login_new(&options, error);
    return self->login != NULL ? MCPW_OK : error->code;
}

void everything_login_end(everything_login *self) {
    mcpw_http_login_free(self->login);
    everything_keys_free(self->keys);
    mcpw_arena_free(&self->arena);
}
