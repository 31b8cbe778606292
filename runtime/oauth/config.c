/* SPDX-License-Identifier: MIT */
/* Makes clients and checks their configs. */
#include "machine.h"
#include "proof.h"

#include <sodium.h>

enum {
    MAX_DOCUMENT = 256 * 1024,
    MAX_DEPTH = 16,
    MAX_SCOPES = 4096,
    MAX_ATTEMPTS = 3,
    MAX_REDIRECTS = 3,
    DEADLINE_MS = 30000,
    USER_MS = 300000,
    ARENA_DOCUMENTS = 16, /* documents that one arena has room for */
    LEAST_ARENA = 1 << 20
};

static mcpw_status refuse(mcpw_error *error, const char *member, const char *expected) {
    mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "config: %s: %s", member, expected);
    return MCPW_E_ARGUMENT;
}

/* ---- Copies -------------------------------------------------------------------------------------------- */

/* Replaces a text of the config by a copy. False: no memory. */
static bool own(mcpw_oauth *oauth, const char **text) {
    mcpw_str copy;
    const bool is_kept = mcpw_oauth_keep(&oauth->fixed, mcpw_str_from(*text), &copy);
    *text = copy.ptr;
    return is_kept;
}

static bool own_credentials(mcpw_oauth *oauth) {
    const size_t count = oauth->config.credential_count;
    mcpw_oauth_credential *const all = mcpw_arena_alloc(&oauth->fixed, (count + 1) * sizeof *all);
    bool is_kept = all != NULL;
    for (size_t i = 0; is_kept && i < count; i++) {
        all[i] = oauth->config.credentials[i];
        is_kept =
            own(oauth, &all[i].issuer) && own(oauth, &all[i].client_id) && own(oauth, &all[i].client_secret);
    }
    oauth->config.credentials = all;
    return is_kept;
}

static bool own_texts(mcpw_oauth *oauth) {
    mcpw_oauth_config *const c = &oauth->config;
    const char **const texts[] = {&c->server_url,
                                  &c->redirect_uri,
                                  &c->client_metadata_url,
                                  &c->client_name,
                                  &c->issuer,
                                  &c->scopes,
                                  &c->idp_token_endpoint,
                                  &c->idp_client_id,
                                  &c->idp_id_token,
                                  &c->assertion,
                                  &oauth->signer.algorithm,
                                  &oauth->signer.key_id,
                                  &oauth->signer.public_key,
                                  &oauth->dpop.algorithm,
                                  &oauth->dpop.key_id,
                                  &oauth->dpop.public_key};
    bool is_kept = true;
    for (size_t i = 0; is_kept && i < sizeof texts / sizeof *texts; i++) {
        is_kept = own(oauth, texts[i]);
    }
    return is_kept && own_credentials(oauth);
}

/* ---- Checks -------------------------------------------------------------------------------------------- */

static mcpw_status check_urls(mcpw_oauth *oauth, mcpw_error *error) {
    const mcpw_oauth_config *const c = &oauth->config;
    mcpw_oauth_url url;
    if (!mcpw_oauth_url_read(mcpw_str_from(c->server_url), &oauth->server) ||
        (!oauth->server.is_https && !mcpw_oauth_url_is_loopback(&oauth->server)) ||
        oauth->server.has_fragment) {
        return refuse(error, "server_url",
                      "expected a URL of https (or http on this machine) without fragment");
    }
    if (c->grant == MCPW_OAUTH_CODE &&
        (!mcpw_oauth_url_read(mcpw_str_from(c->redirect_uri), &url) ||
         (!url.is_https && !mcpw_oauth_url_is_loopback(&url)) || url.has_fragment)) {
        return refuse(error, "redirect_uri",
                      "expected a URL of https (or http on this machine) without fragment");
    }
    if (c->client_metadata_url != NULL &&
        (!mcpw_oauth_url_read(mcpw_str_from(c->client_metadata_url), &url) || !url.is_https ||
         url.path.len < 2 || url.has_fragment)) {
        return refuse(error, "client_metadata_url", "expected a URL of https with a path");
    }
    if (c->grant == MCPW_OAUTH_ID_JAG && (!mcpw_oauth_url_read(mcpw_str_from(c->idp_token_endpoint), &url) ||
                                          mcpw_oauth_url_refusal(&url, &oauth->server) != NULL)) {
        return refuse(error, "idp_token_endpoint",
                      "expected a URL of https (or http on this machine, if the MCP server is on it)");
    }
    return MCPW_OK;
}

static mcpw_status check_credential(const mcpw_oauth *oauth, const mcpw_oauth_credential *one,
                                    mcpw_error *error) {
    const mcpw_oauth_config *const c = &oauth->config;
    const bool has_issuer = one->issuer != NULL || c->issuer != NULL || c->trust_discovered_issuer;
    const bool needs_secret = one->method == MCPW_OAUTH_METHOD_BASIC || one->method == MCPW_OAUTH_METHOD_POST;
    if (one->client_id == NULL || one->client_id[0] == '\0') {
        return refuse(error, "credentials", "expected a client_id");
    }
    if (one->client_secret != NULL && !has_issuer) {
        return refuse(error, "issuer", "a client_secret needs the issuer that it is for");
    }
    if (needs_secret && one->client_secret == NULL) {
        return refuse(error, "credentials", "the method needs a client_secret");
    }
    if (one->method == MCPW_OAUTH_METHOD_JWT && (oauth->signer.sign == NULL || !has_issuer)) {
        return refuse(error, "credentials", "the method needs a signer, and the issuer that it signs for");
    }
    return MCPW_OK;
}

static mcpw_status check_grant(const mcpw_oauth *oauth, mcpw_error *error) {
    const mcpw_oauth_config *const c = &oauth->config;
    const bool is_jag = c->grant == MCPW_OAUTH_ID_JAG;
    if (c->grant > MCPW_OAUTH_JWT_BEARER) {
        return refuse(error, "grant", "expected one that is known");
    }
    if (c->grant != MCPW_OAUTH_CODE && c->issuer == NULL && !c->trust_discovered_issuer) {
        return refuse(error, "issuer", "a grant without a user needs the issuer that it is for");
    }
    if ((c->grant == MCPW_OAUTH_CLIENT_CREDENTIALS || is_jag) && c->credential_count == 0) {
        return refuse(error, "credentials", "the grant needs those of the client");
    }
    if (is_jag && (c->idp_client_id == NULL || c->idp_id_token == NULL)) {
        return refuse(error, "idp_id_token", "the grant needs idp_client_id and idp_id_token");
    }
    if (c->grant == MCPW_OAUTH_JWT_BEARER && c->assertion == NULL) {
        return refuse(error, "assertion", "the grant needs one");
    }
    return MCPW_OK;
}

static mcpw_status check_parts(mcpw_oauth *oauth, mcpw_error *error) {
    const mcpw_oauth_store *const s = &oauth->store;
    const char *reason = NULL;
    if (oauth->config.store != NULL &&
        (s->lock == NULL || s->unlock == NULL || s->load == NULL || s->save == NULL)) {
        return refuse(error, "store", "expected all of its functions");
    }
    if (oauth->config.signer != NULL &&
        (reason = mcpw_oauth_signer_refusal(&oauth->signer, false, &oauth->scratch)) != NULL) {
        return refuse(error, "signer", reason);
    }
    if (oauth->config.dpop != NULL &&
        (reason = mcpw_oauth_signer_refusal(&oauth->dpop, true, &oauth->scratch)) != NULL) {
        return refuse(error, "dpop", reason);
    }
    return MCPW_OK;
}

static mcpw_status check(mcpw_oauth *oauth, mcpw_error *error) {
    mcpw_oauth_config *const c = &oauth->config;
    if (c->issuer == NULL && c->credential_count == 1) {
        c->issuer = c->credentials[0].issuer;
    }
    mcpw_status status = check_urls(oauth, error);
    status = status == MCPW_OK ? check_parts(oauth, error) : status;
    for (size_t i = 0; status == MCPW_OK && i < c->credential_count; i++) {
        status = check_credential(oauth, &c->credentials[i], error);
    }
    return status == MCPW_OK ? check_grant(oauth, error) : status;
}

/* ---- Making -------------------------------------------------------------------------------------------- */

static void set_defaults(mcpw_oauth_config *c) {
    c->client_name = c->client_name != NULL ? c->client_name : "mcpwire";
    c->max_document = c->max_document != 0 ? c->max_document : MAX_DOCUMENT;
    c->max_depth = c->max_depth != 0 ? c->max_depth : MAX_DEPTH;
    c->max_scopes = c->max_scopes != 0 ? c->max_scopes : MAX_SCOPES;
    c->max_attempts = c->max_attempts != 0 ? c->max_attempts : MAX_ATTEMPTS;
    c->max_redirects = c->max_redirects != 0 ? c->max_redirects : MAX_REDIRECTS;
    c->deadline_ms = c->deadline_ms != 0 ? c->deadline_ms : DEADLINE_MS;
    c->user_ms = c->user_ms != 0 ? c->user_ms : USER_MS;
}

static mcpw_status take_config(mcpw_oauth *oauth, const mcpw_oauth_config *config, mcpw_error *error) {
    mcpw_oauth_config *const c = &oauth->config;
    if (!MCPW_TAKE(c, user, config) || !MCPW_TAKE(&oauth->signer, sign, c->signer) ||
        !MCPW_TAKE(&oauth->dpop, sign, c->dpop) || !MCPW_TAKE(&oauth->store, save, c->store)) {
        return refuse(error, "struct_size", "a struct is not initialised, or is of a later version");
    }
    set_defaults(c);
    oauth->outer = c->allocator;
    const size_t documents =
        c->max_document > SIZE_MAX / ARENA_DOCUMENTS ? 0 : c->max_document * ARENA_DOCUMENTS;
    const size_t room = documents != 0 && documents < LEAST_ARENA ? LEAST_ARENA : documents;
    const mcpw_allocator wiping = {mcpw_oauth_wiping, &oauth->outer};
    mcpw_arena *const arenas[] = {&oauth->fixed,   &oauth->held,  &oauth->flow,       &oauth->scratch,
                                  &oauth->ordered, &oauth->shown, &oauth->held_scopes};
    for (size_t i = 0; i < sizeof arenas / sizeof *arenas; i++) {
        *arenas[i] = (mcpw_arena)MCPW_ARENA_INIT;
        arenas[i]->allocator = wiping;
        arenas[i]->limit = room;
    }
    if (!own_texts(oauth)) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "the client ran out of memory");
        return MCPW_E_MEMORY;
    }
    const mcpw_status status = check(oauth, error);
    if (status != MCPW_OK) {
        return status;
    }
    if (c->dpop != NULL) {
        oauth->key_digest = mcpw_oauth_digest(&oauth->fixed, mcpw_str_from(oauth->dpop.public_key));
    }
    if (c->store == NULL) {
        oauth->own_store = mcpw_oauth_memory_new(&oauth->outer);
        oauth->store = oauth->own_store != NULL ? *oauth->own_store : oauth->store;
    }
    if ((c->dpop != NULL && oauth->key_digest.ptr == NULL) || oauth->store.save == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "the client ran out of memory");
        return MCPW_E_MEMORY;
    }
    return MCPW_OK;
}

mcpw_oauth *mcpw_oauth_new(const mcpw_oauth_config *config, mcpw_error *error) {
    mcpw_oauth_config given = MCPW_OAUTH_CONFIG_INIT;
    if (config == NULL || !MCPW_TAKE(&given, user, config)) {
        (void)!refuse(error, "struct_size", "expected a config that is initialised");
        return NULL;
    }
    if (sodium_init() < 0) {
        mcpw_error_set(error, MCPW_E_STATE, 0, "libsodium does not work here");
        return NULL;
    }
    mcpw_oauth *const oauth = mcpw_resize(&given.allocator, NULL, 0, sizeof *oauth);
    if (oauth == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "the client ran out of memory");
        return NULL;
    }
    memset(oauth, 0, sizeof *oauth);
    oauth->outer = given.allocator;
    if (take_config(oauth, config, error) != MCPW_OK) {
        mcpw_oauth_free(oauth);
        return NULL;
    }
    return oauth;
}

void mcpw_oauth_free(mcpw_oauth *oauth) {
    if (oauth == NULL) {
        return;
    }
    const mcpw_allocator outer = oauth->outer;
    mcpw_arena *const arenas[] = {&oauth->fixed,   &oauth->held,  &oauth->flow,       &oauth->scratch,
                                  &oauth->ordered, &oauth->shown, &oauth->held_scopes};
    mcpw_oauth_release(oauth);
    for (size_t i = 0; i < sizeof arenas / sizeof *arenas; i++) {
        mcpw_arena_free(arenas[i]);
    }
    mcpw_oauth_memory_free(oauth->own_store);
    sodium_memzero(oauth, sizeof *oauth);
    (void)mcpw_resize(&outer, oauth, sizeof *oauth, 0);
}
