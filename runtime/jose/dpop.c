/* SPDX-License-Identifier: MIT */
/* Proofs of possession at a server. (RFC 9449, sections 4.3, 7, 8 and 11.1.) */
#include "jose.h"

#include "../oauth/oauth.h"

#include <sodium.h>

enum {
    WINDOW_MS = 60000,
    MOST_WINDOW_MS = 3600000,
    MOST_PROOF = 8192,
    MOST_REMEMBERED = 65536,
    KEY_SIZE = 32,
    TAG_SIZE = 16, /* bytes of the authentication tag of a nonce */
    BYTE = 8
};

static const mcpw_str none = {NULL, 0};

struct mcpw_oauth_dpop {
    mcpw_oauth_dpop_config config;
    char algorithms[128]; /* of the config */
    unsigned char nonce_key[KEY_SIZE];
    unsigned char seen_key[crypto_generichash_KEYBYTES]; /* so that no peer can choose slots of the table */
    mcpw_jose_replay seen;
    mcpw_arena scratch;
};

/* ---- The object ---------------------------------------------------------------------------------------- */

static mcpw_status take(mcpw_oauth_dpop_config *own, const mcpw_oauth_dpop_config *given, mcpw_error *error) {
    *own = (mcpw_oauth_dpop_config)MCPW_OAUTH_DPOP_CONFIG_INIT;
    if (!MCPW_TAKE(own, allocator, given)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", mcpw_status_text(MCPW_E_ARGUMENT));
    }
    own->algorithms = own->algorithms != NULL ? own->algorithms : mcpw_jose_default_algorithms();
    own->window_ms = own->window_ms != 0 ? own->window_ms : WINDOW_MS;
    own->max_proof = own->max_proof != 0 ? own->max_proof : MOST_PROOF;
    own->max_remembered = own->max_remembered != 0 ? own->max_remembered : MOST_REMEMBERED;
    if (!mcpw_jose_is_list(own->algorithms) || own->window_ms > MOST_WINDOW_MS) {
        return mcpw_error_set(
            error, MCPW_E_ARGUMENT, 0,
            "the config of proofs has an unknown algorithm, or a window of more than an hour");
    }
    return MCPW_OK;
}

mcpw_oauth_dpop *mcpw_oauth_dpop_new(const mcpw_oauth_dpop_config *config, mcpw_error *error) {
    mcpw_oauth_dpop_config own;
    if (take(&own, config, error) != MCPW_OK) {
        return NULL;
    }
    mcpw_oauth_dpop *const dpop = mcpw_resize(&own.allocator, NULL, 0, sizeof *dpop);
    if (dpop == NULL || sodium_init() < 0 || strlen(own.algorithms) >= sizeof dpop->algorithms) {
        (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        (void)mcpw_resize(&own.allocator, dpop, sizeof *dpop, 0);
        return NULL;
    }
    *dpop = (mcpw_oauth_dpop){.config = own, .scratch = MCPW_ARENA_INIT};
    (void)snprintf(dpop->algorithms, sizeof dpop->algorithms, "%s", own.algorithms);
    dpop->config.algorithms = dpop->algorithms;
    dpop->config.nonce_key = NULL;
    dpop->scratch.allocator = own.allocator;
    dpop->seen.allocator = own.allocator;
    dpop->seen.most = own.max_remembered;
    randombytes_buf(dpop->seen_key, sizeof dpop->seen_key);
    randombytes_buf(dpop->nonce_key, sizeof dpop->nonce_key);
    if (own.nonce_key != NULL) {
        memcpy(dpop->nonce_key, own.nonce_key, sizeof dpop->nonce_key);
    }
    return dpop;
}

void mcpw_oauth_dpop_free(mcpw_oauth_dpop *dpop) {
    if (dpop != NULL) {
        const mcpw_allocator allocator = dpop->config.allocator;
        mcpw_jose_replay_free(&dpop->seen);
        mcpw_arena_free(&dpop->scratch);
        sodium_memzero(dpop, sizeof *dpop);
        (void)mcpw_resize(&allocator, dpop, sizeof *dpop, 0);
    }
}

/* ---- Nonces: the time at which one was made, with a tag ------------------------------------------------ */

static void seal(const mcpw_oauth_dpop *dpop, uint64_t made_at,
                 unsigned char out[sizeof made_at + TAG_SIZE]) {
    unsigned char tag[crypto_auth_BYTES];
    for (size_t i = 0; i < sizeof made_at; i++) {
        out[i] = (unsigned char)(made_at >> (BYTE * i));
    }
    (void)crypto_auth(tag, out, sizeof made_at, dpop->nonce_key);
    memcpy(out + sizeof made_at, tag, TAG_SIZE);
}

mcpw_status mcpw_oauth_dpop_nonce(const mcpw_oauth_dpop *dpop, uint64_t unix_ms,
                                  char nonce[MCPW_OAUTH_NONCE_BYTES]) {
    unsigned char bytes[sizeof unix_ms + TAG_SIZE];
    if (dpop == NULL || nonce == NULL) {
        return MCPW_E_ARGUMENT;
    }
    if (dpop->config.nonce_ms == 0) {
        return MCPW_E_STATE;
    }
    seal(dpop, unix_ms, bytes);
    (void)sodium_bin2base64(nonce, MCPW_OAUTH_NONCE_BYTES, bytes, sizeof bytes,
                            sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    return MCPW_OK;
}

static bool is_nonce(mcpw_oauth_dpop *dpop, mcpw_str nonce, uint64_t now) {
    unsigned char expected[sizeof now + TAG_SIZE];
    uint64_t made_at = 0;
    const mcpw_str bytes = mcpw_jose_bytes(&dpop->scratch, nonce);
    if (bytes.len != sizeof expected) {
        return false;
    }
    for (size_t i = 0; i < sizeof made_at; i++) {
        made_at |= (uint64_t)(unsigned char)bytes.ptr[i] << (BYTE * i);
    }
    seal(dpop, made_at, expected);
    return sodium_memcmp(bytes.ptr, expected, sizeof expected) == 0 &&
           (made_at > now ? made_at - now : now - made_at) <= dpop->config.nonce_ms;
}

/* ---- URLs ---------------------------------------------------------------------------------------------- */

/* The next character of a path. A percent-encoded unreserved character equals the character itself; other
 * hexadecimal digits are compared without regard to case. (RFC 3986, section 6.2.2.) */
static unsigned next_char(const mcpw_str *path, size_t *at) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    enum { SIXTEEN = 16, ESCAPED = 256, LENGTH = 2 };
    const unsigned char c = (unsigned char)path->ptr[(*at)++];
    if (c != '%' || path->len - *at < LENGTH) {
        return c;
    }
    const char *const high = memchr(digits, path->ptr[*at], sizeof digits - 1);
    const char *const low = memchr(digits, path->ptr[*at + 1], sizeof digits - 1);
    if (high == NULL || low == NULL) {
        return c;
    }
    *at += LENGTH;
    const unsigned value = (unsigned)((high - digits) % SIXTEEN * SIXTEEN + (low - digits) % SIXTEEN);
    const bool is_unreserved = (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z') ||
                               (value >= '0' && value <= '9') || value == '-' || value == '.' ||
                               value == '_' || value == '~';
    return is_unreserved ? value : ESCAPED + value;
}

static bool is_same_path(mcpw_str a, mcpw_str b) {
    size_t i = 0;
    size_t j = 0;
    a = a.len != 0 ? a : mcpw_str_from("/");
    b = b.len != 0 ? b : mcpw_str_from("/");
    while (i < a.len && j < b.len) {
        if (next_char(&a, &i) != next_char(&b, &j)) {
            return false;
        }
    }
    return i == a.len && j == b.len;
}

/* Query and fragment are ignored. */
static bool is_same_target(mcpw_str a, mcpw_str b) {
    mcpw_oauth_url first;
    mcpw_oauth_url second;
    return mcpw_oauth_url_read(a, &first) && mcpw_oauth_url_read(b, &second) &&
           mcpw_oauth_url_same_origin(&first, &second) && is_same_path(first.path, second.path);
}

/* ---- The check ----------------------------------------------------------------------------------------- */

static mcpw_status refuse(mcpw_error *error, const char *why) {
    return mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0, "the DPoP proof %s", why);
}

static mcpw_status run_out(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

/* Reads the key of a proof, and verifies the proof by it. *thumbprint receives that of the key. */
static mcpw_status verify(mcpw_oauth_dpop *dpop, const mcpw_jose_jws *jws, mcpw_str *thumbprint,
                          mcpw_error *error) {
    mcpw_jose_json_key jwk;
    mcpw_jose_public_key key = {NULL, MCPW_JOSE_NONE, NULL, none};
    if (!mcpw_jose_has_type(jws->header.typ, "dpop+jwt")) {
        return refuse(error, "is not of the type dpop+jwt (typ)");
    }
    const mcpw_str text = {jws->header.jwk.ptr, jws->header.jwk.len};
    mcpw_status status = MCPW_E_MISSING;
    if (text.ptr != NULL) {
        status = mcpw_jose_decode(&mcpw_jose_json_key_table, text, &dpop->scratch, &jwk, NULL);
    }
    if (status != MCPW_OK) {
        return status == MCPW_E_MEMORY ? run_out(error) : refuse(error, "has no public key (jwk)");
    }
    if (mcpw_jose_has_private_part(&jwk)) {
        return refuse(error, "has a private key (jwk): replace that key, and send its public part");
    }
    status = mcpw_jose_public_key_of(&jwk, &dpop->scratch, &key);
    if (status == MCPW_E_MEMORY) {
        return run_out(error);
    }
    if (status != MCPW_OK || !mcpw_jose_fits(&key, jws->algorithm)) {
        mcpw_jose_public_key_free(&key);
        return refuse(error, "has a key that does not fit its algorithm (jwk)");
    }
    const bool is_right = mcpw_jose_verify(jws->algorithm, key.key, jws->input, jws->signature);
    mcpw_jose_public_key_free(&key);
    if (!is_right) {
        return refuse(error, "has a wrong signature");
    }
    *thumbprint = mcpw_jose_thumbprint(&jwk, &dpop->scratch);
    return thumbprint->ptr != NULL ? MCPW_OK : run_out(error);
}

/* Compares the claims with the request. */
static mcpw_status compare(mcpw_oauth_dpop *dpop, const mcpw_oauth_dpop_request *request,
                           const mcpw_jose_json_proof *proof, mcpw_str thumbprint, double now,
                           mcpw_error *error) {
    const double made_at = proof->iat * MCPW_JOSE_MS;
    const double window = (double)dpop->config.window_ms;
    const mcpw_str digest =
        request->token.ptr != NULL ? mcpw_oauth_digest(&dpop->scratch, request->token) : none;
    if (request->token.ptr != NULL && digest.ptr == NULL) {
        return run_out(error);
    }
    if (!mcpw_str_equal(proof->htm, request->method)) {
        return refuse(error, "is for another method (htm)");
    }
    if (!is_same_target(proof->htu, request->url)) {
        return refuse(error, "is for another URL (htu)");
    }
    if (made_at < now - window || made_at > now + window) {
        return refuse(error, "is too old, or from the future (iat): compare the clocks");
    }
    if (request->token.ptr != NULL && !mcpw_oauth_is_same_secret(digest, proof->ath)) {
        return refuse(error, "is for another token (ath)");
    }
    if (request->thumbprint.ptr != NULL && !mcpw_str_equal(request->thumbprint, thumbprint)) {
        return refuse(error, "is signed by another key than the one that the token is bound to (cnf.jkt)");
    }
    return MCPW_OK;
}

/* The number that stands for a key in the table of proofs. A few keys may share one, and no peer can choose
 * it. */
static unsigned owner_of(const mcpw_oauth_dpop *dpop, mcpw_str thumbprint) {
    uint64_t number = 0;
    unsigned char digest[crypto_generichash_BYTES_MIN];
    (void)crypto_generichash(digest, sizeof digest, (const unsigned char *)thumbprint.ptr, thumbprint.len,
                             dpop->seen_key, sizeof dpop->seen_key);
    memcpy(&number, digest, sizeof number);
    return (unsigned)(number % MCPW_JOSE_OWNERS);
}

/* Remembers the proof by its key and id. */
static mcpw_status remember(mcpw_oauth_dpop *dpop, mcpw_str thumbprint, const mcpw_jose_json_proof *proof,
                            uint64_t now, mcpw_error *error) {
    unsigned char digest[MCPW_JOSE_DIGEST_SIZE];
    crypto_generichash_state state;
    (void)crypto_generichash_init(&state, dpop->seen_key, sizeof dpop->seen_key, sizeof digest);
    (void)crypto_generichash_update(&state, (const unsigned char *)thumbprint.ptr, thumbprint.len);
    (void)crypto_generichash_update(&state, (const unsigned char *)proof->jti.ptr, proof->jti.len);
    (void)crypto_generichash_final(&state, digest, sizeof digest);
    const uint64_t until = (uint64_t)(proof->iat * MCPW_JOSE_MS) + dpop->config.window_ms + 1;
    const mcpw_status status =
        mcpw_jose_replay_add(&dpop->seen, digest, owner_of(dpop, thumbprint), now, until);
    if (status == MCPW_E_DUPLICATE) {
        return refuse(error, "was used before (jti)");
    }
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "the DPoP proof cannot be remembered: %s",
                              status == MCPW_E_FULL ? "there are too many" : mcpw_status_text(status));
    }
    return MCPW_OK;
}

static mcpw_status check(mcpw_oauth_dpop *dpop, const mcpw_oauth_dpop_request *request, uint64_t now,
                         char *thumbprint, mcpw_error *error) {
    mcpw_jose_jws jws;
    mcpw_jose_json_proof proof;
    mcpw_str own = none;
    mcpw_error inner = {.code = MCPW_OK};
    mcpw_status status = mcpw_jose_jws_read("DPoP proof", request->proof, dpop->config.max_proof,
                                            dpop->config.algorithms, &dpop->scratch, &jws, error);
    status = status == MCPW_OK ? verify(dpop, &jws, &own, error) : status;
    if (status != MCPW_OK) {
        return status;
    }
    status = mcpw_jose_decode(&mcpw_jose_json_proof_table, jws.payload, &dpop->scratch, &proof, &inner);
    if (status == MCPW_E_MEMORY) {
        return run_out(error);
    }
    if (status != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0, "the claims of the DPoP proof: %s",
                              inner.message);
    }
    status = compare(dpop, request, &proof, own, (double)now, error);
    if (status == MCPW_OK && dpop->config.nonce_ms != 0 && !is_nonce(dpop, proof.nonce, now)) {
        status = mcpw_error_set(error, MCPW_E_MISSING, 0, "the DPoP proof lacks a current nonce");
    }
    status = status == MCPW_OK ? remember(dpop, own, &proof, now, error) : status;
    if (status == MCPW_OK && thumbprint != NULL && own.ptr != NULL) {
        memcpy(thumbprint, own.ptr, own.len + 1);
    }
    return status;
}

mcpw_status mcpw_oauth_dpop_check(mcpw_oauth_dpop *dpop, const mcpw_oauth_dpop_request *request,
                                  uint64_t unix_ms, char thumbprint[MCPW_OAUTH_THUMBPRINT_SIZE],
                                  mcpw_error *error) {
    mcpw_oauth_dpop_request own = MCPW_OAUTH_DPOP_REQUEST_INIT;
    if (dpop == NULL || request == NULL || !MCPW_TAKE(&own, thumbprint, request)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", mcpw_status_text(MCPW_E_ARGUMENT));
    }
    dpop->scratch.status = MCPW_OK;
    const mcpw_status status = check(dpop, &own, unix_ms, thumbprint, error);
    mcpw_arena_reset(&dpop->scratch);
    return status;
}
