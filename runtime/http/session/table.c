/* SPDX-License-Identifier: MIT */
/* The lists of sessions: by id, by state, and the ready list. */
#include "http_session.h"

/* ---- Lists ---- */

void mcpw_sessions_unlink(mcpw_http_session *http_session) {
    mcpw_session_list *const list = http_session->server->sessions->lists + http_session->rest;
    *(http_session->previous != NULL ? &http_session->previous->next : &list->first) = http_session->next;
    *(http_session->next != NULL ? &http_session->next->previous : &list->last) = http_session->previous;
}

static void link_session(mcpw_http_session *http_session, mcpw_rest rest) {
    mcpw_session_list *const list = http_session->server->sessions->lists + rest;
    http_session->rest = rest;
    http_session->next = NULL;
    http_session->previous = list->last;
    *(list->last != NULL ? &list->last->next : &list->first) = http_session;
    list->last = http_session;
}

void mcpw_sessions_move(mcpw_http_session *http_session, mcpw_rest rest) {
    mcpw_sessions_unlink(http_session);
    link_session(http_session, rest);
}

/* ---- The ready list ---- */

void mcpw_http_session_mark_ready(mcpw_http_session *http_session) {
    mcpw_sessions *const sessions = http_session->server->sessions;
    if (http_session->is_ready) {
        return;
    }
    http_session->is_ready = true;
    http_session->previous_ready = NULL;
    http_session->next_ready = sessions->ready;
    if (sessions->ready != NULL) {
        sessions->ready->previous_ready = http_session;
    }
    sessions->ready = http_session;
}

void mcpw_http_session_unmark_ready(mcpw_http_session *http_session) {
    if (!http_session->is_ready) {
        return;
    }
    http_session->is_ready = false;
    if (http_session->next_ready != NULL) {
        http_session->next_ready->previous_ready = http_session->previous_ready;
    }
    *(http_session->previous_ready != NULL ? &http_session->previous_ready->next_ready
                                           : &http_session->server->sessions->ready) =
        http_session->next_ready;
}

/* ---- The table of ids ---- */

/* The server's ids are random, so any of their bytes suffice as a hash. An id that a client invents may be
 * shorter. */
static mcpw_http_session **bucket_of(const mcpw_sessions *sessions, mcpw_str id) {
    size_t hash = 0;
    memcpy(&hash, id.ptr, sizeof hash < id.len ? sizeof hash : id.len);
    hash ^= hash >> 7; /* characters of base64 have few bits each */
    hash ^= hash >> 17;
    return sessions->buckets + (hash & (sessions->bucket_count - 1));
}

static void put_in_table(mcpw_sessions *sessions, mcpw_http_session *http_session) {
    mcpw_http_session **const bucket = bucket_of(sessions, mcpw_http_session_id(http_session));
    http_session->same = *bucket;
    *bucket = http_session;
}

void mcpw_sessions_take_out(mcpw_http_session *http_session) {
    mcpw_sessions *const sessions = http_session->server->sessions;
    mcpw_http_session **at = bucket_of(sessions, mcpw_http_session_id(http_session));
    while (*at != http_session) {
        at = &(*at)->same;
    }
    *at = http_session->same;
    http_session->server->session_count--;
}

/* Keeps the number of sessions close to the number of buckets. Without memory the lookup gets slower. */
static void grow_table(mcpw_http_server *server) {
    mcpw_sessions *const sessions = server->sessions;
    const size_t old_count = sessions->bucket_count;
    mcpw_http_session **const old = sessions->buckets;
    if (server->session_count < old_count) {
        return;
    }
    mcpw_http_session **const buckets =
        mcpw_resize(&server->config.allocator, NULL, 0, 2 * old_count * sizeof *buckets);
    if (buckets == NULL) {
        return;
    }
    memset(buckets, 0, 2 * old_count * sizeof *buckets);
    sessions->buckets = buckets;
    sessions->bucket_count = 2 * old_count;
    for (size_t i = 0; i < old_count; i++) {
        for (mcpw_http_session *l = old[i], *next = NULL; l != NULL; l = next) {
            next = l->same;
            put_in_table(sessions, l);
        }
    }
    (void)mcpw_resize(&server->config.allocator, old, old_count * sizeof *old, 0);
}

void mcpw_sessions_put(mcpw_http_session *http_session) {
    mcpw_http_server *const server = http_session->server;
    grow_table(server);
    put_in_table(server->sessions, http_session);
    server->session_count++;
    link_session(http_session, MCPW_AWAKE);
}

static mcpw_str principal_of(const mcpw_http_session *http_session) {
    return (mcpw_str){(const char *)(http_session + 1), http_session->principal_len};
}

static bool is_of(const mcpw_http_session *http_session, mcpw_str principal) {
    return http_session->principal_len == principal.len &&
           (principal.len == 0 || mcpw_str_equal(principal_of(http_session), principal));
}

mcpw_http_session *mcpw_sessions_find_any(const mcpw_http_server *server, mcpw_str id) {
    if (server->sessions == NULL || id.len != MCPW_SESSION_ID) {
        return NULL;
    }
    mcpw_http_session *found = *bucket_of(server->sessions, id);
    while (found != NULL && !mcpw_str_equal(mcpw_http_session_id(found), id)) {
        found = found->same;
    }
    return found;
}

mcpw_http_session *mcpw_sessions_find(const mcpw_http_server *server, mcpw_str id, mcpw_str principal) {
    mcpw_http_session *const found = mcpw_sessions_find_any(server, id);
    return found != NULL && is_of(found, principal) ? found : NULL;
}

/* ---- Exchanges ---- */

void mcpw_sessions_done(mcpw_http_exchange *exchange) {
    exchange->http_session->role_counts[exchange->role]--;
    exchange->role = MCPW_IN_SESSION_DONE;
    exchange->http_session->role_counts[MCPW_IN_SESSION_DONE]++;
}
