/* SPDX-License-Identifier: MIT */
/* Token exchange for a gateway. (RFC 8693.) */
#include "oauth.h"
#include "proof.h"

#include <mcpw/oauth_upstream.h>

#include <sodium.h>

enum { OK = 200, MS = 1000, DOCUMENT = 262144, DEPTH = 16, EARLY_MS = 10000, FIELDS = 3 };

static const mcpw_str none = {NULL, 0};
static const mcpw_str token_type = MCPW_STR("urn:ietf:params:oauth:token-type:access_token");
static const mcpw_str jwt_type = MCPW_STR("urn:ietf:params:oauth:token-type:jwt");

struct mcpw_oauth_upstream {
    mcpw_oauth_upstream_config config; /* its texts lie in `fixed` */
    mcpw_oauth_signer signer;
    mcpw_allocator outer; /* of the program; arenas use one that wipes */
    mcpw_arena fixed;
    mcpw_arena ordered; /* the request */
    mcpw_arena held;    /* the token, as the value of Authorization */
    mcpw_oauth_url url;
    mcpw_http_field fields[FIELDS];
    unsigned char received[crypto_hash_sha256_BYTES]; /* the digest of the received token */
    bool is_waiting;
    mcpw_str authorization; /* absent: no token */
    uint64_t expires_at;    /* UINT64_MAX: unknown */
};

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static bool copy(mcpw_oauth_upstream *own, const char **text) {
    if (*text != NULL) {
        *text = mcpw_arena_str(&own->fixed, *text, strlen(*text)).ptr;
        return *text != NULL;
    }
    return true;
}

static bool is_allowed_url(const char *text, const char *issuer_text) {
    mcpw_oauth_url url;
    mcpw_oauth_url issuer;
    return mcpw_oauth_url_read(mcpw_str_from(text), &url) &&
           mcpw_oauth_url_read(mcpw_str_from(issuer_text), &issuer) && !url.has_fragment &&
           (url.is_https || (mcpw_oauth_url_is_loopback(&url) && mcpw_oauth_url_is_loopback(&issuer)));
}

static mcpw_status prepare(mcpw_oauth_upstream *own, mcpw_error *error) {
    mcpw_oauth_upstream_config *const config = &own->config;
    config->max_document = config->max_document != 0 ? config->max_document : DOCUMENT;
    if (config->signer != NULL && !MCPW_TAKE(&own->signer, sign, config->signer)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the signer cannot be used");
    }
    const char *const refusal =
        config->signer != NULL ? mcpw_oauth_signer_refusal(&own->signer, false, &own->fixed) : NULL;
    if (refusal != NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the signer %s", refusal);
    }
    if (!copy(own, &config->url) || !copy(own, &config->issuer) || !copy(own, &config->token_endpoint) ||
        !copy(own, &config->client_id) || !copy(own, &config->client_secret) ||
        !copy(own, &config->audience) || !copy(own, &config->scopes)) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    if (!mcpw_oauth_url_read(mcpw_str_from(config->url), &own->url) || own->url.has_fragment ||
        !is_allowed_url(config->url, config->url) ||
        !is_allowed_url(config->token_endpoint, config->issuer) ||
        !is_allowed_url(config->issuer, config->issuer)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "url, issuer and token_endpoint must be https URLs, or http on this machine");
    }
    if (config->client_id == NULL || (config->client_secret == NULL) == (config->signer == NULL)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "client_id is required, and either client_secret or a signer");
    }
    return MCPW_OK;
}

mcpw_oauth_upstream *mcpw_oauth_upstream_new(const mcpw_oauth_upstream_config *config, mcpw_error *error) {
    mcpw_oauth_upstream_config taken = MCPW_OAUTH_UPSTREAM_CONFIG_INIT;
    if (config == NULL || !MCPW_TAKE(&taken, allocator, config)) {
        (void)mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", mcpw_status_text(MCPW_E_ARGUMENT));
        return NULL;
    }
    mcpw_oauth_upstream *const own = mcpw_resize(&taken.allocator, NULL, 0, sizeof *own);
    if (own == NULL || sodium_init() < 0) {
        (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        (void)mcpw_resize(&taken.allocator, own, sizeof *own, 0);
        return NULL;
    }
    *own = (mcpw_oauth_upstream){.config = taken, .outer = taken.allocator, .signer = MCPW_OAUTH_SIGNER_INIT};
    own->fixed = own->ordered = own->held = (mcpw_arena)MCPW_ARENA_INIT;
    own->fixed.allocator = own->ordered.allocator = own->held.allocator =
        (mcpw_allocator){mcpw_oauth_wiping, &own->outer};
    if (prepare(own, error) != MCPW_OK) {
        mcpw_oauth_upstream_free(own);
        return NULL;
    }
    return own;
}

void mcpw_oauth_upstream_free(mcpw_oauth_upstream *upstream) {
    if (upstream != NULL) {
        const mcpw_allocator outer = upstream->outer;
        mcpw_arena_free(&upstream->fixed);
        mcpw_arena_free(&upstream->ordered);
        mcpw_arena_free(&upstream->held);
        sodium_memzero(upstream, sizeof *upstream);
        (void)mcpw_resize(&outer, upstream, sizeof *upstream, 0);
    }
}

/* ---- The request --------------------------------------------------------------------------------------- */

/* Adds the authentication of the gateway. */
static mcpw_status authenticate(mcpw_oauth_upstream *own, uint64_t now, mcpw_oauth_form *form,
                                mcpw_oauth_order *order, mcpw_error *error) {
    const mcpw_str id = mcpw_str_from(own->config.client_id);
    mcpw_str value = none;
    (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    if (own->config.client_secret != NULL) {
        value = mcpw_oauth_basic(&own->ordered, id, mcpw_str_from(own->config.client_secret));
        own->fields[order->field_count++] = (mcpw_http_field){MCPW_STR_VALUE("Authorization"), value};
        return value.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    mcpw_error local = {.code = MCPW_E_MEMORY};
    value =
        mcpw_oauth_assertion(&own->signer, now, &own->ordered, id, mcpw_str_from(own->config.issuer), &local);
    mcpw_oauth_form_put(form, "client_assertion_type",
                        MCPW_STR_VALUE("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"));
    mcpw_oauth_form_put(form, "client_assertion", value);
    return value.ptr != NULL ? MCPW_OK : mcpw_error_set(error, local.code, 0, "%s", local.message);
}

mcpw_status mcpw_oauth_upstream_exchange(mcpw_oauth_upstream *upstream, mcpw_str received_token,
                                         uint64_t unix_ms, mcpw_oauth_order *order, mcpw_error *error) {
    if (upstream == NULL || received_token.len == 0 || order == NULL || !MCPW_HAS_ALL(order, until)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", mcpw_status_text(MCPW_E_ARGUMENT));
    }
    const mcpw_oauth_upstream_config *const config = &upstream->config;
    mcpw_arena_free(&upstream->ordered);
    *order = (mcpw_oauth_order)MCPW_OAUTH_ORDER_INIT;
    mcpw_oauth_form form = mcpw_oauth_form_in(&upstream->ordered);
    mcpw_oauth_form_put(&form, "grant_type",
                        MCPW_STR_VALUE("urn:ietf:params:oauth:grant-type:token-exchange"));
    mcpw_oauth_form_put(&form, "subject_token", received_token);
    mcpw_oauth_form_put(&form, "subject_token_type", token_type);
    mcpw_oauth_form_put(&form, "requested_token_type", token_type);
    mcpw_oauth_form_put(&form, "resource", mcpw_str_from(config->url));
    mcpw_oauth_form_put(&form, "audience", mcpw_str_from(config->audience));
    mcpw_oauth_form_put(&form, "scope", mcpw_str_from(config->scopes));
    const mcpw_status status = authenticate(upstream, unix_ms, &form, order, error);
    const mcpw_str body = mcpw_oauth_form_end(&form);
    if (status != MCPW_OK || body.ptr == NULL) {
        mcpw_arena_free(&upstream->ordered);
        return status != MCPW_OK
                   ? status
                   : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    upstream->fields[order->field_count++] = (mcpw_http_field){
        MCPW_STR_VALUE("Content-Type"), MCPW_STR_VALUE("application/x-www-form-urlencoded")};
    upstream->fields[order->field_count++] =
        (mcpw_http_field){MCPW_STR_VALUE("Accept"), MCPW_STR_VALUE("application/json")};
    order->method = "POST";
    order->url = mcpw_str_from(config->token_endpoint);
    order->fields = upstream->fields;
    order->body = body;
    order->max_body = config->max_document;
    (void)crypto_hash_sha256(upstream->received, (const unsigned char *)received_token.ptr,
                             received_token.len);
    upstream->is_waiting = true;
    return MCPW_OK;
}

/* ---- The response ----------------------------------------------------------------------------------------
 */

/* The reason why a token cannot be used; NULL: it can. */
static const char *refusal(const mcpw_oauth_upstream *own, const mcpw_oauth_json_token *token) {
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, (const unsigned char *)token->access_token.ptr, token->access_token.len);
    if (sodium_memcmp(digest, own->received, sizeof digest) == 0) {
        return "it returns the received token, which is not for the upstream";
    }
    for (size_t i = 0; i < token->access_token.len; i++) {
        if (token->access_token.ptr[i] <= ' ' || token->access_token.ptr[i] > '~') {
            return "it returns a token that no header field can contain";
        }
    }
    if (!mcpw_str_equal(token->issued_token_type, token_type) &&
        !mcpw_str_equal(token->issued_token_type, jwt_type)) {
        return "it returns no access token (issued_token_type)";
    }
    return mcpw_oauth_is_same_word(token->token_type, MCPW_STR_VALUE("Bearer"))
               ? NULL
               : "it returns a token that is not used as Bearer (token_type)";
}

static mcpw_status take(mcpw_oauth_upstream *own, mcpw_str body, uint64_t now, mcpw_error *error) {
    mcpw_oauth_json_token token;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_NULL_IS_ABSENT;
    options.max_bytes = own->config.max_document;
    options.max_depth = DEPTH;
    mcpw_status status = mcpw_decode(&mcpw_oauth_json_token_table, body.ptr != NULL ? body.ptr : "", body.len,
                                     &own->held, &token, &options, NULL);
    if (status != MCPW_OK) { /* a message about a value may show the value */
        return mcpw_error_set(error, status, 0, "the token exchange response: %s", mcpw_status_text(status));
    }
    const char *const why = refusal(own, &token);
    if (why != NULL) {
        return mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0, "the token exchange response: %s", why);
    }
    own->authorization =
        mcpw_oauth_join(&own->held, (const mcpw_str[]){MCPW_STR_VALUE("Bearer "), token.access_token, none});
    own->expires_at = token.expires_in.set && (uint64_t)token.expires_in.value < (UINT64_MAX - now) / MS
                          ? now + (uint64_t)token.expires_in.value * MS
                          : UINT64_MAX;
    return own->authorization.ptr != NULL
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

mcpw_status mcpw_oauth_upstream_exchanged(mcpw_oauth_upstream *upstream, int status, mcpw_str body,
                                          uint64_t unix_ms, mcpw_error *error) {
    if (upstream == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", mcpw_status_text(MCPW_E_ARGUMENT));
    }
    if (!upstream->is_waiting) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "no response to a token exchange is expected");
    }
    upstream->is_waiting = false;
    mcpw_arena_free(&upstream->ordered);
    mcpw_arena_free(&upstream->held);
    upstream->authorization = none;
    if (status != OK) {
        return mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0,
                              "the authorization server refuses the token exchange: HTTP status %d", status);
    }
    const mcpw_status taken = take(upstream, body, unix_ms, error);
    if (taken != MCPW_OK) {
        mcpw_arena_free(&upstream->held);
        upstream->authorization = none;
    }
    return taken;
}

mcpw_status mcpw_oauth_upstream_field(mcpw_oauth_upstream *upstream, const char *url, uint64_t unix_ms,
                                      mcpw_http_field *field) {
    mcpw_oauth_url target;
    if (upstream == NULL || field == NULL || !mcpw_oauth_url_read(mcpw_str_from(url), &target) ||
        !mcpw_oauth_url_covers(&upstream->url, &target)) {
        return MCPW_E_ARGUMENT;
    }
    if (upstream->authorization.ptr == NULL ||
        (upstream->expires_at != UINT64_MAX && unix_ms + EARLY_MS >= upstream->expires_at)) {
        return MCPW_PENDING;
    }
    *field = (mcpw_http_field){MCPW_STR_VALUE("Authorization"), upstream->authorization};
    return MCPW_OK;
}
