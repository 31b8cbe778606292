/* SPDX-License-Identifier: MIT */
/*
 * An OAuth 2.1 client as MCP uses it. It gets tokens for one MCP server and puts them into requests. It is a
 * state machine without I/O: it has no sockets, files, clock or browser. A program, or an adapter such as
 * that of an HTTP client, does these things for it:
 *
 *   - Before each request to the MCP server: mcpw_oauth_fields returns the header fields.
 *   - After each response: mcpw_oauth_answered decides whether to accept it, to send the request again, or to
 * log in.
 *   - During a login: mcpw_oauth_next returns the next step, until the token is there or the login has
 * failed. Steps are HTTP requests (mcpw_oauth_response, mcpw_oauth_no_response), a page that the user opens,
 * and the redirect from there (mcpw_oauth_redirected).
 *   - Time: call mcpw_oauth_advance first of all, and again by mcpw_oauth_deadline.
 *
 * The rules that it follows:
 *   - Everything that it gets is bound to the validated issuer. Tokens, registrations and secrets of
 * one issuer never reach another, not even after the MCP server has changed its authorization server.
 *   - Metadata are hostile until proven otherwise. URLs are https, or http to this machine if the MCP server
 * is on it. Redirects of metadata are resolved and checked here. Size, nesting, time and attempts have
 * limits.
 *   - No message contains a token, a code, a verifier or a secret.
 *
 * A client id comes from the credentials, else from client_metadata_url, else from a registration.
 *
 * (MCP 2026-07-28, "Authorization"; MCP 2025-11-25 and 2025-03-26, the same; RFC 6749, 7009, 7523, 7591,
 * 7636, 8414, 8693, 8707, 9207, 9449, 9728.)
 *
 * Threads: an object belongs to one thread at a time. Callbacks must not call functions of this header.
 */
#ifndef MCPW_OAUTH_H
#define MCPW_OAUTH_H

#include <mcpw/http_client.h>

MCPW_BEGIN_DECLS

/* A client's login at one MCP server. */
typedef struct mcpw_oauth mcpw_oauth;

/* The grant by which a token is requested. */
typedef enum mcpw_oauth_grant {
    MCPW_OAUTH_CODE = 0, /* a user grants access in a browser (RFC 6749, section 4.1, with PKCE) */
    MCPW_OAUTH_CLIENT_CREDENTIALS = 1, /* the client has credentials of its own (RFC 6749, section 4.4) */
    MCPW_OAUTH_ID_JAG = 2,             /* an identity provider vouches for the user (RFC 8693, RFC 7523) */
    MCPW_OAUTH_JWT_BEARER = 3          /* a workload has a JWT (RFC 7523); it is tried once */
    MCPW_ENUM_WIDTH(MCPW_OAUTH_GRANT)
} mcpw_oauth_grant;

/* How a client authenticates at the token endpoint. (RFC 6749, section 2.3; RFC 7523, section 2.2.) */
typedef enum mcpw_oauth_method {
    MCPW_OAUTH_METHOD_ANY = 0,   /* chosen by the authorization server's metadata */
    MCPW_OAUTH_METHOD_NONE = 1,  /* "none": a public client */
    MCPW_OAUTH_METHOD_BASIC = 2, /* "client_secret_basic" */
    MCPW_OAUTH_METHOD_POST = 3,  /* "client_secret_post" */
    MCPW_OAUTH_METHOD_JWT = 4    /* "private_key_jwt", which the signer signs */
    MCPW_ENUM_WIDTH(MCPW_OAUTH_METHOD)
} mcpw_oauth_method;

/* A pre-registered client. */
typedef struct mcpw_oauth_credential {
    /* Its issuer; NULL: that of the config. A client_secret requires one of the two. */
    const char *issuer;
    const char *client_id;     /* required */
    const char *client_secret; /* NULL: none */
    mcpw_oauth_method method;  /* how it authenticates */
} mcpw_oauth_credential;

/* A signing key. The library composes the JWS, and `sign` makes its signature. (RFC 7515.) */
typedef struct mcpw_oauth_signer {
    size_t struct_size;     /* set by MCPW_OAUTH_SIGNER_INIT */
    void *self;             /* passed to sign */
    const char *algorithm;  /* "ES256", "RS256": asymmetric, never "none" */
    const char *key_id;     /* "kid"; NULL: none */
    const char *public_key; /* the public key as a JWK, JSON text; DPoP requires it */
    /* Signs `input` and writes the signature to `out` (ES256: 64 bytes, R and S). *len is the size of `out`
     * on entry, and the bytes written on return. */
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
    /* Releases the lock. */
    void (*unlock)(void *self, mcpw_str key);
    /* Reads a value into the arena. MCPW_E_NOT_FOUND: there is none. */
    mcpw_status (*load)(void *self, mcpw_str key, mcpw_arena *arena, mcpw_str *value);
    /* Replaces a value as a whole; an absent value removes it. */
    mcpw_status (*save)(void *self, mcpw_str key, mcpw_str value);
} mcpw_oauth_store;

/* A store without functions. */
#define MCPW_OAUTH_STORE_INIT MCPW_SIZED(mcpw_oauth_store)

enum {
    /* Values of a store of this header. A new one beyond them is refused with MCPW_E_FULL, and the login goes
     * on without it. */
    MCPW_OAUTH_MOST_RECORDS = 1024
};

/* A store in memory. NULL if memory runs out. allocator may be NULL. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_store *mcpw_oauth_memory_new(const mcpw_allocator *allocator);
/* Frees it and wipes its values. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_memory_free(mcpw_oauth_store *store);

/* A store in files. The directory is made with mode 0700 in an existing parent. It must belong to the user
 * alone. Each value is a file of mode 0600, named after the SHA-256 of its key, and replaced by renaming. A
 * value that was saved outlasts a crash of the system (fsync). Processes lock by flock. On Windows access
 * control lists with the user alone take the place of modes, and a file that is open locks. NULL, with error
 * filled in, if the directory cannot be used. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_store *mcpw_oauth_files_new(const char *directory,
                                                                      mcpw_error *error);
/* Frees it; the files stay. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_files_free(mcpw_oauth_store *store);

/* The config of a login. 0 and NULL mean the default. Texts are copied; the store and the signers must
 * outlive the object. Initialise with MCPW_OAUTH_CONFIG_INIT. */
typedef struct mcpw_oauth_config {
    size_t struct_size;     /* set by MCPW_OAUTH_CONFIG_INIT */
    const char *server_url; /* required: the URL of the MCP server; https, or http on this machine */
    mcpw_oauth_grant grant; /* how tokens are requested */
    /* The redirect URI: https, or http on this machine. MCPW_OAUTH_CODE requires it. */
    const char *redirect_uri;
    const char *client_metadata_url; /* the https URL of a client id metadata document; NULL: there is none */
    const char *client_name;         /* of a registration; default "mcpwire" */
    /* Pre-registered clients. If none of them is of the issuer, the login fails. */
    const mcpw_oauth_credential *credentials;
    size_t credential_count; /* how many */
    /* The expected issuer. NULL: any that the MCP server names. Grants without a user and credentials with a
     * secret require it, here or in the credential. Else a hostile MCP server would choose their receiver. */
    const char *issuer;
    bool trust_discovered_issuer; /* FOR TESTS ONLY: secrets go to any issuer that is discovered */
    const char *scopes; /* separated by spaces; NULL: those that the challenge or the metadata name */
    /* MCPW_OAUTH_ID_JAG: the identity provider's token endpoint; required, as are the next two. */
    const char *idp_token_endpoint;
    const char *idp_client_id;       /* the id of this client there */
    const char *idp_id_token;        /* the user's ID token from the identity provider */
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
    size_t max_scopes;        /* bytes of all scopes that are requested, or granted; default 4096 */
    unsigned max_attempts;    /* logins without a token that the MCP server accepts; default 3 */
    unsigned max_redirects;   /* of one metadata document; default 3 */
    uint64_t deadline_ms;     /* for all requests of a login together; default 30000 */
    uint64_t user_ms;         /* for the user in the browser; default 300000 */
    mcpw_allocator allocator; /* for all memory; it is wiped before it is freed */
    /* Reports a failure that does not end the login: a store that fails, a scope that is left out. The
     * message contains no secret. May be NULL. */
    void (*on_warning)(void *user, const char *message);
    void *user; /* passed to on_warning */
} mcpw_oauth_config;

/* Everything at its default. */
#define MCPW_OAUTH_CONFIG_INIT MCPW_SIZED(mcpw_oauth_config)

/* A new client. NULL, with error filled in: the config is not usable, memory runs out, or libsodium fails. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth *mcpw_oauth_new(const mcpw_oauth_config *config, mcpw_error *error);
/* Frees a client, releases its lock, and wipes its secrets. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_free(mcpw_oauth *oauth);

/* Sets the time, in ms since 1970 (UTC). Call it first, and before each call that depends on the time. */
MCPW_STATIC_API void mcpw_oauth_advance(mcpw_oauth *oauth, uint64_t unix_ms);
/* The time by which mcpw_oauth_advance and mcpw_oauth_next must be called; UINT64_MAX: never. */
MCPW_STATIC_API uint64_t mcpw_oauth_deadline(const mcpw_oauth *oauth);

/* ---- Requests to the MCP server ------------------------------------------------------------------------ */

enum { MCPW_OAUTH_MOST_FIELDS = 2 /* Authorization and DPoP */ };

/* The credentials of one request to the MCP server. Keep it until the request is over, also when it is sent
 * again. Its texts live until the next call of mcpw_oauth_fields. Initialise with MCPW_OAUTH_PASS_INIT. */
typedef struct mcpw_oauth_pass {
    size_t struct_size;                             /* set by MCPW_OAUTH_PASS_INIT */
    mcpw_http_field fields[MCPW_OAUTH_MOST_FIELDS]; /* header fields of the request, replacing older ones */
    size_t field_count;                             /* how many */
    uint64_t token;                                 /* the number of the token; 0: none. The library's own */
    unsigned tries;                                 /* how often the request was sent. The library's own */
} mcpw_oauth_pass;

/* A request that was not sent yet. */
#define MCPW_OAUTH_PASS_INIT MCPW_SIZED(mcpw_oauth_pass)

/* Makes the header fields of a request. A request to another URL than the MCP server's gets none.
 * MCPW_PENDING: the token has expired and can be renewed; call mcpw_oauth_next until it is done, then this
 * again. MCPW_E_STATE: the time was not set. MCPW_E_MEMORY; MCPW_E_ARGUMENT; the status of the signer. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_fields(mcpw_oauth *oauth, const char *method,
                                                             const char *url, mcpw_oauth_pass *pass,
                                                             mcpw_error *error);

/* The next step after a response of the MCP server. */
typedef enum mcpw_oauth_action {
    MCPW_OAUTH_ACCEPT = 0, /* the response requires no login: use it */
    MCPW_OAUTH_AGAIN = 1,  /* send the request once more, with new fields */
    MCPW_OAUTH_BEGIN = 2,  /* call mcpw_oauth_next until it is done, then send the request once more */
    MCPW_OAUTH_GIVE_UP = 3 /* the request fails; error has the reason */
    MCPW_ENUM_WIDTH(MCPW_OAUTH_ACTION)
} mcpw_oauth_action;

/* Reads the status of a response, its WWW-Authenticate and its DPoP-Nonce (absent: none). Call it for every
 * response to a request of `pass`. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_action mcpw_oauth_answered(mcpw_oauth *oauth,
                                                                     const mcpw_oauth_pass *pass, int status,
                                                                     mcpw_str www_authenticate,
                                                                     mcpw_str dpop_nonce, mcpw_error *error);

/* ---- Logins -------------------------------------------------------------------------------------------- */

/* Begins a login that no response requires, such as that of a command. It also ends a login that is under way
 * or was given up; drop the request of that login. A valid token is kept unless `again` is set; then the user
 * is asked. Call mcpw_oauth_next next. */
MCPW_STATIC_API void mcpw_oauth_begin(mcpw_oauth *oauth, bool again);

/* The next step of a login. */
typedef enum mcpw_oauth_step {
    MCPW_OAUTH_FAILED = 0, /* the login has failed; error has the reason */
    MCPW_OAUTH_SEND = 1,   /* make the HTTP request, without redirects, cookies, other credentials */
    MCPW_OAUTH_OPEN = 2,   /* open url in the user's browser, by an argument vector; wait for the redirect */
    MCPW_OAUTH_WAIT = 3,   /* wait for `until`, a response or the redirect */
    MCPW_OAUTH_DONE = 4    /* the token is there, or the tokens of a logout are revoked */
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
    size_t max_body; /* most bytes of the response body; abort a longer one (mcpw_oauth_no_response) */
    /* MCPW_OAUTH_SEND: resolve the host once, refuse addresses for which mcpw_oauth_address_is_public is
     * false, and connect to the address that was checked. Skip this only if the MCP server itself has such an
     * address. */
    bool public_only;
    uint64_t until; /* MCPW_OAUTH_WAIT: when to call mcpw_oauth_next again; UINT64_MAX: after a response */
} mcpw_oauth_order;

/* An empty order. */
#define MCPW_OAUTH_ORDER_INIT MCPW_SIZED(mcpw_oauth_order)

/* Returns the next step of a login. A step other than MCPW_OAUTH_SEND and MCPW_OAUTH_OPEN may be returned
 * again. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_step mcpw_oauth_next(mcpw_oauth *oauth, mcpw_oauth_order *order,
                                                               mcpw_error *error);

/* Takes the response to the request of MCPW_OAUTH_SEND, redirects (3xx) included. */
MCPW_STATIC_API void mcpw_oauth_response(mcpw_oauth *oauth, int status, const mcpw_http_field *fields,
                                         size_t field_count, mcpw_str body);
/* Reports that the request gets no response. The login's error repeats `error`; NULL: unknown. */
MCPW_STATIC_API void mcpw_oauth_no_response(mcpw_oauth *oauth, const mcpw_error *error);

/* Takes the redirect: its URL, or its query alone. MCPW_E_STATE: no redirect is awaited. MCPW_E_VALUE: it
 * does not belong to this login (its `state` differs), and the login goes on waiting. MCPW_OK: call
 * mcpw_oauth_next. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_redirected(mcpw_oauth *oauth, mcpw_str redirect,
                                                                 mcpw_error *error);

/* Whether an address, of 4 or 16 bytes in network order, belongs to the public internet: not to this machine,
 * a private or link-local network, or another reserved block. IPv4 inside of IPv6 counts as IPv4. (RFC 6890.)
 */
MCPW_STATIC_API bool mcpw_oauth_address_is_public(const unsigned char *address, size_t len);

/* ---- The state of a login ------------------------------------------------------------------------------ */

/* The login as a user may see it, without secrets. Texts live until the next call for the same object;
 * absent: not known. Initialise with MCPW_OAUTH_LOGIN_INIT. */
typedef struct mcpw_oauth_login {
    size_t struct_size;  /* set by MCPW_OAUTH_LOGIN_INIT */
    mcpw_str issuer;     /* that issued the token */
    mcpw_str resource;   /* that the token is for */
    mcpw_str client_id;  /* that got the token */
    mcpw_str scopes;     /* those granted, separated by spaces */
    uint64_t expires_at; /* a time in ms since 1970; UINT64_MAX: unknown */
    bool has_token;      /* there is an access token */
    bool has_refresh;    /* it can be renewed without the user */
    bool is_bound;       /* each request proves the possession of a key (DPoP) */
} mcpw_oauth_login;

/* No login. */
#define MCPW_OAUTH_LOGIN_INIT MCPW_SIZED(mcpw_oauth_login)

/* Reads the login, from the store if necessary. MCPW_E_NOT_FOUND: there is none. MCPW_E_ARGUMENT. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_read(mcpw_oauth *oauth, mcpw_oauth_login *login);
/* Logs out: forgets the token here and in the store, and ends a login that is under way. Registrations stay.
 */
MCPW_STATIC_API void mcpw_oauth_forget(mcpw_oauth *oauth);
/* Logs out as mcpw_oauth_forget does, and then asks the authorization server to revoke the tokens (RFC 7009).
 * Call mcpw_oauth_next until it returns MCPW_OAUTH_DONE or MCPW_OAUTH_FAILED, after at most 10000 ms.
 * Whatever it returns, the tokens are forgotten here. MCPW_OAUTH_FAILED: they are not revoked, and the error
 * has the reason; MCPW_E_NOT_FOUND: the server revokes none. If there are no tokens, it is done at once. */
MCPW_STATIC_API void mcpw_oauth_revoke(mcpw_oauth *oauth);

MCPW_END_DECLS

#endif
