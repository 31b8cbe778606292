/* SPDX-License-Identifier: MIT */
/*
 * A server over HTTP that requires access tokens. The program names its URL, the authorization servers and a
 * verifier of tokens:
 *
 *     mcpw_http_protect protect = MCPW_HTTP_PROTECT_INIT;
 *     protect.resource = "https://mcp.example.com/mcp";
 *     protect.authorization_servers = "https://login.example.com";
 *     protect.verifier = &verifier;
 *     config.protect = &protect;
 *
 * The server then serves the metadata of the resource, refuses requests with the right challenge, and checks
 * scopes. It does all of this before it looks for a session, calls a handler or answers anything else. It
 * reads tokens from the header field Authorization alone, never from the URL. No function gives a token to a
 * handler, so no handler can pass it on.
 *
 * Scopes are declared where things are registered, in the member `scopes` of mcpw_tool, mcpw_resource,
 * mcpw_resource_template, mcpw_prompt, mcpw_extension and its methods and topics. A request needs all of
 * these scopes: `scopes` below, those of its method, and those of the tool, prompt or resource that it names.
 * A request for completion or subscription needs those of its prompt, template, resource or topic, too. If
 * one is missing, the response is a 403 that names all of them. In the scopes of a template, {name} stands
 * for the value of that variable: "notes:read:{id}". All characters of the value are percent-encoded, except
 * letters, digits, '-', '.', '_' and '~'. So put another character between two variables:
 * "notes:{user}:{id}". Lists show everything, even things for which the client lacks a scope, so that it can
 * ask for that scope. Without HTTP, as over stdio, scopes have no effect.
 *
 * (MCP 2026-07-28 and 2025-11-25, "Authorization"; RFC 6750; RFC 8707; RFC 9449; RFC 9728.)
 *
 * Threads: as in <mcpw/http.h>.
 */
#ifndef MCPW_HTTP_PROTECT_H
#define MCPW_HTTP_PROTECT_H

#include <mcpw/http.h>

MCPW_BEGIN_DECLS

/* ---- Verifiers ----------------------------------------------------------------------------------------- */

/* The authentication scheme of a request. */
typedef enum mcpw_http_scheme {
    MCPW_HTTP_BEARER = 1, /* "Bearer" (RFC 6750) */
    MCPW_HTTP_DPOP = 2    /* "DPoP": the token is bound to a key, which signs a proof (RFC 9449) */
    MCPW_ENUM_WIDTH(MCPW_HTTP_SCHEME)
} mcpw_http_scheme;

/* The credentials of a request. The texts live until the verdict is given, or until `cancel` is called. */
typedef struct mcpw_http_credentials {
    size_t struct_size;      /* set by the library */
    mcpw_http_scheme scheme; /* the one in the field Authorization */
    mcpw_str token;          /* never empty; visible ASCII */
    /* DPoP: the value of the request's only field DPoP. Bearer: absent. A request with the scheme DPoP and no
     * such field, or several, is refused before it reaches the verifier. */
    mcpw_str proof;
    mcpw_str method;   /* "POST"; the proof's htm must match */
    mcpw_str url;      /* of the request as its client sees it, without a query; the proof's htu must match */
    mcpw_str resource; /* that of mcpw_http_protect; the token's audience must be the same */
} mcpw_http_credentials;

/* The outcome of a verification. */
typedef enum mcpw_http_outcome {
    MCPW_HTTP_INVALID_TOKEN = 0, /* 401 invalid_token: expired, revoked, malformed, of another issuer or for
                                    another audience; or a bound token is sent as Bearer */
    MCPW_HTTP_VALID = 1,         /* the token, and with DPoP its proof, is valid */
    MCPW_HTTP_INVALID_PROOF = 2, /* 401 invalid_dpop_proof */
    MCPW_HTTP_NEEDS_NONCE = 3,   /* 401 use_dpop_nonce: the proof lacks the newest nonce; dpop_nonce has it */
    MCPW_HTTP_UNVERIFIABLE = 4   /* 503: the issuer cannot be reached, or memory ran out */
    MCPW_ENUM_WIDTH(MCPW_HTTP_OUTCOME)
} mcpw_http_outcome;

/* A verdict. MCPW_HTTP_VERDICT_INIT refuses the token. The verifier owns the texts, and keeps them until one
 * of its functions is called again. The library copies them. */
typedef struct mcpw_http_verdict {
    size_t struct_size;        /* set by MCPW_HTTP_VERDICT_INIT, or by the library */
    mcpw_http_outcome outcome; /* how the request goes on */
    /* VALID: the issuer (iss), a URL without blanks; required. */
    mcpw_str issuer;
    /* VALID: the user (sub). One of subject and client_id is required. Subjects are only unique together with
     * their issuer, so both together are the principal. */
    mcpw_str subject;
    mcpw_str client_id;  /* VALID: the client (client_id, azp); absent: unknown */
    mcpw_str scopes;     /* VALID: the scopes of the token, separated by spaces; absent: none */
    uint64_t expires_at; /* VALID: in ms since 1970, for handlers; 0: unknown */
    /* VALID: ms until the token expires; 0: unknown. Streams that only listen (by GET, and those of
     * subscriptions/listen) end then. Their client opens them again with a new token. Requests under way go
     * on until their response. */
    uint64_t lifetime_ms;
    const char *description; /* if refused: details for the client's author, without secrets; NULL: none */
    /* A nonce for the next proof. The response has it in the field DPoP-Nonce. Absent: none. */
    mcpw_str dpop_nonce;
} mcpw_http_verdict;

/* A verdict that refuses. */
#define MCPW_HTTP_VERDICT_INIT MCPW_SIZED(mcpw_http_verdict)

/* A verifier of tokens. Its functions are called on the server's thread. They may call mcpw_http_peer and
 * mcpw_http_user. */
typedef struct mcpw_http_verifier {
    size_t struct_size; /* set by MCPW_HTTP_VERIFIER_INIT */
    void *self;         /* passed to its functions */
    /* Required. Checks signature, issuer, expiry and audience of a token, and the proof of a bound one. It
     * must not block. It may return:
     *   - MCPW_OK: *verdict is filled in.
     *   - MCPW_PENDING: the verdict comes later, by mcpw_http_verified. The request waits for it.
     *   - Any other status: the token cannot be verified now. The response is 503. */
    mcpw_status (*verify)(void *self, mcpw_http_exchange *exchange, const mcpw_http_credentials *credentials,
                          mcpw_http_verdict *verdict);
    /* Called when a pending verdict is no longer needed: the client has disconnected, verify_timeout_ms has
     * passed, or the server ends. mcpw_http_verified must not be called for this exchange afterwards. May be
     * NULL if no verdict is ever pending. */
    void (*cancel)(void *self, mcpw_http_exchange *exchange);
    /* The algorithms of DPoP proofs, separated by spaces: "ES256 EdDSA". Challenges and metadata name them.
     * NULL: DPoP is not supported. */
    const char *dpop_algorithms;
    bool dpop_required; /* tokens sent as Bearer are refused, and the metadata say so */
    /* A descriptor of the verifier, such as that of its requests to the issuer. The loop of the server's
     * thread must watch it; the loop of <mcpw/http_serve.h> does. NULL: there is none. */
    const mcpw_http_watch *watch;
} mcpw_http_verifier;

/* A verifier without functions. */
#define MCPW_HTTP_VERIFIER_INIT MCPW_SIZED(mcpw_http_verifier)

/* Gives the verdict for an exchange whose verification is pending. The exchange then goes on: it is refused,
 * or its message is handled as soon as the body is complete. mcpw_http_ready returns it when it has output.
 * The verdict is copied. Must be called on the server's thread, and not from inside a function of the
 * verifier. Does nothing if no verification of the exchange is pending. */
MCPW_SESSION_API void mcpw_http_verified(mcpw_http_exchange *exchange, const mcpw_http_verdict *verdict);

/* ---- Protection ---------------------------------------------------------------------------------------- */

/* The scopes that a method needs. */
typedef struct mcpw_http_method_scopes {
    const char *method; /* "tools/call" */
    const char *scopes; /* separated by spaces */
} mcpw_http_method_scopes;

/* A scope that contains others. A token with this scope counts as one that also has the others, and those
 * that they contain. */
typedef struct mcpw_http_scope {
    const char *scope; /* the broader scope */
    /* The narrower scopes, separated by spaces. "notes:read:*" stands for all scopes that begin with
     * "notes:read:". */
    const char *contains;
} mcpw_http_scope;

enum { MCPW_HTTP_MOST_SCOPES = 256 /* entries of mcpw_http_protect.contains */ };

/* How to protect a server. Everything is copied except the verifier, which must outlive the server. A scope
 * consists of visible ASCII characters other than '"' and '\'. The server is not made (MCPW_E_ARGUMENT) if a
 * required member is missing, a URL or a scope is invalid, or offline_access is among the scopes. */
typedef struct mcpw_http_protect {
    size_t struct_size; /* set by MCPW_HTTP_PROTECT_INIT */
    /* Required: the URL of this server, exactly as clients use it. It is the audience of tokens. It is https,
     * or http on this machine, and has no query, fragment or user. */
    const char *resource;
    const char *authorization_servers; /* required: the issuers of tokens, URLs separated by spaces */
    /* Verifies tokens. NULL: `authorize` of the config does. It gets Bearer tokens only, and must check the
     * audience itself. */
    const mcpw_http_verifier *verifier;
    const char *scopes;                     /* needed by each request, separated by spaces; NULL: none */
    const mcpw_http_method_scopes *methods; /* more scopes, by method */
    size_t method_count;                    /* how many */
    const mcpw_http_scope *contains;        /* broader scopes; cycles are refused */
    size_t contain_count;                   /* how many; at most MCPW_HTTP_MOST_SCOPES */
    /* The scopes that the metadata list, for clients that got no challenge. Keep them few: clients may ask
     * for all of them. Default: `scopes`. */
    const char *scopes_supported;
    /* The scopes of a request without a token, separated by spaces. "": it has no scopes, but is served.
     * NULL: it is refused with 401. If it needs more scopes, it is refused with a 401 that names them. */
    const char *anonymous_scopes;
    uint64_t verify_timeout_ms; /* ms to wait for a verdict; then the response is 503; default 10000 */
    size_t max_waiting;         /* most requests that wait for a verdict; more get 503; default 1024 */
    size_t max_waiting_bytes;   /* most bytes of their bodies; more get 503; default 16 MiB */
} mcpw_http_protect;

/* Everything at its default. */
#define MCPW_HTTP_PROTECT_INIT MCPW_SIZED(mcpw_http_protect)

/* ---- For handlers -------------------------------------------------------------------------------------- */

/* The access that a request was granted, without its token. The texts live as long as the request. */
typedef struct mcpw_http_access {
    mcpw_str issuer;     /* absent: the request came without a token, or `authorize` named none */
    mcpw_str subject;    /* absent: unknown */
    mcpw_str client_id;  /* absent: unknown */
    mcpw_str scopes;     /* separated by spaces; absent: none */
    uint64_t expires_at; /* of the token, in ms since 1970; 0: unknown */
} mcpw_http_access;

/* Returns the access of a request; it lives as long as the request. NULL: the request did not come by HTTP,
 * or its server does not check access. If there is an issuer, mcpw_request_principal returns "ISSUER
 * SUBJECT"; without a subject, it returns "ISSUER", a tab and the client_id. */
MCPW_SESSION_API const mcpw_http_access *mcpw_http_access_of(const mcpw_request *request);

/* Returns whether a request has a scope, directly or through a broader one. It is for decisions that depend
 * on arguments. It returns true if the request did not come by HTTP to a server with mcpw_http_protect. */
MCPW_SESSION_API bool mcpw_http_has_scope(const mcpw_request *request, const char *scope);

MCPW_END_DECLS

#endif
