/* SPDX-License-Identifier: MIT */
/* A store of tokens in the Secret Service. Its locks are those of a store in files. */
#include <mcpw/error.h>
#include <mcpw/oauth_secret.h>

#define SECRET_API_SUBJECT_TO_CHANGE /* paths of items, which have existed since 2012 */
#include <libsecret/secret.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_VALUE = 1 << 20 /* bytes */, WHY_SIZE = 141 /* of a foreign text in a message */ };

static const char attribute[] = "key";

static const SecretSchema schema = {.name = "dev.mcpwire.Login",
                                    .flags = SECRET_SCHEMA_NONE,
                                    .attributes = {{.name = "key", .type = SECRET_SCHEMA_ATTRIBUTE_STRING}}};

typedef struct keyring {
    mcpw_oauth_store store; /* the first member, so that its address is that of the whole struct */
    mcpw_oauth_store *files;
    SecretService *service;
} keyring;

/* ---- Locks --------------------------------------------------------------------------------------------- */

static mcpw_status lock(void *self, mcpw_str key) {
    const keyring *const k = self;
    return k->files->lock(k->files->self, key);
}

static void unlock(void *self, mcpw_str key) {
    const keyring *const k = self;
    k->files->unlock(k->files->self, key);
}

/* ---- Values -------------------------------------------------------------------------------------------- */

/* The attributes of an item; the caller unrefs them. */
static GHashTable *attributes_of(mcpw_str key) {
    GHashTable *const all = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    (void)g_hash_table_insert(all, (gpointer)(uintptr_t)attribute, g_strndup(key.ptr, key.len));
    return all;
}

static mcpw_status status_of(GError *failure) {
    if (failure == NULL) {
        return MCPW_OK;
    }
    g_error_free(failure);
    return MCPW_E_IO;
}

/* Reads a value, which the caller frees by secret_password_free; NULL: there is none. */
static char *look_up(mcpw_str key, mcpw_status *status) {
    GError *failure = NULL;
    GHashTable *const attributes = attributes_of(key);
    char *const found = secret_password_lookupv_sync(&schema, attributes, NULL, &failure);
    g_hash_table_unref(attributes);
    *status = status_of(failure);
    return found;
}

static mcpw_status load(void *self, mcpw_str key, mcpw_arena *arena, mcpw_str *value) {
    mcpw_status status = MCPW_OK;
    char *const found = look_up(key, &status);
    (void)self;
    if (found == NULL) {
        return status != MCPW_OK ? status : MCPW_E_NOT_FOUND;
    }
    const size_t len = strlen(found);
    char *const text = len <= MOST_VALUE ? mcpw_arena_alloc(arena, len + 1) : NULL;
    if (text != NULL) {
        memcpy(text, found, len + 1);
        *value = (mcpw_str){text, len};
    }
    secret_password_free(found);
    return text != NULL ? MCPW_OK : len <= MOST_VALUE ? MCPW_E_MEMORY : MCPW_E_IO;
}

/* Whether the keyring has as many values as it may, or cannot be read. */
static bool is_full(const keyring *k) {
    GError *failure = NULL;
    gchar **paths[] = {NULL, NULL}; /* of unlocked and of locked items */
    GHashTable *const every = g_hash_table_new(g_str_hash, g_str_equal);
    (void)secret_service_search_for_dbus_paths_sync(k->service, &schema, every, NULL, &paths[0], &paths[1],
                                                    &failure);
    guint count = 0;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        count += paths[i] != NULL ? g_strv_length(paths[i]) : 0;
        g_strfreev(paths[i]);
    }
    g_hash_table_unref(every);
    return status_of(failure) != MCPW_OK || count >= MCPW_OAUTH_MOST_RECORDS;
}

static mcpw_status erase(mcpw_str key) {
    GError *failure = NULL;
    GHashTable *const attributes = attributes_of(key);
    (void)secret_password_clearv_sync(&schema, attributes, NULL, &failure); /* false: there was none */
    g_hash_table_unref(attributes);
    return status_of(failure);
}

static mcpw_status save(void *self, mcpw_str key, mcpw_str value) {
    const keyring *const k = self;
    GError *failure = NULL;
    mcpw_status status = MCPW_OK;
    if (value.ptr == NULL) {
        return erase(key);
    }
    if (value.len > MOST_VALUE || memchr(value.ptr, '\0', value.len) != NULL) {
        return MCPW_E_SIZE;
    }
    char *const old = look_up(key, &status);
    const bool is_new = old == NULL;
    secret_password_free(old);
    if (status != MCPW_OK || (is_new && is_full(k))) {
        return status != MCPW_OK ? status : MCPW_E_FULL;
    }
    char *const text = g_strndup(value.ptr, value.len);
    GHashTable *const attributes = attributes_of(key);
    (void)secret_password_storev_sync(&schema, attributes, SECRET_COLLECTION_DEFAULT, "Login of mcpwire",
                                      text, NULL, &failure);
    g_hash_table_unref(attributes);
    secret_password_wipe(text);
    g_free(text);
    return status_of(failure);
}

/* ---- Making -------------------------------------------------------------------------------------------- */

mcpw_oauth_store *mcpw_oauth_secret_new(const char *lock_directory, mcpw_error *error) {
    GError *failure = NULL;
    keyring *const k = calloc(1, sizeof *k);
    if (k == NULL) {
        (void)mcpw_error_set(error, MCPW_E_MEMORY, 0, "the store ran out of memory");
        return NULL;
    }
    k->store = (mcpw_oauth_store)MCPW_OAUTH_STORE_INIT;
    k->files = mcpw_oauth_files_new(lock_directory, error);
    if (k->files != NULL) {
        k->service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, NULL, &failure);
    }
    if (failure != NULL) {
        char why[WHY_SIZE];
        (void)mcpw_put_printable(why, sizeof why, failure->message, strlen(failure->message));
        (void)mcpw_error_set(error, MCPW_E_IO, 0, "there is no Secret Service: %s", why);
        g_error_free(failure);
    }
    if (k->service == NULL) {
        mcpw_oauth_secret_free(&k->store);
        return NULL;
    }
    k->store.self = k;
    k->store.lock = lock;
    k->store.unlock = unlock;
    k->store.load = load;
    k->store.save = save;
    return &k->store;
}

void mcpw_oauth_secret_free(mcpw_oauth_store *store) {
    keyring *const k = (keyring *)store;
    if (k != NULL) {
        g_clear_object(&k->service);
        mcpw_oauth_files_free(k->files);
        free(k);
    }
}
