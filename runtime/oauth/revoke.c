/* SPDX-License-Identifier: MIT */
/* The revocation of tokens at a logout: the refresh token first, as the access token may end with it. (RFC
 * 7009.)
 */
#include "documents.h"
#include "token.h"

static const mcpw_str none = {NULL, 0};
static const char stays_valid[] = "the token stays valid until it expires";

bool mcpw_oauth_ask_revocation(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    const mcpw_str endpoint = oauth->metadata.revocation_endpoint;
    const char *const document = mcpw_oauth_server_document.name;
    if (endpoint.ptr == NULL) {
        mcpw_oauth_fail(oauth, MCPW_E_NOT_FOUND, "%s: revocation_endpoint: is missing; %s", document,
                        stays_valid);
        return false;
    }
    if (!mcpw_oauth_may_ask(oauth, endpoint, document, "revocation_endpoint")) {
        return false;
    }
    const bool is_refresh = oauth->revoked_refresh.ptr != NULL;
    mcpw_oauth_form form = mcpw_oauth_form_in(&oauth->ordered);
    mcpw_oauth_form_put(&form, "token", is_refresh ? oauth->revoked_refresh : oauth->revoked_access);
    mcpw_oauth_form_put(&form, "token_type_hint",
                        is_refresh ? MCPW_STR_VALUE("refresh_token") : MCPW_STR_VALUE("access_token"));
    return mcpw_oauth_authenticate(oauth, &form) && mcpw_oauth_post(oauth, endpoint, &form, order, step);
}

/* Whether the server revokes refresh tokens alone, which ends the access tokens that they gave.
 * (Section 2.2.1.)
 */
static bool is_unsupported(mcpw_oauth *oauth, mcpw_str body) {
    mcpw_oauth_json_failure failure = {.error = none};
    return mcpw_oauth_read_failure(oauth, body, &failure) &&
           mcpw_str_is(failure.error, "unsupported_token_type");
}

void mcpw_oauth_take_revocation(mcpw_oauth *oauth, const mcpw_oauth_http_response *response) {
    enum { OK = 200 };
    const bool is_refresh = oauth->revoked_refresh.ptr != NULL;
    if (response->status != OK &&
        (is_refresh || !oauth->has_revoked || !is_unsupported(oauth, response->body))) {
        if (oauth->state == MCPW_OAUTH_REVOKE) { /* else memory ran out */
            mcpw_oauth_fail_response(oauth, "revocation endpoint", response, stays_valid);
        }
        return;
    }
    oauth->has_revoked = true;
    oauth->revoked_access = is_refresh ? oauth->revoked_access : none;
    oauth->revoked_refresh = none;
    if (oauth->revoked_access.ptr == NULL) {
        mcpw_oauth_go(oauth, MCPW_OAUTH_FINISHED);
    }
}
