/* SPDX-License-Identifier: MIT */
/*
 * The parts of a verifier depend on each other in one direction:
 *
 *     verifier.c -> issuer_keys.c, introspect.c -> issuer.c -> verdict.c
 *
 * verifier.c has the waiting tokens and the requests. issuer_keys.c verifies by the issuer's keys, and
 * introspect.c by introspection. issuer.c reads the issuer's metadata. verdict.c makes verdicts from claims.
 */
#ifndef MCPW_JOSE_VERIFIER_INTERNAL_H
#define MCPW_JOSE_VERIFIER_INTERNAL_H

#include "jose.h"

#include "../oauth/oauth.h"

#include <mcpw/oauth_verifier.h>

enum { MCPW_JOSE_TOKEN_DIGEST = 32, MCPW_JOSE_AUDIENCES = 2, MCPW_JOSE_WARNING_SIZE = 512 };

/* The purpose of a request. */
typedef enum mcpw_jose_purpose {
    MCPW_JOSE_FOR_METADATA = 0,     /* the issuer's metadata */
    MCPW_JOSE_FOR_KEYS = 1,         /* its keys */
    MCPW_JOSE_FOR_INTROSPECTION = 2 /* an introspection */
} mcpw_jose_purpose;

/* A request to the issuer. */
typedef struct mcpw_jose_request {
    uint64_t number; /* 0: free */
    uint64_t until;
    mcpw_jose_purpose purpose;
    bool is_sent;
    mcpw_str url;
    mcpw_str body; /* in `memory` */
    mcpw_arena memory;
    unsigned char digest[MCPW_JOSE_TOKEN_DIGEST]; /* of the token */
} mcpw_jose_request;

/* A token whose verdict is pending. */
typedef struct mcpw_jose_waiter {
    void *waiter;
    mcpw_http_credentials credentials;
    unsigned char digest[MCPW_JOSE_TOKEN_DIGEST];
} mcpw_jose_waiter;

/* An introspection response. */
typedef struct mcpw_jose_introspection {
    unsigned char digest[MCPW_JOSE_TOKEN_DIGEST];
    uint64_t until; /* 0: empty */
    bool is_active;
    mcpw_arena memory;
    mcpw_jose_json_claims claims; /* in `memory` */
} mcpw_jose_introspection;

struct mcpw_oauth_verifier {
    mcpw_oauth_verifier_config config; /* its texts lie in `fixed` */
    mcpw_allocator outer;              /* of the program; arenas use one that wipes */
    mcpw_arena fixed;
    mcpw_arena scratch; /* one verdict */
    mcpw_oauth_dpop *dpop;
    uint64_t now; /* 0: not set */
    char nonce[MCPW_OAUTH_NONCE_BYTES];
    mcpw_error error; /* the reason of the last verdict */

    mcpw_jose_waiter *waiters;
    size_t waiter_count;
    mcpw_jose_request *requests;
    size_t request_count; /* of the array */
    uint64_t last_number;

    /* The URL of the JWK Set, or the introspection endpoint. */
    mcpw_oauth_url issuer;
    mcpw_arena found;   /* `endpoint` and `url`, if they come from metadata */
    mcpw_str endpoint;  /* absent: not known */
    unsigned candidate; /* index of the well-known URL in use */
    uint64_t tried_at;  /* when the last fetch began; 0: never */
    bool is_fetching;
    bool has_failed; /* the last fetch */

    mcpw_oauth_jwks *keys;
    uint64_t keys_at; /* when they came */

    mcpw_str authorization; /* of introspections */
    unsigned char digest_key[MCPW_JOSE_TOKEN_DIGEST];
    mcpw_jose_introspection *introspections;
};

/* ---- verdict.c ----------------------------------------------------------------------------------------- */

/* The rules for tokens of the issuer; `audiences` has room for the texts. */
mcpw_oauth_rules mcpw_jose_rules(mcpw_oauth_verifier *own, const mcpw_http_credentials *credentials,
                                 const char *audiences[MCPW_JOSE_AUDIENCES]);
/* Makes the verdict for a token with these claims: its binding and its proof decide. */
void mcpw_jose_decide(mcpw_oauth_verifier *own, const mcpw_http_credentials *credentials,
                      const mcpw_oauth_claims *claims, mcpw_http_verdict *verdict);
/* Makes a verdict that refuses the token; own->error has the reason. */
void mcpw_jose_refuse(const mcpw_oauth_verifier *own, mcpw_http_outcome outcome, mcpw_http_verdict *verdict);
/* Reports a failure at the issuer. */
void mcpw_jose_warn(const mcpw_oauth_verifier *own, const char *format, ...) MCPW_PRINTF(2, 3);

/* ---- issuer.c ------------------------------------------------------------------------------------------ */

/* Orders a request. NULL: none is free, or no memory. */
mcpw_jose_request *mcpw_jose_order(mcpw_oauth_verifier *own, mcpw_jose_purpose purpose, mcpw_str url);
/* Frees a request. */
void mcpw_jose_drop(mcpw_jose_request *request);
/* Begins to fetch the metadata, if they are needed, or the keys. */
void mcpw_jose_fetch(mcpw_oauth_verifier *own);
/* Whether a fetch may begin now. */
bool mcpw_jose_may_fetch(const mcpw_oauth_verifier *own);
/* Ends the fetch, which has succeeded or failed. */
void mcpw_jose_end_fetch(mcpw_oauth_verifier *own, bool has_failed);
/* Takes the response to a request for metadata. status 0: there was none, and `why` has the reason. */
void mcpw_jose_take_metadata(mcpw_oauth_verifier *own, int status, mcpw_str body, const char *why);

/* ---- issuer_keys.c ------------------------------------------------------------------------------------- */

/* Verifies a token by the keys. MCPW_PENDING: it must wait for them. With is_last it does not wait. */
MCPW_NODISCARD mcpw_status mcpw_jose_by_keys(mcpw_oauth_verifier *own,
                                             const mcpw_http_credentials *credentials, bool is_last,
                                             mcpw_http_verdict *verdict);
/* Takes the response to a request for keys, likewise. */
void mcpw_jose_take_keys(mcpw_oauth_verifier *own, int status, mcpw_str body, const char *why);

/* ---- introspect.c -------------------------------------------------------------------------------------- */

/* Prepares introspections. */
MCPW_NODISCARD mcpw_status mcpw_jose_prepare_introspection(mcpw_oauth_verifier *own, mcpw_error *error);
/* Frees the cached responses. */
void mcpw_jose_free_introspections(mcpw_oauth_verifier *own);
/* The digest of a token. */
void mcpw_jose_digest_token(const mcpw_oauth_verifier *own, mcpw_str token,
                            unsigned char digest[MCPW_JOSE_TOKEN_DIGEST]);
/* The cached response about a token; NULL: there is none. */
const mcpw_jose_introspection *
mcpw_jose_cached_introspection(const mcpw_oauth_verifier *own,
                               const unsigned char digest[MCPW_JOSE_TOKEN_DIGEST]);
/* Orders introspection requests for the waiting tokens, as many as are allowed. */
void mcpw_jose_introspect(mcpw_oauth_verifier *own);
/* Reads the response about a token. False: it is unusable, and own->error has the reason. */
MCPW_NODISCARD bool mcpw_jose_read_introspection(mcpw_oauth_verifier *own, const mcpw_jose_request *request,
                                                 int status, mcpw_str body, const char *why,
                                                 mcpw_jose_introspection *introspection);
/* Verifies a token by an introspection response. */
void mcpw_jose_by_introspection(mcpw_oauth_verifier *own, const mcpw_http_credentials *credentials,
                                const mcpw_jose_introspection *introspection, mcpw_http_verdict *verdict);
/* Caches a response, or frees it if it may not be cached. */
void mcpw_jose_cache_introspection(mcpw_oauth_verifier *own, mcpw_jose_introspection *introspection);

#endif
