/* SPDX-License-Identifier: MIT */
/* An entry of the log is the number of its process, a keyword and the subject:
 *
 *     3 changed tools                 the server's tools; likewise prompts, resources
 *     3 changed resource file:///x    the content of a resource; without a URI, of every resource
 *     3 to SESSION {...}              for its client, on the session's own stream
 *     3 from SESSION {...}            from its client: a response, a cancellation, another notification
 *     3 initialized SESSION           its client has sent notifications/initialized
 *     3 level SESSION warning         its client has chosen a level of log messages
 *     3 watch SESSION file:///x       its client has subscribed to a resource; likewise unwatch
 *     3 reads SESSION                 its client reads the session's own stream in that process
 *     3 ended SESSION
 *
 * The entries of a session are the events of its own stream, and the numbers of the entries are the event
 * ids. So any process can repeat the events. */
#include "cluster.h"

#include "../session/http_streams.h"
#include "record.h"

#include <stdio.h>

enum {
    TOUCHES = 8,      /* how often a process touches a session in the cluster within the session's lifetime */
    STREAM_BITS = 32, /* of a stream's number, below the bits of its process */
    INPUT_REQUEST_BITS = 32, /* of an input request's id */
    PROCESS_MASK = 0xFFFFF,  /* the ids of input requests stay below 2^53 */
    COPY_MASK = 0xFFFFF,     /* of a copy's number, in the ids of its input requests */
    COPY_BITS = 12           /* bits of an input request in its id, below those of its copy */
};

static const mcpw_str none = {NULL, 0};
static const mcpw_str changed_word = MCPW_STR("changed");
static const mcpw_str to_word = MCPW_STR("to");
static const mcpw_str from_word = MCPW_STR("from");
static const mcpw_str initialized_word = MCPW_STR("initialized");
static const mcpw_str level_word = MCPW_STR("level");
static const mcpw_str watch_word = MCPW_STR("watch");
static const mcpw_str unwatch_word = MCPW_STR("unwatch");
static const mcpw_str reads_word = MCPW_STR("reads");
static const mcpw_str ended_word = MCPW_STR("ended");

static const mcpw_str change_names[] = {[MCPW_CHANGE_TOOLS] = MCPW_STR("tools"),
                                        [MCPW_CHANGE_PROMPTS] = MCPW_STR("prompts"),
                                        [MCPW_CHANGE_RESOURCES] = MCPW_STR("resources"),
                                        [MCPW_CHANGE_RESOURCE] = MCPW_STR("resource")};

static uint64_t lifetime(const mcpw_http_server *server) { return server->config.session_timeout_ms; }

/* ---- Entries ---- */

typedef struct entry {
    uint64_t process;
    mcpw_str word;
    mcpw_str what;
    mcpw_str text;
} entry;

static mcpw_str next_word(mcpw_str *text) {
    const char *const blank = text->len != 0 ? memchr(text->ptr, ' ', text->len) : NULL;
    mcpw_str word = *text;
    *text = none;
    if (blank != NULL) {
        const size_t left = word.len - (size_t)(blank - word.ptr) - 1;
        *text = left != 0 ? (mcpw_str){blank + 1, left} : none;
        word.len = (size_t)(blank - word.ptr);
    }
    return word;
}

static entry read_entry(mcpw_str text) {
    entry e = {0, none, none, none};
    int64_t process = 0;
    const mcpw_str number = next_word(&text);
    if (mcpw_json_int((mcpw_json){number.ptr, number.len, 0}, &process) == MCPW_OK && process > 0) {
        e.process = (uint64_t)process;
        e.word = next_word(&text);
        e.what = next_word(&text);
        e.text = text;
    }
    return e;
}

static bool is_word(const entry *e, mcpw_str word) { return mcpw_str_equal(e->word, word); }

static mcpw_status append_entry(const mcpw_http_server *server, mcpw_str word, mcpw_str what, mcpw_str text) {
    char number[24];
    mcpw_buffer entry = MCPW_BUFFER_INIT;
    entry.allocator = server->config.allocator;
    const int len = snprintf(number, sizeof number, "%u ", (unsigned)server->cluster->functions.number);
    const mcpw_str parts[] = {{number, (size_t)len}, word, MCPW_STR_VALUE(" "), what,
                              MCPW_STR_VALUE(" "),   text};
    const size_t count = sizeof parts / sizeof *parts - (text.len == 0 ? 2 : 0);
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; i < count && status == MCPW_OK; i++) {
        status = mcpw_buffer_append(&entry, parts[i].ptr, parts[i].len);
    }
    if (status == MCPW_OK) {
        status = server->cluster->functions.say(server->cluster->functions.self,
                                                (mcpw_str){entry.data, entry.len});
    }
    mcpw_buffer_free(&entry);
    return status;
}

/* ---- Numbers ---- */

/* Gives the streams and input requests of a copy numbers that no other process uses. */
static void opened(mcpw_http_session *http_session) {
    mcpw_cluster *const cluster = http_session->server->cluster;
    const uint64_t process = cluster->functions.number & PROCESS_MASK;
    const uint64_t copy = cluster->copies++ & COPY_MASK;
    http_session->own.said = http_session->own.read = cluster->last_entry;
    http_session->touched = http_session->server->now;
    mcpw_session_set_next_id(http_session->session,
                             (int64_t)(process << INPUT_REQUEST_BITS | copy << COPY_BITS | 1));
}

static uint64_t next_stream(mcpw_http_session *http_session) {
    mcpw_cluster *const cluster = http_session->server->cluster;
    http_session->last_stream = (uint64_t)cluster->functions.number << STREAM_BITS | ++cluster->streams;
    return http_session->last_stream;
}

static bool is_foreign(const mcpw_http_server *server, uint64_t stream) {
    return stream != 0 && stream >> STREAM_BITS != server->cluster->functions.number;
}

/* ---- Copies ---- */

static bool is_cancellation(mcpw_str message, mcpw_arena *scratch) {
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    mcpw_str method = {NULL, 0};
    const mcpw_status status =
        mcpw_json_get_string((mcpw_json){message.ptr, message.len, 0}, "method", scratch, &method);
    const bool is_one = status == MCPW_OK && mcpw_str_is(method, "notifications/cancelled");
    mcpw_arena_rewind(scratch, mark);
    return is_one;
}

/* Gives a copy a message that the client has sent to another copy. */
static void feed_copy(mcpw_http_session *http_session, mcpw_str message) {
    if (message.ptr != NULL) {
        http_session->cancels = is_cancellation(message, &http_session->server->scratch);
        (void)!mcpw_session_receive(http_session->session, message.ptr, message.len, http_session);
    }
    (void)mcpw_http_stream_pump(http_session);
    http_session->cancels = false;
}

static mcpw_status adopt(mcpw_http_server *server, mcpw_str id, mcpw_str principal,
                         mcpw_http_session **http_session) {
    *http_session = NULL;
    if (id.len != MCPW_SESSION_ID || mcpw_sessions_find_any(server, id) != NULL) {
        return MCPW_E_NOT_FOUND;
    }
    return mcpw_record_restore(server, id, principal, http_session);
}

static mcpw_status touch(mcpw_http_session *http_session) {
    const mcpw_http_server *const server = http_session->server;
    if (server->now < mcpw_time_after(http_session->touched, lifetime(server) / TOUCHES)) {
        return MCPW_OK;
    }
    http_session->touched = server->now;
    return server->cluster->functions.touch(server->cluster->functions.self,
                                            mcpw_http_session_id(http_session), lifetime(server));
}

static void ended(mcpw_http_session *http_session) {
    const mcpw_http_server *const server = http_session->server;
    server->cluster->functions.end(server->cluster->functions.self, mcpw_http_session_id(http_session));
    server->sessions->store.drop(server->sessions->store.self, mcpw_http_session_id(http_session));
    (void)!append_entry(server, ended_word, mcpw_http_session_id(http_session),
                        none); /* if this fails, other processes find out later */
}

/* ---- Messages from clients ---- */

static mcpw_json body_of(const mcpw_http_exchange *exchange) {
    return (mcpw_json){exchange->body.data, exchange->body.len, 0};
}

static mcpw_str method_of(const mcpw_http_exchange *exchange, mcpw_arena *memory) {
    mcpw_str method = none;
    return exchange->body.len != 0 &&
                   mcpw_json_get_string(body_of(exchange), "method", memory, &method) == MCPW_OK
               ? method
               : none;
}

/* True if a message answers an input request of this process. */
static bool answers_us(const mcpw_http_exchange *exchange) {
    int64_t id = 0;
    return mcpw_json_get_int(body_of(exchange), "id", &id) == MCPW_OK &&
           (uint64_t)id >> INPUT_REQUEST_BITS == (exchange->server->cluster->functions.number & PROCESS_MASK);
}

/* Passes a response or a notification on to the other processes, if it may be for them. */
static mcpw_status pass_on(const mcpw_http_exchange *exchange) {
    const bool may_concern_others = !exchange->is_request && exchange->body.len != 0 &&
                                    mcpw_json_kind_of(body_of(exchange)) == MCPW_JSON_OBJECT &&
                                    !answers_us(exchange);
    return may_concern_others
               ? append_entry(exchange->server, from_word, mcpw_http_session_id(exchange->http_session),
                              (mcpw_str){exchange->body.data, exchange->body.len})
               : MCPW_OK;
}

/* Records that the client is ready. The message itself is not recorded. */
static mcpw_status record_initialized(const mcpw_http_session *http_session) {
    if (mcpw_session_revision(http_session->session) == NULL) {
        return MCPW_OK; /* it has come too early, and is ignored */
    }
    const mcpw_status status = mcpw_record_initialized(http_session);
    return status == MCPW_OK ? append_entry(http_session->server, initialized_word,
                                            mcpw_http_session_id(http_session), none)
                             : status;
}

static mcpw_status look_at(mcpw_http_exchange *exchange) {
    mcpw_arena memory = MCPW_ARENA_INIT;
    mcpw_status status = MCPW_OK;
    memory.allocator = exchange->server->config.allocator;
    const mcpw_str method = method_of(exchange, &memory);
    if (exchange->opens) {
        exchange->kept = MCPW_KEPT_SESSION;
    } else if (mcpw_str_is(method, "logging/setLevel")) {
        exchange->kept = MCPW_KEPT_LEVEL;
    } else if (mcpw_str_is(method, "resources/subscribe") || mcpw_str_is(method, "resources/unsubscribe")) {
        exchange->kept = MCPW_KEPT_SUBSCRIPTION;
    } else if (!exchange->is_request && mcpw_str_is(method, "notifications/initialized")) {
        status = record_initialized(exchange->http_session);
    } else {
        status = pass_on(exchange);
    }
    mcpw_arena_free(&memory);
    return status;
}

static mcpw_status keep_level(const mcpw_http_session *http_session) {
    const mcpw_str level = mcpw_session_level(http_session->session);
    if (level.ptr == NULL) {
        return MCPW_OK; /* the program has its own slot for it */
    }
    const mcpw_status status = mcpw_record_level(http_session);
    return status == MCPW_OK
               ? append_entry(http_session->server, level_word, mcpw_http_session_id(http_session), level)
               : status;
}

static mcpw_status keep_subscription(const mcpw_http_exchange *exchange, mcpw_arena *memory) {
    const mcpw_http_session *const http_session = exchange->http_session;
    mcpw_json params;
    mcpw_str uri;
    mcpw_status status = mcpw_json_get(body_of(exchange), "params", &params);
    status = status == MCPW_OK ? mcpw_json_get_string(params, "uri", memory, &uri) : status;
    if (status != MCPW_OK) {
        return status;
    }
    const bool is_subscribed = mcpw_session_is_subscribed(http_session->session, uri);
    status = mcpw_record_subscription(http_session, uri);
    if (status == MCPW_OK) {
        status = append_entry(http_session->server, is_subscribed ? watch_word : unwatch_word,
                              mcpw_http_session_id(http_session), uri);
    }
    if (status != MCPW_OK && is_subscribed) {
        (void)!mcpw_session_subscribe(http_session->session, uri,
                                      false); /* the client gets an error instead of a success */
    }
    return status;
}

static mcpw_status keep(const mcpw_http_exchange *exchange) {
    mcpw_arena memory = MCPW_ARENA_INIT;
    mcpw_status status = MCPW_OK;
    memory.allocator = exchange->server->config.allocator;
    if (exchange->kept == MCPW_KEPT_SESSION) {
        status = mcpw_record_open(exchange->http_session);
    } else if (exchange->kept == MCPW_KEPT_LEVEL) {
        status = keep_level(exchange->http_session);
    } else {
        status = keep_subscription(exchange, &memory);
    }
    mcpw_arena_free(&memory);
    return status;
}

/* ---- The session's own stream ---- */

static bool is_change(mcpw_str method) {
    return mcpw_str_is(method, "notifications/tools/list_changed") ||
           mcpw_str_is(method, "notifications/prompts/list_changed") ||
           mcpw_str_is(method, "notifications/resources/list_changed") ||
           mcpw_str_is(method, "notifications/resources/updated");
}

static void send_on_own(mcpw_http_session *http_session, const mcpw_outgoing *said) {
    if (said->text.ptr == NULL || http_session->rest == MCPW_ENDED) {
        return;
    }
    if (http_session->receives_all) {
        mcpw_http_stream_send_part(http_session, http_session->log_entry, said->text);
    } else if (http_session->log_entry != 0) {
        mcpw_http_stream_send_entry(http_session, http_session->log_entry, said->text);
    } else if (!is_change(said->method)) { /* changes arrive by the log, once in each process */
        /* An entry that cannot be written is lost, like a message on a broken connection. Likewise below: */
        (void)!append_entry(http_session->server, to_word, mcpw_http_session_id(http_session), said->text);
    }
}

static void reads(const mcpw_http_session *http_session) {
    (void)!append_entry(http_session->server, reads_word, mcpw_http_session_id(http_session), none);
}

static bool read_change(const entry *e, mcpw_change *change) {
    for (size_t i = 0; i < sizeof change_names / sizeof *change_names; i++) {
        if (mcpw_str_equal(e->what, change_names[i])) {
            *change = (mcpw_change)i;
            return true;
        }
    }
    return false;
}

/* The resource of a change; a change of a list has none. */
static mcpw_str uri_of(mcpw_change change, const entry *e) {
    return change == MCPW_CHANGE_RESOURCE ? e->text : none;
}

/* Sends an entry on the session's own stream, if it concerns the session. The session sends nothing while
 * another of its streams is blocked. In that case the own stream ends, and its client resumes it later. */
static void send_entry(mcpw_http_session *http_session, const entry *e, uint64_t number) {
    mcpw_change change;
    if (is_word(e, to_word) && mcpw_str_equal(e->what, mcpw_http_session_id(http_session))) {
        mcpw_http_stream_send_entry(http_session, number, e->text);
    } else if (is_word(e, changed_word) && read_change(e, &change)) {
        (void)mcpw_http_stream_pump(http_session);
        if (http_session->blocked != NULL) {
            mcpw_http_stream_end(&http_session->own);
            return;
        }
        http_session->log_entry = number;
        http_session->receives_all = change == MCPW_CHANGE_RESOURCE && e->text.len == 0;
        mcpw_session_changed(http_session->session, change, uri_of(change, e));
        (void)mcpw_http_stream_pump(http_session);
        if (http_session->receives_all) {
            mcpw_http_stream_end_parts(http_session, number);
        }
        http_session->log_entry = 0;
        http_session->receives_all = false;
    }
}

/* The log is read for a client that resumes the own stream. */
typedef struct repetition {
    mcpw_http_session *http_session;
    uint64_t last; /* the entry that was looked at last */
} repetition;

static mcpw_status send_again(void *user, uint64_t number, mcpw_str text) {
    repetition *const r = user;
    const entry e = read_entry(text);
    send_entry(r->http_session, &e, number);
    r->last = number;
    return r->http_session->own.reader != NULL ? MCPW_OK : MCPW_E_CLOSED;
}

/* A log with many entries of others may take too long to be read at once. */
static bool repeat(mcpw_http_session *http_session, uint64_t after) {
    const mcpw_http_cluster *const cluster = &http_session->server->cluster->functions;
    repetition r = {http_session, after};
    const bool is_whole = cluster->since(cluster->self, after, send_again, &r) == MCPW_OK;
    if (!is_whole) {
        mcpw_http_stream_send_place(http_session, r.last);
    }
    return is_whole;
}

/* ---- Entries from the log ---- */

/* Sends a change to the readers of the sessions' own streams and to stateless subscriptions. The
 * subscriptions already have the changes of this process. */
static void apply_change(mcpw_http_server *server, const entry *e, uint64_t number) {
    mcpw_change change;
    if (!read_change(e, &change)) {
        return;
    }
    for (mcpw_http_exchange *x = server->open; x != NULL && e->process != server->cluster->functions.number;
         x = x->next) {
        x->kind->changed(x, change, uri_of(change, e));
    }
    for (mcpw_http_session *l = server->sessions != NULL ? server->sessions->lists[MCPW_AWAKE].first : NULL;
         l != NULL; l = l->next) {
        if (l->own.reader != NULL) {
            send_entry(l, e, number);
        }
    }
}

/* Applies an entry to the copy of its session, if this process has one. */
static void apply_to_session(mcpw_http_session *http_session, const entry *e, uint64_t number) {
    const bool is_ours = e->process == http_session->server->cluster->functions.number;
    if (is_word(e, to_word)) {
        send_entry(http_session, e, number);
    } else if (is_ours) {
        return;
    } else if (is_word(e, from_word)) {
        feed_copy(http_session, e->text);
        mcpw_sessions_settle(http_session);
    } else if (is_word(e, initialized_word)) {
        mcpw_session_initialized(http_session->session);
        feed_copy(http_session, none);
        mcpw_sessions_settle(http_session);
    } else if (is_word(e, level_word)) {
        (void)!mcpw_session_choose_level(http_session->session,
                                         e->text); /* another program may have other levels */
    } else if (is_word(e, watch_word) || is_word(e, unwatch_word)) {
        /* Without memory this process sends no updates of the resource. Likewise below: */
        (void)!mcpw_session_subscribe(http_session->session, e->text, is_word(e, watch_word));
        mcpw_sessions_settle(http_session);
    } else if (is_word(e, reads_word)) {
        mcpw_http_stream_end(&http_session->own);
    } else if (is_word(e, ended_word)) {
        mcpw_sessions_leave_to_others(http_session);
    }
}

static void on_entry(void *self, uint64_t number, mcpw_str text) {
    mcpw_http_server *const server = self;
    const entry e = read_entry(text);
    server->cluster->last_entry = number > server->cluster->last_entry ? number : server->cluster->last_entry;
    if (server->is_ended) {
        return;
    }
    if (is_word(&e, changed_word)) {
        apply_change(server, &e, number);
        return;
    }
    mcpw_http_session *const http_session = mcpw_sessions_find_any(server, e.what);
    if (http_session != NULL) {
        apply_to_session(http_session, &e, number);
    }
}

/* ---- Begin and end ---- */

static const mcpw_sharing shared = {
    .is_shared = true,
    .opened = opened,
    .next_stream = next_stream,
    .is_foreign = is_foreign,
    .adopt = adopt,
    .touch = touch,
    .ended = ended,
    .look_at = look_at,
    .keep = keep,
    .send_on_own = send_on_own,
    .reads = reads,
    .repeat = repeat,
};

static void on_change(void *self, mcpw_change change, mcpw_str uri) {
    (void)!append_entry(self, changed_word, change_names[change], uri);
}

mcpw_status mcpw_cluster_begin(mcpw_http_server *server, mcpw_error *error) {
    const mcpw_http_config *const config = &server->config;
    if (config->cluster == NULL) {
        return MCPW_OK;
    }
    mcpw_http_cluster functions = {0};
    if (!MCPW_TAKE(&functions, watch, config->cluster) || functions.number == 0 ||
        (server->sessions != NULL && config->store == NULL)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              functions.number == 0 ? "a process of a cluster has a number from 1 on"
                                                    : "sessions of a cluster need a store that it shares");
    }
    mcpw_cluster *const cluster = mcpw_arena_alloc(&server->memory, sizeof *cluster);
    if (cluster == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    *cluster = (mcpw_cluster){.functions = functions, .changes = {NULL, on_change, server}};
    server->cluster = cluster;
    if (server->sessions != NULL) {
        server->sessions->sharing = &shared;
    }
    mcpw_endpoint_add_change_listener(config->endpoint, &cluster->changes);
    cluster->functions.follow(cluster->functions.self, on_entry, server);
    return MCPW_OK;
}

void mcpw_cluster_free(mcpw_http_server *server) {
    mcpw_cluster *const cluster = server->cluster;
    if (cluster != NULL) {
        cluster->functions.follow(cluster->functions.self, NULL, NULL);
        mcpw_endpoint_remove_change_listener(server->config.endpoint, &cluster->changes);
    }
}
