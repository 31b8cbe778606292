/* SPDX-License-Identifier: MIT */
/*
 * Keys and signatures: a client signs proofs and assertions, and a server checks access tokens and proofs.
 * This is a library of its own (mcpwire::oauth_jose), so that a client without keys does not need OpenSSL's
 * libcrypto. These functions have no I/O and no clock. The argument unix_ms is the time now, in ms since 1970
 * (UTC).
 *
 *   - A client has a key (mcpw_oauth_key), and gives its signer to <mcpw/oauth.h>.
 *   - A server has the public keys of an issuer (mcpw_oauth_jwks). It checks a token (mcpw_oauth_jwt_check),
 *     and a proof that the token's sender has the key of the token (mcpw_oauth_dpop_check).
 *
 * A config lists the algorithms that are allowed; a token cannot choose another one. "none" and HMAC are not
 * implemented.
 * Algorithms: ES256, ES384, RS256, RS384, RS512, PS256, PS384, PS512, EdDSA (also named Ed25519).
 *
 * No message contains a token, a proof or a key.
 *
 * (RFC 7515, 7517, 7518, 7519, 7638, 8037, 8725, 9068, 9449.)
 *
 * Threads: keys and sets of keys never change, so threads may share them. A mcpw_oauth_dpop belongs to one
 * thread at a time.
 */
#ifndef MCPW_OAUTH_JOSE_H
#define MCPW_OAUTH_JOSE_H

#include <mcpw/oauth.h>

MCPW_BEGIN_DECLS

/* ---- Keys of a client ---------------------------------------------------------------------------------- */

/* A private key with its algorithm. */
typedef struct mcpw_oauth_key mcpw_oauth_key;

/* Makes a new key for ES256. Free it with mcpw_oauth_key_free. NULL, with error filled in, if it cannot be
 * made. allocator may be NULL. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_key *mcpw_oauth_key_new(const mcpw_allocator *allocator,
                                                                  mcpw_error *error);
/* Reads a private key from PEM (PKCS #8 without a password), or from a JWK if the text begins with '{'. The
 * key is EC P-256 or P-384, RSA of 2048 to 8192 bits, or Ed25519. If algorithm is NULL, that of the JWK is
 * taken; if there is none, the kind of key decides between ES256, ES384, RS256 and EdDSA. Free the key with
 * mcpw_oauth_key_free. NULL, with error filled in, if the text is no such key, the algorithm does not fit it,
 * or memory runs out. allocator may be NULL. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_key *
mcpw_oauth_key_read(mcpw_str text, const char *algorithm, const mcpw_allocator *allocator, mcpw_error *error);
/* Frees a key and wipes it. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_key_free(mcpw_oauth_key *key);

/* Fills in the signer of a key, for the members `signer` and `dpop` of mcpw_oauth_config. The key must
 * outlive the signer. Its key_id is the kid of the JWK that was read, or the thumbprint of a new key. A key
 * from PEM has no key_id, because the authorization server may have chosen one; a program that knows it sets
 * key_id. MCPW_E_ARGUMENT: an argument is NULL, or the signer was not initialised with
 * MCPW_OAUTH_SIGNER_INIT. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_key_signer(const mcpw_oauth_key *key,
                                                                 mcpw_oauth_signer *signer);
/* Returns the public key as a JWK, with alg and kid. The text lives as long as the key. */
MCPW_STATIC_API mcpw_str mcpw_oauth_key_public(const mcpw_oauth_key *key);
/* Returns the thumbprint of the key: 43 characters. It is also the kid of the public key if the private key
 * came without one. The text lives as long as the key. (RFC 7638.) */
MCPW_STATIC_API mcpw_str mcpw_oauth_key_thumbprint(const mcpw_oauth_key *key);
/* Writes the private key as PEM (PKCS #8 without a password) into the arena. Wipe it after use.
 * MCPW_E_ARGUMENT; MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_key_pem(const mcpw_oauth_key *key, mcpw_arena *arena,
                                                              mcpw_str *pem);

/* ---- Keys of an issuer --------------------------------------------------------------------------------- */

enum {
    MCPW_OAUTH_MOST_KEYS = 32,          /* most keys of a set; a larger set is refused with MCPW_E_ELEMENTS */
    MCPW_OAUTH_LEAST_RSA_BITS = 2048,   /* fewest bits of an RSA key; a smaller key is skipped */
    MCPW_OAUTH_MOST_RSA_BITS = 8192,    /* most bits of an RSA key; a larger key is skipped */
    MCPW_OAUTH_MOST_JWKS_BYTES = 262144 /* most bytes of a set's text; a longer one gets MCPW_E_SIZE */
};

/* The public keys of an issuer: a JWK Set. */
typedef struct mcpw_oauth_jwks mcpw_oauth_jwks;

/* Reads a JWK Set. It skips keys that cannot verify tokens: keys of unknown types and curves, keys for other
 * uses, symmetric keys, and keys whose private part is published. Free the set with mcpw_oauth_jwks_free.
 * NULL, with error filled in, if the text is no JWK Set or exceeds a limit, or memory runs out. allocator may
 * be NULL. (RFC 7517, section 5.) */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_jwks *
mcpw_oauth_jwks_read(mcpw_str text, const mcpw_allocator *allocator, mcpw_error *error);
/* Frees a set. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_jwks_free(mcpw_oauth_jwks *keys);
/* Returns the number of keys that can verify tokens. 0 for NULL. */
MCPW_STATIC_API size_t mcpw_oauth_jwks_count(const mcpw_oauth_jwks *keys);

/* ---- Access tokens ------------------------------------------------------------------------------------- */

/* The rules for tokens of an issuer. 0 and NULL mean the default. Initialise with MCPW_OAUTH_RULES_INIT. */
typedef struct mcpw_oauth_rules {
    size_t struct_size;           /* set by MCPW_OAUTH_RULES_INIT */
    const char *issuer;           /* required: `iss`, byte for byte */
    const char *const *audiences; /* required: `aud` must have one of them, byte for byte */
    size_t audience_count;        /* how many */
    const char *algorithms;       /* separated by spaces; default "ES256 RS256 PS256 EdDSA" */
    /* The type of the token, such as "at+jwt" (RFC 9068). NULL: "at+jwt", "JWT" or none. */
    const char *type;
    uint64_t leeway_ms; /* ms by which clocks may differ; default 60000, at most an hour */
    size_t max_token;   /* most bytes of a token; default 16 KiB */
} mcpw_oauth_rules;

/* Everything at its default. */
#define MCPW_OAUTH_RULES_INIT MCPW_SIZED(mcpw_oauth_rules)

/* The claims of a valid token. Texts live in the arena. An absent text: the token does not have the claim.
 * Initialise with MCPW_OAUTH_CLAIMS_INIT. */
typedef struct mcpw_oauth_claims {
    size_t struct_size;  /* set by MCPW_OAUTH_CLAIMS_INIT */
    mcpw_str issuer;     /* iss */
    mcpw_str subject;    /* sub */
    mcpw_str client_id;  /* client_id */
    mcpw_str scopes;     /* scope: separated by spaces */
    mcpw_str thumbprint; /* cnf.jkt: of the key that signs each proof; absent: a bearer token */
    uint64_t expires_at; /* exp, in ms since 1970 */
    mcpw_json all;       /* all claims, a JSON object */
} mcpw_oauth_claims;

/* No claims. */
#define MCPW_OAUTH_CLAIMS_INIT MCPW_SIZED(mcpw_oauth_claims)

/* Checks a JWT: form, algorithm, type, signature by a key of the issuer, issuer, audience, exp (required),
 * nbf, iat. A header with `crit` is refused. The algorithm must fit the key. A token without `kid` is checked
 * only if exactly one key of the set fits. On success, claims is filled in. MCPW_E_UNAUTHORIZED: the token is
 * refused, and error has the reason. MCPW_E_NOT_FOUND: no key fits; the set may be out of date.
 * MCPW_E_ARGUMENT: the rules cannot be used. MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_jwt_check(const mcpw_oauth_rules *rules,
                                                                const mcpw_oauth_jwks *keys, mcpw_str token,
                                                                uint64_t unix_ms, mcpw_arena *arena,
                                                                mcpw_oauth_claims *claims, mcpw_error *error);

/* ---- Proofs of possession ------------------------------------------------------------------------------ */

/* The proofs that a server has seen, and its nonces. */
typedef struct mcpw_oauth_dpop mcpw_oauth_dpop;

/* The config of proofs. 0 and NULL mean the default. Initialise with MCPW_OAUTH_DPOP_CONFIG_INIT. */
typedef struct mcpw_oauth_dpop_config {
    size_t struct_size;     /* set by MCPW_OAUTH_DPOP_CONFIG_INIT */
    const char *algorithms; /* separated by spaces; default "ES256 RS256 PS256 EdDSA" */
    uint64_t window_ms;     /* ms by which `iat` may differ from unix_ms; default 60000, at most an hour */
    size_t max_proof;       /* most bytes of a proof; default 8 KiB */
    /* Most proofs that are remembered, each until it is too old to be used again; default 65536, which take
     * up to 6 MiB. While there are so many, a new proof is refused. When half of them are there, a key that
     * has more than an eighth of max_remembered gets no more, so that one client cannot use up the room of
     * all. A few keys may share a part. */
    size_t max_remembered;
    uint64_t nonce_ms; /* a proof needs a nonce of at most this age; 0: it needs none */
    /* 32 secret bytes, the same in all processes that serve the same clients, so that each takes the nonces
     * of the others; copied. NULL: random bytes. */
    const unsigned char *nonce_key;
    mcpw_allocator allocator; /* for all memory */
} mcpw_oauth_dpop_config;

/* Everything at its default. */
#define MCPW_OAUTH_DPOP_CONFIG_INIT MCPW_SIZED(mcpw_oauth_dpop_config)

/* Makes an object that checks proofs. The config is copied. NULL, with error filled in, if the config is not
 * usable, or memory runs out. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_dpop *mcpw_oauth_dpop_new(const mcpw_oauth_dpop_config *config,
                                                                    mcpw_error *error);
/* Frees it. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_dpop_free(mcpw_oauth_dpop *dpop);

/* A request with a proof. Initialise with MCPW_OAUTH_DPOP_REQUEST_INIT. */
typedef struct mcpw_oauth_dpop_request {
    size_t struct_size; /* set by MCPW_OAUTH_DPOP_REQUEST_INIT */
    mcpw_str proof;     /* the value of its only field DPoP */
    mcpw_str method;    /* "POST" */
    mcpw_str url;       /* the URL of the request, as clients know it; its query does not count */
    mcpw_str token;     /* the access token; absent: it has none, as at a token endpoint */
    /* The thumbprint of the key that the token is bound to (cnf.jkt); absent: any key is taken. */
    mcpw_str thumbprint;
} mcpw_oauth_dpop_request;

/* A request without members. */
#define MCPW_OAUTH_DPOP_REQUEST_INIT MCPW_SIZED(mcpw_oauth_dpop_request)

enum {
    MCPW_OAUTH_THUMBPRINT_SIZE = 44, /* bytes of a thumbprint, with its NUL */
    MCPW_OAUTH_NONCE_BYTES = 64      /* most bytes of a nonce, with its NUL */
};

/* Checks a proof, and remembers it. Check the token first, so that only proofs with valid tokens are
 * remembered. On success, `thumbprint` receives that of the proof's key; it may be NULL. MCPW_E_UNAUTHORIZED:
 * the proof is refused ("invalid_dpop_proof"), and error has the reason. MCPW_E_MISSING: it lacks a valid
 * nonce ("use_dpop_nonce"). MCPW_E_FULL: too many proofs are remembered. MCPW_E_ARGUMENT; MCPW_E_MEMORY. (RFC
 * 9449, section 4.3.) */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_dpop_check(mcpw_oauth_dpop *dpop,
                                                                 const mcpw_oauth_dpop_request *request,
                                                                 uint64_t unix_ms,
                                                                 char thumbprint[MCPW_OAUTH_THUMBPRINT_SIZE],
                                                                 mcpw_error *error);
/* Writes a nonce for the header field DPoP-Nonce. MCPW_E_STATE: nonce_ms is 0. MCPW_E_ARGUMENT. (RFC 9449,
 * section 8.) */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_oauth_dpop_nonce(const mcpw_oauth_dpop *dpop,
                                                                 uint64_t unix_ms,
                                                                 char nonce[MCPW_OAUTH_NONCE_BYTES]);

MCPW_END_DECLS

#endif
