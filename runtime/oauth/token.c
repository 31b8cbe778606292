/* SPDX-License-Identifier: MIT */
/* Requests to token endpoints, and their responses. (RFC 6749, sections 4 and 5; RFC 7523; RFC 8693; RFC
 * 8707; RFC 9449, section 5.) */
#include "token.h"

#include "documents.h"
#include "proof.h"
#include "records.h"

enum { OK = 200, MS = 1000 };

static const mcpw_str none = {NULL, 0};
static const char jwt_bearer[] = "urn:ietf:params:oauth:grant-type:jwt-bearer";
static const mcpw_str id_jag = MCPW_STR("urn:ietf:params:oauth:token-type:id-jag");
static const char again[] = "log in again, or ask the operator of the authorization server";

/* ---- Requests ------------------------------------------------------------------------------------------ */

mcpw_oauth_form mcpw_oauth_begin_token_request(mcpw_oauth *oauth, const char *grant) {
    mcpw_oauth_form form = mcpw_oauth_form_in(&oauth->ordered);
    mcpw_oauth_form_put(&form, "grant_type", mcpw_str_from(grant));
    return form;
}

bool mcpw_oauth_authenticate(mcpw_oauth *oauth, mcpw_oauth_form *form) {
    const mcpw_oauth_client *const client = &oauth->client;
    mcpw_error error = {.code = MCPW_E_MEMORY};
    mcpw_str value = client->id;
    switch (client->method) {
    case MCPW_OAUTH_METHOD_BASIC:
        value = mcpw_oauth_basic(&oauth->ordered, client->id, client->secret);
        mcpw_oauth_add_field(oauth, "Authorization", value);
        mcpw_error_set(&error, MCPW_E_MEMORY, 0, "the login ran out of memory");
        break;
    case MCPW_OAUTH_METHOD_JWT:
        value = mcpw_oauth_assertion(&oauth->signer, oauth->now, &oauth->scratch, client->id, oauth->issuer,
                                     &error);
        mcpw_oauth_form_put(form, "client_assertion_type",
                            MCPW_STR_VALUE("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"));
        mcpw_oauth_form_put(form, "client_assertion", value);
        break;
    case MCPW_OAUTH_METHOD_POST:
        mcpw_oauth_form_put(form, "client_id", client->id);
        mcpw_oauth_form_put(form, "client_secret", client->secret);
        break;
    default:
        mcpw_oauth_form_put(form, "client_id", client->id.len != 0 ? client->id : none);
        break;
    }
    if (value.ptr == NULL) {
        mcpw_oauth_fail(oauth, error.code, "%s", error.message);
    }
    return value.ptr != NULL;
}

bool mcpw_oauth_post(mcpw_oauth *oauth, mcpw_str url, mcpw_oauth_form *form, mcpw_oauth_order *order,
                     mcpw_oauth_step *step) {
    order->body = mcpw_oauth_form_end(form);
    if (order->body.ptr == NULL) {
        mcpw_oauth_fail_memory(oauth);
        return false;
    }
    mcpw_oauth_add_field(oauth, "Accept", MCPW_STR_VALUE("application/json"));
    mcpw_oauth_add_field(oauth, "Content-Type", MCPW_STR_VALUE("application/x-www-form-urlencoded"));
    order->method = "POST";
    order->url = url;
    *step = MCPW_OAUTH_SEND;
    return true;
}

bool mcpw_oauth_order_token(mcpw_oauth *oauth, mcpw_oauth_form *form, mcpw_oauth_order *order,
                            mcpw_oauth_step *step) {
    mcpw_oauth_form_put(form, "resource", oauth->resource.resource);
    if (!mcpw_oauth_authenticate(oauth, form)) {
        return false;
    }
    if (oauth->dpop.sign != NULL) {
        mcpw_error error = {.code = MCPW_E_FORMAT};
        mcpw_oauth_url url;
        const bool is_url = mcpw_oauth_url_read(oauth->metadata.token_endpoint, &url);
        const mcpw_str proof =
            is_url ? mcpw_oauth_proof(oauth, &oauth->ordered, "POST", &url, none, &error) : none;
        if (proof.ptr == NULL) {
            mcpw_oauth_fail(oauth, error.code, "%s", error.message);
            return false;
        }
        mcpw_oauth_add_field(oauth, "DPoP", proof);
    }
    return mcpw_oauth_post(oauth, oauth->metadata.token_endpoint, form, order, step);
}

bool mcpw_oauth_exchange(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    mcpw_oauth_form form = mcpw_oauth_begin_token_request(oauth, "authorization_code");
    mcpw_oauth_form_put(&form, "code", oauth->code);
    mcpw_oauth_form_put(&form, "redirect_uri", mcpw_str_from(oauth->config.redirect_uri));
    mcpw_oauth_form_put(&form, "code_verifier", oauth->verifier);
    return mcpw_oauth_order_token(oauth, &form, order, step);
}

bool mcpw_oauth_ask_refresh(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    mcpw_oauth_form form = mcpw_oauth_begin_token_request(oauth, "refresh_token");
    mcpw_oauth_form_put(&form, "refresh_token", oauth->token.refresh_token);
    return mcpw_oauth_order_token(oauth, &form, order, step);
}

bool mcpw_oauth_ask_grant(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    const bool is_bearer = oauth->config.grant != MCPW_OAUTH_CLIENT_CREDENTIALS;
    mcpw_oauth_form form =
        mcpw_oauth_begin_token_request(oauth, is_bearer ? jwt_bearer : "client_credentials");
    if (is_bearer) {
        mcpw_oauth_form_put(&form, "assertion",
                            oauth->config.grant == MCPW_OAUTH_ID_JAG
                                ? oauth->assertion
                                : mcpw_str_from(oauth->config.assertion));
    }
    mcpw_oauth_form_put(&form, "scope", oauth->scopes);
    return mcpw_oauth_order_token(oauth, &form, order, step);
}

/* ---- Responses ----------------------------------------------------------------------------------------- */

bool mcpw_oauth_repeats(mcpw_oauth *oauth, const mcpw_oauth_http_response *response) {
    mcpw_oauth_json_failure failure = {.error = none};
    mcpw_oauth_url url;
    const bool is_new = mcpw_oauth_url_read(oauth->metadata.token_endpoint, &url) &&
                        mcpw_oauth_keep_nonce(oauth, &url, response->nonce);
    if (response->status == OK || !is_new || oauth->has_repeated || oauth->dpop.sign == NULL) {
        return false;
    }
    if (!mcpw_oauth_read_failure(oauth, response->body, &failure)) {
        return oauth->state == MCPW_OAUTH_BROKEN;
    }
    if (!mcpw_str_is(failure.error, "use_dpop_nonce")) {
        return false;
    }
    oauth->has_repeated = true;
    return true;
}

static bool is_type(mcpw_str type, const char *name) {
    return mcpw_oauth_is_same_word(type, mcpw_str_from(name));
}

/* Whether a token can stand in a header field. */
static bool is_field(mcpw_str token) {
    for (size_t i = 0; i < token.len; i++) {
        if (token.ptr[i] <= ' ' || token.ptr[i] > '~') {
            return false;
        }
    }
    return true;
}

static bool check_token(mcpw_oauth *oauth, const mcpw_oauth_json_token *token) {
    const bool is_bound = oauth->dpop.sign != NULL;
    if (!is_type(token->token_type, is_bound ? "DPoP" : "Bearer")) {
        mcpw_oauth_fail(oauth, MCPW_E_VALUE, "token response: token_type: expected %s; %s",
                        is_bound ? "DPoP" : "Bearer",
                        is_bound ? "the authorization server binds no tokens; log in without dpop"
                                 : "ask the operator of the authorization server");
        return false;
    }
    if (!is_field(token->access_token) || !mcpw_oauth_scope_is_list(token->scope)) {
        mcpw_oauth_fail(oauth, MCPW_E_FORMAT,
                        "token response: %s: expected printable characters; ask its operator",
                        is_field(token->access_token) ? "scope" : "access_token");
        return false;
    }
    if (token->scope.len > oauth->config.max_scopes) {
        mcpw_oauth_fail(oauth, MCPW_E_LENGTH,
                        "token response: scope: expected at most %zu bytes together; %s",
                        oauth->config.max_scopes, "ask its operator");
        return false;
    }
    return true;
}

/* Sets when the token expires, and when to request the next one: a little earlier. */
static void set_times(mcpw_oauth_json_stored_token *to, uint64_t now, int64_t seconds) {
    enum { EARLY = 30 * MS, PART = 4 };
    const int64_t most = INT64_MAX / MS / 2;
    const int64_t life = (seconds < most ? seconds : most) * MS;
    to->expires_at = (mcpw_opt_int)MCPW_INT((int64_t)now + life);
    to->renew_at = (mcpw_opt_int)MCPW_INT(to->expires_at.value - (life / PART < EARLY ? life / PART : EARLY));
}

void mcpw_oauth_accept_token(mcpw_oauth *oauth, mcpw_str body, mcpw_str refresh) {
    mcpw_oauth_json_token token;
    if (!mcpw_oauth_read_document(oauth, &mcpw_oauth_token_document, body, &token) ||
        !check_token(oauth, &token)) {
        return;
    }
    mcpw_oauth_json_stored_token stored = {
        .issuer = oauth->issuer,
        .resource = oauth->resource.resource,
        .client_id = oauth->client.id,
        .access_token = token.access_token,
        .refresh_token = token.refresh_token.ptr != NULL ? token.refresh_token : refresh,
        .scope = token.scope.ptr != NULL ? token.scope : oauth->scopes,
        .asked = oauth->asked,
        .bound_to = oauth->key_digest};
    if (token.expires_in.set) {
        set_times(&stored, oauth->now, token.expires_in.value);
    }
    if (!mcpw_oauth_hold(oauth, &stored)) {
        mcpw_oauth_fail_memory(oauth);
        return;
    }
    mcpw_oauth_release(oauth);
    mcpw_oauth_go(oauth, MCPW_OAUTH_FINISHED);
}

/* The code of an error response; absent: it has none. */
static mcpw_str error_of(mcpw_oauth *oauth, const mcpw_oauth_http_response *response) {
    mcpw_oauth_json_failure failure = {.error = none};
    return mcpw_oauth_read_failure(oauth, response->body, &failure) ? failure.error : none;
}

void mcpw_oauth_take_token(mcpw_oauth *oauth, const mcpw_oauth_http_response *response) {
    if (mcpw_oauth_repeats(oauth, response)) {
        return;
    }
    if (response->status != OK) {
        if (oauth->client.is_registered && mcpw_str_is(error_of(oauth, response), "invalid_client")) {
            mcpw_oauth_save_client(oauth, NULL); /* the next login registers again */
        }
        mcpw_oauth_fail_response(oauth, "token endpoint", response, again);
        return;
    }
    mcpw_oauth_accept_token(oauth, response->body, none);
    oauth->code = none;
}

void mcpw_oauth_take_refresh(mcpw_oauth *oauth, const mcpw_oauth_http_response *response) {
    if (mcpw_oauth_repeats(oauth, response)) {
        return;
    }
    if (response->status == OK) {
        mcpw_oauth_accept_token(oauth, response->body, oauth->token.refresh_token);
        return;
    }
    const mcpw_str code = error_of(oauth, response);
    const bool is_unknown = oauth->client.is_registered && mcpw_str_is(code, "invalid_client");
    if (!is_unknown && !mcpw_str_is(code, "invalid_grant")) {
        mcpw_oauth_fail_response(oauth, "token endpoint", response, again);
        return;
    }
    if (is_unknown) {
        mcpw_oauth_save_client(oauth, NULL);
    }
    mcpw_oauth_drop(oauth, true); /* without it the user is asked, so this cannot come again */
    mcpw_oauth_release(oauth);
    mcpw_oauth_go(oauth, MCPW_OAUTH_CLIENT);
}

bool mcpw_oauth_take_lock(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    enum { RETRY_MS = 50 };
    const mcpw_str key = mcpw_oauth_token_key(oauth, &oauth->flow);
    const mcpw_status status = key.ptr != NULL ? oauth->store.lock(oauth->store.self, key) : MCPW_E_MEMORY;
    if (status == MCPW_PENDING) {
        oauth->retry_at = oauth->now + RETRY_MS;
        order->until = oauth->retry_at < oauth->deadline ? oauth->retry_at : oauth->deadline;
        *step = MCPW_OAUTH_WAIT;
        return true;
    }
    if (status == MCPW_OK) {
        oauth->lock = key;
    } else {
        mcpw_oauth_warn(oauth, "the store of tokens cannot be locked; another program may lose its login");
    }
    if (mcpw_oauth_is_removed(oauth)) { /* the user has logged out, which must last */
        mcpw_oauth_drop(oauth, false);
    }
    if (mcpw_oauth_reload(oauth) && mcpw_oauth_is_fresh(oauth)) { /* another one has renewed it meanwhile */
        mcpw_oauth_release(oauth);
        mcpw_oauth_go(oauth, MCPW_OAUTH_FINISHED);
    } else if (oauth->token.refresh_token.ptr == NULL) {
        mcpw_oauth_release(oauth);
        mcpw_oauth_go(oauth, MCPW_OAUTH_CLIENT); /* that of the token may have another redirect URI */
    } else {
        mcpw_oauth_go(oauth, MCPW_OAUTH_REFRESH);
    }
    return false;
}

/* ---- The identity provider ------------------------------------------------------------------------------
 */

bool mcpw_oauth_ask_provider(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    const mcpw_str endpoint = mcpw_str_from(oauth->config.idp_token_endpoint);
    mcpw_oauth_form form =
        mcpw_oauth_begin_token_request(oauth, "urn:ietf:params:oauth:grant-type:token-exchange");
    mcpw_oauth_form_put(&form, "requested_token_type", id_jag);
    mcpw_oauth_form_put(&form, "audience", oauth->issuer);
    mcpw_oauth_form_put(&form, "resource", oauth->resource.resource);
    mcpw_oauth_form_put(&form, "scope", oauth->scopes);
    mcpw_oauth_form_put(&form, "subject_token", mcpw_str_from(oauth->config.idp_id_token));
    mcpw_oauth_form_put(&form, "subject_token_type",
                        MCPW_STR_VALUE("urn:ietf:params:oauth:token-type:id_token"));
    mcpw_oauth_form_put(&form, "client_id", mcpw_str_from(oauth->config.idp_client_id));
    return mcpw_oauth_post(oauth, endpoint, &form, order, step);
}

void mcpw_oauth_take_provider(mcpw_oauth *oauth, const mcpw_oauth_http_response *response) {
    mcpw_oauth_json_token token;
    if (response->status != OK) {
        mcpw_oauth_fail_response(oauth, "identity provider", response,
                                 "log in at the identity provider again");
        return;
    }
    if (!mcpw_oauth_read_document(oauth, &mcpw_oauth_token_document, response->body, &token)) {
        return;
    }
    if (!mcpw_str_equal(token.issued_token_type, id_jag) || !is_type(token.token_type, "N_A")) {
        mcpw_oauth_fail(oauth, MCPW_E_VALUE, "identity provider response: %s; ask its operator",
                        is_type(token.token_type, "N_A") ? "issued_token_type: expected an ID-JAG"
                                                         : "token_type: expected N_A");
        return;
    }
    oauth->assertion = token.access_token;
    mcpw_oauth_go(oauth, MCPW_OAUTH_GRANT);
}
