/* SPDX-License-Identifier: MIT */
/* An issuer that a test plays, and the verdicts that come. */
#ifndef MCPW_TESTS_VERIFIER_WORLD_H
#define MCPW_TESTS_VERIFIER_WORLD_H

#include "jose_forge.h"

#include <mcpw/oauth_verifier.h>

#define WORLD_METADATA "{\"issuer\":\"" FORGE_ISSUER "\",\"jwks_uri\":\"https://keys.example.com/jwks\"}"
#define WORLD_JWKS_URI "https://keys.example.com/jwks"
#define WORLD_OAUTH_METADATA FORGE_ISSUER "/.well-known/oauth-authorization-server"

enum { WORLD_MOST = 2000, WORLD_TEXT = 256 };

typedef struct world {
    mcpw_oauth_verifier_config config;
    mcpw_oauth_verifier *verifier;
    uint64_t now; /* in ms */
    mcpw_oauth_key *key;
    mcpw_http_outcome outcomes[WORLD_MOST]; /* of waiters, by their number */
    bool is_judged[WORLD_MOST];
    unsigned judged;
    char subject[WORLD_TEXT];     /* of the last verdict */
    uint64_t lifetime;            /* likewise */
    char description[WORLD_TEXT]; /* likewise */
    char nonce[WORLD_TEXT];       /* likewise */
    char warning[WORLD_TEXT * 2];
    unsigned warnings;
    mcpw_oauth_fetch fetch; /* the last request */
    unsigned fetches;
} world;

static inline void world_keep(world *w, const mcpw_http_verdict *verdict) {
    (void)snprintf(w->subject, sizeof w->subject, "%.*s", (int)verdict->subject.len,
                   verdict->subject.ptr != NULL ? verdict->subject.ptr : "");
    w->lifetime = verdict->lifetime_ms;
    (void)snprintf(w->description, sizeof w->description, "%s",
                   verdict->description != NULL ? verdict->description : "");
    (void)snprintf(w->nonce, sizeof w->nonce, "%.*s", (int)verdict->dpop_nonce.len,
                   verdict->dpop_nonce.ptr != NULL ? verdict->dpop_nonce.ptr : "");
    CHECK(strstr(w->description, "eyJ") == NULL && strstr(w->description, "secret") == NULL);
    CHECK((verdict->outcome == MCPW_HTTP_VALID) == (w->description[0] == '\0'));
}

static inline void world_judged(void *user, void *waiter, const mcpw_http_verdict *verdict) {
    world *const w = user;
    const size_t number = (size_t)((mcpw_http_outcome *)waiter - w->outcomes);
    CHECK(number < WORLD_MOST && !w->is_judged[number]);
    w->outcomes[number] = verdict->outcome;
    w->is_judged[number] = true;
    w->judged++;
    world_keep(w, verdict);
}

static inline void world_warned(void *user, const char *message) {
    world *const w = user;
    w->warnings++;
    (void)snprintf(w->warning, sizeof w->warning, "%s", message);
    CHECK(strstr(message, "eyJ") == NULL && strstr(message, "secret") == NULL);
}

/* Prepares a world whose issuer has metadata. */
static inline void world_init(world *w) {
    *w = (world){.now = UINT64_C(1800000000000), .key = mcpw_oauth_key_new(NULL, NULL)};
    w->config = (mcpw_oauth_verifier_config)MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    w->config.issuer = FORGE_ISSUER;
    w->config.judged = world_judged;
    w->config.on_warning = world_warned;
    w->config.user = w;
    w->fetch = (mcpw_oauth_fetch)MCPW_OAUTH_FETCH_INIT;
}

static inline void world_open(world *w) {
    mcpw_error error = {.code = MCPW_OK};
    w->verifier = mcpw_oauth_verifier_new(&w->config, &error);
    CHECK(w->verifier != NULL);
}

static inline void world_close(world *w) {
    mcpw_oauth_verifier_free(w->verifier);
    mcpw_oauth_key_free(w->key);
}

static inline void world_pass(world *w, uint64_t ms) {
    w->now += ms;
    mcpw_oauth_verifier_advance(w->verifier, w->now);
}

/* The outcome of credentials; -1: pending for the waiter of this number. */
static inline int world_verify(world *w, unsigned number, mcpw_http_credentials *credentials) {
    mcpw_http_verdict verdict = MCPW_HTTP_VERDICT_INIT;
    credentials->struct_size = sizeof *credentials;
    credentials->method = mcpw_str_from("POST");
    credentials->url = credentials->resource = mcpw_str_from(FORGE_RESOURCE);
    w->is_judged[number] = false;
    const mcpw_status status =
        mcpw_oauth_verifier_verify(w->verifier, &w->outcomes[number], credentials, w->now, &verdict);
    CHECK(status == MCPW_OK || status == MCPW_PENDING);
    if (status == MCPW_OK) {
        world_keep(w, &verdict);
    }
    return status == MCPW_OK ? (int)verdict.outcome : -1;
}

static inline int world_bearer(world *w, unsigned number, const char *token) {
    mcpw_http_credentials credentials = {.scheme = MCPW_HTTP_BEARER, .token = mcpw_str_from(token)};
    return world_verify(w, number, &credentials);
}

/* Whether there is one more request, to this URL. */
static inline bool world_asks(world *w, const char *url) {
    const bool has_more = mcpw_oauth_verifier_next(w->verifier, &w->fetch);
    w->fetches += has_more ? 1 : 0;
    return url == NULL ? !has_more : has_more && mcpw_str_is(w->fetch.url, url);
}

static inline void world_answer(world *w, int status, const char *body) {
    mcpw_oauth_verifier_response(w->verifier, w->fetch.number, status, mcpw_str_from(body));
}

static inline const char *world_jwks(const mcpw_oauth_key *key) {
    static char text[FORGE_ROOM];
    (void)snprintf(text, sizeof text, "{\"keys\":[%s]}", mcpw_oauth_key_public(key).ptr);
    return text;
}

/* Answers the requests for metadata and keys. */
static inline void world_give_keys(world *w, const mcpw_oauth_key *key) {
    if (w->config.jwks_uri == NULL) {
        CHECK(world_asks(w, WORLD_OAUTH_METADATA));
        world_answer(w, 200, WORLD_METADATA);
    }
    CHECK(world_asks(w, WORLD_JWKS_URI));
    world_answer(w, 200, world_jwks(key));
}

/* A token that lasts for an hour from `now` on; it lives until the next forge. more: further claims. */
static inline const char *world_token(const world *w, const mcpw_oauth_key *key, const char *more) {
    char header[FORGE_ROOM];
    char claims[FORGE_ROOM];
    (void)snprintf(header, sizeof header, "{\"alg\":\"ES256\",\"kid\":\"%s\"}",
                   mcpw_oauth_key_thumbprint(key).ptr);
    (void)snprintf(claims, sizeof claims,
                   "{\"iss\":\"" FORGE_ISSUER "\",\"sub\":\"ann\",\"aud\":\"" FORGE_RESOURCE
                   "\",\"exp\":%llu%s}",
                   (unsigned long long)(w->now / 1000 + 3600), more);
    return forge(key, header, claims);
}

#endif
