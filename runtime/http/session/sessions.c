/* SPDX-License-Identifier: MIT */
/* The lifetime of sessions. Only the session that has rested longest is checked, so their number costs no
 * time. */
#include "http_session.h"

#include <mcpw/detail/session.h>
#include <mcpw/server.h>

#include <mcpw/system.h>

#include "events.h"
#include "http_streams.h"

enum {
    FIRST_BUCKETS = 64,
    WARM = 5000,                           /* ms for which a resting session keeps its memory */
    RANDOM_BYTES = MCPW_SESSION_ID * 3 / 4 /* base64 makes an id of them */
};

static const mcpw_str no_principal = {NULL, 0};

/* ---- Memory ---- */

static void free_session(mcpw_http_session *http_session) {
    const mcpw_allocator allocator = http_session->server->config.allocator;
    mcpw_session_free(http_session->session);
    mcpw_http_session_unmark_ready(http_session);
    mcpw_timers_stop(&http_session->server->timers, &http_session->timer);
    (void)mcpw_resize(&allocator, http_session, sizeof *http_session + http_session->principal_len, 0);
}

bool mcpw_sessions_new(mcpw_http_server *server) {
    const mcpw_http_config *const config = &server->config;
    mcpw_sessions *const sessions = mcpw_resize(&config->allocator, NULL, 0, sizeof *sessions);
    if (sessions == NULL) {
        return false;
    }
    memset(sessions, 0, sizeof *sessions);
    server->sessions = sessions;
    sessions->sharing = &mcpw_not_shared;
    sessions->buckets = mcpw_resize(&config->allocator, NULL, 0, FIRST_BUCKETS * sizeof *sessions->buckets);
    if (sessions->buckets == NULL) {
        return false;
    }
    memset(sessions->buckets, 0, FIRST_BUCKETS * sizeof *sessions->buckets);
    sessions->bucket_count = FIRST_BUCKETS;
    if (config->store != NULL) {
        return MCPW_TAKE(&sessions->store, drop, config->store);
    }
    sessions->events = mcpw_events_new(config, &sessions->store);
    return sessions->events != NULL;
}

void mcpw_sessions_free(mcpw_http_server *server) {
    mcpw_sessions *const sessions = server->sessions;
    const mcpw_allocator allocator = server->config.allocator;
    if (sessions == NULL) {
        return;
    }
    for (size_t i = 0; i < MCPW_RESTS; i++) {
        for (mcpw_http_session *l = sessions->lists[i].first, *next = NULL; l != NULL; l = next) {
            next = l->next;
            free_session(l);
        }
    }
    mcpw_events_free(sessions->events);
    (void)mcpw_resize(&allocator, sessions->buckets, sessions->bucket_count * sizeof *sessions->buckets, 0);
    (void)mcpw_resize(&allocator, sessions, sizeof *sessions, 0);
    server->sessions = NULL;
}

/* ---- Output ---- */

static void pump(mcpw_http_session *http_session) {
    const bool has_said = mcpw_http_stream_pump(http_session);
    if (has_said && http_session->rest == MCPW_ASLEEP) {
        mcpw_session_trim(http_session->session);
    }
    mcpw_sessions_settle(http_session);
}

/* The time for the client's response is over. */
static void expire(void *owner) {
    mcpw_http_session *const http_session = owner;
    mcpw_session_advance(http_session->session, http_session->server->now);
    pump(http_session);
}

/* ---- Opening ---- */

static void on_output(void *user, mcpw_session *session) {
    (void)session;
    mcpw_http_session_mark_ready(user);
}

/* Makes an id of the base64 alphabet, whose characters are all visible. */
static mcpw_status make_id(mcpw_http_session *http_session, mcpw_arena *scratch) {
    unsigned char bytes[RANDOM_BYTES];
    const mcpw_status status = mcpw_random(bytes, sizeof bytes);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_str text = mcpw_base64_encode(scratch, bytes, sizeof bytes);
    if (text.len != sizeof http_session->id) {
        return MCPW_E_MEMORY;
    }
    memcpy(http_session->id, text.ptr, text.len);
    return MCPW_OK;
}

static mcpw_status make_session(mcpw_http_session *http_session, mcpw_str id, mcpw_str principal,
                                mcpw_arena *scratch) {
    const mcpw_http_config *const config = &http_session->server->config;
    mcpw_status status = MCPW_OK;
    if (id.ptr != NULL) {
        memcpy(http_session->id, id.ptr, sizeof http_session->id);
    } else {
        status = make_id(http_session, scratch);
    }
    if (status != MCPW_OK) {
        return status;
    }
    http_session->session = mcpw_session_from(config->endpoint, NULL, NULL);
    status = http_session->session != NULL ? mcpw_session_set_principal(http_session->session, principal)
                                           : MCPW_E_MEMORY;
    if (status == MCPW_OK) {
        mcpw_session_on_output(http_session->session, on_output, http_session);
    }
    if (status == MCPW_OK && config->on_session != NULL) {
        config->on_session(config->user, http_session->session);
    }
    return status;
}

mcpw_status mcpw_sessions_open(mcpw_http_server *server, mcpw_str id, mcpw_str principal, mcpw_arena *scratch,
                               mcpw_http_session **http_session) {
    mcpw_sessions *const sessions = server->sessions;
    if (server->session_count >= server->config.max_sessions) {
        return MCPW_E_FULL;
    }
    if (!mcpw_server_has_timers(server)) {
        return MCPW_E_MEMORY;
    }
    const mcpw_allocator *const allocator = &server->config.allocator;
    mcpw_http_session *const made = mcpw_resize(allocator, NULL, 0, sizeof *made + principal.len);
    if (made == NULL) {
        return MCPW_E_MEMORY;
    }
    memset(made, 0, sizeof *made);
    made->server = server;
    made->timer = (mcpw_timer){0, made, expire};
    made->principal_len = principal.len;
    if (principal.len != 0) {
        memcpy(made + 1, principal.ptr, principal.len);
    }
    made->own.is_numbered = true;
    const mcpw_status status = make_session(made, id, principal.len != 0 ? principal : no_principal, scratch);
    if (status != MCPW_OK) {
        free_session(made);
        return status;
    }
    sessions->sharing->opened(made);
    mcpw_sessions_put(made);
    *http_session = made;
    return MCPW_OK;
}

/* ---- Resting ---- */

static uint64_t warm_time(const mcpw_http_server *server) {
    return server->config.session_timeout_ms < WARM ? server->config.session_timeout_ms : WARM;
}

void mcpw_sessions_settle(mcpw_http_session *http_session) {
    mcpw_http_server *const server = http_session->server;
    if (http_session->rest == MCPW_ENDED) {
        if (http_session->members == NULL && mcpw_session_detached(http_session->session) == 0) {
            mcpw_sessions_unlink(http_session);
            free_session(http_session);
        }
        return;
    }
    const uint64_t deadline = mcpw_session_deadline(http_session->session);
    const bool is_awake = http_session->members != NULL || deadline != UINT64_MAX ||
                          mcpw_session_is_busy(http_session->session);
    if (mcpw_session_is_closed(http_session->session)) {
        mcpw_sessions_end(http_session);
    } else if (is_awake) {
        mcpw_timers_expire_by(&server->timers, &http_session->timer, deadline);
        if (http_session->rest != MCPW_AWAKE) {
            mcpw_sessions_move(http_session, MCPW_AWAKE);
        }
    } else if (http_session->rest == MCPW_AWAKE) {
        http_session->since = server->now;
        mcpw_sessions_move(http_session, MCPW_RESTING);
    }
}

void mcpw_sessions_leave_to_others(mcpw_http_session *http_session) {
    mcpw_sessions *const sessions = http_session->server->sessions;
    mcpw_sessions_take_out(http_session);
    mcpw_sessions_move(http_session, MCPW_ENDED);
    mcpw_timers_stop(&http_session->server->timers, &http_session->timer);
    mcpw_session_close(http_session->session);
    (void)mcpw_http_stream_pump(http_session);
    mcpw_http_stream_end(&http_session->own);
    if (!sessions->sharing->is_shared) {
        sessions->store.drop(sessions->store.self, mcpw_http_session_id(http_session));
    }
    mcpw_sessions_settle(http_session);
}

void mcpw_sessions_end(mcpw_http_session *http_session) {
    mcpw_sharing_of(http_session->server)->ended(http_session);
    mcpw_sessions_leave_to_others(http_session);
}

void mcpw_sessions_end_all(mcpw_http_server *server) {
    if (server->sessions == NULL) {
        return;
    }
    for (size_t i = 0; i < MCPW_ENDED; i++) {
        while (server->sessions->lists[i].first != NULL) {
            mcpw_sessions_leave_to_others(server->sessions->lists[i].first);
        }
    }
}

/* ---- Exchanges ---- */

/* Releases the exchanges whose peers have gone and whose requests have ended. */
static void reap(mcpw_http_session *http_session) {
    for (mcpw_http_exchange *e = http_session->members, *next = NULL; e != NULL; e = next) {
        next = e->sibling;
        if (e->is_gone && !e->kind->is_in_use(e)) {
            mcpw_exchange_release(e);
        }
    }
}

bool mcpw_sessions_join(mcpw_http_session *http_session, mcpw_http_exchange *exchange,
                        mcpw_role_in_session role) {
    const size_t *const count = http_session->role_counts + role;
    if (*count >= http_session->server->config.max_streams) {
        reap(http_session);
    }
    if (*count >= http_session->server->config.max_streams) {
        return false;
    }
    exchange->http_session = http_session;
    exchange->role = role;
    exchange->sibling = http_session->members;
    http_session->members = exchange;
    http_session->role_counts[role]++;
    return true;
}

void mcpw_sessions_leave(mcpw_http_exchange *exchange) {
    mcpw_http_session *const http_session = exchange->http_session;
    mcpw_http_exchange **at = &http_session->members;
    while (*at != exchange) {
        at = &(*at)->sibling;
    }
    *at = exchange->sibling;
    http_session->role_counts[exchange->role]--;
    exchange->role = MCPW_IN_SESSION_DONE;
    exchange->http_session = NULL;
    mcpw_sessions_settle(http_session);
}

/* ---- All sessions ---- */

void mcpw_sessions_pump(mcpw_http_server *server) {
    mcpw_sessions *const sessions = server->sessions;
    while (sessions != NULL && sessions->ready != NULL) {
        mcpw_http_session *const ready = sessions->ready;
        mcpw_http_session_unmark_ready(ready);
        pump(ready);
    }
    for (mcpw_http_session *l = sessions != NULL ? sessions->lists[MCPW_ENDED].first : NULL, *next = NULL;
         l != NULL; l = next) {
        next = l->next;
        mcpw_sessions_settle(l); /* threads may have finished requests */
    }
}

static void send_to_sleep(mcpw_http_session *http_session) {
    mcpw_session_trim(http_session->session);
    mcpw_sessions_move(http_session, MCPW_ASLEEP);
}

/* The time when the first session of a list has rested for `time`. The first one has rested longest. */
static uint64_t over_at(const mcpw_http_server *server, mcpw_rest rest, uint64_t time) {
    const mcpw_http_session *const first = server->sessions->lists[rest].first;
    return first != NULL ? mcpw_time_after(first->since, time) : UINT64_MAX;
}

uint64_t mcpw_sessions_deadline(const mcpw_http_server *server) {
    if (server->sessions == NULL) {
        return UINT64_MAX;
    }
    const uint64_t cold = over_at(server, MCPW_RESTING, warm_time(server));
    const uint64_t gone = over_at(server, MCPW_ASLEEP, server->config.session_timeout_ms);
    return cold < gone ? cold : gone;
}

void mcpw_sessions_advance(mcpw_http_server *server) {
    const mcpw_sessions *const sessions = server->sessions;
    if (sessions == NULL) {
        return;
    }
    mcpw_sessions_pump(server);
    while (over_at(server, MCPW_RESTING, warm_time(server)) <= server->now &&
           sessions->lists[MCPW_RESTING].first != NULL) {
        send_to_sleep(sessions->lists[MCPW_RESTING].first);
    }
    while (over_at(server, MCPW_ASLEEP, server->config.session_timeout_ms) <= server->now &&
           sessions->lists[MCPW_ASLEEP].first != NULL) {
        mcpw_sessions_leave_to_others(sessions->lists[MCPW_ASLEEP].first);
    }
}
