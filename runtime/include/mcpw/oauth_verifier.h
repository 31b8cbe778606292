/* SPDX-License-Identifier: MIT */
/*
 * A verifier of access tokens for a server: by the keys of the issuer, or by asking the issuer about each
 * token. It is a state machine without I/O, so its functions never wait. It orders requests to the issuer,
 * and the program makes them; <mcpw/oauth_issuer.h> does so by libcurl.
 *
 *   - For each request of a client: mcpw_oauth_verifier_verify gives the verdict, or returns MCPW_PENDING.
 *   - Then: mcpw_oauth_verifier_next returns requests to the issuer, until it returns false. Report each
 *     response by mcpw_oauth_verifier_response or mcpw_oauth_verifier_no_response.
 *   - A pending verdict comes by the callback `judged`, from inside these two functions or
 *     mcpw_oauth_verifier_advance.
 *   - Time: call mcpw_oauth_verifier_advance before you report a response, and at the time that
 *     mcpw_oauth_verifier_deadline returns.
 *
 * Keys (MCPW_OAUTH_BY_KEYS): they are fetched when the first token comes, and kept. A token with an unknown
 * key causes one more fetch, but at most one in min_refetch_ms, so that invented key ids do not burden the
 * issuer. While the issuer is down, kept keys are used until they are max_stale_ms old. After that, tokens
 * cannot be verified.
 *
 * Introspection (MCPW_OAUTH_BY_INTROSPECTION): the issuer's response about a token is kept for max_cache_ms,
 * under a digest of the token. A stream that only listens ends after max_age_ms. Its client then opens it
 * again, and the issuer is asked whether the token has been revoked.
 *
 * A token that is bound to a key needs a proof by that key. Sent as Bearer, it is refused. (RFC 9449.)
 *
 * The issuer is configured by the operator, so it may have a private address. Its metadata must name exactly
 * this issuer. URLs are https; if the issuer is on this machine, they may be http on this machine. Redirects
 * must not be followed.
 *
 * (MCP 2026-07-28, "Authorization"; RFC 7662; RFC 8414; RFC 9068; RFC 9449.)
 *
 * Threads: an object belongs to one thread at a time. Callbacks must not call functions of this header, but
 * `judged` may call mcpw_oauth_verifier_cancel.
 */
#ifndef MCPW_OAUTH_VERIFIER_H
#define MCPW_OAUTH_VERIFIER_H

#include <mcpw/http_protect.h>
#include <mcpw/oauth_jose.h>

MCPW_BEGIN_DECLS

/* A verifier for the tokens of one issuer. */
typedef struct mcpw_oauth_verifier mcpw_oauth_verifier;

/* How tokens are checked. */
typedef enum mcpw_oauth_check {
    MCPW_OAUTH_BY_KEYS = 0,         /* a token is a JWT that a key of the issuer has signed */
    MCPW_OAUTH_BY_INTROSPECTION = 1 /* the issuer is asked (RFC 7662) */
    MCPW_ENUM_WIDTH(MCPW_OAUTH_CHECK)
} mcpw_oauth_check;

/* The config of a verifier. 0 and NULL mean the default. Texts are copied. Initialise with
 * MCPW_OAUTH_VERIFIER_CONFIG_INIT. */
typedef struct mcpw_oauth_verifier_config {
    size_t struct_size;     /* set by MCPW_OAUTH_VERIFIER_CONFIG_INIT */
    const char *issuer;     /* required: a URL; tokens of other issuers are refused */
    mcpw_oauth_check check; /* how tokens are checked */
    /* A second audience: tokens for it are accepted like those for the resource of mcpw_http_protect. NULL:
     * none. */
    const char *audience;
    const char *jwks_uri;               /* URL of the issuer's keys; NULL: the one that its metadata name */
    const char *introspection_endpoint; /* likewise */
    const char *client_id;              /* introspection: the id of this server at the issuer; required */
    const char *client_secret;          /* introspection: its secret; required */
    const char *algorithms;             /* of tokens; as in mcpw_oauth_rules */
    const char *type;                   /* of tokens; as in mcpw_oauth_rules */
    uint64_t leeway_ms;                 /* as in mcpw_oauth_rules */
    size_t max_token;                   /* as in mcpw_oauth_rules */
    const mcpw_oauth_dpop_config *dpop; /* proofs of bound tokens; NULL: bound tokens are refused */
    /* Ms after which keys are fetched again; with introspection, ms after which listening streams end.
     * Default 600000. */
    uint64_t max_age_ms;
    /* Least ms between two fetches of keys; a tenth of it until the first keys are there. Default 30000. */
    uint64_t min_refetch_ms;
    uint64_t max_stale_ms;    /* ms after which kept keys are no longer used; default 3600000 */
    uint64_t max_cache_ms;    /* ms for which the response to an introspection is kept; default 10000 */
    size_t max_cached;        /* most such responses that are kept; default 1024 */
    size_t max_waiting;       /* most tokens that wait for the issuer; more get UNVERIFIABLE; default 1024 */
    size_t max_requests;      /* most introspections at once; default 8 */
    uint64_t deadline_ms;     /* ms until a request to the issuer is given up; default 5000 */
    size_t max_document;      /* most bytes of its response; default and maximum 256 KiB */
    mcpw_allocator allocator; /* for all memory; it is wiped before it is freed */
    /* Required. Gives the pending verdict of a waiter. The verdict lives during the call. */
    void (*judged)(void *user, void *waiter, const mcpw_http_verdict *verdict);
    /* Reports a failure at the issuer, for an operator. The message has no token and no secret. May be NULL.
     */
    void (*on_warning)(void *user, const char *message);
    void *user; /* passed to judged and on_warning */
} mcpw_oauth_verifier_config;

/* Everything at its default. */
#define MCPW_OAUTH_VERIFIER_CONFIG_INIT MCPW_SIZED(mcpw_oauth_verifier_config)

/* Makes a verifier. Free it with mcpw_oauth_verifier_free. NULL, with error filled in, if the config is not
 * usable, or memory runs out. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_verifier *
mcpw_oauth_verifier_new(const mcpw_oauth_verifier_config *config, mcpw_error *error);
/* Frees a verifier. Verdicts that are pending never come. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_verifier_free(mcpw_oauth_verifier *verifier);

/* Sets the time, in ms since 1970 (UTC), and gives up requests that take longer than deadline_ms. */
MCPW_STATIC_API void mcpw_oauth_verifier_advance(mcpw_oauth_verifier *verifier, uint64_t unix_ms);
/* The time by which mcpw_oauth_verifier_advance must be called; UINT64_MAX: never. */
MCPW_STATIC_API uint64_t mcpw_oauth_verifier_deadline(const mcpw_oauth_verifier *verifier);

/* Verifies the credentials of a request. unix_ms is the time, in ms since 1970 (UTC). It never calls
 * `judged`. MCPW_OK: *verdict is filled in; its texts live until the next call for this object. MCPW_PENDING:
 * the verdict comes by `judged` with this waiter; the texts of the credentials must live until then, or until
 * the waiter is cancelled. MCPW_E_ARGUMENT: a pointer is NULL. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_verifier_verify(
    mcpw_oauth_verifier *verifier, void *waiter, const mcpw_http_credentials *credentials, uint64_t unix_ms,
    mcpw_http_verdict *verdict);
/* Drops a waiter. Does nothing if it does not wait. */
MCPW_STATIC_API void mcpw_oauth_verifier_cancel(mcpw_oauth_verifier *verifier, const void *waiter);

enum { MCPW_OAUTH_FETCH_FIELDS = 3 /* most header fields of a request to the issuer */ };

/* A request to the issuer. Make it without redirects, cookies and other credentials. Its texts live until its
 * response is reported, or the verifier is freed. Initialise with MCPW_OAUTH_FETCH_INIT. */
typedef struct mcpw_oauth_fetch {
    size_t struct_size;                              /* set by MCPW_OAUTH_FETCH_INIT */
    uint64_t number;                                 /* names the request when its response is reported */
    const char *method;                              /* "GET" or "POST" */
    mcpw_str url;                                    /* NUL-terminated */
    mcpw_http_field fields[MCPW_OAUTH_FETCH_FIELDS]; /* header fields; one may have credentials */
    size_t field_count;                              /* how many */
    mcpw_str body;                                   /* of POST */
    size_t max_body;                                 /* most bytes of the response; abort a longer one */
    uint64_t until; /* a time in ms since 1970: then the request is over, and its response is ignored */
} mcpw_oauth_fetch;

/* An empty request. */
#define MCPW_OAUTH_FETCH_INIT MCPW_SIZED(mcpw_oauth_fetch)

/* Fills in the next request to make. False: there is none. */
MCPW_NODISCARD MCPW_STATIC_API bool mcpw_oauth_verifier_next(mcpw_oauth_verifier *verifier,
                                                             mcpw_oauth_fetch *fetch);
/* Takes the response to a request. The body is read during the call. Does nothing if the request is over. */
MCPW_STATIC_API void mcpw_oauth_verifier_response(mcpw_oauth_verifier *verifier, uint64_t number, int status,
                                                  mcpw_str body);
/* Reports that a request gets no response; error may be NULL. */
MCPW_STATIC_API void mcpw_oauth_verifier_no_response(mcpw_oauth_verifier *verifier, uint64_t number,
                                                     const mcpw_error *error);

MCPW_END_DECLS

#endif
