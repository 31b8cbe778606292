/* SPDX-License-Identifier: MIT */
/* The identity of the client at the issuer, and its scopes: ids in the order of the specification.
 * (MCP 2026-07-28, "Client Registration Approaches", "Scope Selection Strategy"; RFC 7591.) */
#include "documents.h"
#include "records.h"
#include "states.h"

static const mcpw_str none = {NULL, 0};
static const mcpw_str offline_access = MCPW_STR("offline_access");

/* Names of methods, by their numbers. */
static const char *const methods[] = {"", "none", "client_secret_basic", "client_secret_post",
                                      "private_key_jwt"};

static bool has(mcpw_oauth_json_str_list list, const char *text) {
    for (size_t i = 0; i < list.count; i++) {
        if (mcpw_str_is(list.items[i], text)) {
            return true;
        }
    }
    return false;
}

static mcpw_oauth_method method_of(mcpw_str name) {
    unsigned method = MCPW_OAUTH_METHOD_JWT;
    while (method != MCPW_OAUTH_METHOD_ANY && !mcpw_str_is(name, methods[method])) {
        method--;
    }
    return (mcpw_oauth_method)method;
}

/* Whether the authorization server accepts a method. One that lists none accepts Basic. (RFC 8414,
 * section 2.) */
static bool is_supported(const mcpw_oauth *oauth, mcpw_oauth_method method) {
    const mcpw_oauth_json_str_list list = oauth->metadata.token_endpoint_auth_methods_supported;
    return list.items == NULL ? method == MCPW_OAUTH_METHOD_BASIC : has(list, methods[method]);
}

/* ---- Scopes -------------------------------------------------------------------------------------------- */

/* All scopes that the metadata of the resource list. A list beyond the limit is cut, but stays beyond it, so
 * it is refused later. */
static mcpw_str scopes_of_resource(mcpw_oauth *oauth) {
    const mcpw_oauth_json_str_list list = oauth->resource.scopes_supported;
    mcpw_oauth_form all = mcpw_oauth_form_in(&oauth->scratch);
    for (size_t i = 0; i < list.count && all.out.len <= oauth->config.max_scopes; i++) {
        mcpw_oauth_form_add(&all, MCPW_STR_VALUE(" "));
        mcpw_oauth_form_add(&all, list.items[i]);
    }
    return mcpw_oauth_form_end(&all);
}

/* A list of scopes without one of them. */
static mcpw_str without(mcpw_oauth *oauth, mcpw_str list, mcpw_str word) {
    mcpw_oauth_form out = mcpw_oauth_form_in(&oauth->scratch);
    mcpw_str one;
    while (mcpw_oauth_scope_next(&list, &one)) {
        if (!mcpw_str_equal(one, word)) {
            mcpw_oauth_form_add(&out, MCPW_STR_VALUE(" "));
            mcpw_oauth_form_add(&out, one);
        }
    }
    return mcpw_oauth_form_end(&out);
}

/* Whether scopes are printable and within the limit; else the login has failed. This is checked first,
 * because the time to compare two lists grows with both. */
static bool check_scopes(mcpw_oauth *oauth, mcpw_str scopes) {
    const bool is_good = scopes.len <= oauth->config.max_scopes && mcpw_oauth_scope_is_list(scopes);
    if (!is_good) {
        mcpw_oauth_fail(oauth, MCPW_E_LENGTH,
                        "scopes of the MCP server: expected printable words of at most %zu bytes "
                        "together; ask its operator",
                        oauth->config.max_scopes);
    }
    return is_good;
}

/* Leaves offline_access out where the authorization server does not list it, else adds it. */
static mcpw_str with_offline_access(mcpw_oauth *oauth, mcpw_str scopes) {
    if (!has(oauth->metadata.scopes_supported, offline_access.ptr)) {
        if (!mcpw_oauth_scope_has(scopes, offline_access)) {
            return scopes;
        }
        mcpw_oauth_warn(oauth, "the authorization server does not list offline_access, which is left out");
        return mcpw_oauth_scope_union(&oauth->scratch, without(oauth, scopes, offline_access), none);
    }
    return oauth->config.grant == MCPW_OAUTH_CODE && scopes.len != 0
               ? mcpw_oauth_scope_union(&oauth->scratch, scopes, offline_access)
               : scopes;
}

static bool choose_scopes(mcpw_oauth *oauth) {
    mcpw_str scopes = mcpw_str_from(oauth->config.scopes);
    const bool is_used = oauth->is_step_up || scopes.ptr == NULL;
    const mcpw_str wanted = !is_used                        ? none
                            : oauth->wanted_scopes.len != 0 ? oauth->wanted_scopes
                                                            : scopes_of_resource(oauth);
    if (!check_scopes(oauth, wanted)) {
        return false;
    }
    if (oauth->is_step_up) {
        scopes = mcpw_oauth_scope_union(&oauth->scratch, scopes, oauth->asked);
    }
    scopes = mcpw_oauth_scope_union(&oauth->scratch, scopes, wanted); /* no scope twice */
    scopes = with_offline_access(oauth, scopes);
    if (!check_scopes(oauth, scopes)) {
        return false;
    }
    if (!mcpw_oauth_keep(&oauth->flow, scopes.len != 0 ? scopes : none, &oauth->scopes)) {
        mcpw_oauth_fail_memory(oauth);
        return false;
    }
    return true;
}

/* ---- Ids ----------------------------------------------------------------------------------------------- */

/* The method of a pre-registered client. */
static mcpw_oauth_method method_for(const mcpw_oauth *oauth, const mcpw_oauth_credential *credential) {
    if (credential->method != MCPW_OAUTH_METHOD_ANY) {
        return credential->method;
    }
    if (credential->client_secret == NULL) {
        return oauth->signer.sign != NULL ? MCPW_OAUTH_METHOD_JWT : MCPW_OAUTH_METHOD_NONE;
    }
    return !is_supported(oauth, MCPW_OAUTH_METHOD_BASIC) && is_supported(oauth, MCPW_OAUTH_METHOD_POST)
               ? MCPW_OAUTH_METHOD_POST
               : MCPW_OAUTH_METHOD_BASIC;
}

/* Whether a credential is for this issuer. One with neither issuer nor secret is for any issuer. */
static bool is_of_issuer(const mcpw_oauth *oauth, const mcpw_oauth_credential *credential) {
    const char *const issuer = credential->issuer != NULL ? credential->issuer : oauth->config.issuer;
    const bool is_secret = credential->client_secret != NULL || oauth->config.grant != MCPW_OAUTH_CODE ||
                           oauth->signer.sign != NULL;
    return issuer != NULL ? mcpw_str_is(oauth->issuer, issuer)
                          : !is_secret || oauth->config.trust_discovered_issuer;
}

static bool take_credential(mcpw_oauth *oauth) {
    for (size_t i = 0; i < oauth->config.credential_count; i++) {
        const mcpw_oauth_credential *const one = &oauth->config.credentials[i];
        if (is_of_issuer(oauth, one)) {
            oauth->client =
                (mcpw_oauth_client){mcpw_str_from(one->client_id), mcpw_str_from(one->client_secret),
                                    method_for(oauth, one), false};
            return true;
        }
    }
    char issuer[MCPW_OAUTH_WORDS_SIZE];
    mcpw_oauth_fail(
        oauth, MCPW_E_UNAUTHORIZED,
        "the client's credentials are of another issuer than %s; they are not sent there; give those of this "
        "issuer",
        mcpw_oauth_foreign(oauth, issuer, oauth->issuer));
    return false;
}

static bool is_same_client(const mcpw_oauth *oauth, mcpw_str id) {
    return oauth->client.id.ptr != NULL && mcpw_str_equal(oauth->client.id, id);
}

/* The client of an earlier registration. */
static void take_stored(mcpw_oauth *oauth, mcpw_oauth_json_stored_client *stored) {
    if (mcpw_oauth_load_client(oauth, stored)) {
        oauth->client =
            (mcpw_oauth_client){stored->client_id, stored->client_secret, method_of(stored->method), true};
    }
}

/* Sets the next state if no client is known. */
static void find_client(mcpw_oauth *oauth) {
    mcpw_oauth_json_stored_client stored = {.client_id = none};
    if (oauth->config.client_metadata_url != NULL &&
        oauth->metadata.client_id_metadata_document_supported.value) {
        oauth->client = (mcpw_oauth_client){mcpw_str_from(oauth->config.client_metadata_url), none,
                                            MCPW_OAUTH_METHOD_NONE, false};
        return;
    }
    take_stored(oauth, &stored);
    const bool is_renewed = is_same_client(oauth, oauth->token.client_id) &&
                            oauth->token.refresh_token.ptr != NULL && !oauth->is_step_up;
    if (oauth->client.id.ptr != NULL &&
        (is_renewed || mcpw_str_is(stored.redirect_uri, oauth->config.redirect_uri))) {
        return;
    }
    oauth->client = (mcpw_oauth_client){none, none, MCPW_OAUTH_METHOD_ANY, false};
    if (oauth->metadata.registration_endpoint.ptr == NULL) {
        mcpw_oauth_fail(oauth, MCPW_E_UNAUTHORIZED,
                        "metadata of the authorization server: registration_endpoint: is missing; register a "
                        "client there "
                        "by hand and give its client id");
        return;
    }
    mcpw_oauth_go(oauth, MCPW_OAUTH_REGISTER);
}

/* Sets the client of a logout: the one that got the tokens, with its secret if that is known. It registers
 * none.
 */
static void take_leaving(mcpw_oauth *oauth) {
    mcpw_oauth_json_stored_client stored = {.client_id = none};
    if (oauth->config.credential_count != 0) {
        if (!take_credential(oauth)) {
            return;
        }
    } else {
        take_stored(oauth, &stored);
    }
    if (!is_same_client(oauth, oauth->revoked_client)) {
        oauth->client = (mcpw_oauth_client){oauth->revoked_client, none, MCPW_OAUTH_METHOD_NONE, false};
    }
    mcpw_oauth_go(oauth, MCPW_OAUTH_REVOKE);
}

bool mcpw_oauth_choose_client(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    const mcpw_oauth_json_stored_token *const token = &oauth->token;
    const bool has_user = oauth->config.grant == MCPW_OAUTH_CODE;
    (void)order, (void)step;
    oauth->client = (mcpw_oauth_client){none, none, MCPW_OAUTH_METHOD_ANY, false};
    if (oauth->is_leaving) {
        take_leaving(oauth);
        return false;
    }
    if (token->issuer.ptr != NULL && (!mcpw_str_equal(token->issuer, oauth->issuer) ||
                                      !mcpw_str_equal(token->resource, oauth->resource.resource))) {
        mcpw_oauth_drop(oauth, true); /* the MCP server has another authorization server now */
    }
    if (!choose_scopes(oauth)) {
        return false;
    }
    if (oauth->config.credential_count != 0) {
        if (!take_credential(oauth)) {
            return false;
        }
    } else if (has_user) {
        find_client(oauth);
    } else { /* a JWT may speak for itself */
        oauth->client = (mcpw_oauth_client){MCPW_STR_VALUE(""), none, MCPW_OAUTH_METHOD_NONE, false};
    }
    if (oauth->state != MCPW_OAUTH_CLIENT) {
        return false;
    }
    if (!has_user) {
        mcpw_oauth_go(oauth,
                      oauth->config.grant == MCPW_OAUTH_ID_JAG ? MCPW_OAUTH_PROVIDER : MCPW_OAUTH_GRANT);
    } else if (token->refresh_token.ptr != NULL && !oauth->is_step_up &&
               is_same_client(oauth, token->client_id)) {
        mcpw_oauth_go(oauth, MCPW_OAUTH_LOCK);
    } else {
        mcpw_oauth_go(oauth, MCPW_OAUTH_AUTHORIZE);
    }
    return false;
}

/* ---- Registration -------------------------------------------------------------------------------------- */

/* The method that a registration requests: a client on a user's machine avoids a secret if it can. */
static mcpw_oauth_method method_to_register(const mcpw_oauth *oauth) {
    static const mcpw_oauth_method order[] = {MCPW_OAUTH_METHOD_NONE, MCPW_OAUTH_METHOD_BASIC,
                                              MCPW_OAUTH_METHOD_POST};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (is_supported(oauth, order[i])) {
            return order[i];
        }
    }
    return MCPW_OAUTH_METHOD_NONE;
}

static mcpw_status write_registration(mcpw_oauth *oauth, mcpw_str *body) {
    static const mcpw_str grants[] = {MCPW_STR("authorization_code"), MCPW_STR("refresh_token")};
    static const mcpw_str responses[] = {MCPW_STR("code")};
    const mcpw_str redirect = mcpw_str_from(oauth->config.redirect_uri);
    mcpw_oauth_url url;
    const bool is_native = mcpw_oauth_url_read(redirect, &url) && mcpw_oauth_url_is_loopback(&url);
    const mcpw_oauth_json_registration registration = {
        .client_name = mcpw_str_from(oauth->config.client_name),
        .redirect_uris = {&redirect, 1},
        .grant_types = {grants, sizeof grants / sizeof *grants},
        .response_types = {responses, 1},
        .token_endpoint_auth_method = mcpw_str_from(methods[method_to_register(oauth)]),
        .application_type = is_native ? MCPW_OAUTH_JSON_REGISTRATION_APPLICATION_TYPE_NATIVE
                                      : MCPW_OAUTH_JSON_REGISTRATION_APPLICATION_TYPE_WEB};
    mcpw_buffer out = mcpw_buffer_in(&oauth->ordered);
    const mcpw_status status = mcpw_oauth_json_registration_encode(&registration, &out, NULL, NULL);
    const mcpw_json text = mcpw_buffer_take(&out);
    *body = (mcpw_str){text.ptr, text.len};
    return status;
}

bool mcpw_oauth_register(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    const mcpw_status status = write_registration(oauth, &order->body);
    if (status == MCPW_E_MEMORY || status == MCPW_E_ARENA) {
        mcpw_oauth_fail_memory(oauth);
        return false;
    }
    if (status != MCPW_OK) {
        mcpw_oauth_fail(oauth, MCPW_E_UTF8,
                        "the registration of the client cannot be written; check client_name");
        return false;
    }
    mcpw_oauth_add_field(oauth, "Accept", MCPW_STR_VALUE("application/json"));
    mcpw_oauth_add_field(oauth, "Content-Type", MCPW_STR_VALUE("application/json"));
    order->method = "POST";
    order->url = oauth->metadata.registration_endpoint;
    *step = MCPW_OAUTH_SEND;
    return true;
}

/* The method of a new client: the one in the response, if it is usable. */
static mcpw_oauth_method method_of_response(const mcpw_oauth *oauth, const mcpw_oauth_json_client *response) {
    mcpw_oauth_method method = method_of(response->token_endpoint_auth_method);
    const bool is_listed =
        oauth->metadata.token_endpoint_auth_methods_supported.items == NULL || is_supported(oauth, method);
    if (method == MCPW_OAUTH_METHOD_ANY || method == MCPW_OAUTH_METHOD_JWT || !is_listed) {
        method = method_to_register(oauth);
    }
    return response->client_secret.len != 0 ? method : MCPW_OAUTH_METHOD_NONE;
}

void mcpw_oauth_take_registration(mcpw_oauth *oauth, const mcpw_oauth_http_response *response) {
    enum { OK = 200, CREATED = 201, MS = 1000 };
    mcpw_oauth_json_client client;
    if (response->status != OK && response->status != CREATED) {
        mcpw_oauth_fail_response(oauth, "registration of the client", response,
                                 "register a client by hand and give its client id");
        return;
    }
    if (!mcpw_oauth_read_document(oauth, &mcpw_oauth_client_document, response->body, &client)) {
        return;
    }
    const mcpw_oauth_method method = method_of_response(oauth, &client);
    const bool has_secret = method != MCPW_OAUTH_METHOD_NONE;
    mcpw_oauth_json_stored_client stored = {.issuer = oauth->issuer,
                                            .client_id = client.client_id,
                                            .client_secret = has_secret ? client.client_secret : none,
                                            .method = mcpw_str_from(methods[method]),
                                            .redirect_uri = mcpw_str_from(oauth->config.redirect_uri)};
    if (has_secret && client.client_secret_expires_at.value > 0 &&
        client.client_secret_expires_at.value < INT64_MAX / MS) {
        stored.expires_at = (mcpw_opt_int)MCPW_INT(client.client_secret_expires_at.value * MS);
    }
    mcpw_oauth_save_client(oauth, &stored);
    oauth->client = (mcpw_oauth_client){stored.client_id, stored.client_secret, method, true};
    mcpw_oauth_go(oauth, MCPW_OAUTH_AUTHORIZE);
}
