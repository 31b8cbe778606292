/* SPDX-License-Identifier: MIT */
/* Keys: read, made, described, and their signatures compared with those of others. */
#include "jose_forge.h"
#include "jose_rfc.h"
#include "jose_vectors.h"

#include "jose/jose.h"

/* ---- Signatures of others ------------------------------------------------------------------------------ */

/* Verifies a JWS by a public key. */
static bool is_signed(const char *text, const char *jwk_text, const char *algorithms) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_jose_jws jws;
    mcpw_jose_json_key jwk;
    mcpw_jose_public_key key = {.key = NULL};
    bool is_right =
        mcpw_jose_jws_read("token", forge_text(text), FORGE_ROOM, algorithms, &arena, &jws, NULL) ==
            MCPW_OK &&
        mcpw_jose_decode(&mcpw_jose_json_key_table, forge_text(jwk_text), &arena, &jwk, NULL) == MCPW_OK &&
        mcpw_jose_public_key_of(&jwk, &arena, &key) == MCPW_OK;
    is_right = is_right && mcpw_jose_verify(jws.algorithm, key.key, jws.input, jws.signature);
    mcpw_jose_public_key_free(&key);
    mcpw_arena_free(&arena);
    return is_right;
}

static void examples_of_the_rfcs_verify(void) {
    CHECK(is_signed(RFC7515_A2, RFC7515_A2_KEY, "RS256"));
    CHECK(is_signed(RFC7515_A3, RFC7515_A3_KEY, "ES256"));
    CHECK(is_signed(RFC8037, RFC8037_PUBLIC, "EdDSA"));
}

static void signatures_of_another_library_verify(void) {
    CHECK(is_signed(VECTOR_ES256, VECTOR_P256_PUBLIC, "ES256"));
    CHECK(is_signed(VECTOR_ES384, VECTOR_P384_PUBLIC, "ES384"));
    CHECK(is_signed(VECTOR_RS256, VECTOR_RSA_PUBLIC, "RS256"));
    CHECK(is_signed(VECTOR_RS384, VECTOR_RSA_PUBLIC, "RS384"));
    CHECK(is_signed(VECTOR_RS512, VECTOR_RSA_PUBLIC, "RS512"));
    CHECK(is_signed(VECTOR_PS256, VECTOR_RSA_PUBLIC, "PS256"));
    CHECK(is_signed(VECTOR_PS384, VECTOR_RSA_PUBLIC, "PS384"));
    CHECK(is_signed(VECTOR_PS512, VECTOR_RSA_PUBLIC, "PS512"));
    CHECK(is_signed(VECTOR_EDDSA, VECTOR_ED25519_PUBLIC, "EdDSA"));
}

static void each_changed_byte_breaks_a_signature(void) {
    static const char *const texts[] = {VECTOR_ES256, VECTOR_RS256, VECTOR_PS256, VECTOR_EDDSA};
    static const char *const keys[] = {VECTOR_P256_PUBLIC, VECTOR_RSA_PUBLIC, VECTOR_RSA_PUBLIC,
                                       VECTOR_ED25519_PUBLIC};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[FORGE_ROOM];
        for (size_t at = strlen(texts[i]) - 80; at < strlen(texts[i]) - 2; at += 7) {
            (void)snprintf(text, sizeof text, "%s", texts[i]);
            text[at] = text[at] == 'A' ? 'B' : 'A';
            CHECK(!is_signed(text, keys[i], "ES256 RS256 PS256 EdDSA"));
        }
    }
}

/* ---- Keys of a client ---------------------------------------------------------------------------------- */

static void check_key(const char *text, const char *algorithm, const char *thumbprint,
                      const char *public_key) {
    mcpw_oauth_key *const key = forge_key(text, NULL);
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    CHECK(mcpw_oauth_key_signer(key, &signer) == MCPW_OK);
    CHECK_STRING(signer.algorithm, algorithm);
    CHECK_STRING(mcpw_oauth_key_thumbprint(key).ptr, thumbprint);
    CHECK(signer.key_id == NULL); /* the receiver may know the key by another name */
    CHECK(strstr(signer.public_key, "\"d\"") == NULL);
    CHECK(is_signed(forge(key, "{\"alg\":\"ES256\"}", "{}"), public_key, "ES256") ==
          (strcmp(algorithm, "ES256") == 0));
    mcpw_oauth_key_free(key);
}

static void keys_are_read_from_pem_and_jwk(void) {
    check_key(VECTOR_P256_PEM, "ES256", VECTOR_P256_THUMBPRINT, VECTOR_P256_PUBLIC);
    check_key(VECTOR_P256_PRIVATE, "ES256", VECTOR_P256_THUMBPRINT, VECTOR_P256_PUBLIC);
    check_key(VECTOR_P384_PEM, "ES384", VECTOR_P384_THUMBPRINT, VECTOR_P384_PUBLIC);
    check_key(VECTOR_P384_PRIVATE, "ES384", VECTOR_P384_THUMBPRINT, VECTOR_P384_PUBLIC);
    check_key(VECTOR_RSA_PEM, "RS256", VECTOR_RSA_THUMBPRINT, VECTOR_RSA_PUBLIC);
    check_key(VECTOR_RSA_PRIVATE, "RS256", VECTOR_RSA_THUMBPRINT, VECTOR_RSA_PUBLIC);
    check_key(VECTOR_ED25519_PEM, "EdDSA", VECTOR_ED25519_THUMBPRINT, VECTOR_ED25519_PUBLIC);
    check_key(VECTOR_ED25519_PRIVATE, "EdDSA", VECTOR_ED25519_THUMBPRINT, VECTOR_ED25519_PUBLIC);
    check_key(RFC8037_PRIVATE, "EdDSA", RFC8037_THUMBPRINT, RFC8037_PUBLIC);
}

static void every_algorithm_signs_what_it_verifies(void) {
    static const struct {
        const char *key;
        const char *algorithm;
        const char *public_key;
    } rows[] = {{VECTOR_RSA_PEM, "RS256", VECTOR_RSA_PUBLIC},
                {VECTOR_RSA_PEM, "RS384", VECTOR_RSA_PUBLIC},
                {VECTOR_RSA_PEM, "RS512", VECTOR_RSA_PUBLIC},
                {VECTOR_RSA_PRIVATE, "PS256", VECTOR_RSA_PUBLIC},
                {VECTOR_RSA_PEM, "PS384", VECTOR_RSA_PUBLIC},
                {VECTOR_RSA_PEM, "PS512", VECTOR_RSA_PUBLIC},
                {VECTOR_P256_PRIVATE, "ES256", VECTOR_P256_PUBLIC},
                {VECTOR_P384_PEM, "ES384", VECTOR_P384_PUBLIC},
                {VECTOR_ED25519_PEM, "EdDSA", VECTOR_ED25519_PUBLIC},
                {VECTOR_ED25519_PEM, "Ed25519", VECTOR_ED25519_PUBLIC}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char header[64];
        mcpw_oauth_key *const key = forge_key(rows[i].key, rows[i].algorithm);
        (void)snprintf(header, sizeof header, "{\"alg\":\"%s\"}", rows[i].algorithm);
        CHECK(is_signed(forge(key, header, "{\"a\":1}"), rows[i].public_key, rows[i].algorithm));
        mcpw_oauth_key_free(key);
    }
}

static void a_new_key_is_one_of_its_own(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str pem;
    mcpw_oauth_key *const one = mcpw_oauth_key_new(NULL, NULL);
    mcpw_oauth_key *const other = mcpw_oauth_key_new(NULL, NULL);
    CHECK(one != NULL && other != NULL);
    CHECK(!mcpw_str_equal(mcpw_oauth_key_thumbprint(one), mcpw_oauth_key_thumbprint(other)));
    CHECK(is_signed(forge(one, "{\"alg\":\"ES256\"}", "{}"), mcpw_oauth_key_public(one).ptr, "ES256"));
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    CHECK(mcpw_oauth_key_signer(one, &signer) == MCPW_OK);
    CHECK_STRING(signer.key_id, mcpw_oauth_key_thumbprint(one).ptr);
    CHECK(!is_signed(forge(one, "{\"alg\":\"ES256\"}", "{}"), mcpw_oauth_key_public(other).ptr, "ES256"));
    CHECK(mcpw_oauth_key_pem(one, &arena, &pem) == MCPW_OK);
    mcpw_oauth_key *const again = mcpw_oauth_key_read(pem, NULL, NULL, NULL);
    CHECK(mcpw_str_equal(mcpw_oauth_key_thumbprint(one), mcpw_oauth_key_thumbprint(again)));
    mcpw_oauth_key_free(one);
    mcpw_oauth_key_free(other);
    mcpw_oauth_key_free(again);
    mcpw_arena_free(&arena);
}

/* The text is in a buffer of exactly its size, so a sanitizer sees a byte that is read past it. */
static void refused(const char *text, const char *algorithm, mcpw_status status) {
    mcpw_error error = {.code = MCPW_OK};
    const size_t len = strlen(text);
    char *const exact = malloc(len + (len == 0 ? 1 : 0));
    memcpy(exact, text, len);
    mcpw_oauth_key *const key = mcpw_oauth_key_read((mcpw_str){exact, len}, algorithm, NULL, &error);
    CHECK(key == NULL && error.code == status && error.message[0] != '\0');
    mcpw_oauth_key_free(key);
    free(exact);
}

static void texts_that_are_no_private_key_are_refused(void) {
    refused("", NULL, MCPW_E_FORMAT);
    refused(" \t\r\n", NULL, MCPW_E_FORMAT);
    refused("key", NULL, MCPW_E_FORMAT);
    refused(VECTOR_P256_PUBLIC, NULL, MCPW_E_FORMAT);
    refused("{\"kty\":\"oct\",\"k\":\"AAAA\"}", NULL, MCPW_E_FORMAT);
    refused("{\"kty\":\"EC\",\"d\":1}", NULL, MCPW_E_TYPE);
    refused(VECTOR_P256_PEM, "RS256", MCPW_E_ARGUMENT);
    refused(VECTOR_P256_PEM, "HS256", MCPW_E_ARGUMENT);
    refused(VECTOR_RSA_PEM, "none", MCPW_E_ARGUMENT);
    /* the private part of another key */
    refused("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\",\"y\":"
            "\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\",\"d\":\"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-"
            "E9LA\"}",
            NULL, MCPW_E_FORMAT);
}

static void an_rsa_key_of_1024_bits_is_refused(void) {
    refused("-----BEGIN PRIVATE KEY-----\n"
            "MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAN3wJ3J1En965sNC\n"
            "hCmiGZ78GZJzEEWcfbiNgPV2zPHvV5egBu76Yt4EfOou1DuEllpjA4mQLgO6hhnP\n"
            "PCHz0558KIb4FtlhopWQvrqPQaF+n1c1YET3b1+mIQWjCBKf8RziXSMYA4erfRS6\n"
            "fzbnyFCddTj/dU33ZJfnHExn9hxRAgMBAAECgYBSBtatiPODRktP05/BO3Y4unhB\n"
            "FmHnOIWG1lXZY0UwDgPTuIOXg9dSs1nvu8sZDFH9qia+ixlWq3OwylUxP0rw0i8T\n"
            "G5vi7TgRZW2NkWH2AdrRdDH/bBU5DAIkbYQt9fFFAXEtYGB2IT70M2ztQ5DM4MuW\n"
            "5HmJ2aNl6F49DOblIQJBAPXTY2J9ANm90jo3JmABB1hRAZ4xMDjbf4E2/ZDs49zl\n"
            "5njoccUvRlhLYzbiQweqp4Rz0XXZlUJReCGGfOhYvf0CQQDnH6r2/lRNWj2P6KIV\n"
            "V6YYLV3dqcTXuY1l1kNYQZMPO4txGxSydVHmbbsLEsnj+8A0oK5eoWzfohARozJp\n"
            "UJ3lAkABzeBf260C7Bq75KW6dKd6JXYOlCvXbvz7lMy9oI93kpRjdMlI+jTY9wyu\n"
            "XXDCgKUkGrmB1Ov8hZ6NGHCYP/Z9AkAg+jTDr0BKFTEpgnD2CJ6LXpXBFgMfILub\n"
            "JzpOsnSQPNfFmK6YVAMOlOOWTeT+oaIoIDEhEXleY1pVmeqMelM9AkEAst4uOQhg\n"
            "NzTiIWlHFScDFGzyrN/dxagUtwwdo2bYUWLx5SC+TKF04dimQUCWDCKcNKzvof22\n"
            "j3YYV9Jy2CkRDg==\n"
            "-----END PRIVATE KEY-----\n",
            NULL, MCPW_E_VALUE);
}

static void a_jwk_keeps_its_algorithm_and_id(void) {
    char text[FORGE_ROOM];
    (void)snprintf(text, sizeof text, "{\"alg\":\"PS256\",\"kid\":\"k-1\",%s", &VECTOR_RSA_PRIVATE[1]);
    mcpw_oauth_key *const key = forge_key(text, NULL);
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    CHECK(mcpw_oauth_key_signer(key, &signer) == MCPW_OK);
    CHECK_STRING(signer.algorithm, "PS256");
    CHECK_STRING(signer.key_id, "k-1");
    CHECK(strstr(signer.public_key, "\"kid\":\"k-1\"") != NULL);
    mcpw_oauth_key_free(key);
}

/* ---- Sets ---------------------------------------------------------------------------------------------- */

static size_t usable(const char *text) {
    mcpw_oauth_jwks *const set = mcpw_oauth_jwks_read(forge_text(text), NULL, NULL);
    CHECK(set != NULL);
    const size_t count = mcpw_oauth_jwks_count(set);
    mcpw_oauth_jwks_free(set);
    return count;
}

static void thumbprints_are_those_of_the_rfc(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_jose_json_key jwk;
    CHECK(mcpw_jose_decode(&mcpw_jose_json_key_table, forge_text(RFC7638_KEY), &arena, &jwk, NULL) ==
          MCPW_OK);
    CHECK_STRING(mcpw_jose_thumbprint(&jwk, &arena).ptr, RFC7638_THUMBPRINT);
    mcpw_arena_free(&arena);
}

static void keys_that_cannot_verify_are_skipped(void) {
    char text[FORGE_ROOM];
    CHECK(usable(VECTOR_JWKS) == 4);
    CHECK(usable("{\"keys\":[]}") == 0);
    CHECK(usable("{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"},{\"kty\":\"new\"},{\"no\":1},{\"kty\":5}]}") ==
          0);
    (void)snprintf(text, sizeof text, "{\"keys\":[%s,%s]}", VECTOR_RSA_PRIVATE, VECTOR_P256_PUBLIC);
    CHECK(usable(text) == 1); /* a published private key is nobody's any more */
    (void)snprintf(text, sizeof text, "{\"keys\":[{\"use\":\"enc\",%s,{\"key_ops\":[\"sign\"],%s]}",
                   &VECTOR_P256_PUBLIC[1], &VECTOR_P256_PUBLIC[1]);
    CHECK(usable(text) == 0);
    (void)snprintf(text, sizeof text, "{\"keys\":[{\"alg\":\"RS256\",%s,{\"alg\":\"HS256\",%s]}",
                   &VECTOR_P256_PUBLIC[1], &VECTOR_RSA_PUBLIC[1]);
    CHECK(usable(text) == 0);
}

static void broken_keys_are_skipped(void) {
    /* a point beside the curve, a short coordinate, an even exponent, an exponent of 1, short and long moduli
     */
    CHECK(usable("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":"
                 "\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
                 "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5aE\"}]}") == 0);
    CHECK(usable("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83O\",\"y\":\"x_FE\"}]}") == 0);
    CHECK(usable("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"secp256k1\",\"x\":\"f83O\",\"y\":\"x_FE\"}]}") == 0);
    char text[FORGE_ROOM];
    char modulus[2049];
    static const char *const exponents[] = {"AQAA", "AQ", "", "AQAAAAAAAAAAAAE"};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        const char *const end = strstr(VECTOR_RSA_PUBLIC, "\"e\"");
        (void)snprintf(text, sizeof text, "{\"keys\":[%.*s\"e\":\"%s\"}]}", (int)(end - VECTOR_RSA_PUBLIC),
                       VECTOR_RSA_PUBLIC, exponents[i]);
        CHECK(usable(text) == 0);
    }
    memset(modulus, '_', sizeof modulus - 1);
    for (size_t len = 170; len < sizeof modulus; len += 1878) { /* 1020 bits, 12288 bits */
        (void)snprintf(text, sizeof text, "{\"keys\":[{\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"%.*s\"}]}",
                       (int)len, modulus);
        CHECK(usable(text) == 0);
    }
}

static mcpw_status refusal_of_set(mcpw_str text) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_jwks *const set = mcpw_oauth_jwks_read(text, NULL, &error);
    CHECK(set == NULL);
    mcpw_oauth_jwks_free(set);
    return error.code;
}

static void sets_beyond_a_limit_are_refused(void) {
    enum { KIB_300 = 300 * 1024, KEYS = 100 };
    char *const text = calloc(1, KIB_300 + 1);
    memset(text, ' ', KIB_300);
    memcpy(text, "{\"keys\":[]}", strlen("{\"keys\":[]}"));
    CHECK(refusal_of_set((mcpw_str){text, KIB_300}) == MCPW_E_SIZE);
    (void)strcpy(text, "{\"keys\":[");
    for (unsigned i = 0; i < KEYS; i++) {
        (void)sprintf(text + strlen(text), "%s{\"kty\":\"new\"}", i != 0 ? "," : "");
    }
    (void)strcat(text, "]}");
    const mcpw_status status = refusal_of_set(mcpw_str_from(text));
    CHECK(status == MCPW_E_LENGTH || status == MCPW_E_ELEMENTS);
    free(text);
    CHECK(refusal_of_set(forge_text("{\"keys\":1}")) == MCPW_E_TYPE);
    CHECK(refusal_of_set(forge_text("<html>")) == MCPW_E_SYNTAX);
    CHECK(refusal_of_set(forge_text("{}")) == MCPW_E_MISSING);
}

int main(void) {
    RUN(examples_of_the_rfcs_verify);
    RUN(signatures_of_another_library_verify);
    RUN(each_changed_byte_breaks_a_signature);
    RUN(keys_are_read_from_pem_and_jwk);
    RUN(every_algorithm_signs_what_it_verifies);
    RUN(a_new_key_is_one_of_its_own);
    RUN(texts_that_are_no_private_key_are_refused);
    RUN(an_rsa_key_of_1024_bits_is_refused);
    RUN(a_jwk_keeps_its_algorithm_and_id);
    RUN(thumbprints_are_those_of_the_rfc);
    RUN(keys_that_cannot_verify_are_skipped);
    RUN(broken_keys_are_skipped);
    RUN(sets_beyond_a_limit_are_refused);
    return check_end();
}
