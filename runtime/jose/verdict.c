/* SPDX-License-Identifier: MIT */
/* Verdicts about tokens whose claims are known: bindings and proofs. (RFC 9449, section 7.) */
#include "verifier.h"

#include <mcpw/error.h>

#include <stdarg.h>
#include <stdio.h>

static const mcpw_str none = {NULL, 0};

void mcpw_jose_warn(const mcpw_oauth_verifier *own, const char *format, ...) {
    char words[MCPW_JOSE_WARNING_SIZE];
    char shown[MCPW_JOSE_WARNING_SIZE];
    va_list arguments;
    if (own->config.on_warning != NULL) {
        va_start(arguments, format);
        (void)vsnprintf(words, sizeof words, format, arguments);
        va_end(arguments);
        (void)mcpw_put_printable(shown, sizeof shown, words, strlen(words)); /* it may repeat foreign texts */
        own->config.on_warning(own->config.user, shown);
    }
}

mcpw_oauth_rules mcpw_jose_rules(mcpw_oauth_verifier *own, const mcpw_http_credentials *credentials,
                                 const char *audiences[MCPW_JOSE_AUDIENCES]) {
    mcpw_oauth_rules rules = MCPW_OAUTH_RULES_INIT;
    rules.issuer = own->config.issuer;
    rules.audiences = audiences;
    rules.algorithms = own->config.algorithms;
    rules.type = own->config.type;
    rules.leeway_ms = own->config.leeway_ms;
    rules.max_token = own->config.max_token;
    audiences[0] = own->config.audience;
    rules.audience_count = audiences[0] != NULL ? 1 : 0;
    const mcpw_str resource =
        mcpw_arena_str(&own->scratch, credentials->resource.ptr, credentials->resource.len);
    if (resource.ptr != NULL) {
        audiences[rules.audience_count++] = resource.ptr;
    } else if (credentials->resource.ptr != NULL) {
        rules.audience_count = 0; /* memory ran out: the token was not verified, but may be valid */
    }
    return rules;
}

void mcpw_jose_refuse(const mcpw_oauth_verifier *own, mcpw_http_outcome outcome, mcpw_http_verdict *verdict) {
    verdict->outcome = outcome;
    verdict->description = own->error.message;
}

static void refuse(mcpw_oauth_verifier *own, mcpw_http_outcome outcome, const char *why,
                   mcpw_http_verdict *verdict) {
    (void)mcpw_error_set(&own->error, MCPW_E_UNAUTHORIZED, 0, "%s", why);
    mcpw_jose_refuse(own, outcome, verdict);
}

/* Whether the proof is right; else the verdict says so. */
static bool has_proof(mcpw_oauth_verifier *own, const mcpw_http_credentials *credentials,
                      const mcpw_oauth_claims *claims, mcpw_http_verdict *verdict) {
    mcpw_oauth_dpop_request request = MCPW_OAUTH_DPOP_REQUEST_INIT;
    request.proof = credentials->proof;
    request.method = credentials->method;
    request.url = credentials->url;
    request.token = credentials->token;
    request.thumbprint = claims->thumbprint;
    const mcpw_status status = mcpw_oauth_dpop_check(own->dpop, &request, own->now, NULL, &own->error);
    if (mcpw_oauth_dpop_nonce(own->dpop, own->now, own->nonce) == MCPW_OK) {
        verdict->dpop_nonce = mcpw_str_from(own->nonce);
    }
    if (status != MCPW_OK) {
        mcpw_jose_refuse(own,
                         status == MCPW_E_UNAUTHORIZED ? MCPW_HTTP_INVALID_PROOF
                         : status == MCPW_E_MISSING    ? MCPW_HTTP_NEEDS_NONCE
                                                       : MCPW_HTTP_UNVERIFIABLE,
                         verdict);
    }
    return status == MCPW_OK;
}

void mcpw_jose_decide(mcpw_oauth_verifier *own, const mcpw_http_credentials *credentials,
                      const mcpw_oauth_claims *claims, mcpw_http_verdict *verdict) {
    const bool is_bound = claims->thumbprint.ptr != NULL;
    const bool is_dpop = credentials->scheme == MCPW_HTTP_DPOP;
    if (is_bound && !is_dpop) {
        refuse(own, MCPW_HTTP_INVALID_TOKEN, "the token is bound to a key: send it as DPoP, with a proof",
               verdict);
    } else if (is_bound && own->dpop == NULL) {
        refuse(own, MCPW_HTTP_INVALID_TOKEN, "the token is bound to a key, and this server accepts no proofs",
               verdict);
    } else if (!is_bound && is_dpop) {
        refuse(own, MCPW_HTTP_INVALID_TOKEN, "the token is not bound to a key: send it as Bearer", verdict);
    } else if (claims->subject.len == 0 && claims->client_id.len == 0) {
        refuse(own, MCPW_HTTP_INVALID_TOKEN, "the token names neither a user nor a client (sub, client_id)",
               verdict);
    } else if (!is_bound || has_proof(own, credentials, claims, verdict)) {
        verdict->outcome = MCPW_HTTP_VALID;
        verdict->issuer = mcpw_str_from(own->config.issuer);
        verdict->subject = claims->subject.len != 0 ? claims->subject : none;
        verdict->client_id = claims->client_id.len != 0 ? claims->client_id : none;
        verdict->scopes = claims->scopes;
        verdict->expires_at = claims->expires_at;
        verdict->lifetime_ms = claims->expires_at > own->now ? claims->expires_at - own->now
                                                             : (uint64_t)(claims->expires_at != 0);
    }
}
