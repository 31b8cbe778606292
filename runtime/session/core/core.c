/* SPDX-License-Identifier: MIT */
/* Parts that every file of a session uses: its memory, its diagnostics, and hashes. */
#include "core.h"

#include <mcpw/detail/session.h>
#include <mcpw/extension_kit.h>

void *mcpw_session_alloc(mcpw_session *session, size_t size) {
    void *const at = mcpw_resize(&session->config->allocator, NULL, 0, size);
    if (at != NULL) {
        memset(at, 0, size);
    }
    return at;
}

void mcpw_session_release(mcpw_session *session, void *ptr, size_t size) {
    if (ptr != NULL) {
        (void)mcpw_resize(&session->config->allocator, ptr, size, 0);
    }
}

void *mcpw_session_room(mcpw_session *session, size_t size) {
    mcpw_kept *const kept = mcpw_session_alloc(session, sizeof *kept + size);
    if (kept == NULL) {
        return NULL;
    }
    kept->next = session->kept;
    kept->size = sizeof *kept + size;
    session->kept = kept;
    return kept + 1;
}

mcpw_json mcpw_session_keep(mcpw_session *session, mcpw_json value) {
    char *const copy = value.ptr != NULL ? mcpw_session_room(session, value.len + 1) : NULL;
    if (copy == NULL) {
        return no_json;
    }
    memcpy(copy, value.ptr, value.len);
    return (mcpw_json){copy, value.len, 0};
}

void mcpw_session_forget(mcpw_session *session, const mcpw_kept *before) {
    while (session->kept != before) {
        mcpw_kept *const kept = session->kept;
        session->kept = kept->next;
        mcpw_session_release(session, kept, kept->size);
    }
}

void mcpw_session_diagnose(mcpw_session *session, mcpw_diagnostic_kind kind, const mcpw_id *id,
                           mcpw_str method, const mcpw_error *error) {
    const mcpw_diagnostic diagnostic = {.kind = kind, .id = id, .method = method, .error = error};
    mcpw_session_emit_diagnostic(session, &diagnostic);
}

void mcpw_session_emit_diagnostic(mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    const mcpw_session_config *const config = session->config;
    if (config->on_diagnostic != NULL) {
        config->on_diagnostic(config->diagnostic_user != NULL ? config->diagnostic_user : session->user,
                              session, diagnostic);
    }
}

bool mcpw_id_equal(const mcpw_id *a, const mcpw_id *b) {
    if (a->kind != b->kind) {
        return false;
    }
    return a->kind == MCPW_ID_STRING ? mcpw_str_equal(a->as.string, b->as.string)
                                     : a->as.integer == b->as.integer;
}

uint64_t mcpw_session_hash(const mcpw_session *session, mcpw_str text) {
    uint64_t hash = mcpw_hash_begin(session, MCPW_ID_STRING);
    for (size_t i = 0; i < text.len; i++) {
        hash = (hash ^ hash >> 32 ^ (unsigned char)text.ptr[i]) * mcpw_odd;
    }
    return mcpw_hash_end(hash);
}

/* ---- What is known of it ---- */

void mcpw_session_set_client(mcpw_session *session, void *client) { session->client = client; }

void *mcpw_session_client(const mcpw_session *session) { return session->client; }

bool mcpw_session_is_closed(const mcpw_session *session) { return session->closed; }

const mcpw_revision *mcpw_session_revision(const mcpw_session *session) {
    return session->era != MCPW_ERA_UNKNOWN ? session->profile->revision : NULL;
}

mcpw_json mcpw_session_peer_info(const mcpw_session *session) { return session->peer.info; }

mcpw_json mcpw_session_peer_capabilities(const mcpw_session *session) { return session->peer.capabilities; }

mcpw_str mcpw_session_instructions(const mcpw_session *session) { return session->peer.instructions; }

void *mcpw_session_user(const mcpw_session *session) { return session->user; }

bool mcpw_session_is_open(const mcpw_session *session) { return session->open && !session->closed; }

const mcpw_allocator *mcpw_session_allocator(const mcpw_session *session) {
    return &session->config->allocator;
}

uint64_t mcpw_session_now(const mcpw_session *session) { return session->now; }
