/* SPDX-License-Identifier: MIT */
#include "proof.h"

#include <mcpw/json.h>

#include <stdio.h>

enum {
    MOST_SIGNATURE = 1024,   /* bytes: RSA of 8192 bits */
    ASSERTION_SECONDS = 120, /* that an assertion is valid */
    MS = 1000
};

static const mcpw_str none = {NULL, 0};

/* Members of a private or symmetric key. (RFC 7518, section 6.) */
static bool has_private_part(mcpw_json jwk) {
    static const char *const members[] = {"d", "p", "q", "dp", "dq", "qi", "oth", "k"};
    mcpw_json value;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (mcpw_json_get(jwk, members[i], &value) == MCPW_OK) {
            return true;
        }
    }
    return false;
}

const char *mcpw_oauth_signer_refusal(const mcpw_oauth_signer *signer, bool needs_key, mcpw_arena *scratch) {
    static const char *const algorithms[] = {"ES256", "ES384", "ES512", "RS256", "RS384",  "RS512",
                                             "PS256", "PS384", "PS512", "EdDSA", "Ed25519"};
    mcpw_str kind = none;
    bool is_known = false;
    for (size_t i = 0; signer->algorithm != NULL && i < sizeof algorithms / sizeof *algorithms; i++) {
        is_known = is_known || strcmp(signer->algorithm, algorithms[i]) == 0;
    }
    if (!is_known || signer->sign == NULL) {
        return "lacks sign, or an asymmetric algorithm";
    }
    const mcpw_json key = mcpw_json_from(signer->public_key);
    if (!needs_key && key.ptr == NULL) {
        return NULL;
    }
    if (key.ptr == NULL || mcpw_json_check(key, 0, NULL) != MCPW_OK ||
        mcpw_json_get_string(key, "kty", scratch, &kind) != MCPW_OK) {
        return "lacks a public key (a JWK)";
    }
    return has_private_part(key) || mcpw_str_is(kind, "oct") ? "has a key that is not public" : NULL;
}

/* ---- JWS ----------------------------------------------------------------------------------------------- */

/* A JSON object that is written into an arena. */
typedef struct object {
    mcpw_buffer out;
    mcpw_json_writer w;
} object;

static void begin(object *o, mcpw_arena *arena) {
    o->out = mcpw_buffer_in(arena);
    mcpw_json_write_into(&o->w, &o->out);
    mcpw_json_write_object(&o->w);
}

static void put(object *o, const char *name, mcpw_str value) {
    if (value.ptr != NULL) {
        mcpw_json_write_key(&o->w, name);
        mcpw_json_write_string(&o->w, value.ptr, value.len);
    }
}

static void put_seconds(object *o, const char *name, uint64_t ms, uint64_t more) {
    mcpw_json_write_key(&o->w, name);
    mcpw_json_write_int(&o->w, (int64_t)(ms / MS + more));
}

/* The object as base64url. Absent: no memory. */
static mcpw_str end(object *o, mcpw_arena *arena) {
    mcpw_json text = {NULL, 0, 0};
    mcpw_json_write_close(&o->w);
    const mcpw_status status = mcpw_json_write_end(&o->w, &text);
    (void)mcpw_buffer_take(&o->out);
    return status == MCPW_OK ? mcpw_oauth_base64url(arena, text.ptr, text.len) : none;
}

static void begin_header(object *header, mcpw_arena *arena, const char *type,
                         const mcpw_oauth_signer *signer) {
    begin(header, arena);
    put(header, "typ", mcpw_str_from(type));
    put(header, "alg", mcpw_str_from(signer->algorithm));
}

/* The three parts with points between them. Absent: `error` says why. */
static mcpw_str sign(const mcpw_oauth_signer *signer, mcpw_arena *arena, mcpw_str header, mcpw_str claims,
                     mcpw_error *error) {
    unsigned char signature[MOST_SIGNATURE];
    size_t len = sizeof signature;
    const mcpw_str point = MCPW_STR(".");
    mcpw_str text = none;
    mcpw_error_set(error, MCPW_E_MEMORY, 0, "the proof of a key ran out of memory");
    if (header.ptr == NULL || claims.ptr == NULL) {
        return none;
    }
    const mcpw_str input = mcpw_oauth_join(arena, (const mcpw_str[]){header, point, claims, none});
    if (input.ptr == NULL) {
        return none;
    }
    const mcpw_status status = signer->sign(signer->self, input, signature, &len);
    if (status != MCPW_OK || len == 0 || len > sizeof signature) {
        mcpw_error_set(error, status != MCPW_OK ? status : MCPW_E_LENGTH, 0, "the signer made no signature");
        return none;
    }
    const mcpw_str last = mcpw_oauth_base64url(arena, signature, len);
    if (last.ptr != NULL) {
        text = mcpw_oauth_join(arena, (const mcpw_str[]){input, point, last, none});
    }
    return text;
}

mcpw_str mcpw_oauth_assertion(const mcpw_oauth_signer *signer, uint64_t now, mcpw_arena *arena,
                              mcpw_str client_id, mcpw_str issuer, mcpw_error *error) {
    const mcpw_str id = mcpw_oauth_random(arena);
    object o;
    if (id.ptr == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "the proof of a key ran out of memory");
        return none;
    }
    begin_header(&o, arena, "JWT", signer);
    put(&o, "kid", mcpw_str_from(signer->key_id));
    const mcpw_str header = end(&o, arena);
    begin(&o, arena);
    put(&o, "iss", client_id);
    put(&o, "sub", client_id);
    put(&o, "aud", issuer);
    put_seconds(&o, "iat", now, 0);
    put_seconds(&o, "exp", now, ASSERTION_SECONDS);
    put(&o, "jti", id);
    return sign(signer, arena, header, end(&o, arena), error);
}

/* ---- DPoP ---------------------------------------------------------------------------------------------- */

/* An origin in one form, so that two ways to write it share a nonce. */
static bool origin_of(const mcpw_oauth_url *url, char out[MCPW_OAUTH_ORIGIN_SIZE]) {
    if (url->host.len > MCPW_OAUTH_ORIGIN_SIZE - sizeof "65535 s") {
        return false;
    }
    size_t at = 0;
    for (; at < url->host.len; at++) {
        const char c = url->host.ptr[at];
        out[at] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    (void)snprintf(out + at, MCPW_OAUTH_ORIGIN_SIZE - at, " %u%s", url->port, url->is_https ? "s" : "");
    return true;
}

static mcpw_oauth_nonce *nonce_of(mcpw_oauth *oauth, const mcpw_oauth_url *url) {
    char origin[MCPW_OAUTH_ORIGIN_SIZE];
    for (size_t i = 0; origin_of(url, origin) && i < MCPW_OAUTH_MOST_NONCES; i++) {
        if (strcmp(oauth->nonces[i].origin, origin) == 0) {
            return &oauth->nonces[i];
        }
    }
    return NULL;
}

bool mcpw_oauth_keep_nonce(mcpw_oauth *oauth, const mcpw_oauth_url *url, mcpw_str nonce) {
    char origin[MCPW_OAUTH_ORIGIN_SIZE];
    if (nonce.len == 0 || nonce.len >= MCPW_OAUTH_NONCE_SIZE || !origin_of(url, origin)) {
        return false;
    }
    for (size_t i = 0; i < nonce.len; i++) {
        if (nonce.ptr[i] <= ' ' || nonce.ptr[i] > '~' || nonce.ptr[i] == '"' || nonce.ptr[i] == '\\') {
            return false;
        }
    }
    mcpw_oauth_nonce *own = nonce_of(oauth, url);
    if (own == NULL) {
        own = &oauth->nonces[oauth->next_nonce];
        oauth->next_nonce = (oauth->next_nonce + 1) % MCPW_OAUTH_MOST_NONCES;
        memcpy(own->origin, origin, sizeof origin);
        own->nonce[0] = '\0';
    }
    if (mcpw_str_is(nonce, own->nonce)) {
        return false;
    }
    memcpy(own->nonce, nonce.ptr, nonce.len);
    own->nonce[nonce.len] = '\0';
    return true;
}

mcpw_str mcpw_oauth_proof(mcpw_oauth *oauth, mcpw_arena *arena, const char *method, const mcpw_oauth_url *url,
                          mcpw_str token, mcpw_error *error) {
    const mcpw_oauth_nonce *const nonce = nonce_of(oauth, url);
    const mcpw_str target = {url->text.ptr, url->origin.len + url->path.len}; /* no query, no fragment */
    const mcpw_str id = mcpw_oauth_random(arena);
    const mcpw_str hash = token.ptr != NULL ? mcpw_oauth_digest(arena, token) : none;
    object o;
    if (id.ptr == NULL || (token.ptr != NULL && hash.ptr == NULL)) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "the proof of a key ran out of memory");
        return none;
    }
    begin_header(&o, arena, "dpop+jwt", &oauth->dpop);
    mcpw_json_write_key(&o.w, "jwk");
    mcpw_json_write_raw(&o.w, mcpw_json_from(oauth->dpop.public_key));
    const mcpw_str header = end(&o, arena);
    begin(&o, arena);
    put(&o, "jti", id);
    put(&o, "htm", mcpw_str_from(method));
    put(&o, "htu", target);
    put_seconds(&o, "iat", oauth->now, 0);
    put(&o, "ath", hash);
    put(&o, "nonce", nonce != NULL ? mcpw_str_from(nonce->nonce) : none);
    return sign(&oauth->dpop, arena, header, end(&o, arena), error);
}
