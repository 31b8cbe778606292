/* SPDX-License-Identifier: MIT */
/*
 * A client of OAuth 2.1 as MCP uses it: it gets tokens for one MCP server, and puts them into requests. It is
 * a state machine without input or output of its own: it has no sockets, files, clock or browser. A program,
 * or an adapter such as that of an HTTP client, does these things for it:
 *
 *   - Before each request to the MCP server: mcpw_oauth_fields returns the fields of the token.
 *   - After each response: mcpw_oauth_answered says whether the request is over, is sent again, or needs a
 * login.
 *   - A login: mcpw_oauth_next says what to do next, until the token is there or the login has failed. It
 * asks for HTTP requests (mcpw_oauth_response, mcpw_oauth_no_response), for a page that the user opens, and
 * for the redirect from there (mcpw_oauth_redirected).
 *   - Time: mcpw_oauth_advance, first of all and by mcpw_oauth_deadline at the latest.
 *
 * The rules that it follows:
 *   - Everything that it gets is bound to the issuer that was validated. Tokens, registrations and secrets of
 * one issuer never reach another, not even after the MCP server has changed its authorization server.
 *   - Metadata are hostile until proven otherwise. URLs are https (or http to this machine, if the MCP server
 * is on it), redirects of metadata are resolved and checked here, sizes, nesting, time and attempts are
 * limited.
 *   - No message contains a token, a code, a verifier or a secret.
 *
 * Ids of clients come, in this order, from the credentials, from client_metadata_url, and from a
 * registration.
 *
 * (MCP 2026-07-28, "Authorization"; MCP 2025-11-25 and 2025-03-26, the same; RFC 6749, 7523, 7591, 7636,
 * 8414, 8693, 8707, 9207, 9449, 9728.)
 *
 * Threads: an object belongs to one thread at a time. Callbacks must call nothing of this header.
 */
#ifndef MCPW_OAUTH_H
#define MCPW_OAUTH_H

#include <mcpw/http_client.h>

MCPW_BEGIN_DECLS

/* A client's login at one MCP server. */
typedef struct mcpw_oauth mcpw_oauth;

/* How a token is asked for. */
typedef enum mcpw_oauth_grant {
    MCPW_OAUTH_CODE = 0, /* a user grants access in a browser (RFC 6749, section 4.1, with PKCE) */
    MCPW_OAUTH_CLIENT_CREDENTIALS = 1, /* the client has credentials of its own (RFC 6749, section 4.4) */
    MCPW_OAUTH_ID_JAG = 2,             /* an identity provider vouches for the user (RFC 8693, RFC 7523) */
    MCPW_OAUTH_JWT_BEARER = 3          /* a workload has a JWT (RFC 7523); it is tried once */
    MCPW_ENUM_WIDTH(MCPW_OAUTH_GRANT)
} mcpw_oauth_grant;

/* How a client authenticates at the token endpoint. (RFC 6749, section 2.3; RFC 7523, section 2.2.) */
typedef enum mcpw_oauth_method {
    MCPW_OAUTH_METHOD_ANY = 0,   /* as the authorization server's metadata ask for */
    MCPW_OAUTH_METHOD_NONE = 1,  /* "none": a public client */
    MCPW_OAUTH_METHOD_BASIC = 2, /* "client_secret_basic" */
    MCPW_OAUTH_METHOD_POST = 3,  /* "client_secret_post" */
    MCPW_OAUTH_METHOD_JWT = 4    /* "private_key_jwt", which the signer signs */
    MCPW_ENUM_WIDTH(MCPW_OAUTH_METHOD)
} mcpw_oauth_method;

/* A client that an authorization server knows already. */
typedef struct mcpw_oauth_credential {
    /* The issuer that knows it; NULL: that of the config. A client_secret needs one of the two. */
    const char *issuer;
    const char *client_id;     /* required */
    const char *client_secret; /* NULL: none */
    mcpw_oauth_method method;  /* how it authenticates */
} mcpw_oauth_credential;

/* A key that signs. The JWS is composed here, only its signature is made elsewhere. (RFC 7515.) */
typedef struct mcpw_oauth_signer {
    size_t struct_size;     /* set by MCPW_OAUTH_SIGNER_INIT */
    void *self;             /* passed to sign */
    const char *algorithm;  /* "ES256", "RS256": asymmetric, never "none" */
    const char *key_id;     /* "kid"; NULL: none */
    const char *public_key; /* the public key as a JWK, JSON text; proofs (dpop) need it */
    /* Signs `input` and writes the signature of the algorithm to `out`: for ES256 64 bytes, R and S. *len is
     * the room at first, and the bytes written afterwards. */
    mcpw_status (*sign)(void *self, mcpw_str input, unsigned char *out, size_t *len);
} mcpw_oauth_signer;

/* A signer without members. */
#define MCPW_OAUTH_SIGNER_INIT MCPW_SIZED(mcpw_oauth_signer)

/* A store of tokens and registrations. A key is JSON text: ["server", url], ["client", issuer],
 * ["token", issuer, resource, client_id]. A value is JSON text with secrets in it. */
typedef struct mcpw_oauth_store {
    size_t struct_size; /* set by MCPW_OAUTH_STORE_INIT */
    void *self;         /* passed to its functions */
    /* Takes the lock of a key without waiting. MCPW_PENDING: another process or object has it. */
    mcpw_status (*lock)(void *self, mcpw_str key);
    /* Returns the lock. */
    void (*unlock)(void *self, mcpw_str key);
    /* Reads a value into the arena. MCPW_E_NOT_FOUND: there is none. */
    mcpw_status (*load)(void *self, mcpw_str key, mcpw_arena *arena, mcpw_str *value);
    /* Replaces a value as a whole; an absent value removes it. */
    mcpw_status (*save)(void *self, mcpw_str key, mcpw_str value);
} mcpw_oauth_store;

/* A store without functions. */
#define MCPW_OAUTH_STORE_INIT MCPW_SIZED(mcpw_oauth_store)

/* A store in memory. NULL if memory runs out. allocator may be NULL. */
MCPW_NODISCARD MCPW_API mcpw_oauth_store *mcpw_oauth_memory_new(const mcpw_allocator *allocator);
/* Frees it and wipes its values. Does nothing for NULL. */
MCPW_API void mcpw_oauth_memory_free(mcpw_oauth_store *store);

/* A store in files (POSIX). The directory, whose parent exists, is made with mode 0700 and must belong to the
 * user alone. Each value is a file of mode 0600, named after the SHA-256 of its key, and replaced by
 * renaming. Processes lock by flock. NULL, with error filled in, if the directory cannot be used. */
MCPW_NODISCARD MCPW_API mcpw_oauth_store *mcpw_oauth_files_new(const char *directory, mcpw_error *error);
/* Frees it; the files stay. Does nothing for NULL. */
MCPW_API void mcpw_oauth_files_free(mcpw_oauth_store *store);

/* How to log in. Zero and NULL take the default. Texts are copied; the store and the signers must outlive the
 * object. Initialise with MCPW_OAUTH_CONFIG_INIT. */
typedef struct mcpw_oauth_config {
    size_t struct_size;     /* set by MCPW_OAUTH_CONFIG_INIT */
    const char *server_url; /* required: the URL of the MCP server; https, or http on this machine */
    mcpw_oauth_grant grant; /* how tokens are asked for */
    /* The target of the browser after the login: https, or http on this machine. Required by MCPW_OAUTH_CODE.
     */
    const char *redirect_uri;
    const char *client_metadata_url; /* the https URL of a client id metadata document; NULL: there is none */
    const char *client_name;         /* of a registration; default "mcpwire" */
    /* Clients that are known already. If none of them is of the issuer, the login fails. */
    const mcpw_oauth_credential *credentials;
    size_t credential_count; /* how many */
    /* The issuer to expect. NULL: any that the MCP server names. Grants without a user and credentials with a
     * secret require it, here or in the credential: else a hostile MCP server would choose who gets them. */
    const char *issuer;
    bool trust_discovered_issuer; /* FOR TESTS ONLY: secrets go to any issuer that is discovered */
    const char *scopes; /* separated by blanks; NULL: those that the challenge or the metadata name */
    /* MCPW_OAUTH_ID_JAG: where the identity provider exchanges tokens; required, as are the next two. */
    const char *idp_token_endpoint;
    const char *idp_client_id;       /* the id of this client there */
    const char *idp_id_token;        /* what the identity provider issued for the user */
    const char *assertion;           /* MCPW_OAUTH_JWT_BEARER: the JWT, which is sent unchanged */
    const mcpw_oauth_signer *signer; /* signs MCPW_OAUTH_METHOD_JWT; NULL: none */
    /* Tokens are bound to this key, which signs a proof for each request (RFC 9449). NULL: bearer tokens. */
    const mcpw_oauth_signer *dpop;
    const mcpw_oauth_store *store; /* NULL: nothing outlives this object */
    /* Whether resource_metadata of a challenge may lie on another origin than the MCP server. */
    bool foreign_metadata;
    /* A server without resource metadata is its own authorization server, as in 2025-03-26; default on. */
    mcpw_switch without_metadata;
    size_t max_document;      /* bytes of a response; default 256 KiB */
    unsigned max_depth;       /* nesting of its JSON; default 16 */
    size_t max_scopes;        /* bytes of all scopes that are asked for; default 4096 */
    unsigned max_attempts;    /* logins without a token that the MCP server accepts; default 3 */
    unsigned max_redirects;   /* of one metadata document; default 3 */
    uint64_t deadline_ms;     /* for all requests of a login together; default 30000 */
    uint64_t user_ms;         /* for the user in the browser; default 300000 */
    mcpw_allocator allocator; /* for all memory; it is wiped before it is freed */
    /* Called when something went wrong that does not end the login: a store that fails, a scope that is left
     * out. The message contains no secret. May be NULL. */
    void (*on_warning)(void *user, const char *message);
    void *user; /* passed to on_warning */
} mcpw_oauth_config;

/* Everything at its default. */
#define MCPW_OAUTH_CONFIG_INIT MCPW_SIZED(mcpw_oauth_config)

/* A new client. NULL, with error filled in: the config is not usable, memory runs out, or libsodium fails. */
MCPW_NODISCARD MCPW_API mcpw_oauth *mcpw_oauth_new(const mcpw_oauth_config *config, mcpw_error *error);
/* Frees a client, returns its lock, and wipes its secrets. Does nothing for NULL. */
MCPW_API void mcpw_oauth_free(mcpw_oauth *oauth);

/* Sets the time, in ms since 1970 (UTC). Call it first, and before each call that depends on the time. */
MCPW_API void mcpw_oauth_advance(mcpw_oauth *oauth, uint64_t unix_ms);
/* The time by which mcpw_oauth_advance and mcpw_oauth_next must be called; UINT64_MAX: never. */
MCPW_API uint64_t mcpw_oauth_deadline(const mcpw_oauth *oauth);

/* ---- Requests to the MCP server ------------------------------------------------------------------------ */

enum { MCPW_OAUTH_MOST_FIELDS = 2 /* Authorization and DPoP */ };

/* The credentials of one request to the MCP server. Keep it until the request is over, also when it is sent
 * again. Its texts live until the next call of mcpw_oauth_fields. Initialise with MCPW_OAUTH_PASS_INIT. */
typedef struct mcpw_oauth_pass {
    size_t struct_size;                             /* set by MCPW_OAUTH_PASS_INIT */
    mcpw_http_field fields[MCPW_OAUTH_MOST_FIELDS]; /* to send with the request, in the place of older ones */
    size_t field_count;                             /* how many */
    uint64_t token;                                 /* the number of the token; 0: none. The library's own */
    unsigned tries;                                 /* how often the request was sent. The library's own */
} mcpw_oauth_pass;

/* A request that was not sent yet. */
#define MCPW_OAUTH_PASS_INIT MCPW_SIZED(mcpw_oauth_pass)

/* Makes the fields for a request. A request to another URL than the MCP server's gets none. MCPW_PENDING: the
 * token has expired and can be renewed; call mcpw_oauth_next until it is done, then this again. MCPW_E_STATE:
 * the time was not set. MCPW_E_MEMORY; MCPW_E_ARGUMENT; the status of the signer. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_oauth_fields(mcpw_oauth *oauth, const char *method, const char *url,
                                                      mcpw_oauth_pass *pass, mcpw_error *error);

/* The next step after a response of the MCP server. */
typedef enum mcpw_oauth_action {
    MCPW_OAUTH_ACCEPT = 0, /* the response has nothing to do with a login: take it */
    MCPW_OAUTH_AGAIN = 1,  /* send the request once more, with new fields */
    MCPW_OAUTH_BEGIN = 2,  /* call mcpw_oauth_next until it is done, then send the request once more */
    MCPW_OAUTH_GIVE_UP = 3 /* the request fails; error has the reason */
    MCPW_ENUM_WIDTH(MCPW_OAUTH_ACTION)
} mcpw_oauth_action;

/* Takes the status of a response, its WWW-Authenticate and its DPoP-Nonce (absent: none). Call it for every
 * response that the fields of `pass` were for. */
MCPW_NODISCARD MCPW_API mcpw_oauth_action mcpw_oauth_answered(mcpw_oauth *oauth, const mcpw_oauth_pass *pass,
                                                              int status, mcpw_str www_authenticate,
                                                              mcpw_str dpop_nonce, mcpw_error *error);

/* ---- Logins -------------------------------------------------------------------------------------------- */

/* Begins a login that no response has asked for, such as that of a command. It also ends a login that is
 * under way or was given up; drop the request of that one. A token that is still valid is kept unless
 * `again` is set; then the user is asked. Next comes mcpw_oauth_next. */
MCPW_API void mcpw_oauth_begin(mcpw_oauth *oauth, bool again);

/* The next step of a login. */
typedef enum mcpw_oauth_step {
    MCPW_OAUTH_FAILED = 0, /* the login has failed; error has the reason */
    MCPW_OAUTH_SEND = 1,   /* make the HTTP request, without redirects, cookies, other credentials */
    MCPW_OAUTH_OPEN = 2,   /* open url in the user's browser, by an argument vector; wait for the redirect */
    MCPW_OAUTH_WAIT = 3,   /* nothing to do until `until`, a response or the redirect */
    MCPW_OAUTH_DONE = 4    /* the token is there */
    MCPW_ENUM_WIDTH(MCPW_OAUTH_STEP)
} mcpw_oauth_step;

/* The details of a step. Its texts live until the response or the redirect is reported, or the next login
 * begins. Initialise with MCPW_OAUTH_ORDER_INIT. */
typedef struct mcpw_oauth_order {
    size_t struct_size;            /* set by MCPW_OAUTH_ORDER_INIT */
    const char *method;            /* MCPW_OAUTH_SEND: "GET" or "POST" */
    mcpw_str url;                  /* MCPW_OAUTH_SEND, MCPW_OAUTH_OPEN: NUL-terminated */
    const mcpw_http_field *fields; /* MCPW_OAUTH_SEND: to send unchanged */
    size_t field_count;            /* how many */
    mcpw_str body;                 /* of POST */
    size_t max_body; /* the most bytes of the response's body; give up beyond (mcpw_oauth_no_response) */
    /* MCPW_OAUTH_SEND: resolve the host once, refuse addresses for which mcpw_oauth_address_is_public is
     * false, and connect to the address that was checked. Skip this only if the MCP server itself has such an
     * address. */
    bool public_only;
    uint64_t until; /* MCPW_OAUTH_WAIT: when to call mcpw_oauth_next again; UINT64_MAX: after a response */
} mcpw_oauth_order;

/* An order that was not filled in yet. */
#define MCPW_OAUTH_ORDER_INIT MCPW_SIZED(mcpw_oauth_order)

/* Returns the next step of a login. A step other than MCPW_OAUTH_SEND and MCPW_OAUTH_OPEN may be returned
 * again. */
MCPW_NODISCARD MCPW_API mcpw_oauth_step mcpw_oauth_next(mcpw_oauth *oauth, mcpw_oauth_order *order,
                                                        mcpw_error *error);

/* Takes the response to the request of MCPW_OAUTH_SEND, also that of a redirect (3xx). */
MCPW_API void mcpw_oauth_response(mcpw_oauth *oauth, int status, const mcpw_http_field *fields,
                                  size_t field_count, mcpw_str body);
/* Reports that there will be no response to it. The error is repeated in that of the login; NULL: unknown. */
MCPW_API void mcpw_oauth_no_response(mcpw_oauth *oauth, const mcpw_error *error);

/* Takes the redirect: its URL, or its query alone. MCPW_E_STATE: no redirect is awaited. MCPW_E_VALUE: it
 * does not belong to this login (its `state` differs), and the login goes on waiting. MCPW_OK: call
 * mcpw_oauth_next. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_oauth_redirected(mcpw_oauth *oauth, mcpw_str redirect,
                                                          mcpw_error *error);

/* Whether an address, of 4 or 16 bytes in network order, belongs to the public internet: not to this machine,
 * a private or link-local network, or another reserved block. IPv4 inside of IPv6 counts as IPv4. (RFC 6890.)
 */
MCPW_API bool mcpw_oauth_address_is_public(const unsigned char *address, size_t len);

/* ---- What there is ------------------------------------------------------------------------------------- */

/* The login as a user may see it, without secrets. Texts live until the next call for the same object;
 * absent: not known. Initialise with MCPW_OAUTH_LOGIN_INIT. */
typedef struct mcpw_oauth_login {
    size_t struct_size;  /* set by MCPW_OAUTH_LOGIN_INIT */
    mcpw_str issuer;     /* whose token it is */
    mcpw_str resource;   /* what it is for */
    mcpw_str client_id;  /* who got it */
    mcpw_str scopes;     /* what was granted, separated by blanks */
    uint64_t expires_at; /* a time in ms since 1970; UINT64_MAX: unknown */
    bool has_token;      /* there is an access token */
    bool has_refresh;    /* it can be renewed without the user */
    bool is_bound;       /* each request proves the possession of a key (DPoP) */
} mcpw_oauth_login;

/* No login. */
#define MCPW_OAUTH_LOGIN_INIT MCPW_SIZED(mcpw_oauth_login)

/* Reads the login, from the store if need be. MCPW_E_NOT_FOUND: there is none. MCPW_E_ARGUMENT. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_oauth_read(mcpw_oauth *oauth, mcpw_oauth_login *login);
/* Logs out: forgets the token here and in the store, and ends a login that is under way. Registrations stay.
 */
MCPW_API void mcpw_oauth_forget(mcpw_oauth *oauth);

MCPW_END_DECLS

#endif
