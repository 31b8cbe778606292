/* SPDX-License-Identifier: MIT */
/* Requests to the MCP server: their header fields, and the challenges of their responses. (MCP 2026-07-28,
 * "Access Token Usage", "Error Handling"; RFC 6750; RFC 9449, sections 7 and 9.) */
#include "machine.h"
#include "proof.h"
#include "records.h"

#include <mcpw/detail/challenge.h>

static const mcpw_str none = {NULL, 0};

/* ---- Fields -------------------------------------------------------------------------------------------- */

/* Whether the token must be renewed before the next request. */
static bool is_due(const mcpw_oauth *oauth) {
    const mcpw_oauth_json_stored_token *const token = &oauth->token;
    const bool can_renew = oauth->config.grant != MCPW_OAUTH_CODE || token->refresh_token.ptr != NULL;
    const bool is_late = token->renew_at.set && (uint64_t)token->renew_at.value <= oauth->now;
    return token->issuer.ptr != NULL && !oauth->is_refused && can_renew &&
           (is_late || token->access_token.ptr == NULL);
}

/* Whether the request has to wait for a login. It begins one if the token is due. */
static bool must_wait(mcpw_oauth *oauth) {
    const bool is_fresh = mcpw_oauth_is_fresh(oauth);
    if (mcpw_oauth_is_active(oauth)) {
        return !is_fresh || is_due(oauth);
    }
    if (!is_due(oauth) || (is_fresh && oauth->state == MCPW_OAUTH_BROKEN) || mcpw_oauth_is_exhausted(oauth)) {
        return false; /* the token is used as long as it lasts */
    }
    mcpw_oauth_renew(oauth);
    return true;
}

static mcpw_status put_token(mcpw_oauth *oauth, const char *method, const mcpw_oauth_url *url,
                             mcpw_oauth_pass *pass, mcpw_error *error) {
    const bool is_bound = oauth->dpop.sign != NULL;
    const mcpw_str scheme = is_bound ? MCPW_STR_VALUE("DPoP ") : MCPW_STR_VALUE("Bearer ");
    const mcpw_str token = oauth->token.access_token;
    const mcpw_str value = mcpw_oauth_join(&oauth->shown, (const mcpw_str[]){scheme, token, none});
    mcpw_error why = {.code = MCPW_E_MEMORY};
    const mcpw_str proof = is_bound ? mcpw_oauth_proof(oauth, &oauth->shown, method, url, token, &why) : none;
    if (value.ptr == NULL || (is_bound && proof.ptr == NULL)) {
        mcpw_error_set(error, why.code, 0, "%s", why.message);
        return why.code;
    }
    pass->fields[pass->field_count++] = (mcpw_http_field){MCPW_STR_VALUE("Authorization"), value};
    if (is_bound) {
        pass->fields[pass->field_count++] = (mcpw_http_field){MCPW_STR_VALUE("DPoP"), proof};
    }
    pass->token = oauth->token_number;
    return MCPW_OK;
}

mcpw_status mcpw_oauth_fields(mcpw_oauth *oauth, const char *method, const char *url, mcpw_oauth_pass *pass,
                              mcpw_error *error) {
    mcpw_oauth_url target;
    if (oauth == NULL || method == NULL || url == NULL || pass == NULL || !MCPW_HAS_ALL(pass, tries)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                       "mcpw_oauth_fields needs a client, a method, a URL and a pass");
        return MCPW_E_ARGUMENT;
    }
    if (oauth->now == 0) {
        mcpw_error_set(error, MCPW_E_STATE, 0, "the time is not set; call mcpw_oauth_advance first");
        return MCPW_E_STATE;
    }
    mcpw_arena_reset(&oauth->scratch);
    mcpw_arena_reset(&oauth->shown);
    pass->field_count = 0;
    pass->token = 0;
    if (!mcpw_oauth_url_read(mcpw_str_from(url), &target) ||
        !mcpw_oauth_url_same_origin(&target, &oauth->server) ||
        !mcpw_str_equal(target.path, oauth->server.path)) {
        return MCPW_OK; /* the token is for the MCP server alone */
    }
    mcpw_oauth_recall(oauth);
    if (must_wait(oauth)) {
        return MCPW_PENDING;
    }
    pass->tries++;
    return mcpw_oauth_is_fresh(oauth) ? put_token(oauth, method, &target, pass, error) : MCPW_OK;
}

/* ---- Responses ----------------------------------------------------------------------------------------- */

enum { UNAUTHORIZED = 401, FORBIDDEN = 403 };

/* Whether a text contains a word. */
static bool mentions(mcpw_str text, const char *word) {
    const size_t len = strlen(word);
    for (size_t at = 0; at + len <= text.len; at++) {
        if (memcmp(text.ptr + at, word, len) == 0) {
            return true;
        }
    }
    return false;
}

static mcpw_str first_of(mcpw_str text, mcpw_str other) { return text.ptr != NULL ? text : other; }

/* The challenge of the scheme that this client uses. Members that it lacks come from the challenge that other
 * clients read: a server that accepts several schemes names its metadata only once, and some servers name
 * their error only once as well. */
static mcpw_http_challenge read_challenge(mcpw_oauth *oauth, mcpw_str www_authenticate) {
    mcpw_http_challenge own = {.scheme = none};
    mcpw_http_challenge other = {.scheme = none};
    if (www_authenticate.ptr == NULL ||
        mcpw_http_challenge_read(www_authenticate, &oauth->scratch, &other) != MCPW_OK) {
        return (mcpw_http_challenge){.scheme = none};
    }
    if (oauth->dpop.sign == NULL || mcpw_http_challenge_find(www_authenticate, MCPW_STR_VALUE("DPoP"),
                                                             &oauth->scratch, &own) != MCPW_OK) {
        return other;
    }
    own.error_description =
        first_of(own.error_description, own.error.ptr == NULL ? other.error_description : none);
    own.error = first_of(own.error, other.error);
    own.resource_metadata = first_of(own.resource_metadata, other.resource_metadata);
    own.scope = first_of(own.scope, other.scope);
    return own;
}

static mcpw_oauth_action give_up(mcpw_error *error, mcpw_status status, const char *words) {
    mcpw_error_set(error, status, 0, "%s", words);
    return MCPW_OAUTH_GIVE_UP;
}

/* Begins a login, unless too many were tried. */
static mcpw_oauth_action begin(mcpw_oauth *oauth, const mcpw_oauth_pass *pass,
                               const mcpw_oauth_reason *reason, mcpw_error *error) {
    if (pass->tries > oauth->config.max_attempts ||
        (!mcpw_oauth_is_active(oauth) && mcpw_oauth_is_exhausted(oauth))) {
        if (oauth->error.code != MCPW_OK) {
            return give_up(error, oauth->error.code, oauth->error.message);
        }
        char words[MCPW_OAUTH_WORDS_SIZE];
        (void)mcpw_oauth_foreign(oauth, words, reason->description);
        mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0,
                       "the MCP server refuses the tokens that its authorization server issues%s%s; ask its "
                       "operator",
                       words[0] != '\0' ? ": " : "", words);
        return MCPW_OAUTH_GIVE_UP;
    }
    if (!mcpw_oauth_is_active(oauth)) {
        mcpw_oauth_start(oauth, reason);
    }
    return MCPW_OAUTH_BEGIN;
}

static mcpw_oauth_action step_up(mcpw_oauth *oauth, const mcpw_oauth_pass *pass,
                                 const mcpw_http_challenge *challenge, mcpw_error *error) {
    char scopes[MCPW_OAUTH_WORDS_SIZE];
    mcpw_error words = {.code = MCPW_E_UNAUTHORIZED};
    (void)mcpw_oauth_foreign(oauth, scopes, challenge->scope);
    if (oauth->config.grant != MCPW_OAUTH_CODE) {
        mcpw_error_set(&words, MCPW_E_UNAUTHORIZED, 0,
                       "the token lacks a scope that the client may have to be given by its operator: %s",
                       scopes);
        return give_up(error, words.code, words.message);
    }
    if (challenge->scope.len != 0 && challenge->scope.len <= oauth->config.max_scopes &&
        mcpw_oauth_scope_has_all(oauth->asked, challenge->scope)) {
        mcpw_error_set(&words, MCPW_E_UNAUTHORIZED, 0,
                       "the authorization server was asked for a scope and did not grant it; log in again as "
                       "a user who may: "
                       "%s",
                       scopes);
        return give_up(error, words.code, words.message);
    }
    return begin(oauth, pass,
                 &(mcpw_oauth_reason){.metadata = challenge->resource_metadata,
                                      .scopes = challenge->scope,
                                      .is_step_up = true},
                 error);
}

mcpw_oauth_action mcpw_oauth_answered(mcpw_oauth *oauth, const mcpw_oauth_pass *pass, int status,
                                      mcpw_str www_authenticate, mcpw_str dpop_nonce, mcpw_error *error) {
    if (oauth == NULL || pass == NULL || !MCPW_HAS_ALL(pass, tries)) {
        return give_up(error, MCPW_E_ARGUMENT, "mcpw_oauth_answered needs a client and a pass");
    }
    if (pass->tries == 0) {
        return MCPW_OAUTH_ACCEPT; /* another URL than the MCP server's */
    }
    mcpw_arena_reset(&oauth->scratch);
    const bool is_new = mcpw_oauth_keep_nonce(oauth, &oauth->server, dpop_nonce);
    const bool is_current = pass->token == oauth->token_number;
    const mcpw_http_challenge challenge = read_challenge(oauth, www_authenticate);
    const bool lacks_scope = status == FORBIDDEN && mcpw_str_is(challenge.error, "insufficient_scope");
    if (status != UNAUTHORIZED && !lacks_scope) {
        oauth->attempts = pass->token != 0 && is_current ? 0 : oauth->attempts;
        return MCPW_OAUTH_ACCEPT;
    }
    const bool may_repeat = pass->tries <= oauth->config.max_attempts;
    if (status == UNAUTHORIZED && pass->token != 0 && oauth->dpop.sign != NULL && is_new && may_repeat &&
        mentions(www_authenticate, "use_dpop_nonce")) {
        return MCPW_OAUTH_AGAIN;
    }
    if (may_repeat && !is_current && mcpw_oauth_is_fresh(oauth)) {
        return MCPW_OAUTH_AGAIN; /* the token was replaced meanwhile */
    }
    if (lacks_scope) {
        return step_up(oauth, pass, &challenge, error);
    }
    if (may_repeat && pass->token != 0 && is_current && mcpw_oauth_reload(oauth) &&
        mcpw_oauth_is_fresh(oauth)) {
        return MCPW_OAUTH_AGAIN; /* another program has replaced it */
    }
    return begin(oauth, pass,
                 &(mcpw_oauth_reason){.metadata = challenge.resource_metadata,
                                      .scopes = challenge.scope,
                                      .description = challenge.error_description,
                                      .is_refused = pass->token != 0 && is_current},
                 error);
}

/* ---- The state of a login ------------------------------------------------------------------------------ */

mcpw_status mcpw_oauth_read(mcpw_oauth *oauth, mcpw_oauth_login *login) {
    if (oauth == NULL || login == NULL || !MCPW_HAS_ALL(login, is_bound)) {
        return MCPW_E_ARGUMENT;
    }
    mcpw_arena_reset(&oauth->scratch);
    mcpw_oauth_recall(oauth);
    const mcpw_oauth_json_stored_token *const token = &oauth->token;
    *login = (mcpw_oauth_login){.struct_size = login->struct_size,
                                .issuer = token->issuer,
                                .resource = token->resource,
                                .client_id = token->client_id,
                                .scopes = token->scope,
                                .expires_at =
                                    token->expires_at.set ? (uint64_t)token->expires_at.value : UINT64_MAX,
                                .has_token = token->access_token.ptr != NULL,
                                .has_refresh = token->refresh_token.ptr != NULL,
                                .is_bound = token->bound_to.ptr != NULL};
    return token->issuer.ptr != NULL ? MCPW_OK : MCPW_E_NOT_FOUND;
}

void mcpw_oauth_forget(mcpw_oauth *oauth) {
    if (oauth == NULL) {
        return;
    }
    mcpw_arena_reset(&oauth->scratch);
    mcpw_oauth_recall(oauth);
    mcpw_oauth_release(oauth);
    mcpw_oauth_drop(oauth, true);
    mcpw_arena_reset(&oauth->held_scopes);
    oauth->asked = none;
    oauth->state = MCPW_OAUTH_IDLE;
    oauth->is_waiting = false;
    oauth->attempts = 0;
}

void mcpw_oauth_revoke(mcpw_oauth *oauth) {
    if (oauth == NULL) {
        return;
    }
    mcpw_arena_reset(&oauth->scratch);
    mcpw_oauth_recall(oauth);
    const bool is_kept = mcpw_oauth_leave(oauth);
    const bool has_tokens = oauth->revoked_refresh.ptr != NULL || oauth->revoked_access.ptr != NULL;
    mcpw_oauth_forget(oauth);
    if (!is_kept) {
        mcpw_oauth_fail_memory(oauth);
    } else {
        mcpw_oauth_go(oauth, has_tokens ? MCPW_OAUTH_SERVER : MCPW_OAUTH_FINISHED);
    }
}
