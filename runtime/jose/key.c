/* SPDX-License-Identifier: MIT */
/* The private key of a client. */
#include "jose.h"

#include "../oauth/oauth.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <sodium.h>
#include <stdlib.h>

enum { MOST_TEXT = 32768 /* bytes of a private key as text */ };

static const mcpw_str none = {NULL, 0};

struct mcpw_oauth_key {
    EVP_PKEY *key;
    const mcpw_jose_algorithm *algorithm;
    mcpw_allocator outer; /* of the program; the arena wipes */
    mcpw_arena memory;
    mcpw_str kid;       /* of the public key */
    const char *key_id; /* of signatures; NULL: none */
    mcpw_str thumbprint;
    mcpw_str public_key;
};

/* ---- Reading ------------------------------------------------------------------------------------------- */

/* A private number of a JWK for libcrypto. */
static bool push(OSSL_PARAM_BLD *build, const char *name, mcpw_str text, mcpw_arena *arena, BIGNUM **number) {
    const mcpw_str bytes = mcpw_jose_bytes(arena, text);
    *number = bytes.ptr != NULL ? BN_secure_new() : NULL;
    return *number != NULL && BN_bin2bn((const unsigned char *)bytes.ptr, (int)bytes.len, *number) != NULL &&
           OSSL_PARAM_BLD_push_BN(build, name, *number) == 1;
}

static EVP_PKEY *pair_of(const char *type, OSSL_PARAM_BLD *build) {
    OSSL_PARAM *const params = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY_CTX *const context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;
    if (params == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, params) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(params);
    return key;
}

static EVP_PKEY *rsa_of(const mcpw_jose_json_key *jwk, mcpw_arena *arena) {
    const struct {
        const char *name;
        mcpw_str value;
    } members[] = {{OSSL_PKEY_PARAM_RSA_N, jwk->n},          {OSSL_PKEY_PARAM_RSA_E, jwk->e},
                   {OSSL_PKEY_PARAM_RSA_D, jwk->d},          {OSSL_PKEY_PARAM_RSA_FACTOR1, jwk->p},
                   {OSSL_PKEY_PARAM_RSA_FACTOR2, jwk->q},    {OSSL_PKEY_PARAM_RSA_EXPONENT1, jwk->dp},
                   {OSSL_PKEY_PARAM_RSA_EXPONENT2, jwk->dq}, {OSSL_PKEY_PARAM_RSA_COEFFICIENT1, jwk->qi}};
    enum { COUNT = sizeof members / sizeof *members };
    BIGNUM *numbers[COUNT] = {NULL};
    OSSL_PARAM_BLD *const build = OSSL_PARAM_BLD_new();
    bool is_whole = build != NULL;
    for (size_t i = 0; i < COUNT; i++) {
        is_whole = is_whole && push(build, members[i].name, members[i].value, arena, &numbers[i]);
    }
    EVP_PKEY *const key = is_whole ? pair_of("RSA", build) : NULL;
    OSSL_PARAM_BLD_free(build);
    for (size_t i = 0; i < COUNT; i++) {
        BN_clear_free(numbers[i]);
    }
    return key;
}

/* `empty` is the public part. */
static EVP_PKEY *ec_of(const mcpw_jose_json_key *jwk, const EVP_PKEY *empty, mcpw_arena *arena) {
    unsigned char point[1 + 2 * MCPW_JOSE_DIGEST_SIZE * 2];
    char group[sizeof "brainpoolP512t1"];
    size_t group_len = 0;
    size_t point_len = 0;
    BIGNUM *number = NULL;
    OSSL_PARAM_BLD *const build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (build != NULL && EVP_PKEY_get_group_name(empty, group, sizeof group, &group_len) == 1 &&
        EVP_PKEY_get_octet_string_param(empty, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &point_len) ==
            1 &&
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, point_len) == 1 &&
        push(build, OSSL_PKEY_PARAM_PRIV_KEY, jwk->d, arena, &number)) {
        key = pair_of("EC", build);
    }
    OSSL_PARAM_BLD_free(build);
    BN_clear_free(number);
    return key;
}

static EVP_PKEY *ed25519_of(const mcpw_jose_json_key *jwk, mcpw_arena *arena) {
    const mcpw_str d = mcpw_jose_bytes(arena, jwk->d);
    return d.ptr == NULL
               ? NULL
               : EVP_PKEY_new_raw_private_key_ex(NULL, "ED25519", NULL, (const unsigned char *)d.ptr, d.len);
}

/* Whether the private part belongs to the public one. */
static bool is_pair(EVP_PKEY *key) {
    EVP_PKEY_CTX *const context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    const bool is_right = context != NULL && EVP_PKEY_pairwise_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    return is_right;
}

static EVP_PKEY *read_jwk(mcpw_str text, mcpw_arena *arena, mcpw_jose_json_key *jwk, mcpw_error *error) {
    mcpw_jose_public_key public_key = {NULL, MCPW_JOSE_NONE, NULL, none};
    EVP_PKEY *key = NULL;
    if (mcpw_jose_decode(&mcpw_jose_json_key_table, text, arena, jwk, error) != MCPW_OK) {
        return NULL;
    }
    mcpw_jose_json_key public_jwk = {
        .kty = jwk->kty, .crv = jwk->crv, .x = jwk->x, .y = jwk->y, .n = jwk->n, .e = jwk->e};
    if (jwk->d.ptr != NULL && mcpw_jose_public_key_of(&public_jwk, arena, &public_key) == MCPW_OK) {
        key = public_key.kind == MCPW_JOSE_RSA       ? rsa_of(jwk, arena)
              : public_key.kind == MCPW_JOSE_ED25519 ? ed25519_of(jwk, arena)
                                                     : ec_of(jwk, public_key.key, arena);
        if (key != NULL && (!is_pair(key) || EVP_PKEY_eq(key, public_key.key) != 1)) {
            EVP_PKEY_free(key);
            key = NULL;
        }
    }
    mcpw_jose_public_key_free(&public_key);
    return key;
}

static int no_password(char *out, int size, int is_writing, void *user) {
    (void)out, (void)size, (void)is_writing, (void)user;
    return -1; /* no password is asked for on the terminal */
}

static EVP_PKEY *read_pem(mcpw_str text) {
    BIO *const in = BIO_new_mem_buf(text.ptr, (int)text.len);
    EVP_PKEY *const key = in != NULL ? PEM_read_bio_PrivateKey(in, NULL, no_password, NULL) : NULL;
    BIO_free(in);
    return key;
}

/* ---- Making -------------------------------------------------------------------------------------------- */

static const char *usual_algorithm(const EVP_PKEY *key) {
    switch (mcpw_jose_kind_of(key)) {
    case MCPW_JOSE_P256:
        return "ES256";
    case MCPW_JOSE_P384:
        return "ES384";
    case MCPW_JOSE_RSA:
        return "RS256";
    case MCPW_JOSE_ED25519:
        return "EdDSA";
    default:
        return "";
    }
}

static bool write_public(mcpw_oauth_key *own, const mcpw_jose_json_key *jwk) {
    mcpw_jose_json_key shown = *jwk;
    mcpw_buffer out = mcpw_buffer_in(&own->memory);
    shown.alg = mcpw_str_from(own->algorithm->name);
    shown.kid = own->kid;
    const mcpw_status status = mcpw_encode(&mcpw_jose_json_key_table, &shown, &out, NULL, NULL);
    if (status != MCPW_OK || mcpw_buffer_append(&out, "", 1) != MCPW_OK) {
        return false;
    }
    const mcpw_json text = mcpw_buffer_take(&out);
    own->public_key = (mcpw_str){text.ptr, text.len - 1};
    return true;
}

/* Takes the key, which it frees on failure. */
static mcpw_status complete(mcpw_oauth_key *own, EVP_PKEY *key, const char *algorithm, mcpw_str kid,
                            mcpw_error *error) {
    mcpw_jose_json_key jwk;
    own->key = key;
    own->algorithm =
        mcpw_jose_algorithm_of(mcpw_str_from(algorithm != NULL ? algorithm : usual_algorithm(key)));
    if (mcpw_jose_kind_of(key) == MCPW_JOSE_NONE) {
        return mcpw_error_set(error, MCPW_E_VALUE, 0,
                              "the private key must be EC P-256 or P-384, RSA of %u to %u bits, or Ed25519",
                              (unsigned)MCPW_OAUTH_LEAST_RSA_BITS, (unsigned)MCPW_OAUTH_MOST_RSA_BITS);
    }
    if (own->algorithm == NULL || own->algorithm->kind != mcpw_jose_kind_of(key)) {
        return mcpw_error_set(
            error, MCPW_E_ARGUMENT, 0,
            "the algorithm does not fit the private key; leave it out to use one that does");
    }
    mcpw_status status = mcpw_jose_describe(key, &own->memory, &jwk);
    own->thumbprint = status == MCPW_OK ? mcpw_jose_thumbprint(&jwk, &own->memory) : none;
    own->kid = kid.ptr != NULL ? kid : own->thumbprint;
    if (own->thumbprint.ptr == NULL || !write_public(own, &jwk)) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    return MCPW_OK;
}

static mcpw_oauth_key *allocate(const mcpw_allocator *allocator) {
    const mcpw_allocator outer = allocator != NULL ? *allocator : (mcpw_allocator){NULL, NULL};
    mcpw_oauth_key *const own = mcpw_resize(&outer, NULL, 0, sizeof *own);
    if (own != NULL) {
        *own = (mcpw_oauth_key){.outer = outer, .memory = MCPW_ARENA_INIT};
        own->memory.allocator = (mcpw_allocator){mcpw_oauth_wiping, &own->outer};
    }
    return own;
}

void mcpw_oauth_key_free(mcpw_oauth_key *key) {
    if (key != NULL) {
        const mcpw_allocator outer = key->outer;
        EVP_PKEY_free(key->key);
        mcpw_arena_free(&key->memory);
        (void)mcpw_resize(&outer, key, sizeof *key, 0);
    }
}

mcpw_oauth_key *mcpw_oauth_key_new(const mcpw_allocator *allocator, mcpw_error *error) {
    mcpw_oauth_key *const own = allocate(allocator);
    EVP_PKEY *const key = own != NULL && sodium_init() >= 0 ? EVP_EC_gen("P-256") : NULL;
    if (key == NULL) {
        (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "no key could be made");
    } else if (complete(own, key, "ES256", none, error) == MCPW_OK) {
        own->key_id = own->thumbprint.ptr;
        return own;
    }
    mcpw_oauth_key_free(own);
    return NULL;
}

/* True if a text begins like a JWK. */
static bool is_object(mcpw_str text) {
    size_t start = 0;
    while (start < text.len && memchr(" \t\r\n", text.ptr[start], sizeof " \t\r\n" - 1) != NULL) {
        start++;
    }
    return start < text.len && text.ptr[start] == '{';
}

mcpw_oauth_key *mcpw_oauth_key_read(mcpw_str text, const char *algorithm, const mcpw_allocator *allocator,
                                    mcpw_error *error) {
    mcpw_jose_json_key jwk = {.kid = none};
    mcpw_oauth_key *const own = allocate(allocator);
    EVP_PKEY *key = NULL;
    if (own == NULL || sodium_init() < 0) {
        (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        mcpw_oauth_key_free(own);
        return NULL;
    }
    (void)mcpw_error_set(error, MCPW_E_FORMAT, 0,
                         "the text is no private key: expected PEM (PKCS #8, without a password), or a JWK");
    if (text.ptr != NULL && text.len <= MOST_TEXT) {
        key = is_object(text) ? read_jwk(text, &own->memory, &jwk, error) : read_pem(text);
    }
    if (key == NULL && mcpw_jose_lacks_memory(&own->memory)) {
        (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    if (algorithm == NULL && jwk.alg.ptr != NULL) {
        algorithm = jwk.alg.ptr;
    }
    if (key != NULL && complete(own, key, algorithm, jwk.kid, error) == MCPW_OK) {
        own->key_id = jwk.kid.ptr;
        return own;
    }
    mcpw_oauth_key_free(own);
    return NULL;
}

/* ---- Use ----------------------------------------------------------------------------------------------- */

static mcpw_status sign(void *self, mcpw_str input, unsigned char *out, size_t *len) {
    const mcpw_oauth_key *const own = self;
    return mcpw_jose_sign(own->algorithm, own->key, input, out, len);
}

mcpw_status mcpw_oauth_key_signer(const mcpw_oauth_key *key, mcpw_oauth_signer *signer) {
    if (key == NULL || signer == NULL || !MCPW_HAS_ALL(signer, sign)) {
        return MCPW_E_ARGUMENT;
    }
    signer->self = (void *)(uintptr_t)key; /* which `sign` reads */
    signer->algorithm = key->algorithm->name;
    signer->key_id = key->key_id;
    signer->public_key = key->public_key.ptr;
    signer->sign = sign;
    return MCPW_OK;
}

mcpw_str mcpw_oauth_key_public(const mcpw_oauth_key *key) { return key != NULL ? key->public_key : none; }

mcpw_str mcpw_oauth_key_thumbprint(const mcpw_oauth_key *key) { return key != NULL ? key->thumbprint : none; }

mcpw_status mcpw_oauth_key_pem(const mcpw_oauth_key *key, mcpw_arena *arena, mcpw_str *pem) {
    char *text = NULL;
    if (key == NULL || arena == NULL || pem == NULL) {
        return MCPW_E_ARGUMENT;
    }
    BIO *const out = BIO_new(BIO_s_secmem());
    const bool is_written =
        out != NULL && PEM_write_bio_PKCS8PrivateKey(out, key->key, NULL, NULL, 0, NULL, NULL) == 1;
    const long len = is_written ? BIO_get_mem_data(out, &text) : 0;
    *pem = len > 0 ? mcpw_arena_str(arena, text, (size_t)len) : none;
    BIO_free(out);
    return pem->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}
