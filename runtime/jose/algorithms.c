/* SPDX-License-Identifier: MIT */
/* Signatures of JWS by libcrypto. (RFC 7518, section 3; RFC 8037, section 3.1.) */
#include "jose.h"

#include "../oauth/oauth.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

enum { HALF_256 = 32, HALF_384 = 48, MOST_DER = 160 /* bytes of two numbers of P-384, as DER */ };

static const mcpw_jose_algorithm algorithms[] = {{"ES256", "SHA256", HALF_256, MCPW_JOSE_P256, false},
                                                 {"ES384", "SHA384", HALF_384, MCPW_JOSE_P384, false},
                                                 {"RS256", "SHA256", 0, MCPW_JOSE_RSA, false},
                                                 {"RS384", "SHA384", 0, MCPW_JOSE_RSA, false},
                                                 {"RS512", "SHA512", 0, MCPW_JOSE_RSA, false},
                                                 {"PS256", "SHA256", 0, MCPW_JOSE_RSA, true},
                                                 {"PS384", "SHA384", 0, MCPW_JOSE_RSA, true},
                                                 {"PS512", "SHA512", 0, MCPW_JOSE_RSA, true},
                                                 {"EdDSA", NULL, 0, MCPW_JOSE_ED25519, false},
                                                 {"Ed25519", NULL, 0, MCPW_JOSE_ED25519, false}};

const char *mcpw_jose_default_algorithms(void) { return "ES256 RS256 PS256 EdDSA"; }

const mcpw_jose_algorithm *mcpw_jose_algorithm_of(mcpw_str name) {
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        if (mcpw_str_is(name, algorithms[i].name)) {
            return &algorithms[i];
        }
    }
    return NULL;
}

bool mcpw_jose_is_listed(const char *list, const mcpw_jose_algorithm *algorithm) {
    mcpw_str rest = mcpw_str_from(list);
    mcpw_str word;
    while (mcpw_oauth_scope_next(&rest, &word)) {
        if (mcpw_str_is(word, algorithm->name)) {
            return true;
        }
    }
    return false;
}

bool mcpw_jose_is_list(const char *list) {
    mcpw_str rest = mcpw_str_from(list);
    mcpw_str word;
    bool is_list = false;
    while (mcpw_oauth_scope_next(&rest, &word)) {
        if (mcpw_jose_algorithm_of(word) == NULL) {
            return false;
        }
        is_list = true;
    }
    return is_list;
}

/* Sets the padding of RSA; the salt of PSS is as long as the digest. */
static bool pad(const mcpw_jose_algorithm *algorithm, EVP_PKEY_CTX *context) {
    if (algorithm->kind != MCPW_JOSE_RSA) {
        return true;
    }
    return EVP_PKEY_CTX_set_rsa_padding(context,
                                        algorithm->is_pss ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING) > 0 &&
           (!algorithm->is_pss || EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) > 0);
}

/* R and S as DER. Returns the bytes written; 0: it failed. */
static size_t to_der(mcpw_str raw, unsigned char der[MOST_DER]) {
    const int half = (int)(raw.len / 2);
    const unsigned char *const bytes = (const unsigned char *)raw.ptr;
    ECDSA_SIG *const pair = ECDSA_SIG_new();
    BIGNUM *const r = BN_bin2bn(bytes, half, NULL);
    BIGNUM *const s = BN_bin2bn(bytes + half, half, NULL);
    unsigned char *end = der;
    int len = 0;
    if (pair != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(pair, r, s) == 1) {
        len = i2d_ECDSA_SIG(pair, NULL);
        len = len > 0 && len <= MOST_DER ? i2d_ECDSA_SIG(pair, &end) : 0;
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(pair);
    return len > 0 ? (size_t)len : 0;
}

bool mcpw_jose_verify(const mcpw_jose_algorithm *algorithm, EVP_PKEY *key, mcpw_str input,
                      mcpw_str signature) {
    unsigned char der[MOST_DER];
    const unsigned char *bytes = (const unsigned char *)signature.ptr;
    size_t len = signature.len;
    if (algorithm->half != 0) {
        if (len != 2 * algorithm->half) {
            return false;
        }
        len = to_der(signature, der);
        bytes = der;
    }
    EVP_MD_CTX *const digest = EVP_MD_CTX_new();
    EVP_PKEY_CTX *context = NULL; /* of `digest` */
    const bool is_right =
        digest != NULL && len != 0 &&
        EVP_DigestVerifyInit_ex(digest, &context, algorithm->digest, NULL, NULL, key, NULL) == 1 &&
        pad(algorithm, context) &&
        EVP_DigestVerify(digest, bytes, len, (const unsigned char *)input.ptr, input.len) == 1;
    EVP_MD_CTX_free(digest);
    return is_right;
}

/* DER as R and S. */
static bool from_der(const unsigned char *der, size_t len, size_t half, unsigned char *out) {
    const unsigned char *at = der;
    ECDSA_SIG *const pair = d2i_ECDSA_SIG(NULL, &at, (long)len);
    const bool is_read = pair != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(pair), out, (int)half) == (int)half &&
                         BN_bn2binpad(ECDSA_SIG_get0_s(pair), out + half, (int)half) == (int)half;
    ECDSA_SIG_free(pair);
    return is_read;
}

mcpw_status mcpw_jose_sign(const mcpw_jose_algorithm *algorithm, EVP_PKEY *key, mcpw_str input,
                           unsigned char *out, size_t *len) {
    unsigned char made[MCPW_JOSE_MOST_SIGNATURE];
    size_t made_len = sizeof made;
    EVP_MD_CTX *const digest = EVP_MD_CTX_new();
    EVP_PKEY_CTX *context = NULL; /* of `digest` */
    bool is_made = digest != NULL &&
                   EVP_DigestSignInit_ex(digest, &context, algorithm->digest, NULL, NULL, key, NULL) == 1 &&
                   pad(algorithm, context) &&
                   EVP_DigestSign(digest, made, &made_len, (const unsigned char *)input.ptr, input.len) == 1;
    EVP_MD_CTX_free(digest);
    const size_t size = algorithm->half != 0 ? 2 * algorithm->half : made_len;
    if (!is_made || size > *len) {
        return is_made ? MCPW_E_SIZE : MCPW_E_IO;
    }
    if (algorithm->half != 0) {
        is_made = from_der(made, made_len, algorithm->half, out);
    } else {
        memcpy(out, made, made_len);
    }
    *len = size;
    return is_made ? MCPW_OK : MCPW_E_IO;
}
