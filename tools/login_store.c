/* SPDX-License-Identifier: MIT */
#include "login_store.h"

#include "login_directory.h"
#include "login_wipe.h"
#include "text.h"
#include "tool.h"

#include <mcpw/json.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {[LOGIN_STORE_AS_BEFORE] = "",
                                    [LOGIN_STORE_FILES] = "files",
                                    [LOGIN_STORE_SECRET_SERVICE] = "secret-service"};

const char *login_store_name(login_store_kind kind) { return names[kind]; }

/* ---- Facts --------------------------------------------------------------------------------------------- */

/* Makes the key of the facts, in the form of the library's keys. */
static void put_key(text *out, const char *url) {
    text_add(out, "[\"login\",");
    text_json(out, url, strlen(url));
    text_add(out, "]");
}

static mcpw_str str_of(const text *t) { return (mcpw_str){t->buffer.data, t->buffer.len}; }

/* A copy of a member, which ends with a NUL; NULL: there is none. */
static const char *word_of(mcpw_json value, const char *member, mcpw_arena *memory) {
    mcpw_str word;
    if (mcpw_json_get_string(value, member, memory, &word) != MCPW_OK) {
        return NULL;
    }
    char *const copy = mcpw_arena_alloc(memory, word.len + 1);
    if (copy != NULL) {
        memcpy(copy, word.ptr, word.len);
        copy[word.len] = '\0';
    }
    return copy;
}

/* Reads the facts in a store. False: it has none. */
static bool read_facts(login_store *k, const mcpw_oauth_store *store, mcpw_json *value) {
    enum { DEPTH = 4 };
    text key = TEXT_INIT;
    mcpw_str found = {NULL, 0};
    mcpw_error unused;
    put_key(&key, k->url);
    const bool is_there = !key.lost &&
                          store->load(store->self, str_of(&key), &k->memory, &found) == MCPW_OK &&
                          found.ptr != NULL;
    text_free(&key);
    *value = mcpw_json_of(found.ptr, found.len);
    return is_there && mcpw_json_check(*value, DEPTH, &unused) == MCPW_OK;
}

static void take_facts(login_store *k, mcpw_json value) {
    login_facts *const f = &k->facts;
    f->issuer = word_of(value, "issuer", &k->memory);
    f->client_id = word_of(value, "client_id", &k->memory);
    f->client_secret = word_of(value, "client_secret", &k->memory);
    f->client_metadata_url = word_of(value, "client_metadata_url", &k->memory);
    f->scopes = word_of(value, "scopes", &k->memory);
    if (mcpw_json_get_int(value, "redirect_port", &f->redirect_port) != MCPW_OK) {
        f->redirect_port = 0;
    }
}

static void put_word(text *out, const char *member, const char *word) {
    if (word != NULL) {
        text_format(out, ",\"%s\":", member);
        text_json(out, word, strlen(word));
    }
}

static bool save(const login_store *k, const mcpw_oauth_store *store, const text *value) {
    text key = TEXT_INIT;
    put_key(&key, k->url);
    const mcpw_str none = {NULL, 0};
    const bool is_lost = key.lost || (value != NULL && value->lost);
    const mcpw_status status =
        is_lost ? MCPW_E_MEMORY
                : store->save(store->self, str_of(&key), value != NULL ? str_of(value) : none);
    text_free(&key);
    if (status != MCPW_OK) {
        tool_complain("the store of logins cannot be written: %s", mcpw_status_text(status));
    }
    return status == MCPW_OK;
}

bool login_store_write(login_store *k, const login_facts *facts) {
    text all = TEXT_INIT; /* has the client's secret */
    all.buffer.allocator = login_wiping();
    text place = TEXT_INIT;
    text_format(&all, "{\"store\":\"%s\"", login_store_name(k->kind));
    text_join(&place, &all);
    text_add(&place, "}");
    put_word(&all, "issuer", facts->issuer);
    put_word(&all, "client_id", facts->client_id);
    put_word(&all, "client_secret", facts->client_secret);
    put_word(&all, "client_metadata_url", facts->client_metadata_url);
    put_word(&all, "scopes", facts->scopes);
    if (facts->redirect_port != 0) {
        text_format(&all, ",\"redirect_port\":%lld", (long long)facts->redirect_port);
    }
    text_add(&all, "}");
    const bool done = save(k, k->store, &all) && (k->store == k->files || save(k, k->files, &place));
    text_free(&all);
    text_free(&place);
    return done;
}

bool login_store_remove_secret(login_store *k) { return save(k, k->store, NULL); }

bool login_store_remove(login_store *k) {
    const bool done = save(k, k->store, NULL);
    return (k->store == k->files || save(k, k->files, NULL)) && done;
}

/* ---- Stores -------------------------------------------------------------------------------------------- */

static bool open_secret(login_store *k, const char *directory, mcpw_json *facts) {
    mcpw_error error = {.code = MCPW_OK};
    k->store = login_store_secret_new(directory, &error);
    if (k->store == NULL) {
        tool_complain("%s", error.message);
        return false;
    }
    if (!read_facts(k, k->store, facts)) {
        *facts = (mcpw_json){NULL, 0, 0};
    }
    return true;
}

bool login_store_open(login_store *k, const char *url, login_store_kind kind) {
    char directory[LOGIN_DIRECTORY_SIZE];
    mcpw_json facts = {NULL, 0, 0};
    mcpw_error error = {.code = MCPW_OK};
    k->memory = (mcpw_arena)MCPW_ARENA_INIT;
    k->memory.allocator = login_wiping();
    k->url = url;
    if (!login_directory_find(directory)) {
        return false;
    }
    k->files = mcpw_oauth_files_new(directory, &error);
    if (k->files == NULL) {
        tool_complain("%s", error.message);
        return false;
    }
    k->store = k->files;
    k->has_facts = read_facts(k, k->files, &facts);
    const char *const place = k->has_facts ? word_of(facts, "store", &k->memory) : NULL;
    const bool was_secret = place != NULL && strcmp(place, login_store_name(LOGIN_STORE_SECRET_SERVICE)) == 0;
    k->before = was_secret ? LOGIN_STORE_SECRET_SERVICE : LOGIN_STORE_FILES;
    k->kind = kind == LOGIN_STORE_AS_BEFORE ? k->before : kind;
    if (k->kind == LOGIN_STORE_SECRET_SERVICE && !open_secret(k, directory, &facts)) {
        return false;
    }
    if (k->has_facts && facts.ptr != NULL) {
        take_facts(k, facts);
    }
    return true;
}

void login_store_close(login_store *k) {
    if (k->store != k->files) {
        login_store_secret_free(k->store);
    }
    mcpw_oauth_files_free(k->files);
    mcpw_arena_free(&k->memory);
    memset(k, 0, sizeof *k);
}

mcpw_oauth_config login_store_config(const login_store *k, mcpw_oauth_credential *credential) {
    mcpw_oauth_config config = MCPW_OAUTH_CONFIG_INIT;
    config.server_url = k->url;
    config.redirect_uri = "http://127.0.0.1/callback";
    config.client_metadata_url = k->facts.client_metadata_url;
    config.issuer = k->facts.issuer;
    config.scopes = k->facts.scopes;
    config.store = k->store;
    if (k->facts.client_id != NULL) {
        *credential =
            (mcpw_oauth_credential){.client_id = k->facts.client_id, .client_secret = k->facts.client_secret};
        config.credentials = credential;
        config.credential_count = 1;
    }
    return config;
}
