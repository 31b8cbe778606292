/* SPDX-License-Identifier: MIT */
/* Sessions come, rest and go. Of those that rest only the one that does so for longest is looked at, so their
 * number costs no time. */
#include "sessions.h"

#include <mcpw/server.h>

#include "random.h"

#include "cluster.h"
#include "events.h"
#include "flows.h"

enum {
    FIRST_BUCKETS = 64,
    WARM = 5000,                           /* ms for which a session that rests keeps its memory */
    RANDOM_BYTES = MCPW_SESSION_ID * 3 / 4 /* that base64 makes an id of */
};

static const mcpw_str no_principal = {NULL, 0};

/* ---- Lists ---- */

static void unlink_session(mcpw_legacy *legacy) {
    mcpw_session_list *const list = legacy->server->sessions->lists + legacy->rest;
    *(legacy->previous != NULL ? &legacy->previous->next : &list->first) = legacy->next;
    *(legacy->next != NULL ? &legacy->next->previous : &list->last) = legacy->previous;
}

static void link_session(mcpw_legacy *legacy, mcpw_rest rest) {
    mcpw_session_list *const list = legacy->server->sessions->lists + rest;
    legacy->rest = rest;
    legacy->next = NULL;
    legacy->previous = list->last;
    *(list->last != NULL ? &list->last->next : &list->first) = legacy;
    list->last = legacy;
}

static void move(mcpw_legacy *legacy, mcpw_rest rest) {
    unlink_session(legacy);
    link_session(legacy, rest);
}

/* ---- Who has something to say ---- */

void mcpw_sessions_hear(mcpw_legacy *legacy) {
    mcpw_sessions *const sessions = legacy->server->sessions;
    if (legacy->speaks) {
        return;
    }
    legacy->speaks = true;
    legacy->previous_speaker = NULL;
    legacy->next_speaker = sessions->speaker;
    if (sessions->speaker != NULL) {
        sessions->speaker->previous_speaker = legacy;
    }
    sessions->speaker = legacy;
}

static void on_output(void *user, mcpw_session *session) {
    (void)session;
    mcpw_sessions_hear(user);
}

static void unlink_speaker(mcpw_legacy *legacy) {
    if (!legacy->speaks) {
        return;
    }
    legacy->speaks = false;
    if (legacy->next_speaker != NULL) {
        legacy->next_speaker->previous_speaker = legacy->previous_speaker;
    }
    *(legacy->previous_speaker != NULL ? &legacy->previous_speaker->next_speaker
                                       : &legacy->server->sessions->speaker) = legacy->next_speaker;
}

/* ---- The table of ids ---- */

/* Ids are random: any bytes of them spread. What a client makes up may be shorter. */
static mcpw_legacy **bucket_of(const mcpw_sessions *sessions, mcpw_str id) {
    size_t hash = 0;
    memcpy(&hash, id.ptr, sizeof hash < id.len ? sizeof hash : id.len);
    hash ^= hash >> 7; /* characters of base64 have few bits each */
    hash ^= hash >> 17;
    return sessions->buckets + (hash & (sessions->bucket_count - 1));
}

static void put_in_table(mcpw_sessions *sessions, mcpw_legacy *legacy) {
    mcpw_legacy **const bucket = bucket_of(sessions, mcpw_legacy_id(legacy));
    legacy->same = *bucket;
    *bucket = legacy;
}

static void take_out_of_table(mcpw_sessions *sessions, mcpw_legacy *legacy) {
    mcpw_legacy **at = bucket_of(sessions, mcpw_legacy_id(legacy));
    while (*at != legacy) {
        at = &(*at)->same;
    }
    *at = legacy->same;
    sessions->count--;
}

/* Sees to it that there are not many more sessions than buckets. Without memory they get slower. */
static void grow_table(mcpw_http_server *server) {
    mcpw_sessions *const sessions = server->sessions;
    const size_t old_count = sessions->bucket_count;
    mcpw_legacy **const old = sessions->buckets;
    if (sessions->count < old_count) {
        return;
    }
    mcpw_legacy **const buckets =
        mcpw_resize(&server->config.allocator, NULL, 0, 2 * old_count * sizeof *buckets);
    if (buckets == NULL) {
        return; /* uncovered: no memory, at one more place */
    }
    memset(buckets, 0, 2 * old_count * sizeof *buckets);
    sessions->buckets = buckets;
    sessions->bucket_count = 2 * old_count;
    for (size_t i = 0; i < old_count; i++) {
        for (mcpw_legacy *l = old[i], *next = NULL; l != NULL; l = next) {
            next = l->same;
            put_in_table(sessions, l);
        }
    }
    (void)mcpw_resize(&server->config.allocator, old, old_count * sizeof *old, 0);
}

static mcpw_str principal_of(const mcpw_legacy *legacy) {
    return (mcpw_str){(const char *)(legacy + 1), legacy->principal_len};
}

static bool is_of(const mcpw_legacy *legacy, mcpw_str principal) {
    return legacy->principal_len == principal.len &&
           (principal.len == 0 || mcpw_str_equal(principal_of(legacy), principal));
}

mcpw_legacy *mcpw_sessions_find_any(const mcpw_http_server *server, mcpw_str id) {
    if (server->sessions == NULL || id.len != MCPW_SESSION_ID) {
        return NULL;
    }
    mcpw_legacy *found = *bucket_of(server->sessions, id);
    while (found != NULL && !mcpw_str_equal(mcpw_legacy_id(found), id)) {
        found = found->same;
    }
    return found;
}

mcpw_legacy *mcpw_sessions_find(const mcpw_http_server *server, mcpw_str id, mcpw_str principal) {
    mcpw_legacy *const found = mcpw_sessions_find_any(server, id);
    return found != NULL && is_of(found, principal) ? found : NULL;
}

/* ---- Memory ---- */

static void free_session(mcpw_legacy *legacy) {
    const mcpw_allocator allocator = legacy->server->config.allocator;
    mcpw_session_free(legacy->session);
    unlink_speaker(legacy);
    mcpw_timers_stop(&legacy->server->timers, &legacy->timer);
    (void)mcpw_resize(&allocator, legacy, sizeof *legacy + legacy->principal_len, 0);
}

bool mcpw_sessions_new(mcpw_http_server *server) {
    const mcpw_http_config *const config = &server->config;
    mcpw_sessions *const sessions = mcpw_resize(&config->allocator, NULL, 0, sizeof *sessions);
    if (sessions == NULL) {
        return false;
    }
    memset(sessions, 0, sizeof *sessions);
    server->sessions = sessions;
    sessions->buckets = mcpw_resize(&config->allocator, NULL, 0, FIRST_BUCKETS * sizeof *sessions->buckets);
    if (sessions->buckets == NULL) {
        return false;
    }
    memset(sessions->buckets, 0, FIRST_BUCKETS * sizeof *sessions->buckets);
    sessions->bucket_count = FIRST_BUCKETS;
    if (config->store != NULL) {
        sessions->store = *config->store;
        return true;
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
        for (mcpw_legacy *l = sessions->lists[i].first, *next = NULL; l != NULL; l = next) {
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

static void pump(mcpw_legacy *legacy) {
    const bool has_said = mcpw_flows_pump(legacy);
    if (has_said && legacy->rest == MCPW_ASLEEP) {
        mcpw_session_trim(legacy->session);
    }
    mcpw_sessions_settle(legacy);
}

/* The client has not answered in time. */
static void expire(void *owner) {
    mcpw_legacy *const legacy = owner;
    mcpw_session_advance(legacy->session, legacy->server->now);
    pump(legacy);
}

/* ---- Opening ---- */

/* Makes an id of the alphabet of base64, all of which is visible. */
static mcpw_status make_id(mcpw_legacy *legacy, mcpw_arena *scratch) {
    unsigned char bytes[RANDOM_BYTES];
    const mcpw_status status = mcpw_random(bytes, sizeof bytes);
    if (status != MCPW_OK) {
        return status; /* uncovered: the system gives no random bytes */
    }
    const mcpw_str text = mcpw_base64_encode(scratch, bytes, sizeof bytes);
    if (text.len != sizeof legacy->id) {
        return MCPW_E_MEMORY;
    }
    memcpy(legacy->id, text.ptr, text.len);
    return MCPW_OK;
}

static mcpw_status make_session(mcpw_legacy *legacy, mcpw_str id, mcpw_str principal, mcpw_arena *scratch) {
    const mcpw_http_config *const config = &legacy->server->config;
    mcpw_status status = MCPW_OK;
    if (id.ptr != NULL) {
        memcpy(legacy->id, id.ptr, sizeof legacy->id);
    } else {
        status = make_id(legacy, scratch);
    }
    if (status != MCPW_OK) {
        return status;
    }
    legacy->session = mcpw_session_from(config->endpoint, NULL, NULL);
    status = legacy->session != NULL ? mcpw_session_set_principal(legacy->session, principal) : MCPW_E_MEMORY;
    if (status == MCPW_OK) {
        mcpw_session_on_output(legacy->session, on_output, legacy);
    }
    if (status == MCPW_OK && config->on_session != NULL) {
        config->on_session(config->user, legacy->session);
    }
    return status;
}

mcpw_status mcpw_sessions_open(mcpw_http_server *server, mcpw_str id, mcpw_str principal, mcpw_arena *scratch,
                               mcpw_legacy **legacy) {
    mcpw_sessions *const sessions = server->sessions;
    if (sessions->count >= server->config.max_sessions) {
        return MCPW_E_FULL;
    }
    if (!mcpw_server_has_timers(server)) {
        return MCPW_E_MEMORY;
    }
    const mcpw_allocator *const allocator = &server->config.allocator;
    mcpw_legacy *const made = mcpw_resize(allocator, NULL, 0, sizeof *made + principal.len);
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
    mcpw_cluster_number(made);
    grow_table(server);
    put_in_table(sessions, made);
    sessions->count++;
    link_session(made, MCPW_AWAKE);
    *legacy = made;
    return MCPW_OK;
}

/* ---- Resting ---- */

static uint64_t warm_time(const mcpw_http_server *server) {
    return server->config.session_timeout < WARM ? server->config.session_timeout : WARM;
}

void mcpw_sessions_settle(mcpw_legacy *legacy) {
    mcpw_http_server *const server = legacy->server;
    if (legacy->rest == MCPW_ENDED) {
        if (legacy->members == NULL && mcpw_session_detached(legacy->session) == 0) {
            unlink_session(legacy);
            free_session(legacy);
        }
        return;
    }
    const uint64_t deadline = mcpw_session_deadline(legacy->session);
    const bool is_awake =
        legacy->members != NULL || deadline != UINT64_MAX || mcpw_session_is_busy(legacy->session);
    if (mcpw_session_is_closed(legacy->session)) {
        mcpw_sessions_end(legacy);
    } else if (is_awake) {
        mcpw_timers_expire_by(&server->timers, &legacy->timer, deadline);
        if (legacy->rest != MCPW_AWAKE) {
            move(legacy, MCPW_AWAKE);
        }
    } else if (legacy->rest == MCPW_AWAKE) {
        legacy->since = server->now;
        move(legacy, MCPW_RESTING);
    }
}

void mcpw_sessions_leave_to_others(mcpw_legacy *legacy) {
    mcpw_sessions *const sessions = legacy->server->sessions;
    take_out_of_table(sessions, legacy);
    move(legacy, MCPW_ENDED);
    mcpw_timers_stop(&legacy->server->timers, &legacy->timer);
    mcpw_session_close(legacy->session);
    (void)mcpw_flows_pump(legacy);
    mcpw_flow_end(&legacy->own);
    if (!mcpw_has_cluster(legacy->server)) {
        sessions->store.drop(sessions->store.self, mcpw_legacy_id(legacy));
    }
    mcpw_sessions_settle(legacy);
}

void mcpw_sessions_end(mcpw_legacy *legacy) {
    mcpw_cluster_end(legacy);
    mcpw_sessions_leave_to_others(legacy);
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

/* Lets go of exchanges whose peers have gone and whose requests have ended. */
static void reap(mcpw_legacy *legacy) {
    for (mcpw_http_exchange *e = legacy->members, *next = NULL; e != NULL; e = next) {
        next = e->sibling;
        if (e->is_gone && !mcpw_exchange_is_in_use(e)) {
            mcpw_exchange_release(e);
        }
    }
}

bool mcpw_sessions_join(mcpw_legacy *legacy, mcpw_http_exchange *exchange, mcpw_role_in_session role) {
    const size_t *const count = legacy->role_counts + role;
    if (*count >= legacy->server->config.max_streams) {
        reap(legacy);
    }
    if (*count >= legacy->server->config.max_streams) {
        return false;
    }
    exchange->legacy = legacy;
    exchange->role = role;
    exchange->sibling = legacy->members;
    legacy->members = exchange;
    legacy->role_counts[role]++;
    return true;
}

void mcpw_sessions_done(mcpw_http_exchange *exchange) {
    exchange->legacy->role_counts[exchange->role]--;
    exchange->role = MCPW_IN_SESSION_DONE;
    exchange->legacy->role_counts[MCPW_IN_SESSION_DONE]++;
}

void mcpw_sessions_leave(mcpw_http_exchange *exchange) {
    mcpw_legacy *const legacy = exchange->legacy;
    mcpw_http_exchange **at = &legacy->members;
    while (*at != exchange) {
        at = &(*at)->sibling;
    }
    *at = exchange->sibling;
    legacy->role_counts[exchange->role]--;
    exchange->role = MCPW_IN_SESSION_DONE;
    exchange->legacy = NULL;
    mcpw_sessions_settle(legacy);
}

/* ---- All of them ---- */

void mcpw_sessions_pump(mcpw_http_server *server) {
    mcpw_sessions *const sessions = server->sessions;
    while (sessions != NULL && sessions->speaker != NULL) {
        mcpw_legacy *const speaker = sessions->speaker;
        unlink_speaker(speaker);
        pump(speaker);
    }
    for (mcpw_legacy *l = sessions != NULL ? sessions->lists[MCPW_ENDED].first : NULL, *next = NULL;
         l != NULL; l = next) {
        next = l->next;
        mcpw_sessions_settle(l); /* threads may have given back what they had */
    }
}

static void send_to_sleep(mcpw_legacy *legacy) {
    mcpw_session_trim(legacy->session);
    move(legacy, MCPW_ASLEEP);
}

/* When those of a list have rested for so long, of which the first does so for longest. */
static uint64_t over_at(const mcpw_http_server *server, mcpw_rest rest, uint64_t time) {
    const mcpw_legacy *const first = server->sessions->lists[rest].first;
    return first != NULL ? mcpw_time_after(first->since, time) : UINT64_MAX;
}

uint64_t mcpw_sessions_deadline(const mcpw_http_server *server) {
    if (server->sessions == NULL) {
        return UINT64_MAX;
    }
    const uint64_t cold = over_at(server, MCPW_RESTING, warm_time(server));
    const uint64_t gone = over_at(server, MCPW_ASLEEP, server->config.session_timeout);
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
    while (over_at(server, MCPW_ASLEEP, server->config.session_timeout) <= server->now &&
           sessions->lists[MCPW_ASLEEP].first != NULL) {
        mcpw_sessions_leave_to_others(sessions->lists[MCPW_ASLEEP].first);
    }
}
