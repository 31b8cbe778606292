/* SPDX-License-Identifier: MIT */
/* Verification by the issuer's keys, which are fetched when they are needed. */
#include "verifier.h"

enum { OK = 200 };

/* The time since the keys came. A clock that was set back since then does not make them younger. */
static uint64_t age_of_keys(const mcpw_oauth_verifier *own) {
    return own->now > own->keys_at ? own->now - own->keys_at : own->keys_at - own->now;
}

/* The keys, unless they are too old. */
static const mcpw_oauth_jwks *usable(const mcpw_oauth_verifier *own) {
    return age_of_keys(own) > own->config.max_stale_ms ? NULL : own->keys;
}

/* Handles a token whose key is unknown. */
static mcpw_status miss(mcpw_oauth_verifier *own, bool is_last, mcpw_http_verdict *verdict) {
    if (!is_last && mcpw_jose_may_fetch(own)) {
        mcpw_jose_fetch(own);
    }
    if (!is_last && own->is_fetching) {
        return MCPW_PENDING;
    }
    /* The key may be a new one that could not be fetched. */
    const bool is_unknown = usable(own) == NULL || own->has_failed;
    if (is_unknown) {
        (void)mcpw_error_set(&own->error, MCPW_E_CONNECTION, 0,
                             "the keys of the issuer cannot be fetched now");
    }
    mcpw_jose_refuse(own, is_unknown ? MCPW_HTTP_UNVERIFIABLE : MCPW_HTTP_INVALID_TOKEN, verdict);
    return MCPW_OK;
}

mcpw_status mcpw_jose_by_keys(mcpw_oauth_verifier *own, const mcpw_http_credentials *credentials,
                              bool is_last, mcpw_http_verdict *verdict) {
    const char *audiences[MCPW_JOSE_AUDIENCES] = {NULL, NULL};
    mcpw_oauth_claims claims = MCPW_OAUTH_CLAIMS_INIT;
    const mcpw_oauth_rules rules = mcpw_jose_rules(own, credentials, audiences);
    const mcpw_status status = mcpw_oauth_jwt_check(&rules, usable(own), credentials->token, own->now,
                                                    &own->scratch, &claims, &own->error);
    if (status == MCPW_E_NOT_FOUND) {
        return miss(own, is_last, verdict);
    }
    if (own->keys != NULL && age_of_keys(own) >= own->config.max_age_ms && mcpw_jose_may_fetch(own)) {
        mcpw_jose_fetch(own);
    }
    if (status == MCPW_OK) {
        mcpw_jose_decide(own, credentials, &claims, verdict);
    } else {
        mcpw_jose_refuse(
            own, status == MCPW_E_UNAUTHORIZED ? MCPW_HTTP_INVALID_TOKEN : MCPW_HTTP_UNVERIFIABLE, verdict);
    }
    return MCPW_OK;
}

void mcpw_jose_take_keys(mcpw_oauth_verifier *own, int status, mcpw_str body, const char *why) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_jwks *keys = NULL;
    if (status != OK) {
        (void)mcpw_error_set(&error, MCPW_E_HTTP, 0, status != 0 ? "HTTP status %d" : "%.0d%s", status, why);
    } else {
        keys = mcpw_oauth_jwks_read(body, &own->outer, &error);
        if (keys != NULL && mcpw_oauth_jwks_count(keys) == 0) {
            (void)mcpw_error_set(&error, MCPW_E_VALUE, 0, "none of them can verify signatures");
            mcpw_oauth_jwks_free(keys);
            keys = NULL;
        }
    }
    if (keys == NULL) {
        mcpw_jose_warn(own, "the keys of the issuer %s cannot be fetched: %s%s", own->config.issuer,
                       error.message, usable(own) != NULL ? "; the previous keys are used" : "");
    } else {
        mcpw_oauth_jwks_free(own->keys);
        own->keys = keys;
        own->keys_at = own->now;
    }
    mcpw_jose_end_fetch(own, keys == NULL);
}
