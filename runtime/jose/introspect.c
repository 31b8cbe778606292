/* SPDX-License-Identifier: MIT */
/* Verification by token introspection. (RFC 7662.) */
#include "verifier.h"

#include <sodium.h>

enum { OK = 200, UNAUTHORIZED = 401, FORBIDDEN = 403 };

mcpw_status mcpw_jose_prepare_introspection(mcpw_oauth_verifier *own, mcpw_error *error) {
    own->authorization = mcpw_oauth_basic(&own->fixed, mcpw_str_from(own->config.client_id),
                                          mcpw_str_from(own->config.client_secret));
    const size_t bytes = own->config.max_cached * sizeof *own->introspections;
    own->introspections = mcpw_resize(&own->outer, NULL, 0, bytes);
    if (own->introspections != NULL) {
        memset(own->introspections, 0, bytes); /* before they can be freed */
    }
    if (own->authorization.ptr == NULL || own->introspections == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    randombytes_buf(own->digest_key, sizeof own->digest_key);
    return MCPW_OK;
}

static void free_introspection(mcpw_jose_introspection *introspection) {
    if (introspection->memory.struct_size != 0) {
        mcpw_arena_free(&introspection->memory);
    }
    memset(introspection, 0, sizeof *introspection);
}

void mcpw_jose_free_introspections(mcpw_oauth_verifier *own) {
    for (size_t i = 0; own->introspections != NULL && i < own->config.max_cached; i++) {
        free_introspection(&own->introspections[i]);
    }
    (void)mcpw_resize(&own->outer, own->introspections, own->config.max_cached * sizeof *own->introspections,
                      0);
    own->introspections = NULL;
}

/* ---- The cache ----------------------------------------------------------------------------------------- */

void mcpw_jose_digest_token(const mcpw_oauth_verifier *own, mcpw_str token,
                            unsigned char digest[MCPW_JOSE_TOKEN_DIGEST]) {
    (void)crypto_generichash(digest, MCPW_JOSE_TOKEN_DIGEST, (const unsigned char *)token.ptr, token.len,
                             own->digest_key, sizeof own->digest_key);
}

/* Each digest has one slot, so a look-up costs the same for every token. */
static mcpw_jose_introspection *slot_of(const mcpw_oauth_verifier *own, const unsigned char *digest) {
    size_t number = 0;
    memcpy(&number, digest, sizeof number);
    return &own->introspections[number % own->config.max_cached];
}

/* A clock that was set back makes no response last longer. */
static bool is_live(const mcpw_oauth_verifier *own, const mcpw_jose_introspection *introspection) {
    return introspection->until > own->now && introspection->until - own->now <= own->config.max_cache_ms;
}

const mcpw_jose_introspection *
mcpw_jose_cached_introspection(const mcpw_oauth_verifier *own,
                               const unsigned char digest[MCPW_JOSE_TOKEN_DIGEST]) {
    const mcpw_jose_introspection *const introspection = slot_of(own, digest);
    return is_live(own, introspection) && memcmp(introspection->digest, digest, MCPW_JOSE_TOKEN_DIGEST) == 0
               ? introspection
               : NULL;
}

void mcpw_jose_cache_introspection(mcpw_oauth_verifier *own, mcpw_jose_introspection *introspection) {
    mcpw_jose_introspection *const slot = slot_of(own, introspection->digest);
    const uint64_t until = own->now + own->config.max_cache_ms;
    /* Invented tokens do not evict valid ones. */
    if (!introspection->is_active && is_live(own, slot) && slot->is_active) {
        free_introspection(introspection);
        return;
    }
    free_introspection(slot);
    *slot = *introspection;
    slot->until = until;
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

static bool is_asked(const mcpw_oauth_verifier *own, const unsigned char *digest) {
    for (size_t i = 0; i < own->request_count; i++) {
        if (own->requests[i].number != 0 && own->requests[i].purpose == MCPW_JOSE_FOR_INTROSPECTION &&
            memcmp(own->requests[i].digest, digest, MCPW_JOSE_TOKEN_DIGEST) == 0) {
            return true;
        }
    }
    return false;
}

void mcpw_jose_introspect(mcpw_oauth_verifier *own) {
    const bool can_ask = own->config.check == MCPW_OAUTH_BY_INTROSPECTION && own->endpoint.ptr != NULL;
    for (size_t i = 0; can_ask && i < own->waiter_count; i++) {
        const mcpw_jose_waiter *const waiter = &own->waiters[i];
        if (is_asked(own, waiter->digest)) {
            continue;
        }
        mcpw_jose_request *const request = mcpw_jose_order(own, MCPW_JOSE_FOR_INTROSPECTION, own->endpoint);
        if (request == NULL) {
            return; /* it is made when another request has ended */
        }
        mcpw_oauth_form form = mcpw_oauth_form_in(&request->memory);
        mcpw_oauth_form_put(&form, "token", waiter->credentials.token);
        mcpw_oauth_form_put(&form, "token_type_hint", MCPW_STR_VALUE("access_token"));
        request->body = mcpw_oauth_form_end(&form);
        memcpy(request->digest, waiter->digest, sizeof request->digest);
        if (request->body.ptr == NULL) {
            mcpw_jose_drop(request);
            return;
        }
    }
}

bool mcpw_jose_read_introspection(mcpw_oauth_verifier *own, const mcpw_jose_request *request, int status,
                                  mcpw_str body, const char *why, mcpw_jose_introspection *introspection) {
    mcpw_error error = {.code = MCPW_OK};
    *introspection = (mcpw_jose_introspection){.memory = MCPW_ARENA_INIT};
    introspection->memory.allocator = own->fixed.allocator;
    memcpy(introspection->digest, request->digest, sizeof introspection->digest);
    if (status == UNAUTHORIZED || status == FORBIDDEN) {
        (void)mcpw_error_set(&error, MCPW_E_UNAUTHORIZED, 0, "it refuses the credentials of this server");
    } else if (status != OK) {
        (void)mcpw_error_set(&error, MCPW_E_HTTP, 0, status != 0 ? "HTTP status %d" : "%.0d%s", status, why);
    } else if (mcpw_jose_decode(&mcpw_jose_json_claims_table, body, &introspection->memory,
                                &introspection->claims, &error) == MCPW_OK &&
               !introspection->claims.active.set) {
        (void)mcpw_error_set(&error, MCPW_E_MISSING, 0, "the introspection response lacks active");
    }
    if (error.code != MCPW_OK) {
        mcpw_jose_warn(own, "the issuer %s cannot be asked about tokens: %s", own->config.issuer,
                       error.message);
        (void)mcpw_error_set(&own->error, error.code, 0, "the issuer cannot be asked about the token now");
        free_introspection(introspection);
        return false;
    }
    introspection->is_active = introspection->claims.active.value;
    return true;
}

void mcpw_jose_by_introspection(mcpw_oauth_verifier *own, const mcpw_http_credentials *credentials,
                                const mcpw_jose_introspection *introspection, mcpw_http_verdict *verdict) {
    const char *audiences[MCPW_JOSE_AUDIENCES] = {NULL, NULL};
    const mcpw_oauth_rules given = mcpw_jose_rules(own, credentials, audiences);
    mcpw_oauth_rules rules;
    mcpw_oauth_claims claims = MCPW_OAUTH_CLAIMS_INIT;
    mcpw_status status = mcpw_jose_take_rules(&rules, &given, &own->error);
    if (status == MCPW_OK && !introspection->is_active) {
        status = mcpw_error_set(&own->error, MCPW_E_UNAUTHORIZED, 0, "the token is not active");
    }
    if (status == MCPW_OK) {
        status = mcpw_jose_judge(&rules, &introspection->claims, true, own->now, &claims, &own->error);
    }
    if (status == MCPW_OK) {
        mcpw_jose_decide(own, credentials, &claims, verdict);
        if (verdict->lifetime_ms == 0 || verdict->lifetime_ms > own->config.max_age_ms) {
            verdict->lifetime_ms = own->config.max_age_ms; /* the token may be revoked meanwhile */
        }
    } else {
        mcpw_jose_refuse(
            own, status == MCPW_E_UNAUTHORIZED ? MCPW_HTTP_INVALID_TOKEN : MCPW_HTTP_UNVERIFIABLE, verdict);
    }
}
