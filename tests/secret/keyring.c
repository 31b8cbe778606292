/* SPDX-License-Identifier: MIT */
/* The store in the Secret Service keeps the contract of the store in files. */
#define _XOPEN_SOURCE 700

#include "check.h"
#include "oauth_world.h"

#include <mcpw/oauth_secret.h>

#include <libsecret/secret.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];
static const mcpw_str key = MCPW_STR("[\"token\",\"https://login.example\",\"r\u00e9\",\"c\"]");
static const mcpw_str none = {NULL, 0};

static mcpw_oauth_store *open_store(void) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_store *const store = mcpw_oauth_secret_new(folder, &error);
    if (store == NULL) {
        (void)fprintf(stderr, "%s\n", error.message);
    }
    CHECK(store != NULL);
    return store;
}

static void values_are_replaced_as_a_whole_and_removed(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str value;
    mcpw_oauth_store *store = open_store();
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_E_NOT_FOUND);
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("{\"a\":1}")) == MCPW_OK);
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("{\"a\":\"\u00e9\"}")) == MCPW_OK);
    mcpw_oauth_secret_free(store);
    store = open_store(); /* as another process */
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_OK);
    CHECK_TEXT(value.ptr, value.len, "{\"a\":\"\u00e9\"}");
    CHECK(store->load(store->self, MCPW_STR_VALUE("other"), &arena, &value) == MCPW_E_NOT_FOUND);
    CHECK(store->save(store->self, key, none) == MCPW_OK);
    CHECK(store->save(store->self, key, none) == MCPW_OK);
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_E_NOT_FOUND);
    mcpw_oauth_secret_free(store);
    mcpw_arena_free(&arena);
}

static void no_file_has_a_value(void) {
    char command[256];
    mcpw_oauth_store *const store = open_store();
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("{\"access_token\":\"plain-4711\"}")) == MCPW_OK);
    CHECK(store->lock(store->self, key) == MCPW_OK);
    (void)snprintf(command, sizeof command, "! grep -rq plain-4711 %s \"$HOME\"", folder);
    CHECK(system(command) == 0);
    (void)snprintf(command, sizeof command, "test \"$(find %s -type f)\" = \"$(find %s -name '*.lock')\"",
                   folder, folder);
    CHECK(system(command) == 0);
    CHECK(store->save(store->self, key, none) == MCPW_OK);
    mcpw_oauth_secret_free(store);
}

static void locks_exclude_other_stores_and_those_in_files(void) {
    mcpw_error error;
    mcpw_oauth_store *const one = open_store();
    mcpw_oauth_store *const two = open_store();
    mcpw_oauth_store *const files = mcpw_oauth_files_new(folder, &error);
    CHECK(one->lock(one->self, key) == MCPW_OK);
    CHECK(two->lock(two->self, key) == MCPW_PENDING && files->lock(files->self, key) == MCPW_PENDING);
    mcpw_oauth_secret_free(one); /* returns its locks */
    CHECK(two->lock(two->self, key) == MCPW_OK);
    two->unlock(two->self, key);
    CHECK(files->lock(files->self, key) == MCPW_OK);
    mcpw_oauth_files_free(files);
    mcpw_oauth_secret_free(two);
}

/* Fills the keyring with values of other keys. They stay in memory, because each one in a file takes long. */
static void fill(unsigned many) {
    static const SecretSchema schema = {
        .name = "dev.mcpwire.Login",
        .flags = SECRET_SCHEMA_NONE,
        .attributes = {{.name = "key", .type = SECRET_SCHEMA_ATTRIBUTE_STRING}}};
    char name[16];
    for (unsigned i = 0; i < many; i++) {
        (void)snprintf(name, sizeof name, "k%u", i);
        CHECK(secret_password_store_sync(&schema, SECRET_COLLECTION_SESSION, "test", "{}", NULL, NULL, "key",
                                         name, NULL));
    }
}

static void values_have_limits(void) {
    enum { LONG = (1 << 20) + 1, OF_THE_LOGIN = 3 /* that the last test has left */ };
    const mcpw_str other = MCPW_STR("other");
    char *const text = malloc(LONG);
    mcpw_oauth_store *const store = open_store();
    CHECK(text != NULL);
    memset(text, 'x', LONG);
    CHECK(store->save(store->self, key, (mcpw_str){text, LONG}) == MCPW_E_SIZE);
    CHECK(store->save(store->self, key, (mcpw_str){"a\0b", 3}) == MCPW_E_SIZE);
    fill(MCPW_OAUTH_MOST_RECORDS - OF_THE_LOGIN - 1);
    CHECK(store->save(store->self, other, MCPW_STR_VALUE("{}")) == MCPW_OK);
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("{}")) == MCPW_E_FULL);
    CHECK(store->save(store->self, other, MCPW_STR_VALUE("{\"a\":1}")) == MCPW_OK);
    CHECK(store->save(store->self, other, none) == MCPW_OK);
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("{}")) == MCPW_OK);
    mcpw_oauth_secret_free(store);
    free(text);
}

static void a_login_lives_in_it(void) {
    world w;
    mcpw_oauth_store *store = open_store();
    world_init(&w);
    w.as[0].issues_refresh = true;
    w.as[0].rotates = true;
    w.config.store = store;
    world_open(&w);
    CHECK(world_call(&w) == 200 && w.authorizations == 1);
    mcpw_oauth_free(w.oauth);
    mcpw_oauth_secret_free(store);
    w.config.store = store = open_store();
    world_open(&w);
    world_pass_time(&w, 4000000);
    CHECK(world_call(&w) == 200 && w.authorizations == 1 && w.refreshes == 1);
    world_close(&w);
    mcpw_oauth_secret_free(store);
}

static void without_a_bus_it_is_an_error(void) {
    mcpw_error error = {.code = MCPW_OK};
    CHECK(mcpw_oauth_secret_new("/nonexistent/a", &error) == NULL && error.code == MCPW_E_IO);
    CHECK(mcpw_oauth_secret_new(NULL, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    mcpw_oauth_secret_free(NULL);
}

int main(void) {
    (void)snprintf(folder, sizeof folder, "/tmp/mcpw-secret-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    RUN(values_are_replaced_as_a_whole_and_removed);
    RUN(no_file_has_a_value);
    RUN(locks_exclude_other_stores_and_those_in_files);
    RUN(a_login_lives_in_it);
    RUN(without_a_bus_it_is_an_error);
    RUN(values_have_limits);
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return check_end();
}
