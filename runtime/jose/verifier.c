/* SPDX-License-Identifier: MIT */
/* The waiting tokens and the requests of a verifier. */
#include "verifier.h"

#include <sodium.h>

enum {
    MAX_AGE_MS = 600000,
    MIN_REFETCH_MS = 30000,
    MAX_STALE_MS = 3600000,
    MAX_CACHE_MS = 10000,
    MAX_CACHED = 1024,
    MAX_WAITING = 1024,
    MAX_REQUESTS = 8,
    DEADLINE_MS = 5000
};

static const mcpw_str none = {NULL, 0};

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static void take_default(uint64_t *value, uint64_t standard) { *value = *value != 0 ? *value : standard; }

static void take_size(size_t *value, size_t standard) { *value = *value != 0 ? *value : standard; }

static bool copy(mcpw_oauth_verifier *own, const char **text) {
    if (*text != NULL) {
        *text = mcpw_arena_str(&own->fixed, *text, strlen(*text)).ptr;
        return *text != NULL;
    }
    return true;
}

static bool copy_texts(mcpw_oauth_verifier *own) {
    mcpw_oauth_verifier_config *const config = &own->config;
    return copy(own, &config->issuer) && copy(own, &config->audience) && copy(own, &config->jwks_uri) &&
           copy(own, &config->introspection_endpoint) && copy(own, &config->client_id) &&
           copy(own, &config->client_secret) && copy(own, &config->algorithms) && copy(own, &config->type);
}

/* Whether a URL of the config may be requested. */
static bool is_allowed_url(const mcpw_oauth_verifier *own, const char *text) {
    mcpw_oauth_url url;
    return mcpw_oauth_url_read(mcpw_str_from(text), &url) && !url.has_fragment &&
           (url.is_https || (mcpw_oauth_url_is_loopback(&url) && mcpw_oauth_url_is_loopback(&own->issuer)));
}

static mcpw_status check(mcpw_oauth_verifier *own, mcpw_error *error) {
    mcpw_oauth_verifier_config *const config = &own->config;
    const bool is_by_keys = config->check == MCPW_OAUTH_BY_KEYS;
    const char *const endpoint = is_by_keys ? config->jwks_uri : config->introspection_endpoint;
    const char *any = "any";
    mcpw_oauth_rules rules = MCPW_OAUTH_RULES_INIT;
    if (config->judged == NULL || config->issuer == NULL ||
        !mcpw_oauth_url_read(mcpw_str_from(config->issuer), &own->issuer) || own->issuer.query.len != 0 ||
        !is_allowed_url(own, config->issuer)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the issuer must be an https URL, or http on this machine; judged is required");
    }
    if (endpoint != NULL && !is_allowed_url(own, endpoint)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s must be an https URL, or http on this machine",
                              is_by_keys ? "jwks_uri" : "introspection_endpoint");
    }
    if (!is_by_keys && (config->client_id == NULL || config->client_secret == NULL)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "introspection requires client_id and client_secret");
    }
    own->endpoint = mcpw_str_from(endpoint);
    rules.issuer = config->issuer;
    rules.audiences = &any;
    rules.audience_count = 1;
    rules.algorithms = config->algorithms;
    rules.leeway_ms = config->leeway_ms;
    const mcpw_oauth_rules given = rules;
    return mcpw_jose_take_rules(&rules, &given, error);
}

static void set_defaults(mcpw_oauth_verifier_config *config) {
    take_default(&config->max_age_ms, MAX_AGE_MS);
    take_default(&config->min_refetch_ms, MIN_REFETCH_MS);
    take_default(&config->max_stale_ms, MAX_STALE_MS);
    take_default(&config->max_cache_ms, MAX_CACHE_MS);
    take_default(&config->deadline_ms, DEADLINE_MS);
    take_size(&config->max_cached, MAX_CACHED);
    take_size(&config->max_waiting, MAX_WAITING);
    take_size(&config->max_requests, MAX_REQUESTS);
    take_size(&config->max_document, MCPW_OAUTH_MOST_JWKS_BYTES);
    if (config->max_document > MCPW_OAUTH_MOST_JWKS_BYTES) {
        config->max_document = MCPW_OAUTH_MOST_JWKS_BYTES;
    }
}

static mcpw_status allocate(mcpw_oauth_verifier *own, mcpw_error *error) {
    own->request_count = own->config.max_requests + 1;
    own->waiters = mcpw_resize(&own->outer, NULL, 0, own->config.max_waiting * sizeof *own->waiters);
    own->requests = mcpw_resize(&own->outer, NULL, 0, own->request_count * sizeof *own->requests);
    for (size_t i = 0; own->requests != NULL && i < own->request_count; i++) { /* before they can be freed */
        own->requests[i] = (mcpw_jose_request){.memory = MCPW_ARENA_INIT};
        own->requests[i].memory.allocator = own->fixed.allocator;
    }
    if (own->waiters == NULL || own->requests == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    return MCPW_OK;
}

static mcpw_status prepare(mcpw_oauth_verifier *own, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    set_defaults(&own->config);
    if (!copy_texts(own)) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    status = check(own, error);
    status = status == MCPW_OK ? allocate(own, error) : status;
    if (status == MCPW_OK && own->config.check == MCPW_OAUTH_BY_INTROSPECTION) {
        status = mcpw_jose_prepare_introspection(own, error);
    }
    if (status == MCPW_OK && own->config.dpop != NULL) {
        own->dpop = mcpw_oauth_dpop_new(own->config.dpop, error);
        status = own->dpop != NULL ? MCPW_OK : MCPW_E_ARGUMENT;
    }
    own->config.dpop = NULL; /* the program's */
    return status;
}

mcpw_oauth_verifier *mcpw_oauth_verifier_new(const mcpw_oauth_verifier_config *config, mcpw_error *error) {
    mcpw_oauth_verifier_config taken = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    if (config == NULL || !MCPW_TAKE(&taken, user, config)) {
        (void)mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", mcpw_status_text(MCPW_E_ARGUMENT));
        return NULL;
    }
    mcpw_oauth_verifier *const own = mcpw_resize(&taken.allocator, NULL, 0, sizeof *own);
    if (own == NULL || sodium_init() < 0) {
        (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        (void)mcpw_resize(&taken.allocator, own, sizeof *own, 0);
        return NULL;
    }
    *own = (mcpw_oauth_verifier){.config = taken, .outer = taken.allocator};
    own->fixed = own->scratch = own->found = (mcpw_arena)MCPW_ARENA_INIT;
    own->fixed.allocator = own->scratch.allocator = own->found.allocator =
        (mcpw_allocator){mcpw_oauth_wiping, &own->outer};
    if (prepare(own, error) != MCPW_OK) {
        mcpw_oauth_verifier_free(own);
        return NULL;
    }
    return own;
}

void mcpw_oauth_verifier_free(mcpw_oauth_verifier *verifier) {
    if (verifier == NULL) {
        return;
    }
    const mcpw_allocator outer = verifier->outer;
    for (size_t i = 0; verifier->requests != NULL && i < verifier->request_count; i++) {
        mcpw_jose_drop(&verifier->requests[i]);
    }
    mcpw_jose_free_introspections(verifier);
    mcpw_oauth_jwks_free(verifier->keys);
    mcpw_oauth_dpop_free(verifier->dpop);
    (void)mcpw_resize(&outer, verifier->waiters, verifier->config.max_waiting * sizeof *verifier->waiters, 0);
    (void)mcpw_resize(&outer, verifier->requests, verifier->request_count * sizeof *verifier->requests, 0);
    mcpw_arena_free(&verifier->fixed);
    mcpw_arena_free(&verifier->scratch);
    mcpw_arena_free(&verifier->found);
    sodium_memzero(verifier, sizeof *verifier);
    (void)mcpw_resize(&outer, verifier, sizeof *verifier, 0);
}

/* ---- Waiters ------------------------------------------------------------------------------------------- */

/* Removes a waiter. The last one moves into its slot. */
static mcpw_jose_waiter take_out(mcpw_oauth_verifier *own, size_t at) {
    const mcpw_jose_waiter waiter = own->waiters[at];
    own->waiters[at] = own->waiters[--own->waiter_count];
    return waiter;
}

void mcpw_oauth_verifier_cancel(mcpw_oauth_verifier *verifier, const void *waiter) {
    for (size_t i = 0; verifier != NULL && i < verifier->waiter_count; i++) {
        if (verifier->waiters[i].waiter == waiter) {
            (void)take_out(verifier, i);
            return;
        }
    }
}

/* Gives a waiter its verdict: by an introspection response, by the keys, or that the token cannot be
 * verified. */
static void settle(mcpw_oauth_verifier *own, size_t at, const mcpw_jose_introspection *introspection) {
    mcpw_http_verdict verdict = MCPW_HTTP_VERDICT_INIT;
    const mcpw_jose_waiter waiter = take_out(own, at);
    mcpw_arena_reset(&own->scratch);
    if (introspection != NULL) {
        mcpw_jose_by_introspection(own, &waiter.credentials, introspection, &verdict);
    } else if (own->config.check == MCPW_OAUTH_BY_INTROSPECTION ||
               mcpw_jose_by_keys(own, &waiter.credentials, true, &verdict) != MCPW_OK) {
        mcpw_jose_refuse(own, MCPW_HTTP_UNVERIFIABLE, &verdict);
    }
    own->config.judged(own->config.user, waiter.waiter, &verdict);
}

/* Whether a response is expected. When it comes, the waiting tokens are verified again. */
static bool is_busy(const mcpw_oauth_verifier *own) {
    bool is_any = own->is_fetching;
    for (size_t i = 0; i < own->request_count; i++) {
        is_any = is_any || own->requests[i].number != 0;
    }
    return is_any;
}

/* Settles the waiters with a token; digest NULL: all. The callback may cancel others. */
static void settle_all(mcpw_oauth_verifier *own, const unsigned char *digest,
                       const mcpw_jose_introspection *introspection) {
    for (size_t i = own->waiter_count; i-- != 0;) {
        if (i < own->waiter_count &&
            (digest == NULL || memcmp(own->waiters[i].digest, digest, MCPW_JOSE_TOKEN_DIGEST) == 0)) {
            settle(own, i, introspection);
        }
    }
}

/* Lets a token wait. */
static mcpw_status wait_for(mcpw_oauth_verifier *own, const mcpw_jose_waiter *waiter,
                            mcpw_http_verdict *verdict) {
    if (own->waiter_count == own->config.max_waiting) {
        (void)mcpw_error_set(&own->error, MCPW_E_FULL, 0, "too many tokens wait for the issuer");
        mcpw_jose_refuse(own, MCPW_HTTP_UNVERIFIABLE, verdict);
        return MCPW_OK;
    }
    own->waiters[own->waiter_count++] = *waiter;
    return MCPW_PENDING;
}

static mcpw_status introspect(mcpw_oauth_verifier *own, mcpw_jose_waiter *waiter,
                              mcpw_http_verdict *verdict) {
    mcpw_jose_digest_token(own, waiter->credentials.token, waiter->digest);
    const mcpw_jose_introspection *const known = mcpw_jose_cached_introspection(own, waiter->digest);
    if (known != NULL) {
        mcpw_jose_by_introspection(own, &waiter->credentials, known, verdict);
        return MCPW_OK;
    }
    if (own->endpoint.ptr == NULL && mcpw_jose_may_fetch(own)) {
        mcpw_jose_fetch(own);
    }
    if (own->endpoint.ptr == NULL && !own->is_fetching) {
        (void)mcpw_error_set(&own->error, MCPW_E_CONNECTION, 0,
                             "the issuer cannot be asked about the token now");
        mcpw_jose_refuse(own, MCPW_HTTP_UNVERIFIABLE, verdict);
        return MCPW_OK;
    }
    const mcpw_status status = wait_for(own, waiter, verdict);
    mcpw_jose_introspect(own);
    if (status == MCPW_PENDING && !is_busy(own)) { /* no memory for the request */
        (void)take_out(own, own->waiter_count - 1);
        (void)mcpw_error_set(&own->error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        mcpw_jose_refuse(own, MCPW_HTTP_UNVERIFIABLE, verdict);
        return MCPW_OK;
    }
    return status;
}

mcpw_status mcpw_oauth_verifier_verify(mcpw_oauth_verifier *verifier, void *waiter,
                                       const mcpw_http_credentials *credentials, uint64_t unix_ms,
                                       mcpw_http_verdict *verdict) {
    if (verifier == NULL || credentials == NULL || verdict == NULL) {
        return MCPW_E_ARGUMENT;
    }
    mcpw_jose_waiter own = {.waiter = waiter, .credentials = *credentials};
    verifier->now = unix_ms;
    mcpw_arena_reset(&verifier->scratch);
    if (verifier->config.check == MCPW_OAUTH_BY_INTROSPECTION) {
        return introspect(verifier, &own, verdict);
    }
    const mcpw_status status = mcpw_jose_by_keys(verifier, credentials, false, verdict);
    return status == MCPW_PENDING ? wait_for(verifier, &own, verdict) : status;
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

bool mcpw_oauth_verifier_next(mcpw_oauth_verifier *verifier, mcpw_oauth_fetch *fetch) {
    for (size_t i = 0;
         verifier != NULL && fetch != NULL && i < verifier->request_count && MCPW_HAS_ALL(fetch, until);
         i++) {
        mcpw_jose_request *const request = &verifier->requests[i];
        if (request->number == 0 || request->is_sent) {
            continue;
        }
        const bool is_post = request->purpose == MCPW_JOSE_FOR_INTROSPECTION;
        request->is_sent = true;
        *fetch = (mcpw_oauth_fetch)MCPW_OAUTH_FETCH_INIT;
        fetch->number = request->number;
        fetch->method = is_post ? "POST" : "GET";
        fetch->url = request->url;
        fetch->body = request->body;
        fetch->until = request->until;
        fetch->max_body = verifier->config.max_document;
        fetch->fields[fetch->field_count++] =
            (mcpw_http_field){MCPW_STR_VALUE("Accept"), MCPW_STR_VALUE("application/json")};
        if (is_post) {
            fetch->fields[fetch->field_count++] = (mcpw_http_field){
                MCPW_STR_VALUE("Content-Type"), MCPW_STR_VALUE("application/x-www-form-urlencoded")};
            fetch->fields[fetch->field_count++] =
                (mcpw_http_field){MCPW_STR_VALUE("Authorization"), verifier->authorization};
        }
        return true;
    }
    return false;
}

static void take_introspection(mcpw_oauth_verifier *own, mcpw_jose_request *request, int status,
                               mcpw_str body, const char *why) {
    unsigned char digest[MCPW_JOSE_TOKEN_DIGEST];
    mcpw_jose_introspection introspection;
    memcpy(digest, request->digest, sizeof digest);
    const bool is_there = mcpw_jose_read_introspection(own, request, status, body, why, &introspection);
    mcpw_jose_drop(request);
    settle_all(own, digest, is_there ? &introspection : NULL);
    if (is_there) {
        mcpw_jose_cache_introspection(own, &introspection);
    }
}

/* Takes a response; status 0: there is none. */
static void take(mcpw_oauth_verifier *own, mcpw_jose_request *request, int status, mcpw_str body,
                 const char *why) {
    const mcpw_jose_purpose purpose = request->purpose;
    mcpw_arena_reset(&own->scratch);
    if (purpose == MCPW_JOSE_FOR_INTROSPECTION) {
        take_introspection(own, request, status, body, why);
    } else {
        mcpw_jose_drop(request);
        if (purpose == MCPW_JOSE_FOR_METADATA) {
            mcpw_jose_take_metadata(own, status, body, why);
        } else {
            mcpw_jose_take_keys(own, status, body, why);
        }
        if (!own->is_fetching && (own->config.check == MCPW_OAUTH_BY_KEYS || own->has_failed)) {
            (void)mcpw_error_set(&own->error, MCPW_E_CONNECTION, 0,
                                 "the metadata of the issuer cannot be used now");
            settle_all(own, NULL, NULL);
        }
    }
    mcpw_jose_introspect(own);
    if (!is_busy(own)) { /* no memory for the requests that the waiters need */
        (void)mcpw_error_set(&own->error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        settle_all(own, NULL, NULL);
    }
}

static mcpw_jose_request *request_of(mcpw_oauth_verifier *own, uint64_t number) {
    for (size_t i = 0; own != NULL && number != 0 && i < own->request_count; i++) {
        if (own->requests[i].number == number) {
            return &own->requests[i];
        }
    }
    return NULL;
}

void mcpw_oauth_verifier_response(mcpw_oauth_verifier *verifier, uint64_t number, int status, mcpw_str body) {
    mcpw_jose_request *const request = request_of(verifier, number);
    if (request != NULL) {
        take(verifier, request, status, body, "");
    }
}

void mcpw_oauth_verifier_no_response(mcpw_oauth_verifier *verifier, uint64_t number,
                                     const mcpw_error *error) {
    mcpw_jose_request *const request = request_of(verifier, number);
    if (request != NULL) {
        take(verifier, request, 0, none, error != NULL ? error->message : "there is no response");
    }
}

void mcpw_oauth_verifier_advance(mcpw_oauth_verifier *verifier, uint64_t unix_ms) {
    if (verifier == NULL) {
        return;
    }
    verifier->now = unix_ms;
    for (size_t i = 0; i < verifier->request_count; i++) {
        if (verifier->requests[i].number != 0 && verifier->requests[i].until <= unix_ms) {
            take(verifier, &verifier->requests[i], 0, none, "there is no response in time");
        }
    }
}

uint64_t mcpw_oauth_verifier_deadline(const mcpw_oauth_verifier *verifier) {
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; verifier != NULL && i < verifier->request_count; i++) {
        const mcpw_jose_request *const request = &verifier->requests[i];
        first = request->number != 0 && request->until < first ? request->until : first;
    }
    return first;
}
