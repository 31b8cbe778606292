/* SPDX-License-Identifier: MIT */
/*
 * Keys and signatures by libcrypto, whose types only algorithms.c, jwk.c and key.c use. The files depend on
 * each other in one direction: jwt, dpop -> jws, jwks, replay -> jwk, key -> algorithms.
 */
#ifndef MCPW_JOSE_INTERNAL_H
#define MCPW_JOSE_INTERNAL_H

#include <mcpw/oauth_jose.h>

#include <mcpw_jose_json.h>

#include <openssl/types.h>

enum {
    MCPW_JOSE_MOST_SIGNATURE = 1024, /* bytes: RSA of 8192 bits */
    MCPW_JOSE_DIGEST_SIZE = 32,      /* of SHA-256 */
    MCPW_JOSE_MS = 1000,
    MCPW_JOSE_DEPTH = 16 /* nesting of a document */
};

/* The types of keys. */
typedef enum mcpw_jose_kind {
    MCPW_JOSE_NONE = 0,
    MCPW_JOSE_P256 = 1,
    MCPW_JOSE_P384 = 2,
    MCPW_JOSE_RSA = 3,
    MCPW_JOSE_ED25519 = 4
} mcpw_jose_kind;

/* A signature algorithm. */
typedef struct mcpw_jose_algorithm {
    const char *name;
    const char *digest; /* NULL: the algorithm has its own */
    size_t half;        /* bytes of R and of S; 0: not ECDSA */
    mcpw_jose_kind kind;
    bool is_pss;
} mcpw_jose_algorithm;

/* A public key. */
typedef struct mcpw_jose_public_key {
    EVP_PKEY *key;
    mcpw_jose_kind kind;
    const mcpw_jose_algorithm *only; /* the one algorithm of the key; NULL: any that fits */
    mcpw_str kid;                    /* absent: none */
} mcpw_jose_public_key;

/* ---- algorithms.c -------------------------------------------------------------------------------------- */

/* The algorithm with a name; NULL: unknown. */
const mcpw_jose_algorithm *mcpw_jose_algorithm_of(mcpw_str name);
/* Whether a list of names, separated by spaces, has the algorithm. */
bool mcpw_jose_is_listed(const char *list, const mcpw_jose_algorithm *algorithm);
/* Whether a list has at least one name, and only known names. */
bool mcpw_jose_is_list(const char *list);
/* The algorithms for a config that names none. */
const char *mcpw_jose_default_algorithms(void);
/* Whether the signature of the input is valid for the key. */
bool mcpw_jose_verify(const mcpw_jose_algorithm *algorithm, EVP_PKEY *key, mcpw_str input,
                      mcpw_str signature);
/* Signs the input. *len is the size of `out` on entry, and the bytes written on return. */
MCPW_NODISCARD mcpw_status mcpw_jose_sign(const mcpw_jose_algorithm *algorithm, EVP_PKEY *key, mcpw_str input,
                                          unsigned char *out, size_t *len);

/* ---- jwk.c --------------------------------------------------------------------------------------------- */

/* Whether the last allocation of an arena that needed a new block failed. */
bool mcpw_jose_lacks_memory(const mcpw_arena *arena);
/* Decodes base64url without padding; absent: the text is no base64url, or memory ran out. */
mcpw_str mcpw_jose_bytes(mcpw_arena *arena, mcpw_str text);
/* Decodes a document by its type. An error says where the fault is, but shows no value. */
MCPW_NODISCARD mcpw_status mcpw_jose_decode(const mcpw_type *type, mcpw_str text, mcpw_arena *arena,
                                            void *out, mcpw_error *error);
/* Whether a JWK has a private or symmetric part. */
bool mcpw_jose_has_private_part(const mcpw_jose_json_key *jwk);
/* Makes the public key of a JWK. MCPW_E_VALUE: it cannot verify signatures. MCPW_E_MEMORY. Its kid points
 * into the JWK. */
MCPW_NODISCARD mcpw_status mcpw_jose_public_key_of(const mcpw_jose_json_key *jwk, mcpw_arena *scratch,
                                                   mcpw_jose_public_key *out);
/* Frees the key. */
void mcpw_jose_public_key_free(mcpw_jose_public_key *key);
/* The kind of a key; MCPW_JOSE_NONE: another kind, or an RSA key that is too short or too long. */
mcpw_jose_kind mcpw_jose_kind_of(const EVP_PKEY *key);
/* The members of a public JWK, without alg and kid. */
MCPW_NODISCARD mcpw_status mcpw_jose_describe(EVP_PKEY *key, mcpw_arena *arena, mcpw_jose_json_key *jwk);
/* The thumbprint of a JWK. Absent: no memory. */
mcpw_str mcpw_jose_thumbprint(const mcpw_jose_json_key *jwk, mcpw_arena *arena);

/* ---- jws.c --------------------------------------------------------------------------------------------- */

/* A JWS that was parsed. */
typedef struct mcpw_jose_jws {
    mcpw_jose_json_header header;
    const mcpw_jose_algorithm *algorithm;
    mcpw_str input;     /* the JWS signing input */
    mcpw_str payload;   /* decoded */
    mcpw_str signature; /* decoded */
} mcpw_jose_jws;

/* Parses a JWS. MCPW_E_UNAUTHORIZED: the text is no JWS, its algorithm is not listed, or it has critical
 * extensions. `what` names it in errors. */
MCPW_NODISCARD mcpw_status mcpw_jose_jws_read(const char *what, mcpw_str text, size_t most,
                                              const char *algorithms, mcpw_arena *arena, mcpw_jose_jws *out,
                                              mcpw_error *error);
/* Whether `typ` is a type. A prefix "application/" is ignored. (RFC 7515, section 4.1.9.) */
bool mcpw_jose_has_type(mcpw_str typ, const char *type);

/* ---- jwks.c -------------------------------------------------------------------------------------------- */

/* Whether a key may verify by the algorithm. */
bool mcpw_jose_fits(const mcpw_jose_public_key *key, const mcpw_jose_algorithm *algorithm);
/* The key for a kid (absent: none) and an algorithm. NULL: none, or several without kid. */
const mcpw_jose_public_key *mcpw_jose_find(const mcpw_oauth_jwks *keys, mcpw_str kid,
                                           const mcpw_jose_algorithm *algorithm);

/* ---- claims.c ------------------------------------------------------------------------------------------ */

/* Checks issuer, audience and times of claims, and copies them out. An introspection response may lack issuer
 * and expiry, because the issuer itself says that the token is active. */
MCPW_NODISCARD mcpw_status mcpw_jose_judge(const mcpw_oauth_rules *rules, const mcpw_jose_json_claims *claims,
                                           bool is_introspected, uint64_t unix_ms, mcpw_oauth_claims *out,
                                           mcpw_error *error);
/* Merges rules with the defaults. MCPW_E_ARGUMENT: they cannot be used. */
MCPW_NODISCARD mcpw_status mcpw_jose_take_rules(mcpw_oauth_rules *own, const mcpw_oauth_rules *given,
                                                mcpw_error *error);

/* ---- replay.c ------------------------------------------------------------------------------------------ */

/* Digests that were seen. Each is kept until a time. */
enum { MCPW_JOSE_OWNERS = 1024 };

typedef struct mcpw_jose_replay {
    struct mcpw_jose_seen *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
    size_t most;
    uint64_t swept_at; /* when expired ones were last removed */
    mcpw_allocator allocator;
    uint32_t shares[MCPW_JOSE_OWNERS]; /* how many each owner has */
} mcpw_jose_replay;

/* Remembers a digest of an owner, a number below MCPW_JOSE_OWNERS. When half of the table is in use, an owner
 * who has an eighth of it gets no more, so that the others still do. MCPW_E_DUPLICATE: it was seen.
 * MCPW_E_FULL; MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_jose_replay_add(mcpw_jose_replay *replay,
                                                const unsigned char digest[MCPW_JOSE_DIGEST_SIZE],
                                                unsigned owner, uint64_t now, uint64_t until);
/* Frees the memory. */
void mcpw_jose_replay_free(mcpw_jose_replay *replay);

#endif
