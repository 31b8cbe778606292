/* SPDX-License-Identifier: MIT */
/* Public keys as JWK. (RFC 7517; RFC 7518, section 6; RFC 7638; RFC 8037.) */
#include "jose.h"

#include "../oauth/oauth.h"

#include <mcpw/json.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <sodium.h>

enum {
    MOST_POINT = 97,    /* bytes: P-384, uncompressed */
    MOST_NUMBER = 1024, /* bytes of a modulus */
    UNCOMPRESSED = 4,   /* the first byte of such a point */
    ED25519_SIZE = 32,  /* bytes of a key */
    MOST_EXPONENT = 8,  /* bytes of a public exponent, as a longer one costs time */
    LEAST_EXPONENT = 3, /* its least value */
    BITS = 8
};

static const mcpw_str none = {NULL, 0};

/* A curve by its names. */
typedef struct curve {
    mcpw_jose_kind kind;
    const char *name;  /* of JWK */
    const char *group; /* of libcrypto */
    size_t size;       /* bytes of a coordinate */
} curve;

static const curve curves[] = {{MCPW_JOSE_P256, "P-256", "prime256v1", 32},
                               {MCPW_JOSE_P384, "P-384", "secp384r1", 48}};
enum { CURVE_COUNT = sizeof curves / sizeof *curves };

bool mcpw_jose_lacks_memory(const mcpw_arena *arena) {
    return arena->status == MCPW_E_MEMORY || arena->status == MCPW_E_ARENA;
}

mcpw_str mcpw_jose_bytes(mcpw_arena *arena, mcpw_str text) {
    unsigned char *const out = mcpw_arena_alloc(arena, text.len + 1);
    size_t len = 0;
    const char *end = NULL;
    if (out == NULL || text.ptr == NULL ||
        sodium_base642bin(out, text.len + 1, text.ptr, text.len, NULL, &len, &end,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
        end != text.ptr + text.len) {
        return none;
    }
    return (mcpw_str){(const char *)out, len};
}

mcpw_status mcpw_jose_decode(const mcpw_type *type, mcpw_str text, mcpw_arena *arena, void *out,
                             mcpw_error *error) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error found = {.code = MCPW_OK};
    options.flags = MCPW_NULL_IS_ABSENT;
    options.max_bytes = MCPW_OAUTH_MOST_JWKS_BYTES;
    options.max_depth = MCPW_JOSE_DEPTH;
    const mcpw_status status =
        mcpw_decode(type, text.ptr != NULL ? text.ptr : "", text.len, arena, out, &options, &found);
    if (status == MCPW_E_ARENA) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    if (status != MCPW_OK) {
        /* Other messages may show a value, and the path of broken JSON the names of unknown members. */
        const bool is_plain = status == MCPW_E_MISSING || status == MCPW_E_TYPE;
        const bool has_path = found.path[0] != '\0' && status != MCPW_E_SYNTAX && status != MCPW_E_UTF8 &&
                              status != MCPW_E_DEPTH && status != MCPW_E_SIZE;
        (void)mcpw_error_set(error, status, 0, "%s%s%s", has_path ? found.path : "", has_path ? ": " : "",
                             is_plain ? found.message : mcpw_status_text(status));
    }
    return status;
}

bool mcpw_jose_has_private_part(const mcpw_jose_json_key *jwk) {
    return jwk->d.ptr != NULL || jwk->p.ptr != NULL || jwk->q.ptr != NULL || jwk->dp.ptr != NULL ||
           jwk->dq.ptr != NULL || jwk->qi.ptr != NULL || jwk->oth.items != NULL || jwk->k.ptr != NULL;
}

mcpw_jose_kind mcpw_jose_kind_of(const EVP_PKEY *key) {
    char group[sizeof "brainpoolP512t1"] = "";
    size_t len = 0;
    const int bits = EVP_PKEY_get_bits(key);
    if (EVP_PKEY_is_a(key, "RSA")) {
        return bits >= MCPW_OAUTH_LEAST_RSA_BITS && bits <= MCPW_OAUTH_MOST_RSA_BITS ? MCPW_JOSE_RSA
                                                                                     : MCPW_JOSE_NONE;
    }
    if (EVP_PKEY_is_a(key, "ED25519")) {
        return MCPW_JOSE_ED25519;
    }
    if (EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, group, sizeof group, &len) == 1) {
        for (size_t i = 0; i < CURVE_COUNT; i++) {
            if (strcmp(group, curves[i].group) == 0) {
                return curves[i].kind;
            }
        }
    }
    return MCPW_JOSE_NONE;
}

/* ---- From a JWK ---------------------------------------------------------------------------------------- */

static EVP_PKEY *make(const char *type, OSSL_PARAM *params) {
    EVP_PKEY_CTX *const context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, params) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/* The point must be on the curve, which libcrypto checks. */
static EVP_PKEY *read_ec(const mcpw_jose_json_key *jwk, mcpw_arena *scratch) {
    unsigned char point[MOST_POINT];
    const mcpw_str x = mcpw_jose_bytes(scratch, jwk->x);
    const mcpw_str y = x.ptr != NULL ? mcpw_jose_bytes(scratch, jwk->y) : x;
    for (size_t i = 0; i < CURVE_COUNT; i++) {
        const size_t size = curves[i].size;
        if (mcpw_str_is(jwk->crv, curves[i].name) && x.ptr != NULL && y.ptr != NULL && x.len == size &&
            y.len == size) {
            char group[sizeof "prime256v1"];
            (void)snprintf(group, sizeof group, "%s", curves[i].group);
            point[0] = UNCOMPRESSED;
            memcpy(point + 1, x.ptr, size);
            memcpy(point + 1 + size, y.ptr, size);
            OSSL_PARAM params[] = {
                OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
                OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, 1 + 2 * size),
                OSSL_PARAM_construct_end()};
            return make("EC", params);
        }
    }
    return NULL;
}

/* Whether a modulus and an exponent are odd, and not too long or too short. */
static bool is_sane_rsa(const BIGNUM *n, const BIGNUM *e) {
    return n != NULL && e != NULL && BN_is_odd(n) && BN_is_odd(e) &&
           BN_num_bits(n) >= MCPW_OAUTH_LEAST_RSA_BITS && BN_num_bits(n) <= MCPW_OAUTH_MOST_RSA_BITS &&
           BN_num_bits(e) <= MOST_EXPONENT * BITS && (BN_num_bits(e) > 2 || BN_is_word(e, LEAST_EXPONENT));
}

static EVP_PKEY *read_rsa(const mcpw_jose_json_key *jwk, mcpw_arena *scratch) {
    const mcpw_str modulus = mcpw_jose_bytes(scratch, jwk->n);
    const mcpw_str exponent = modulus.ptr != NULL ? mcpw_jose_bytes(scratch, jwk->e) : modulus;
    if (modulus.len > MOST_NUMBER || exponent.len > MOST_EXPONENT || modulus.len == 0 || exponent.len == 0) {
        return NULL;
    }
    BIGNUM *const n = BN_bin2bn((const unsigned char *)modulus.ptr, (int)modulus.len, NULL);
    BIGNUM *const e = BN_bin2bn((const unsigned char *)exponent.ptr, (int)exponent.len, NULL);
    OSSL_PARAM_BLD *const build = OSSL_PARAM_BLD_new();
    OSSL_PARAM *params = NULL;
    EVP_PKEY *key = NULL;
    if (build != NULL && is_sane_rsa(n, e) && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e) == 1) {
        params = OSSL_PARAM_BLD_to_param(build);
        key = params != NULL ? make("RSA", params) : NULL;
    }
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    BN_free(n);
    BN_free(e);
    return key;
}

static EVP_PKEY *read_ed25519(const mcpw_jose_json_key *jwk, mcpw_arena *scratch) {
    const mcpw_str x = mcpw_jose_bytes(scratch, jwk->x);
    if (!mcpw_str_is(jwk->crv, "Ed25519") || x.len != ED25519_SIZE) {
        return NULL;
    }
    return EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, (const unsigned char *)x.ptr, x.len);
}

/* Whether `use` and `key_ops` allow to verify. */
static bool may_verify(const mcpw_jose_json_key *jwk) {
    bool may = jwk->key_ops.items == NULL;
    for (size_t i = 0; i < jwk->key_ops.count; i++) {
        may = may || mcpw_str_is(jwk->key_ops.items[i], "verify");
    }
    return may && (jwk->use.ptr == NULL || mcpw_str_is(jwk->use, "sig"));
}

mcpw_status mcpw_jose_public_key_of(const mcpw_jose_json_key *jwk, mcpw_arena *scratch,
                                    mcpw_jose_public_key *out) {
    *out = (mcpw_jose_public_key){NULL, MCPW_JOSE_NONE, NULL, jwk->kid};
    if (mcpw_jose_has_private_part(jwk) || !may_verify(jwk)) {
        return MCPW_E_VALUE;
    }
    if (jwk->alg.ptr != NULL) {
        out->only = mcpw_jose_algorithm_of(jwk->alg);
        if (out->only == NULL) {
            return MCPW_E_VALUE;
        }
    }
    scratch->status = MCPW_OK;
    if (mcpw_str_is(jwk->kty, "EC")) {
        out->key = read_ec(jwk, scratch);
    } else if (mcpw_str_is(jwk->kty, "RSA")) {
        out->key = read_rsa(jwk, scratch);
    } else if (mcpw_str_is(jwk->kty, "OKP")) {
        out->key = read_ed25519(jwk, scratch);
    }
    out->kind = out->key != NULL ? mcpw_jose_kind_of(out->key) : MCPW_JOSE_NONE;
    if (out->kind == MCPW_JOSE_NONE || (out->only != NULL && out->only->kind != out->kind)) {
        mcpw_jose_public_key_free(out);
        return mcpw_jose_lacks_memory(scratch) ? MCPW_E_MEMORY : MCPW_E_VALUE;
    }
    return MCPW_OK;
}

void mcpw_jose_public_key_free(mcpw_jose_public_key *key) {
    EVP_PKEY_free(key->key);
    key->key = NULL;
}

/* ---- To a JWK ------------------------------------------------------------------------------------------ */

static mcpw_status describe_ec(EVP_PKEY *key, const curve *own, mcpw_arena *arena, mcpw_jose_json_key *jwk) {
    unsigned char point[MOST_POINT];
    size_t len = 0;
    if (EVP_PKEY_set_utf8_string_param(key, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, "uncompressed") !=
            1 ||
        EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, point, sizeof point, &len) !=
            1 ||
        len != 1 + 2 * own->size) {
        return MCPW_E_VALUE;
    }
    jwk->kty = mcpw_str_from("EC");
    jwk->crv = mcpw_str_from(own->name);
    jwk->x = mcpw_oauth_base64url(arena, point + 1, own->size);
    jwk->y = mcpw_oauth_base64url(arena, point + 1 + own->size, own->size);
    return jwk->x.ptr != NULL && jwk->y.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

static mcpw_str number(const EVP_PKEY *key, const char *name, mcpw_arena *arena) {
    unsigned char bytes[MOST_NUMBER];
    BIGNUM *value = NULL;
    mcpw_str text = none;
    if (EVP_PKEY_get_bn_param(key, name, &value) == 1 && BN_num_bytes(value) <= MOST_NUMBER) {
        text = mcpw_oauth_base64url(arena, bytes, (size_t)BN_bn2bin(value, bytes));
    }
    BN_free(value);
    return text;
}

mcpw_status mcpw_jose_describe(EVP_PKEY *key, mcpw_arena *arena, mcpw_jose_json_key *jwk) {
    const mcpw_jose_kind kind = mcpw_jose_kind_of(key);
    *jwk = (mcpw_jose_json_key){.kty = none};
    for (size_t i = 0; i < CURVE_COUNT; i++) {
        if (curves[i].kind == kind) {
            return describe_ec(key, &curves[i], arena, jwk);
        }
    }
    if (kind == MCPW_JOSE_RSA) {
        jwk->kty = mcpw_str_from("RSA");
        jwk->n = number(key, OSSL_PKEY_PARAM_RSA_N, arena);
        jwk->e = number(key, OSSL_PKEY_PARAM_RSA_E, arena);
        return jwk->n.ptr != NULL && jwk->e.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    unsigned char point[ED25519_SIZE];
    size_t len = sizeof point;
    if (kind != MCPW_JOSE_ED25519 || EVP_PKEY_get_raw_public_key(key, point, &len) != 1) {
        return MCPW_E_VALUE;
    }
    jwk->kty = mcpw_str_from("OKP");
    jwk->crv = mcpw_str_from("Ed25519");
    jwk->x = mcpw_oauth_base64url(arena, point, len);
    return jwk->x.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

/* The required members in the order of their names, without spaces. (RFC 7638, section 3.) */
mcpw_str mcpw_jose_thumbprint(const mcpw_jose_json_key *jwk, mcpw_arena *arena) {
    const struct {
        const char *name;
        mcpw_str value;
    } members[] = {{"crv", jwk->crv}, {"e", jwk->e}, {"kty", jwk->kty},
                   {"n", jwk->n},     {"x", jwk->x}, {"y", jwk->y}};
    mcpw_buffer out = mcpw_buffer_in(arena);
    mcpw_json_writer w;
    mcpw_json text;
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_object(&w);
    const bool is_rsa = mcpw_str_is(jwk->kty, "RSA");
    const bool is_ec = mcpw_str_is(jwk->kty, "EC");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const char name = members[i].name[0];
        const bool counts = name == 'k' || (is_rsa ? name == 'e' || name == 'n'
                                                   : name == 'c' || name == 'x' || (is_ec && name == 'y'));
        if (counts && members[i].value.ptr != NULL) {
            mcpw_json_write_key(&w, members[i].name);
            mcpw_json_write_string(&w, members[i].value.ptr, members[i].value.len);
        }
    }
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &text);
    (void)mcpw_buffer_take(&out);
    return status == MCPW_OK ? mcpw_oauth_digest(arena, (mcpw_str){text.ptr, text.len}) : none;
}
