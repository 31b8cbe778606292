/* SPDX-License-Identifier: MIT */
#include "records.h"

#include <mcpw/json.h>

static const mcpw_str none = {NULL, 0};

/* ---- Keys and values ----------------------------------------------------------------------------------- */

/* A key: an array of texts, which ends at an absent one. Absent: no memory. */
static mcpw_str key_of(mcpw_arena *arena, const mcpw_str *parts) {
    mcpw_buffer out = mcpw_buffer_in(arena);
    mcpw_json_writer w;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_array(&w);
    for (; parts->ptr != NULL; parts++) {
        mcpw_json_write_string(&w, parts->ptr, parts->len);
    }
    mcpw_json_write_close(&w);
    if (mcpw_json_write_end(&w, &key) != MCPW_OK) {
        return none;
    }
    (void)mcpw_buffer_take(&out);
    return (mcpw_str){key.ptr, key.len};
}

static mcpw_str server_key(mcpw_oauth *oauth) {
    return key_of(&oauth->scratch, (const mcpw_str[]){MCPW_STR_VALUE("server"), oauth->server.text, none});
}

static mcpw_str client_key(mcpw_oauth *oauth) {
    return key_of(&oauth->scratch, (const mcpw_str[]){MCPW_STR_VALUE("client"), oauth->issuer, none});
}

mcpw_str mcpw_oauth_token_key(mcpw_oauth *oauth, mcpw_arena *arena) {
    const mcpw_oauth_json_stored_token *const token = &oauth->token;
    return key_of(arena, (const mcpw_str[]){MCPW_STR_VALUE("token"), token->issuer, token->resource,
                                            token->client_id, none});
}

static mcpw_status load_text(mcpw_oauth *oauth, mcpw_str key, mcpw_str *text) {
    const mcpw_oauth_store *const own = oauth->own_store; /* records that the program's store lacks */
    const mcpw_status status =
        own != NULL ? own->load(own->self, key, &oauth->scratch, text) : MCPW_E_NOT_FOUND;
    return status == MCPW_E_NOT_FOUND ? oauth->store.load(oauth->store.self, key, &oauth->scratch, text)
                                      : status;
}

/* Reads a record. False: there is none that can be read. */
static bool load(mcpw_oauth *oauth, mcpw_str key, const mcpw_type *type, mcpw_arena *arena, void *out) {
    mcpw_str text = none;
    if (key.ptr == NULL) {
        return false;
    }
    const mcpw_status status = load_text(oauth, key, &text);
    if (status != MCPW_OK || text.ptr == NULL) {
        if (status != MCPW_OK && status != MCPW_E_NOT_FOUND) {
            mcpw_oauth_warn(oauth, "the store of tokens cannot be read; a login may be needed again");
        }
        return false;
    }
    if (mcpw_decode(type, text.ptr, text.len, arena, out, NULL, NULL) != MCPW_OK) {
        mcpw_oauth_warn(oauth, "a record in the store of tokens is damaged and not used");
        return false;
    }
    return true;
}

/* Keeps a record in memory if the program's store has not kept it, else drops it. */
static mcpw_status save_own(mcpw_oauth *oauth, mcpw_str key, mcpw_str value, bool is_kept) {
    if (oauth->own_store == NULL && !is_kept) {
        oauth->own_store = mcpw_oauth_memory_new(&oauth->outer);
    }
    const mcpw_oauth_store *const own = oauth->own_store;
    if (own == NULL) {
        return is_kept ? MCPW_OK : MCPW_E_MEMORY;
    }
    return own->save(own->self, key, is_kept ? none : value);
}

/* Writes a record; NULL removes it. */
static void save(mcpw_oauth *oauth, mcpw_str key, const mcpw_type *type, const void *value) {
    mcpw_buffer out = mcpw_buffer_in(&oauth->scratch);
    mcpw_status status = key.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    if (status == MCPW_OK && value != NULL) {
        status = mcpw_encode(type, value, &out, NULL, NULL);
    }
    if (status == MCPW_OK) {
        const mcpw_str text = {out.data, value != NULL ? out.len : 0};
        const bool is_own = oauth->config.store == NULL;
        status = oauth->store.save(oauth->store.self, key, text);
        if (!is_own && save_own(oauth, key, text, status == MCPW_OK) != MCPW_OK) {
            status = MCPW_E_MEMORY;
        }
    }
    if (status != MCPW_OK) {
        mcpw_oauth_warn(oauth,
                        "the store of tokens cannot be written; the login lasts as long as this program");
    }
}

/* ---- Tokens -------------------------------------------------------------------------------------------- */

bool mcpw_oauth_is_fresh(const mcpw_oauth *oauth) {
    return oauth->token.access_token.ptr != NULL && !oauth->is_refused &&
           (!oauth->token.expires_at.set || (uint64_t)oauth->token.expires_at.value > oauth->now);
}

/* Takes a record as the token. False: no memory; the last token is gone. */
static bool take_token(mcpw_oauth *oauth, const mcpw_oauth_json_stored_token *token) {
    mcpw_arena next = {.struct_size = sizeof next, .allocator = oauth->held.allocator};
    mcpw_oauth_json_stored_token copy;
    const bool is_kept = mcpw_oauth_json_stored_token_copy(token, &next, &copy, NULL) == MCPW_OK;
    mcpw_arena_free(&oauth->held);
    oauth->token = (mcpw_oauth_json_stored_token){.issuer = none};
    oauth->is_refused = false;
    oauth->token_number++;
    if (!is_kept) {
        mcpw_arena_free(&next);
        return false;
    }
    oauth->held = next;
    oauth->token = copy;
    mcpw_str all = mcpw_oauth_scope_union(&oauth->scratch, token->asked, token->scope);
    all = mcpw_oauth_scope_union(&oauth->scratch, oauth->asked, all);
    mcpw_arena_reset(&oauth->held_scopes);
    return mcpw_oauth_keep(&oauth->held_scopes, all, &oauth->asked);
}

/* Whether this object may use a record: its issuer, its resource and its DPoP key are right. */
static bool fits(const mcpw_oauth *oauth, const mcpw_oauth_json_stored_token *token) {
    mcpw_oauth_url resource;
    const mcpw_str expected = mcpw_str_from(oauth->config.issuer);
    return (expected.ptr == NULL || mcpw_str_equal(token->issuer, expected)) &&
           mcpw_oauth_url_read(token->resource, &resource) &&
           mcpw_oauth_url_covers(&resource, &oauth->server) &&
           mcpw_str_equal(token->bound_to, oauth->key_digest);
}

static bool load_token(mcpw_oauth *oauth, mcpw_str issuer, mcpw_str resource, mcpw_str client_id,
                       mcpw_oauth_json_stored_token *token) {
    const mcpw_str parts[] = {MCPW_STR_VALUE("token"), issuer, resource, client_id, none};
    return load(oauth, key_of(&oauth->scratch, parts), &mcpw_oauth_json_stored_token_table, &oauth->scratch,
                token) &&
           mcpw_str_equal(token->issuer, issuer) && mcpw_str_equal(token->resource, resource) &&
           mcpw_str_equal(token->client_id, client_id) && fits(oauth, token);
}

void mcpw_oauth_recall(mcpw_oauth *oauth) {
    mcpw_oauth_json_stored_server server;
    mcpw_oauth_json_stored_token token;
    if (oauth->is_recalled) {
        return;
    }
    oauth->is_recalled = true;
    if (load(oauth, server_key(oauth), &mcpw_oauth_json_stored_server_table, &oauth->scratch, &server) &&
        load_token(oauth, server.issuer, server.resource, server.client_id, &token) &&
        !take_token(oauth, &token)) {
        mcpw_oauth_warn(oauth, "memory ran out before the stored token was read");
    }
}

bool mcpw_oauth_reload(mcpw_oauth *oauth) {
    mcpw_oauth_json_stored_token token;
    return load_token(oauth, oauth->token.issuer, oauth->token.resource, oauth->token.client_id, &token) &&
           (!mcpw_str_equal(token.access_token, oauth->token.access_token) ||
            !mcpw_str_equal(token.refresh_token, oauth->token.refresh_token)) &&
           take_token(oauth, &token);
}

bool mcpw_oauth_is_removed(mcpw_oauth *oauth) {
    const mcpw_str key = mcpw_oauth_token_key(oauth, &oauth->scratch);
    mcpw_str text = none;
    return key.ptr != NULL && load_text(oauth, key, &text) == MCPW_E_NOT_FOUND;
}

bool mcpw_oauth_hold(mcpw_oauth *oauth, const mcpw_oauth_json_stored_token *token) {
    if (!take_token(oauth, token)) {
        return false;
    }
    const mcpw_oauth_json_stored_token *const held =
        &oauth->token; /* `token` may have been part of the last one */
    const mcpw_oauth_json_stored_server server = {
        .issuer = held->issuer, .resource = held->resource, .client_id = held->client_id};
    save(oauth, mcpw_oauth_token_key(oauth, &oauth->scratch), &mcpw_oauth_json_stored_token_table, held);
    save(oauth, server_key(oauth), &mcpw_oauth_json_stored_server_table, &server);
    return true;
}

void mcpw_oauth_drop(mcpw_oauth *oauth, bool with_record) {
    if (with_record && oauth->token.issuer.ptr != NULL) {
        save(oauth, mcpw_oauth_token_key(oauth, &oauth->scratch), &mcpw_oauth_json_stored_token_table, NULL);
        save(oauth, server_key(oauth), &mcpw_oauth_json_stored_server_table, NULL);
    }
    mcpw_arena_free(&oauth->held);
    oauth->token = (mcpw_oauth_json_stored_token){.issuer = none};
    oauth->token_number++;
    oauth->is_refused = false;
}

/* ---- Registrations ------------------------------------------------------------------------------------- */

bool mcpw_oauth_load_client(mcpw_oauth *oauth, mcpw_oauth_json_stored_client *client) {
    return load(oauth, client_key(oauth), &mcpw_oauth_json_stored_client_table, &oauth->flow, client) &&
           mcpw_str_equal(client->issuer, oauth->issuer) &&
           (!client->expires_at.set || (uint64_t)client->expires_at.value > oauth->now);
}

void mcpw_oauth_save_client(mcpw_oauth *oauth, const mcpw_oauth_json_stored_client *client) {
    save(oauth, client_key(oauth), &mcpw_oauth_json_stored_client_table, client);
}
