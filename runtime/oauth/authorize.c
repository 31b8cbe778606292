/* SPDX-License-Identifier: MIT */
/* The authorization request and the redirect. (RFC 6749, section 4.1; RFC 7636; RFC 8707; RFC 9207.) */
#include "states.h"

static const mcpw_str none = {NULL, 0};

/* The authorization URL, which the user opens. Absent: no memory. */
static mcpw_str page_url(mcpw_oauth *oauth) {
    mcpw_arena *const arena = &oauth->ordered;
    const mcpw_str endpoint = oauth->metadata.authorization_endpoint;
    const mcpw_str challenge = mcpw_oauth_digest(arena, oauth->verifier);
    if (challenge.ptr == NULL) {
        return none;
    }
    mcpw_oauth_form form = mcpw_oauth_form_in(arena);
    mcpw_oauth_form_add(&form, endpoint);
    if (memchr(endpoint.ptr, '?', endpoint.len) == NULL) {
        mcpw_oauth_form_add(&form, MCPW_STR_VALUE("?"));
    }
    mcpw_oauth_form_put(&form, "response_type", MCPW_STR_VALUE("code"));
    mcpw_oauth_form_put(&form, "client_id", oauth->client.id);
    mcpw_oauth_form_put(&form, "redirect_uri", mcpw_str_from(oauth->config.redirect_uri));
    mcpw_oauth_form_put(&form, "code_challenge", challenge);
    mcpw_oauth_form_put(&form, "code_challenge_method", MCPW_STR_VALUE("S256"));
    mcpw_oauth_form_put(&form, "state", oauth->expected);
    mcpw_oauth_form_put(&form, "resource", oauth->resource.resource);
    mcpw_oauth_form_put(&form, "scope", oauth->scopes);
    if (mcpw_oauth_scope_has(oauth->scopes, MCPW_STR_VALUE("offline_access"))) {
        mcpw_oauth_form_put(&form, "prompt",
                            MCPW_STR_VALUE("consent")); /* OpenID Connect Core 1.0, section 11 */
    }
    return mcpw_oauth_form_end(&form);
}

/* Adds the scopes to those requested. */
static bool note_scopes(mcpw_oauth *oauth) {
    const mcpw_str all = mcpw_oauth_scope_union(&oauth->scratch, oauth->asked, oauth->scopes);
    mcpw_arena_reset(&oauth->held_scopes);
    return mcpw_oauth_keep(&oauth->held_scopes, all, &oauth->asked);
}

bool mcpw_oauth_authorize(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    oauth->verifier = mcpw_oauth_random(&oauth->flow);
    oauth->expected = mcpw_oauth_random(&oauth->flow);
    oauth->code = none;
    if (oauth->verifier.ptr != NULL && oauth->expected.ptr != NULL && note_scopes(oauth)) {
        order->url = page_url(oauth);
    }
    if (order->url.ptr == NULL) {
        mcpw_oauth_fail_memory(oauth);
        return false;
    }
    oauth->deadline = oauth->now + oauth->config.user_ms;
    mcpw_oauth_go(oauth, MCPW_OAUTH_USER);
    oauth->is_waiting = true;
    *step = MCPW_OAUTH_OPEN;
    return true;
}

/* ---- The redirect -------------------------------------------------------------------------------------- */

/* The parameters of a redirect that are used. */
typedef struct parameters {
    mcpw_str state;
    mcpw_str issuer;
    mcpw_str code;
    mcpw_str error;
    mcpw_str description;
    bool is_repeated; /* one of them stands there twice */
} parameters;

static mcpw_status read_parameters(mcpw_oauth *oauth, mcpw_str query, parameters *out) {
    const struct {
        const char *name;
        mcpw_str *to;
    } all[] = {{"state", &out->state},
               {"iss", &out->issuer},
               {"code", &out->code},
               {"error", &out->error},
               {"error_description", &out->description}};
    *out = (parameters){.state = none};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t count = 0;
        const mcpw_status status =
            mcpw_oauth_form_find(query, all[i].name, &oauth->scratch, all[i].to, &count);
        if (status != MCPW_OK) {
            return status;
        }
        out->is_repeated = out->is_repeated || count > 1;
    }
    return MCPW_OK;
}

/* Whether the redirect comes from the issuer that the user was sent to. Else its error must not be shown. */
static bool check_issuer(mcpw_oauth *oauth, const parameters *redirect) {
    if (redirect->issuer.ptr == NULL &&
        oauth->metadata.authorization_response_iss_parameter_supported.value) {
        mcpw_oauth_fail(oauth, MCPW_E_MISSING,
                        "redirect: iss: is missing, though the authorization server says that it sends it; "
                        "the response may come from another one; log in again");
        return false;
    }
    if (redirect->issuer.ptr != NULL && !mcpw_str_equal(redirect->issuer, oauth->issuer)) {
        mcpw_oauth_fail(
            oauth, MCPW_E_VALUE,
            "redirect: iss: expected the issuer that the user was sent to, byte for byte; the response comes "
            "from another one and is not used");
        return false;
    }
    return true;
}

mcpw_status mcpw_oauth_take_redirect(mcpw_oauth *oauth, mcpw_str query, mcpw_error *error) {
    char code[MCPW_OAUTH_WORDS_SIZE];
    char words[MCPW_OAUTH_WORDS_SIZE];
    parameters redirect;
    const mcpw_status status = read_parameters(oauth, query, &redirect);
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "the redirect ran out of memory");
        return status;
    }
    if (redirect.is_repeated || !mcpw_oauth_is_same_secret(redirect.state, oauth->expected)) {
        mcpw_error_set(error, MCPW_E_VALUE, 0,
                       "redirect: state: expected that of this login; the redirect is ignored");
        return MCPW_E_VALUE;
    }
    if (!check_issuer(oauth, &redirect)) {
        return MCPW_OK;
    }
    if (redirect.error.ptr != NULL) {
        (void)mcpw_oauth_foreign(oauth, code, redirect.error);
        (void)mcpw_oauth_foreign(oauth, words, redirect.description);
        mcpw_oauth_fail(oauth, MCPW_E_UNAUTHORIZED, "the authorization server refused: %s%s%s", code,
                        words[0] != '\0' ? ": " : "", words);
        return MCPW_OK;
    }
    if (redirect.code.len == 0) {
        mcpw_oauth_fail(oauth, MCPW_E_MISSING, "redirect: code: is missing; log in again");
        return MCPW_OK;
    }
    if (!mcpw_oauth_keep(&oauth->flow, redirect.code, &oauth->code)) {
        mcpw_oauth_fail_memory(oauth);
        return MCPW_OK;
    }
    oauth->deadline = oauth->now + oauth->config.deadline_ms;
    oauth->is_waiting = false;
    mcpw_oauth_go(oauth, MCPW_OAUTH_EXCHANGE);
    return MCPW_OK;
}
