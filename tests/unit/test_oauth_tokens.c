/* SPDX-License-Identifier: MIT */
/* Tokens over time: renewed, rotated, stored, shared by two programs, bound to a key. */
#define _GNU_SOURCE /* mkdtemp */
#include "counting_allocator.h"
#include "oauth_world.h"

#include <sys/stat.h>
#include <unistd.h>

static world w;

static void open_with_refresh(mcpw_oauth_store *store) {
    world_init(&w);
    w.config.store = store;
    w.as[0].issues_refresh = true;
    w.as[0].rotates = true;
    world_open(&w);
    CHECK(world_call(&w) == 200);
}

/* ---- Renewing --------------------------------------------------------------------------------------------
 */

static void a_token_is_renewed_before_it_expires(void) {
    open_with_refresh(NULL);
    const unsigned calls = w.calls;
    const unsigned gets = w.gets;
    world_pass_time(&w, 3569999);
    CHECK(world_call(&w) == 200 && w.refreshes == 0);
    world_pass_time(&w, 1);
    CHECK(world_call(&w) == 200 && w.refreshes == 1 && w.authorizations == 1);
    CHECK(w.calls == calls + 2 && w.gets == gets); /* no 401, and what was discovered is known */
    CHECK_STRING(w.mcp_authorization, "Bearer access-token-2");
    CHECK_STRING(world_param(&w, w.form, "resource"), WORLD_MCP);
    CHECK_STRING(world_param(&w, w.form, "refresh_token"), "refresh-token-1");
    CHECK_STRING(world_param(&w, w.form, "client_id"), "registered-one");
    world_close(&w);
}

static void a_token_of_two_seconds_is_renewed_again_and_again(void) {
    world_init(&w);
    w.as[0].issues_refresh = w.as[0].rotates = true;
    w.as[0].lifetime = 2;
    world_open(&w);
    for (unsigned i = 0; i < 20; i++) {
        CHECK(world_call(&w) == 200);
        world_pass_time(&w, 1000);
    }
    CHECK(w.authorizations == 1 && w.refreshes >= 9);
    world_close(&w);
}

static void a_rotated_refresh_token_replaces_the_old_one(void) {
    open_with_refresh(NULL);
    for (unsigned i = 1; i < 4; i++) {
        char expected[64];
        world_pass_time(&w, 3600000);
        CHECK(world_call(&w) == 200);
        (void)snprintf(expected, sizeof expected, "refresh-token-%u", i);
        CHECK_STRING(world_param(&w, w.form, "refresh_token"), expected);
    }
    CHECK(w.authorizations == 1);
    world_close(&w);
}

static void a_refresh_token_that_is_not_rotated_is_kept(void) {
    world_init(&w);
    w.as[0].issues_refresh = true;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    for (unsigned i = 0; i < 3; i++) {
        world_pass_time(&w, 3600000);
        CHECK(world_call(&w) == 200);
        CHECK_STRING(world_param(&w, w.form, "refresh_token"), "refresh-token-1");
    }
    world_close(&w);
}

static void a_refused_token_is_renewed_after_the_metadata_were_read_again(void) {
    open_with_refresh(NULL);
    const unsigned gets = w.gets;
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.refreshes == 1 && w.authorizations == 1 && w.gets == gets + 2);
    world_close(&w);
}

static void invalid_grant_asks_the_user_once(void) {
    open_with_refresh(NULL);
    w.as[0].refuse_refresh = "invalid_grant";
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.authorizations == 2 && w.registrations == 1);
    const char *const first = strstr(w.log, "grant_type=refresh_token");
    CHECK(first != NULL && strstr(first + 1, "grant_type=refresh_token") == NULL);
    world_close(&w);
}

static void a_registration_that_is_gone_is_made_again(void) {
    open_with_refresh(NULL);
    w.as[0].refuse_refresh = "invalid_client";
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.authorizations == 2 && w.registrations == 2);
    world_close(&w);
}

static void a_refresh_that_fails_for_now_keeps_the_refresh_token(void) {
    open_with_refresh(NULL);
    w.as[0].refuse_refresh = "temporarily_unavailable";
    world_pass_time(&w, 3580000); /* due, not yet expired */
    CHECK(world_call(&w) == 200 && w.refreshes == 0 && w.authorizations == 1);
    w.as[0].refuse_refresh = NULL;
    world_pass_time(&w, 60000);
    CHECK(world_call(&w) == 200 && w.refreshes == 1 && w.authorizations == 1);
    world_close(&w);
}

static void a_token_without_lifetime_is_used_until_it_is_refused(void) {
    world_init(&w);
    w.as[0].lifetime = 0;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    world_pass_time(&w, (uint64_t)1000 * 3600 * 24 * 365);
    CHECK(world_call(&w) == 200 && w.tokens == 1);
    world_close(&w);
}

static void a_request_that_used_the_last_token_is_sent_again(void) {
    mcpw_oauth_pass late = MCPW_OAUTH_PASS_INIT;
    open_with_refresh(NULL);
    CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &late, &w.error) == MCPW_OK && late.field_count == 1);
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.refreshes == 1);
    CHECK(mcpw_oauth_answered(w.oauth, &late, 401, MCPW_STR_VALUE("Bearer"), (mcpw_str){NULL, 0}, &w.error) ==
          MCPW_OAUTH_AGAIN);
    world_close(&w);
}

static void requests_during_a_login_join_it(void) {
    mcpw_oauth_pass one = MCPW_OAUTH_PASS_INIT;
    mcpw_oauth_pass two = MCPW_OAUTH_PASS_INIT;
    const mcpw_str none = {NULL, 0};
    world_init(&w);
    world_open(&w);
    CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &one, &w.error) == MCPW_OK);
    CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &two, &w.error) == MCPW_OK);
    CHECK(mcpw_oauth_answered(w.oauth, &one, 401, none, none, &w.error) == MCPW_OAUTH_BEGIN);
    CHECK(mcpw_oauth_answered(w.oauth, &two, 401, none, none, &w.error) == MCPW_OAUTH_BEGIN);
    CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &two, &w.error) == MCPW_PENDING);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE && w.authorizations == 1);
    world_close(&w);
}

/* ---- Stores ----------------------------------------------------------------------------------------------
 */

static void a_stored_login_needs_no_user(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    open_with_refresh(store);
    mcpw_oauth_free(w.oauth);
    world_open(&w);
    const unsigned gets = w.gets;
    CHECK(world_call(&w) == 200 && w.authorizations == 1 && w.gets == gets);
    mcpw_oauth_free(w.oauth);
    world_open(&w);
    world_pass_time(&w, 4000000);
    CHECK(mcpw_oauth_read(w.oauth, &login) == MCPW_OK && login.has_refresh && login.has_token &&
          !login.is_bound);
    CHECK(world_call(&w) == 200 && w.authorizations == 1 && w.refreshes == 1 && w.registrations == 1);
    CHECK(mcpw_oauth_read(w.oauth, &login) == MCPW_OK);
    CHECK_TEXT(login.issuer.ptr, login.issuer.len, WORLD_AS);
    CHECK_TEXT(login.resource.ptr, login.resource.len, WORLD_MCP);
    CHECK_TEXT(login.client_id.ptr, login.client_id.len, "registered-one");
    CHECK(login.expires_at == w.now + 3600000);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_registration_with_another_redirect_uri_is_made_again(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    open_with_refresh(store);
    mcpw_oauth_free(w.oauth);
    w.config.redirect_uri = "http://127.0.0.1:9999/callback";
    world_open(&w);
    world_pass_time(&w, 4000000);
    CHECK(world_call(&w) == 200 && w.registrations == 1 && w.refreshes == 1); /* renewing needs no redirect */
    w.token[0] = '\0';
    w.as[0].refuse_refresh = "invalid_grant";
    CHECK(world_call(&w) == 200 && w.registrations == 2);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_registration_whose_secret_has_expired_is_made_again(void) {
    world_init(&w);
    w.as[0].methods = "[\"client_secret_basic\"]";
    w.as[0].secret_expires_at = WORLD_START_SECONDS + 10;
    world_open(&w);
    CHECK(world_call(&w) == 200 && w.registrations == 1);
    world_pass_time(&w, 9000);
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.registrations == 1 && w.authorizations == 2);
    world_pass_time(&w, 1000);
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.registrations == 2 && w.authorizations == 3);
    world_close(&w);
}

static void two_programs_renew_once(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    open_with_refresh(store);
    mcpw_oauth *const other = mcpw_oauth_new(&w.config, &w.error);
    world_pass_time(&w, 4000000);
    mcpw_oauth_advance(other, w.now);
    CHECK(mcpw_oauth_fields(other, "POST", WORLD_MCP, &pass, &w.error) == MCPW_PENDING);
    mcpw_oauth *const mine = w.oauth;
    w.oauth = other; /* which goes as far as its request to the token endpoint, and is slow there */
    mcpw_oauth_step step = mcpw_oauth_next(other, &order, &w.error);
    while (step == MCPW_OAUTH_SEND && order.body.ptr == NULL) {
        world_send(&w, &order);
        step = mcpw_oauth_next(other, &order, &w.error);
    }
    CHECK(step == MCPW_OAUTH_SEND && strcmp(order.method, "POST") == 0);
    pass = (mcpw_oauth_pass)MCPW_OAUTH_PASS_INIT;
    CHECK(mcpw_oauth_fields(mine, "POST", WORLD_MCP, &pass, &w.error) == MCPW_PENDING);
    mcpw_oauth_order mine_order = MCPW_OAUTH_ORDER_INIT;
    CHECK(mcpw_oauth_next(mine, &mine_order, &w.error) == MCPW_OAUTH_WAIT && mine_order.until == w.now + 50);
    CHECK(mcpw_oauth_deadline(mine) == w.now + 50);
    world_send(&w, &order);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE && w.refreshes == 1);
    mcpw_oauth_advance(mine, w.now + 50);
    CHECK(mcpw_oauth_next(mine, &mine_order, &w.error) == MCPW_OAUTH_DONE && w.refreshes == 1);
    w.oauth = mine;
    CHECK(world_call(&w) == 200 && w.refreshes == 1 && w.authorizations == 1);
    CHECK_STRING(w.mcp_authorization, "Bearer access-token-2");
    mcpw_oauth_free(other);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_token_that_another_program_has_replaced_is_taken_from_the_store(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    open_with_refresh(store);
    mcpw_oauth *const mine = w.oauth;
    world_open(&w);
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.refreshes == 1);
    mcpw_oauth_free(w.oauth);
    w.oauth = mine;
    CHECK(world_call(&w) == 200 && w.refreshes == 1);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_login_of_another_program_is_taken_from_the_store(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    world_init(&w);
    w.config.store = store;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    mcpw_oauth *const mine = w.oauth;
    world_open(&w);
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.authorizations == 2); /* there is no refresh token */
    mcpw_oauth_free(w.oauth);
    w.oauth = mine;
    CHECK(world_call(&w) == 200 && w.authorizations == 2);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_logout_in_another_program_is_not_undone_by_a_renewal(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    open_with_refresh(store);
    mcpw_oauth *const other = mcpw_oauth_new(&w.config, NULL);
    mcpw_oauth_advance(other, w.now);
    mcpw_oauth_forget(other);
    mcpw_oauth_free(other);
    world_pass_time(&w, 3600000);
    CHECK(world_call(&w) == 200 && w.refreshes == 0 && w.authorizations == 2);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_login_after_a_logout_in_another_program_has_a_client_of_its_redirect_uri(void) {
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    open_with_refresh(store);
    mcpw_oauth *const other = w.oauth;
    w.config.redirect_uri = "http://127.0.0.1:9999/callback";
    world_open(&w);
    CHECK(mcpw_oauth_read(w.oauth, &login) == MCPW_OK && login.has_refresh);
    mcpw_oauth_forget(other);
    mcpw_oauth_free(other);
    world_pass_time(&w, 3600000);
    CHECK(world_call(&w) == 200 && w.refreshes == 0 && w.authorizations == 2 && w.registrations == 2);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_lock_that_is_never_returned_ends_the_login_by_the_deadline(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    open_with_refresh(store);
    const mcpw_str key = MCPW_STR("[\"token\",\"" WORLD_AS "\",\"" WORLD_MCP "\",\"registered-one\"]");
    CHECK(store->lock(store->self, key) == MCPW_OK);
    w.token[0] = '\0';
    CHECK(world_call(&w) == 0);
    for (unsigned i = 0; i < 700 && world_drive(&w) == MCPW_OAUTH_WAIT; i++) {
        world_pass_time(&w, 50);
    }
    CHECK(w.error.code == MCPW_E_TIMEOUT && strstr(w.error.message, "lock of the stored token") != NULL);
    store->unlock(store->self, key);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_login_that_ends_returns_its_lock(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    const mcpw_str key = MCPW_STR("[\"token\",\"" WORLD_AS "\",\"" WORLD_MCP "\",\"registered-one\"]");
    open_with_refresh(store);
    w.as[0].refuse_refresh = "server_error";
    w.token[0] = '\0';
    CHECK(world_call(&w) == 0);
    CHECK(store->lock(store->self, key) == MCPW_OK);
    store->unlock(store->self, key);
    w.is_silent = true;
    mcpw_oauth_begin(w.oauth, false);
    world_close(&w);
    CHECK(store->lock(store->self, key) == MCPW_OK);
    mcpw_oauth_memory_free(store);
}

static void logging_out_forgets_the_token_and_keeps_the_registration(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    mcpw_oauth_login login = MCPW_OAUTH_LOGIN_INIT;
    open_with_refresh(store);
    mcpw_oauth_forget(w.oauth);
    CHECK(mcpw_oauth_read(w.oauth, &login) == MCPW_E_NOT_FOUND && login.issuer.ptr == NULL);
    mcpw_oauth_free(w.oauth);
    world_open(&w);
    CHECK(mcpw_oauth_read(w.oauth, &login) == MCPW_E_NOT_FOUND);
    CHECK(world_call(&w) == 200 && w.authorizations == 2 && w.registrations == 1);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void a_login_anew_asks_the_user(void) {
    open_with_refresh(NULL);
    mcpw_oauth_begin(w.oauth, false);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE && w.authorizations == 1);
    mcpw_oauth_begin(w.oauth, true);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE && w.authorizations == 2 && w.refreshes == 0);
    world_close(&w);
}

static mcpw_status broken_load(void *self, mcpw_str key, mcpw_arena *arena, mcpw_str *value) {
    (void)self, (void)key, (void)arena, (void)value;
    return MCPW_E_IO;
}

static mcpw_status broken_save(void *self, mcpw_str key, mcpw_str value) {
    (void)self, (void)key, (void)value;
    return MCPW_E_IO;
}

static mcpw_status broken_lock(void *self, mcpw_str key) {
    (void)self, (void)key;
    return MCPW_E_IO;
}

static void no_unlock(void *self, mcpw_str key) { (void)self, (void)key; }

static void a_store_that_fails_is_told_and_ends_nothing(void) {
    mcpw_oauth_store store = MCPW_OAUTH_STORE_INIT;
    store.lock = broken_lock;
    store.unlock = no_unlock;
    store.load = broken_load;
    store.save = broken_save;
    open_with_refresh(&store);
    CHECK(w.warnings != 0);
    w.token[0] = '\0';
    CHECK(world_call(&w) == 200 && w.refreshes == 1);
    world_check_secrets(&w);
    world_close(&w);
}

static unsigned saved_before; /* requests to the MCP server, when the rotated token was saved */

static mcpw_status watching_save(void *self, mcpw_str key, mcpw_str value) {
    const mcpw_oauth_store *const inner = self;
    char text[WORLD_TEXT];
    world_copy(text, value);
    if (strstr(text, "refresh-token-2") != NULL) {
        saved_before = w.calls;
        CHECK(strstr(w.mcp_authorization, "access-token-2") == NULL);
    }
    return inner->save(inner->self, key, value);
}

static mcpw_status inner_load(void *self, mcpw_str key, mcpw_arena *arena, mcpw_str *value) {
    const mcpw_oauth_store *const inner = self;
    return inner->load(inner->self, key, arena, value);
}

static mcpw_status inner_lock(void *self, mcpw_str key) {
    const mcpw_oauth_store *const inner = self;
    return inner->lock(inner->self, key);
}

static void inner_unlock(void *self, mcpw_str key) {
    const mcpw_oauth_store *const inner = self;
    inner->unlock(inner->self, key);
}

static void a_rotated_token_is_saved_before_the_new_one_is_used(void) {
    mcpw_oauth_store *const inner = mcpw_oauth_memory_new(NULL);
    mcpw_oauth_store store = MCPW_OAUTH_STORE_INIT;
    store.self = inner;
    store.lock = inner_lock;
    store.unlock = inner_unlock;
    store.load = inner_load;
    store.save = watching_save;
    open_with_refresh(&store);
    saved_before = 0;
    world_pass_time(&w, 4000000);
    CHECK(world_call(&w) == 200 && saved_before == 2 && w.calls == 3);
    world_close(&w);
    mcpw_oauth_memory_free(inner);
}

/* ---- Files -----------------------------------------------------------------------------------------------
 */

static char folder[64];

static void make_folder(void) {
    (void)snprintf(folder, sizeof folder, "/tmp/mcpw-oauth-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
}

static void remove_folder(void) {
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
}

static void files_are_private_and_replaced_as_a_whole(void) {
    mcpw_error error;
    struct stat found;
    char path[128];
    char command[256];
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str value;
    const mcpw_str key = MCPW_STR("[\"client\",\"x\"]");
    make_folder();
    (void)snprintf(path, sizeof path, "%s/store", folder);
    mcpw_oauth_store *const store = mcpw_oauth_files_new(path, &error);
    CHECK(store != NULL && stat(path, &found) == 0 && (found.st_mode & 07777) == 0700);
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_E_NOT_FOUND);
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("{\"a\":1}")) == MCPW_OK);
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("{\"a\":22}")) == MCPW_OK);
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_OK);
    CHECK_TEXT(value.ptr, value.len, "{\"a\":22}");
    (void)snprintf(command, sizeof command, "test \"$(find %s -type f -perm 600 | wc -l)\" = 1", path);
    CHECK(system(command) == 0); /* one file, nothing temporary is left */
    CHECK(store->save(store->self, key, (mcpw_str){NULL, 0}) == MCPW_OK);
    CHECK(store->save(store->self, key, (mcpw_str){NULL, 0}) == MCPW_OK);
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_E_NOT_FOUND);
    mcpw_oauth_files_free(store);
    mcpw_arena_free(&arena);
    remove_folder();
}

/* ---- fsync ---- */

/* The kinds of the files that were synchronised by one save, in their order. Number sync_fails_at fails; 0:
 * none. */
static bool is_saving;
static char synchronised[8];
static unsigned sync_fails_at;

/* The library calls this in the place of the one of libc. */
int fsync(int fd) {
    struct stat found;
    const size_t count = strlen(synchronised);
    if (!is_saving) {
        return 0;
    }
    CHECK(fstat(fd, &found) == 0 && count + 1 < sizeof synchronised);
    synchronised[count] = S_ISDIR(found.st_mode) ? 'd' : 'f';
    return count + 1 == sync_fails_at ? -1 : 0;
}

static mcpw_status save_synchronised(mcpw_oauth_store *store, mcpw_str value, unsigned fails_at) {
    memset(synchronised, 0, sizeof synchronised);
    sync_fails_at = fails_at;
    is_saving = true;
    const mcpw_status status = store->save(store->self, MCPW_STR_VALUE("key"), value);
    is_saving = false;
    return status;
}

static void values_of_files_outlast_a_crash(void) {
    char folder[] = "/tmp/mcpwire-oauth-XXXXXX";
    char path[64];
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str found = {NULL, 0};
    mcpw_error error = {.code = MCPW_OK};
    CHECK(mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/logins", folder);
    mcpw_oauth_store *const store = mcpw_oauth_files_new(path, &error);
    CHECK(store != NULL);
    CHECK(save_synchronised(store, MCPW_STR_VALUE("old"), 0) == MCPW_OK);
    CHECK_STRING(synchronised, "fd"); /* the file before it is renamed, the directory after that */
    CHECK(save_synchronised(store, MCPW_STR_VALUE("new"), 1) == MCPW_E_IO);
    CHECK(store->load(store->self, MCPW_STR_VALUE("key"), &arena, &found) == MCPW_OK);
    CHECK_TEXT(found.ptr, found.len, "old");
    CHECK(save_synchronised(store, MCPW_STR_VALUE("new"), 2) == MCPW_E_IO);
    CHECK(save_synchronised(store, (mcpw_str){NULL, 0}, 1) == MCPW_E_IO);
    CHECK(save_synchronised(store, MCPW_STR_VALUE("new"), 0) == MCPW_OK);
    CHECK(save_synchronised(store, (mcpw_str){NULL, 0}, 0) == MCPW_OK);
    CHECK_STRING(synchronised, "d");
    mcpw_oauth_files_free(store);
    mcpw_arena_free(&arena);
    CHECK(rmdir(path) == 0 && rmdir(folder) == 0);
}

static void files_that_others_can_read_and_links_are_not_used(void) {
    mcpw_error error;
    char command[256];
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str value;
    const mcpw_str key = MCPW_STR("[\"client\",\"x\"]");
    make_folder();
    mcpw_oauth_store *const store = mcpw_oauth_files_new(folder, &error);
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("{}")) == MCPW_OK);
    (void)snprintf(command, sizeof command, "chmod 644 %s/*.json", folder);
    CHECK(system(command) == 0);
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_E_IO);
    (void)snprintf(command, sizeof command,
                   "cd %s && for f in *.json; do mv $f x && chmod 600 x && ln -s x $f; done", folder);
    CHECK(system(command) == 0);
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_E_IO);
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("{\"b\":1}")) ==
          MCPW_OK); /* replaces the link itself */
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_OK && value.len == 7);
    (void)snprintf(command, sizeof command, "test \"$(cat %s/x)\" = '{}'", folder);
    CHECK(system(command) == 0);
    mcpw_oauth_files_free(store);
    CHECK(chmod(folder, 0750) == 0);
    CHECK(mcpw_oauth_files_new(folder, &error) == NULL && strstr(error.message, "mode 0700") != NULL);
    mcpw_arena_free(&arena);
    remove_folder();
    CHECK(mcpw_oauth_files_new("/nonexistent/a/b", &error) == NULL && error.code == MCPW_E_IO);
}

static void values_that_were_never_finished_are_removed(void) {
    mcpw_error error;
    char command[512];
    make_folder();
    (void)snprintf(
        command, sizeof command,
        "cd %s && umask 077 && echo token > x.1.new && echo token > x.2.new && echo token > x.json && "
        "touch -d '1 hour ago' x.1.new x.json",
        folder);
    CHECK(system(command) == 0);
    mcpw_oauth_store *const store = mcpw_oauth_files_new(folder, &error);
    CHECK(store != NULL);
    (void)snprintf(command, sizeof command, "test \"$(ls %s | tr '\\n' ' ')\" = 'x.2.new x.json '", folder);
    CHECK(system(command) == 0);
    mcpw_oauth_files_free(store);
    remove_folder();
}

static void locks_of_files_exclude_other_stores(void) {
    mcpw_error error;
    const mcpw_str key = MCPW_STR("a");
    make_folder();
    mcpw_oauth_store *const one = mcpw_oauth_files_new(folder, &error);
    mcpw_oauth_store *const two = mcpw_oauth_files_new(folder, &error);
    CHECK(one->lock(one->self, key) == MCPW_OK);
    CHECK(two->lock(two->self, key) == MCPW_PENDING && one->lock(one->self, key) == MCPW_PENDING);
    CHECK(two->lock(two->self, MCPW_STR_VALUE("b")) == MCPW_OK);
    one->unlock(one->self, key);
    CHECK(two->lock(two->self, key) == MCPW_OK && one->lock(one->self, key) == MCPW_PENDING);
    mcpw_oauth_files_free(two); /* returns its locks */
    CHECK(one->lock(one->self, key) == MCPW_OK);
    mcpw_oauth_files_free(one);
    remove_folder();
}

static void a_login_lives_in_files(void) {
    mcpw_error error;
    make_folder();
    mcpw_oauth_store *store = mcpw_oauth_files_new(folder, &error);
    open_with_refresh(store);
    mcpw_oauth_free(w.oauth);
    mcpw_oauth_files_free(store);
    w.config.store = store = mcpw_oauth_files_new(folder, &error);
    world_open(&w);
    world_pass_time(&w, 4000000);
    CHECK(world_call(&w) == 200 && w.authorizations == 1 && w.refreshes == 1);
    world_close(&w);
    mcpw_oauth_files_free(store);
    remove_folder();
}

/* ---- DPoP ------------------------------------------------------------------------------------------------
 */

static unsigned signatures;

static mcpw_oauth_signer key_of_proofs(void) {
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    signatures = 0;
    signer.self = &signatures;
    signer.algorithm = "ES256";
    signer.public_key = WORLD_JWK;
    signer.sign = world_sign;
    return signer;
}

/* A part of a JWS, decoded. */
static const char *part_of(const char *jws, unsigned index) {
    static char json[2][WORLD_TEXT];
    char text[WORLD_TEXT];
    size_t len = 0;
    char *begin = text;
    world_copy(text, mcpw_str_from(jws));
    for (unsigned i = 0; i < index; i++) {
        begin = strchr(begin, '.') + 1;
    }
    begin[strcspn(begin, ".")] = '\0';
    CHECK(sodium_base642bin((unsigned char *)json[index], WORLD_TEXT - 1, begin, strlen(begin), NULL, &len,
                            NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0);
    json[index][len] = '\0';
    return json[index];
}

static void dpop(void) {
    mcpw_oauth_signer signer = key_of_proofs();
    char first[WORLD_TEXT];
    char hash[128];
    mcpw_arena arena = MCPW_ARENA_INIT;
    world_init(&w);
    w.config.dpop = &signer;
    world_open(&w);
    CHECK(world_call(&w) == 200 && signatures == 2);
    CHECK_STRING(w.mcp_authorization, "DPoP access-token-1");
    CHECK_STRING(part_of(w.mcp_proof, 0), "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":" WORLD_JWK "}");
    CHECK(strstr(part_of(w.mcp_proof, 1),
                 "\"htm\":\"POST\",\"htu\":\"" WORLD_MCP "\",\"iat\":1800000000,\"ath\":\"") != NULL);
    (void)snprintf(hash, sizeof hash, "\"ath\":\"%s\"",
                   mcpw_oauth_digest(&arena, MCPW_STR_VALUE("access-token-1")).ptr);
    CHECK(strstr(part_of(w.mcp_proof, 1), hash) != NULL);
    CHECK(strstr(w.proof, "\"htm\":\"POST\",\"htu\":\"" WORLD_AS "/token\",\"iat\":1800000000}") != NULL);
    memcpy(first, w.mcp_proof, sizeof first);
    CHECK(world_call(&w) == 200 && strcmp(first, w.mcp_proof) != 0); /* jti is new */
    mcpw_arena_free(&arena);
    world_close(&w);
}

static void dpop_nonce(void) {
    mcpw_oauth_signer signer = key_of_proofs();
    world_init(&w);
    w.config.dpop = &signer;
    w.as[0].nonce = "nonce-of-the-as";
    w.mcp_nonce = "nonce-of-the-mcp-server";
    world_open(&w);
    CHECK(world_call(&w) == 200 && w.authorizations == 1 && w.tokens == 1);
    CHECK(strstr(part_of(w.mcp_proof, 1), "\"nonce\":\"nonce-of-the-mcp-server\"") != NULL);
    const unsigned calls = w.calls;
    CHECK(world_call(&w) == 200 && w.calls == calls + 1); /* the nonce is kept */
    w.mcp_nonce = "another";
    CHECK(world_call(&w) == 200 && w.calls == calls + 3 && w.authorizations == 1);
    world_close(&w);
}

static void dpop_nonce_is_repeated_once_at_the_token_endpoint(void) {
    mcpw_oauth_signer signer = key_of_proofs();
    world_init(&w);
    w.config.dpop = &signer;
    w.as[0].changes_nonce = true;
    world_open(&w);
    CHECK(world_call(&w) == 0 && strstr(w.error.message, "use_dpop_nonce") != NULL);
    CHECK(signatures == 2 && w.authorizations == 1);
    world_close(&w);
}

static void dpop_nonce_loops_at_the_mcp_server_end(void) {
    mcpw_oauth_signer signer = key_of_proofs();
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    mcpw_oauth_action action = MCPW_OAUTH_AGAIN;
    unsigned sent = 0;
    world_init(&w);
    w.config.dpop = &signer;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    for (; sent < 20 && action == MCPW_OAUTH_AGAIN; sent++) {
        char nonce[32];
        (void)snprintf(nonce, sizeof nonce, "nonce-%u", sent);
        CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &pass, &w.error) == MCPW_OK);
        action = mcpw_oauth_answered(w.oauth, &pass, 401, MCPW_STR_VALUE("DPoP error=\"use_dpop_nonce\""),
                                     mcpw_str_from(nonce), &w.error);
    }
    CHECK(action == MCPW_OAUTH_GIVE_UP && sent == 4);
    world_close(&w);
}

static void dpop_a_challenge_for_bearer_beside_it_hides_no_step_up(void) {
    mcpw_oauth_signer signer = key_of_proofs();
    world_init(&w);
    w.config.dpop = &signer;
    w.scope = "mcp:basic";
    w.has_both = true;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    w.needs = "mcp:write";
    CHECK(world_call(&w) == 200 && w.authorizations == 2);
    CHECK_STRING(world_param(&w, w.page, "scope"), "mcp:basic mcp:write");
    world_close(&w);
}

static void dpop_a_step_up_that_the_challenge_for_bearer_asks_for_is_made(void) {
    mcpw_oauth_signer signer = key_of_proofs();
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    world_init(&w);
    w.config.dpop = &signer;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &pass, &w.error) == MCPW_OK);
    CHECK(mcpw_oauth_answered(
              w.oauth, &pass, 403,
              MCPW_STR_VALUE("DPoP algs=\"ES256\", Bearer error=\"insufficient_scope\", scope=\"mcp:write\""),
              (mcpw_str){NULL, 0}, &w.error) == MCPW_OAUTH_BEGIN);
    CHECK(world_drive(&w) == MCPW_OAUTH_DONE);
    CHECK_STRING(world_param(&w, w.page, "scope"), "mcp:write");
    world_close(&w);
}

static void dpop_a_bearer_token_is_refused(void) {
    mcpw_oauth_signer signer = key_of_proofs();
    world_init(&w);
    w.config.dpop = &signer;
    w.overrides[0] =
        (world_override){"POST", WORLD_AS "/token", 200,
                         "{\"access_token\":\"access-token-x\",\"token_type\":\"Bearer\"}", NULL};
    world_open(&w);
    CHECK(world_call(&w) == 0 && strstr(w.error.message, "token_type: expected DPoP") != NULL);
    world_check_secrets(&w);
    world_close(&w);
}

static mcpw_status refuse_to_sign(void *self, mcpw_str input, unsigned char *out, size_t *len) {
    (void)self, (void)input, (void)out, (void)len;
    return MCPW_E_IO;
}

static void dpop_a_signer_that_fails_ends_the_login_or_the_request(void) {
    mcpw_oauth_signer signer = key_of_proofs();
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    world_init(&w);
    w.config.store = store;
    w.config.dpop = &signer;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    mcpw_oauth_free(w.oauth);
    signer.sign = refuse_to_sign;
    world_open(&w);
    CHECK(mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &pass, &w.error) == MCPW_E_IO &&
          pass.field_count == 0);
    mcpw_oauth_begin(w.oauth, true);
    CHECK(world_drive(&w) == MCPW_OAUTH_FAILED && w.error.code == MCPW_E_IO);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

static void dpop_a_token_of_another_key_is_not_used(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    mcpw_oauth_signer signer = key_of_proofs();
    world_init(&w);
    w.config.store = store;
    w.config.dpop = &signer;
    world_open(&w);
    CHECK(world_call(&w) == 200);
    mcpw_oauth_free(w.oauth);
    world_open(&w);
    CHECK(world_call(&w) == 200 && w.authorizations == 1);
    mcpw_oauth_free(w.oauth);
    signer.public_key = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"CCCC\",\"y\":\"DDDD\"}";
    world_open(&w);
    CHECK(world_call(&w) == 200 && w.authorizations == 2);
    world_close(&w);
    mcpw_oauth_memory_free(store);
}

/* ---- Memory ----------------------------------------------------------------------------------------------
 */

/* Two logins, a renewal and a logout, with the allocation `fail_at` refused. */
static bool live(counting *memory, size_t fail_at, bool is_stingy) {
    memory->stingy = false;
    memory->calls = 0;
    memory->failed = false;
    memory->fail_at = fail_at;
    world_init(&w);
    w.config.allocator = counting_allocator(memory);
    w.as[0].issues_refresh = w.as[0].rotates = true;
    w.scope = "a b";
    w.oauth = mcpw_oauth_new(&w.config, &w.error);
    memory->stingy = is_stingy;
    if (w.oauth != NULL) {
        for (unsigned i = 0; i < 3; i++) {
            mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
            world_pass_time(&w, 1800000);
            const mcpw_status status = mcpw_oauth_fields(w.oauth, "POST", WORLD_MCP, &pass, &w.error);
            CHECK(status == MCPW_OK || status == MCPW_PENDING || status == MCPW_E_MEMORY);
            mcpw_oauth_begin(w.oauth, false);
            const mcpw_oauth_step step = world_drive(&w);
            CHECK(step == MCPW_OAUTH_DONE || (step == MCPW_OAUTH_FAILED && memory->failed));
        }
        mcpw_oauth_forget(w.oauth);
    }
    const bool has_failed = memory->failed;
    world_close(&w);
    CHECK(memory->in_use == 0);
    return has_failed;
}

static void memory_that_runs_out_anywhere_ends_well(void) {
    counting memory = {.in_use = 0};
    size_t fail_at = 1;
    while (fail_at < 5000 && live(&memory, fail_at, false)) {
        fail_at++;
    }
    CHECK(fail_at > 10 && fail_at < 5000);
    for (fail_at = 1; fail_at < 5000; fail_at++) {
        (void)live(&memory, fail_at, true);
        if (memory.calls < fail_at) {
            break;
        }
    }
    CHECK(fail_at > 30 && fail_at < 5000);
}

/* Saves one value more than a store may have. The last one is refused, and a value that is there is replaced.
 */
static void fill(mcpw_oauth_store *store) {
    char key[16];
    for (int i = 0; i <= MCPW_OAUTH_MOST_RECORDS; i++) {
        (void)snprintf(key, sizeof key, "[\"k\",%d]", i);
        const mcpw_status status = store->save(store->self, mcpw_str_from(key), MCPW_STR_VALUE("{}"));
        CHECK(status == (i < MCPW_OAUTH_MOST_RECORDS ? MCPW_OK : MCPW_E_FULL));
    }
    CHECK(store->save(store->self, MCPW_STR_VALUE("[\"k\",0]"), MCPW_STR_VALUE("{\"a\":1}")) == MCPW_OK);
    CHECK(store->save(store->self, MCPW_STR_VALUE("[\"k\",0]"), (mcpw_str){NULL, 0}) == MCPW_OK);
    CHECK(store->save(store->self, mcpw_str_from(key), MCPW_STR_VALUE("{}")) == MCPW_OK);
}

static void a_store_in_memory_has_at_most_1024_values(void) {
    mcpw_oauth_store *const store = mcpw_oauth_memory_new(NULL);
    CHECK(store != NULL);
    fill(store);
    mcpw_oauth_memory_free(store);
}

static void a_store_in_files_has_at_most_1024_values(void) {
    mcpw_error error;
    make_folder();
    mcpw_oauth_store *const store = mcpw_oauth_files_new(folder, &error);
    CHECK(store != NULL);
    fill(store);
    mcpw_oauth_files_free(store);
    remove_folder();
}

int main(void) {
    RUN(a_store_in_files_has_at_most_1024_values);
    RUN(a_store_in_memory_has_at_most_1024_values);
    RUN(a_token_is_renewed_before_it_expires);
    RUN(a_token_of_two_seconds_is_renewed_again_and_again);
    RUN(a_rotated_refresh_token_replaces_the_old_one);
    RUN(a_refresh_token_that_is_not_rotated_is_kept);
    RUN(a_refused_token_is_renewed_after_the_metadata_were_read_again);
    RUN(invalid_grant_asks_the_user_once);
    RUN(a_registration_that_is_gone_is_made_again);
    RUN(a_refresh_that_fails_for_now_keeps_the_refresh_token);
    RUN(a_token_without_lifetime_is_used_until_it_is_refused);
    RUN(a_request_that_used_the_last_token_is_sent_again);
    RUN(requests_during_a_login_join_it);
    RUN(a_stored_login_needs_no_user);
    RUN(a_registration_with_another_redirect_uri_is_made_again);
    RUN(a_registration_whose_secret_has_expired_is_made_again);
    RUN(two_programs_renew_once);
    RUN(a_token_that_another_program_has_replaced_is_taken_from_the_store);
    RUN(a_login_of_another_program_is_taken_from_the_store);
    RUN(a_logout_in_another_program_is_not_undone_by_a_renewal);
    RUN(a_login_after_a_logout_in_another_program_has_a_client_of_its_redirect_uri);
    RUN(a_lock_that_is_never_returned_ends_the_login_by_the_deadline);
    RUN(a_login_that_ends_returns_its_lock);
    RUN(logging_out_forgets_the_token_and_keeps_the_registration);
    RUN(a_login_anew_asks_the_user);
    RUN(a_store_that_fails_is_told_and_ends_nothing);
    RUN(a_rotated_token_is_saved_before_the_new_one_is_used);
    RUN(files_are_private_and_replaced_as_a_whole);
    RUN(values_of_files_outlast_a_crash);
    RUN(files_that_others_can_read_and_links_are_not_used);
    RUN(values_that_were_never_finished_are_removed);
    RUN(locks_of_files_exclude_other_stores);
    RUN(a_login_lives_in_files);
    RUN(dpop);
    RUN(dpop_nonce);
    RUN(dpop_nonce_is_repeated_once_at_the_token_endpoint);
    RUN(dpop_nonce_loops_at_the_mcp_server_end);
    RUN(dpop_a_challenge_for_bearer_beside_it_hides_no_step_up);
    RUN(dpop_a_step_up_that_the_challenge_for_bearer_asks_for_is_made);
    RUN(dpop_a_bearer_token_is_refused);
    RUN(dpop_a_signer_that_fails_ends_the_login_or_the_request);
    RUN(dpop_a_token_of_another_key_is_not_used);
    RUN(memory_that_runs_out_anywhere_ends_well);
    return check_end();
}
