/* SPDX-License-Identifier: MIT */
/* The parts that all states of a login share: memory, errors without secrets, requests. */
#include "oauth.h"

#include <mcpw/error.h>

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>

void *mcpw_oauth_wiping(void *user, void *ptr, size_t old_size, size_t new_size) {
    const mcpw_allocator *const outer = user;
    void *grown = NULL;
    if (new_size != 0) {
        grown = mcpw_resize(outer, NULL, 0, new_size);
        if (grown == NULL) {
            return NULL;
        }
    }
    if (ptr != NULL) {
        if (grown != NULL) {
            memcpy(grown, ptr, old_size < new_size ? old_size : new_size);
        }
        sodium_memzero(ptr, old_size);
        (void)mcpw_resize(outer, ptr, old_size, 0);
    }
    return grown;
}

/* ---- Messages ------------------------------------------------------------------------------------------ */

/* Whether a secret that is too long to match by accident begins in the part of a text that is shown. */
static bool contains(mcpw_str text, mcpw_str secret) {
    enum { SHORTEST = 4 };
    for (size_t at = 0; secret.len >= SHORTEST && at < MCPW_OAUTH_WORDS_SIZE && at + secret.len <= text.len;
         at++) {
        if (memcmp(text.ptr + at, secret.ptr, secret.len) == 0) {
            return true;
        }
    }
    return false;
}

const char *mcpw_oauth_foreign(const mcpw_oauth *oauth, char out[MCPW_OAUTH_WORDS_SIZE], mcpw_str text) {
    const mcpw_str secrets[] = {oauth->client.secret,
                                oauth->verifier,
                                oauth->expected,
                                oauth->code,
                                oauth->assertion,
                                oauth->token.access_token,
                                oauth->token.refresh_token,
                                oauth->revoked_access,
                                oauth->revoked_refresh,
                                mcpw_str_from(oauth->config.idp_id_token),
                                mcpw_str_from(oauth->config.assertion)};
    bool is_clean = text.ptr != NULL;
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        is_clean = is_clean && !contains(text, secrets[i]);
    }
    for (size_t i = 0; i < oauth->config.credential_count; i++) {
        is_clean = is_clean && !contains(text, mcpw_str_from(oauth->config.credentials[i].client_secret));
    }
    out[0] = '\0';
    if (is_clean) {
        (void)mcpw_put_printable(out, MCPW_OAUTH_WORDS_SIZE, text.ptr, text.len);
    }
    return out;
}

void mcpw_oauth_release(mcpw_oauth *oauth) {
    if (oauth->lock.ptr != NULL) {
        oauth->store.unlock(oauth->store.self, oauth->lock);
        oauth->lock = (mcpw_str){NULL, 0};
    }
}

void mcpw_oauth_fail(mcpw_oauth *oauth, mcpw_status status, const char *format, ...) {
    char message[MCPW_ERROR_MESSAGE_SIZE * 2];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    mcpw_error_set(&oauth->error, status, 0, "%s", message);
    mcpw_oauth_release(oauth);
    oauth->state = MCPW_OAUTH_BROKEN;
    oauth->is_waiting = false;
}

void mcpw_oauth_fail_memory(mcpw_oauth *oauth) {
    mcpw_oauth_fail(oauth, MCPW_E_MEMORY, "the login ran out of memory");
}

void mcpw_oauth_warn(const mcpw_oauth *oauth, const char *words) {
    if (oauth->config.on_warning != NULL) {
        oauth->config.on_warning(oauth->config.user, words);
    }
}

/* ---- States -------------------------------------------------------------------------------------------- */

void mcpw_oauth_go(mcpw_oauth *oauth, mcpw_oauth_state state) {
    oauth->state = state;
    oauth->has_repeated = false;
    oauth->hops = 0;
    oauth->candidate = 0;
    oauth->moved_to = (mcpw_str){NULL, 0};
}

bool mcpw_oauth_keep(mcpw_arena *arena, mcpw_str text, mcpw_str *out) {
    *out = mcpw_arena_str(arena, text.ptr, text.len);
    return out->ptr != NULL || text.ptr == NULL;
}

bool mcpw_oauth_may_ask(mcpw_oauth *oauth, mcpw_str text, const char *document, const char *member) {
    char shown[MCPW_OAUTH_WORDS_SIZE];
    mcpw_oauth_url url;
    const char *refusal = "is no URL of http or https without user information";
    if (mcpw_oauth_url_read(text, &url)) {
        refusal = mcpw_oauth_url_refusal(&url, &oauth->server);
    }
    if (refusal != NULL) {
        mcpw_oauth_fail(oauth, MCPW_E_FORMAT, "%s: %s %s; ask its operator: %s", document, member, refusal,
                        mcpw_oauth_foreign(oauth, shown, text));
    }
    return refusal == NULL;
}

void mcpw_oauth_add_field(mcpw_oauth *oauth, const char *name, mcpw_str value) {
    if (oauth->field_count < MCPW_OAUTH_ORDER_FIELDS) {
        oauth->fields[oauth->field_count++] = (mcpw_http_field){mcpw_str_from(name), value};
    }
}
