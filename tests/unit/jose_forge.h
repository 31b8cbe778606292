/* SPDX-License-Identifier: MIT */
/* Makes tokens and proofs of any header and claims, also those that nobody should accept. */
#ifndef MCPW_TESTS_JOSE_FORGE_H
#define MCPW_TESTS_JOSE_FORGE_H

#include "check.h"

#include <mcpw/oauth_jose.h>

#include <sodium.h>
#include <stdlib.h>

#define FORGE_ISSUER "https://as.example.com"
#define FORGE_RESOURCE "https://mcp.example.com/mcp"

enum { FORGE_ROOM = 32768, FORGE_NOW = 1800000000 /* in s */, FORGE_MS = 1000 };

static inline mcpw_str forge_text(const char *text) { return mcpw_str_from(text); }

static inline void forge_base64(char *out, size_t room, const void *bytes, size_t len) {
    (void)sodium_bin2base64(out, room, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* The JWS of a header and claims, signed by the key; NULL: without signature. The text lives until the next
 * call. */
static inline const char *forge(const mcpw_oauth_key *key, const char *header, const char *claims) {
    static char text[FORGE_ROOM * 3];
    unsigned char signature[1024];
    size_t len = sizeof signature;
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    forge_base64(text, sizeof text, header, strlen(header));
    (void)strcat(text, ".");
    forge_base64(text + strlen(text), sizeof text - strlen(text), claims, strlen(claims));
    if (key == NULL) {
        return strcat(text, ".");
    }
    CHECK(mcpw_oauth_key_signer(key, &signer) == MCPW_OK);
    CHECK(signer.sign(signer.self, mcpw_str_from(text), signature, &len) == MCPW_OK);
    (void)strcat(text, ".");
    forge_base64(text + strlen(text), sizeof text - strlen(text), signature, len);
    return text;
}

/* A set with the public key of one key, which has `kid`. */
static inline mcpw_oauth_jwks *forge_set(const mcpw_oauth_key *key) {
    char text[FORGE_ROOM];
    (void)snprintf(text, sizeof text, "{\"keys\":[%s]}", mcpw_oauth_key_public(key).ptr);
    return mcpw_oauth_jwks_read(mcpw_str_from(text), NULL, NULL);
}

static inline mcpw_oauth_key *forge_key(const char *text, const char *algorithm) {
    mcpw_oauth_key *const key = mcpw_oauth_key_read(mcpw_str_from(text), algorithm, NULL, NULL);
    CHECK(key != NULL);
    return key;
}

#endif
