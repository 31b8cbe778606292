/* SPDX-License-Identifier: MIT */
/* Runs the states of a login. */
#include "machine.h"

#include "documents.h"
#include "records.h"
#include "states.h"

static const mcpw_str none = {NULL, 0};

/* By state: its action, the receiver of the response to its request, and the sender of that response. */
static const struct {
    mcpw_oauth_act *act;
    mcpw_oauth_take *take;
    const char *name;
} states[] = {
    [MCPW_OAUTH_RESOURCE] = {mcpw_oauth_ask_resource, mcpw_oauth_take_resource, "resource metadata"},
    [MCPW_OAUTH_SERVER] = {mcpw_oauth_ask_server, mcpw_oauth_take_server,
                           "metadata of the authorization server"},
    [MCPW_OAUTH_CLIENT] = {mcpw_oauth_choose_client, NULL, "client"},
    [MCPW_OAUTH_REGISTER] = {mcpw_oauth_register, mcpw_oauth_take_registration, "registration of the client"},
    [MCPW_OAUTH_LOCK] = {mcpw_oauth_take_lock, NULL, "lock of the stored token"},
    [MCPW_OAUTH_REFRESH] = {mcpw_oauth_ask_refresh, mcpw_oauth_take_refresh, "token endpoint"},
    [MCPW_OAUTH_AUTHORIZE] = {mcpw_oauth_authorize, NULL, "user"},
    [MCPW_OAUTH_USER] = {NULL, NULL, "user"}, /* it ends by the redirect */
    [MCPW_OAUTH_EXCHANGE] = {mcpw_oauth_exchange, mcpw_oauth_take_token, "token endpoint"},
    [MCPW_OAUTH_PROVIDER] = {mcpw_oauth_ask_provider, mcpw_oauth_take_provider, "identity provider"},
    [MCPW_OAUTH_GRANT] = {mcpw_oauth_ask_grant, mcpw_oauth_take_token, "token endpoint"},
    [MCPW_OAUTH_REVOKE] = {mcpw_oauth_ask_revocation, mcpw_oauth_take_revocation, "revocation endpoint"},
};

bool mcpw_oauth_is_active(const mcpw_oauth *oauth) {
    return oauth->state != MCPW_OAUTH_IDLE && oauth->state < MCPW_OAUTH_FINISHED;
}

/* ---- Beginnings ---------------------------------------------------------------------------------------- */

static void count_attempt(mcpw_oauth *oauth, mcpw_oauth_state state) {
    oauth->attempts++;
    oauth->began_at = oauth->now;
    oauth->deadline = oauth->now + oauth->config.deadline_ms;
    oauth->is_waiting = false;
    oauth->error = (mcpw_error){.code = MCPW_OK};
    mcpw_oauth_go(oauth, state);
}

/* Forgets the last login. */
static void clear(mcpw_oauth *oauth) {
    mcpw_oauth_release(oauth);
    mcpw_arena_reset(&oauth->flow);
    oauth->issuer = none;
    oauth->has_metadata = false;
    oauth->is_own_server = false;
    oauth->is_leaving = oauth->has_revoked = false;
    oauth->resource = (mcpw_oauth_json_resource){.resource = none};
    oauth->metadata = (mcpw_oauth_json_server){.issuer = none};
    oauth->client = (mcpw_oauth_client){none, none, MCPW_OAUTH_METHOD_ANY, false};
    oauth->scopes = oauth->verifier = oauth->expected = oauth->code = oauth->assertion = none;
    oauth->revoked_client = oauth->revoked_refresh = oauth->revoked_access = none;
}

void mcpw_oauth_start(mcpw_oauth *oauth, const mcpw_oauth_reason *reason) {
    clear(oauth);
    oauth->is_step_up = reason->is_step_up;
    oauth->is_refused = oauth->is_refused || reason->is_refused;
    count_attempt(oauth, MCPW_OAUTH_RESOURCE);
    if (!mcpw_oauth_keep(&oauth->flow, reason->metadata, &oauth->named_metadata) ||
        !mcpw_oauth_keep(&oauth->flow, reason->scopes, &oauth->wanted_scopes)) {
        mcpw_oauth_fail_memory(oauth);
    }
}

void mcpw_oauth_renew(mcpw_oauth *oauth) {
    if (!oauth->has_metadata || !mcpw_str_equal(oauth->issuer, oauth->token.issuer)) {
        mcpw_oauth_start(oauth, &(mcpw_oauth_reason){.metadata = none});
        return;
    }
    mcpw_oauth_release(oauth);
    mcpw_arena_rewind(&oauth->flow, oauth->discovered);
    oauth->client = (mcpw_oauth_client){none, none, MCPW_OAUTH_METHOD_ANY, false};
    oauth->scopes = oauth->verifier = oauth->expected = oauth->code = oauth->assertion = none;
    oauth->is_step_up = false;
    count_attempt(oauth, MCPW_OAUTH_CLIENT);
}

bool mcpw_oauth_leave(mcpw_oauth *oauth) {
    enum { LOGOUT_MS = 10000 };
    const mcpw_oauth_json_stored_token *const token = &oauth->token;
    const bool is_live = !token->expires_at.set || (uint64_t)token->expires_at.value > oauth->now;
    clear(oauth);
    if (!mcpw_oauth_keep(&oauth->flow, token->issuer, &oauth->issuer) ||
        !mcpw_oauth_keep(&oauth->flow, token->resource, &oauth->resource.resource) ||
        !mcpw_oauth_keep(&oauth->flow, token->client_id, &oauth->revoked_client) ||
        !mcpw_oauth_keep(&oauth->flow, token->refresh_token, &oauth->revoked_refresh) ||
        !mcpw_oauth_keep(&oauth->flow, is_live ? token->access_token : none, &oauth->revoked_access)) {
        return false;
    }
    oauth->is_leaving = true;
    oauth->is_waiting = oauth->is_step_up = false;
    oauth->error = (mcpw_error){.code = MCPW_OK};
    oauth->deadline =
        oauth->now + (oauth->config.deadline_ms < LOGOUT_MS ? oauth->config.deadline_ms : LOGOUT_MS);
    return true;
}

bool mcpw_oauth_is_exhausted(mcpw_oauth *oauth) {
    enum { PAUSE_MS = 60000 };
    oauth->began_at =
        oauth->now < oauth->began_at ? oauth->now : oauth->began_at; /* the clock was put back */
    if (oauth->attempts != 0 && oauth->now >= oauth->began_at + PAUSE_MS && !mcpw_oauth_is_active(oauth)) {
        oauth->attempts = 0; /* the cause may be gone */
    }
    const unsigned most = oauth->config.grant == MCPW_OAUTH_JWT_BEARER ? 1 : oauth->config.max_attempts;
    return oauth->attempts >= most;
}

void mcpw_oauth_begin(mcpw_oauth *oauth, bool again) {
    if (oauth == NULL) {
        return;
    }
    mcpw_arena_reset(&oauth->scratch);
    mcpw_oauth_release(oauth);
    mcpw_oauth_recall(oauth);
    oauth->attempts = 0;
    oauth->is_waiting = false;
    if (again) {
        mcpw_oauth_drop(oauth, false);
    }
    oauth->state = MCPW_OAUTH_IDLE;
}

/* ---- Steps --------------------------------------------------------------------------------------------- */

static mcpw_oauth_step send_order(mcpw_oauth *oauth, mcpw_oauth_order *order) {
    order->fields = oauth->fields;
    order->field_count = oauth->field_count;
    order->max_body = oauth->config.max_document;
    order->public_only = !mcpw_oauth_url_is_loopback(&oauth->server);
    oauth->is_waiting = true;
    return MCPW_OAUTH_SEND;
}

/* The end of a message about a request that failed. */
static const char *remedy(const mcpw_oauth *oauth) {
    return oauth->is_leaving ? "the token stays valid until it expires" : "try again later";
}

/* Runs states until one of them returns a step. */
static mcpw_oauth_step run(mcpw_oauth *oauth, mcpw_oauth_order *order) {
    mcpw_oauth_step step = MCPW_OAUTH_FAILED;
    while (mcpw_oauth_is_active(oauth)) {
        if (oauth->now >= oauth->deadline) {
            mcpw_oauth_fail(oauth, MCPW_E_TIMEOUT, "%s: no response in time; %s", states[oauth->state].name,
                            remedy(oauth));
            break;
        }
        if (oauth->is_waiting) {
            order->until = oauth->deadline;
            return MCPW_OAUTH_WAIT;
        }
        mcpw_arena_reset(&oauth->ordered);
        oauth->field_count = 0;
        if (states[oauth->state].act(oauth, order, &step)) {
            return step == MCPW_OAUTH_SEND ? send_order(oauth, order) : step;
        }
    }
    return oauth->state == MCPW_OAUTH_FINISHED ? MCPW_OAUTH_DONE : MCPW_OAUTH_FAILED;
}

mcpw_oauth_step mcpw_oauth_next(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_error *error) {
    if (oauth == NULL || order == NULL || !MCPW_HAS_ALL(order, until)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "mcpw_oauth_next needs a client and an initialised order");
        return MCPW_OAUTH_FAILED;
    }
    *order = (mcpw_oauth_order){.struct_size = order->struct_size, .until = UINT64_MAX};
    mcpw_arena_reset(&oauth->scratch);
    if (oauth->now == 0) {
        mcpw_error_set(error, MCPW_E_STATE, 0, "the time is not set; call mcpw_oauth_advance first");
        return MCPW_OAUTH_FAILED;
    }
    if (oauth->state == MCPW_OAUTH_IDLE) {
        mcpw_oauth_recall(oauth);
        if (mcpw_oauth_is_fresh(oauth)) {
            oauth->state = MCPW_OAUTH_FINISHED;
        } else {
            mcpw_oauth_start(oauth, &(mcpw_oauth_reason){.metadata = none});
        }
    }
    const mcpw_oauth_step step = run(oauth, order);
    if (step == MCPW_OAUTH_FAILED && error != NULL) {
        *error = oauth->error;
    }
    return step;
}

/* ---- Input --------------------------------------------------------------------------------------------- */

static mcpw_str field_of(const mcpw_http_field *fields, size_t count, const char *name) {
    for (size_t i = 0; fields != NULL && i < count; i++) {
        mcpw_str value = fields[i].value;
        while (value.len != 0 && (value.ptr[0] == ' ' || value.ptr[0] == '\t')) {
            value.ptr++;
            value.len--;
        }
        while (value.len != 0 && (value.ptr[value.len - 1] == ' ' || value.ptr[value.len - 1] == '\t')) {
            value.len--;
        }
        if (mcpw_oauth_is_same_word(fields[i].name, mcpw_str_from(name))) {
            return value;
        }
    }
    return none;
}

void mcpw_oauth_response(mcpw_oauth *oauth, int status, const mcpw_http_field *fields, size_t field_count,
                         mcpw_str body) {
    if (oauth == NULL || !oauth->is_waiting || oauth->state == MCPW_OAUTH_USER) {
        return;
    }
    mcpw_arena_reset(&oauth->scratch);
    oauth->is_waiting = false;
    if (body.len > oauth->config.max_document) {
        mcpw_oauth_fail(oauth, MCPW_E_SIZE, "%s: longer than %zu bytes; ask its operator",
                        states[oauth->state].name, oauth->config.max_document);
        return;
    }
    const mcpw_oauth_http_response response = {.status = status,
                                               .location = field_of(fields, field_count, "Location"),
                                               .nonce = field_of(fields, field_count, "DPoP-Nonce"),
                                               .body = body};
    states[oauth->state].take(oauth, &response);
}

void mcpw_oauth_no_response(mcpw_oauth *oauth, const mcpw_error *error) {
    if (oauth == NULL || !oauth->is_waiting || oauth->state == MCPW_OAUTH_USER) {
        return;
    }
    char why[MCPW_OAUTH_WORDS_SIZE];
    const mcpw_status status = error != NULL && error->code != MCPW_OK ? error->code : MCPW_E_CONNECTION;
    (void)mcpw_oauth_foreign(oauth, why, mcpw_str_from(error != NULL ? error->message : NULL));
    mcpw_oauth_fail(oauth, status, "%s: no response%s%s; %s", states[oauth->state].name,
                    why[0] != '\0' ? ": " : "", why, remedy(oauth));
}

/* Whether a URL, or a path alone, is that of the redirect URI. A browser adds the path "/" where there is
 * none.
 */
static bool is_redirect_uri(const mcpw_oauth *oauth, mcpw_str text) {
    static const mcpw_str root = MCPW_STR("/");
    mcpw_oauth_url home;
    mcpw_oauth_url url = {.path = text};
    if (!mcpw_oauth_url_read(mcpw_str_from(oauth->config.redirect_uri), &home) ||
        (text.ptr[0] != '/' &&
         (!mcpw_oauth_url_read(text, &url) || !mcpw_oauth_url_same_origin(&url, &home)))) {
        return false;
    }
    return mcpw_str_equal(url.path.len != 0 ? url.path : root, home.path.len != 0 ? home.path : root);
}

/* The query of a redirect, which is given as a URL or alone. False: the URL is another one than that of the
 * config. */
static bool query_of(const mcpw_oauth *oauth, mcpw_str *redirect) {
    size_t end = 0;
    while (end < redirect->len && redirect->ptr[end] != '#') {
        end++;
    }
    size_t begin = 0;
    while (begin < end && strchr("?=&", redirect->ptr[begin]) == NULL) {
        begin++;
    }
    const bool is_whole = begin < end && redirect->ptr[begin] == '?';
    if (is_whole && begin != 0 && !is_redirect_uri(oauth, (mcpw_str){redirect->ptr, begin})) {
        return false;
    }
    if (!is_whole && begin != 0 && memchr(redirect->ptr, '/', begin) != NULL) {
        return false; /* a path or a URL without a query */
    }
    begin = is_whole ? begin + 1 : 0;
    *redirect = (mcpw_str){redirect->ptr + begin, end - begin};
    return true;
}

mcpw_status mcpw_oauth_redirected(mcpw_oauth *oauth, mcpw_str redirect, mcpw_error *error) {
    if (oauth == NULL || redirect.ptr == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "mcpw_oauth_redirected needs a client and a redirect");
        return MCPW_E_ARGUMENT;
    }
    if (oauth->state != MCPW_OAUTH_USER) {
        mcpw_error_set(error, MCPW_E_STATE, 0, "no redirect is awaited");
        return MCPW_E_STATE;
    }
    mcpw_arena_reset(&oauth->scratch);
    if (redirect.len > oauth->config.max_document || !query_of(oauth, &redirect)) {
        mcpw_error_set(error, MCPW_E_VALUE, 0,
                       "redirect: expected the redirect URI of this login; it is ignored");
        return MCPW_E_VALUE;
    }
    return mcpw_oauth_take_redirect(oauth, redirect, error);
}

void mcpw_oauth_advance(mcpw_oauth *oauth, uint64_t unix_ms) {
    if (oauth != NULL) {
        oauth->now = unix_ms < INT64_MAX / 2 ? unix_ms : INT64_MAX / 2;
    }
}

uint64_t mcpw_oauth_deadline(const mcpw_oauth *oauth) {
    if (oauth == NULL || !mcpw_oauth_is_active(oauth)) {
        return UINT64_MAX;
    }
    return oauth->state == MCPW_OAUTH_LOCK && oauth->retry_at < oauth->deadline ? oauth->retry_at
                                                                                : oauth->deadline;
}
