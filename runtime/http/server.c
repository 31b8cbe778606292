/* SPDX-License-Identifier: MIT */
/* The server: it joins the parts and implements the public calls. */
#include <mcpw/system.h>

#include "body.h"
#include "cluster/cluster.h"
#include "core/fields.h"
#include "core/framing.h"
#include "core/gate.h"
#include "session/http_session.h"
#include "session/session_exchange.h"
#include "stateless/stateless.h"

#include <mcpw/detail/session.h>
#include <mcpw/policy.h>

enum {
    MAX_HEAD = 32768,
    MAX_FIELDS = 128,
    MAX_EXCHANGES = 16384,
    MAX_IDLE = 64,
    BODY_TIMEOUT = 30000,
    KEEP_ALIVE = 15000,
    MAX_SESSIONS = 10000,
    MAX_STREAMS = 64,
    SESSION_TIMEOUT = 1800000,
    RETRY = 1000,
    MAX_EVENTS = 256,
    MAX_EVENT_BYTES = 1 << 18,
    MAX_STORE_BYTES = 1 << 26,
    MAX_RECORD_BYTES = 1 << 18,
    KEEP_BYTES = 1 << 16 /* a larger buffer is freed instead of kept for its next use */
};

/* ---- Time ---- */

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Ends a stream that only listens, because the access has ended. Its client opens it again. */
static void end_access(mcpw_http_exchange *exchange) {
    exchange->is_standing = false;
    if (exchange->http_session == NULL) {
        exchange->kind->end(exchange);
        exchange->kind->pump(exchange);
    } else {
        exchange->kind->abandon(exchange);
        mcpw_exchange_finish(exchange);
    }
}

static void expire(void *owner) {
    mcpw_http_exchange *const exchange = owner;
    const uint64_t now = exchange->server->now;
    exchange->kind->advance(exchange);
    exchange->kind->pump(exchange);
    if (exchange->waits && now >= exchange->verdict_due) {
        mcpw_exchange_refuse(exchange, MCPW_HTTP_UNAVAILABLE, MCPW_RPC_INTERNAL_ERROR,
                             (mcpw_json){NULL, 0, 0}, "Unavailable: the token was not verified in time");
    } else if (exchange->is_standing && !exchange->is_over && now >= exchange->access_ends) {
        end_access(exchange);
    } else if (now >= exchange->due && exchange->phase == MCPW_EXCHANGE_READS) {
        mcpw_exchange_refuse(exchange, MCPW_HTTP_TIMEOUT, MCPW_RPC_INVALID_REQUEST, (mcpw_json){NULL, 0, 0},
                             "The body of the request did not come in time");
    } else if (now >= exchange->due) {
        mcpw_exchange_comment(exchange);
    }
    mcpw_exchange_await(exchange);
}

/* ---- The server ---- */

static void forget(mcpw_arena *arena) {
    mcpw_arena_reset(arena);
    if (arena->total > KEEP_BYTES) {
        mcpw_arena_free(arena);
    }
}

static size_t size_or(size_t value, size_t otherwise) { return value != 0 ? value : otherwise; }
static uint64_t time_or(uint64_t value, uint64_t otherwise) { return value != 0 ? value : otherwise; }

static bool copy_text(mcpw_arena *arena, const char **text) {
    if (*text != NULL) {
        *text = mcpw_arena_str(arena, *text, strlen(*text)).ptr;
        return *text != NULL;
    }
    return true;
}

static bool copy_config(mcpw_http_server *server) {
    mcpw_http_config *const config = &server->config;
    config->path = config->path != NULL ? config->path : "/mcp";
    config->max_body = size_or(config->max_body, MCPW_DEFAULT_BYTES);
    config->max_head = size_or(config->max_head, MAX_HEAD);
    config->max_fields = size_or(config->max_fields, MAX_FIELDS);
    config->max_exchanges = size_or(config->max_exchanges, MAX_EXCHANGES);
    config->max_idle = size_or(config->max_idle, MAX_IDLE);
    config->body_timeout_ms = time_or(config->body_timeout_ms, BODY_TIMEOUT);
    config->keep_alive_ms = time_or(config->keep_alive_ms, KEEP_ALIVE);
    config->max_sessions = size_or(config->max_sessions, MAX_SESSIONS);
    config->max_streams = size_or(config->max_streams, MAX_STREAMS);
    config->session_timeout_ms = time_or(config->session_timeout_ms, SESSION_TIMEOUT);
    config->retry_ms = time_or(config->retry_ms, RETRY);
    config->max_events = size_or(config->max_events, MAX_EVENTS);
    config->max_event_bytes = size_or(config->max_event_bytes, MAX_EVENT_BYTES);
    config->max_store_bytes = size_or(config->max_store_bytes, MAX_STORE_BYTES);
    config->max_record_bytes = size_or(config->max_record_bytes, MAX_RECORD_BYTES);
    return copy_text(&server->memory, &config->path) && copy_text(&server->memory, &config->hosts) &&
           copy_text(&server->memory, &config->origins) && copy_text(&server->memory, &config->cors_fields) &&
           copy_text(&server->memory, &config->resource) &&
           copy_text(&server->memory, &config->authorization_servers) &&
           copy_text(&server->memory, &config->scopes);
}

/* True if the endpoint supports a revision of that kind. */
static bool speaks(const mcpw_endpoint *endpoint, bool with_handshake) {
    const mcpw_revision *revision = mcpw_endpoint_revision_at(endpoint, 0);
    for (size_t i = 1; revision != NULL && mcpw_revision_has_handshake(revision) != with_handshake; i++) {
        revision = mcpw_endpoint_revision_at(endpoint, i);
    }
    return revision != NULL;
}

/* True if random bytes are available, so that nobody can guess a session id. */
static bool has_random(void) {
    unsigned char byte;
    return mcpw_random(&byte, sizeof byte) == MCPW_OK;
}

static mcpw_status set_up(mcpw_http_server *server, mcpw_error *error) {
    const mcpw_http_config *const config = &server->config;
    const bool serves_sessions =
        config->eras != MCPW_HTTP_MODERN && speaks(config->endpoint, true) && has_random();
    server->serves_alone = config->eras != MCPW_HTTP_LEGACY && speaks(config->endpoint, false);
    if (!serves_sessions && !server->serves_alone) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                       "the endpoint speaks no revision of the eras that are to be served, or there is no "
                       "libsodium to make ids of sessions");
        return MCPW_E_ARGUMENT;
    }
    if (!copy_config(server) || (serves_sessions && !mcpw_sessions_new(server))) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return MCPW_E_MEMORY;
    }
    const mcpw_status status = mcpw_cluster_begin(server, error);
    return status == MCPW_OK ? mcpw_resource_prepare(server, error) : status;
}

mcpw_http_server *mcpw_http_server_new(const mcpw_http_config *given, mcpw_error *error) {
    mcpw_http_config own = MCPW_HTTP_CONFIG_INIT;
    const mcpw_http_config *const config = &own;
    if (!MCPW_TAKE(&own, protect, given) || config->endpoint == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "an HTTP server needs a config with an endpoint");
        return NULL;
    }
    mcpw_http_server *const server = mcpw_resize(&config->allocator, NULL, 0, sizeof *server);
    if (server == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    memset(server, 0, sizeof *server);
    server->config = *config;
    server->kind = &mcpw_stateless_exchange;
    server->memory = (mcpw_arena)MCPW_ARENA_INIT;
    server->scratch = (mcpw_arena)MCPW_ARENA_INIT;
    server->memory.allocator = server->scratch.allocator = config->allocator;
    if (set_up(server, error) != MCPW_OK) {
        mcpw_http_server_free(server);
        return NULL;
    }
    return server;
}

void mcpw_http_server_stop(mcpw_http_server *server) {
    server->is_ended = true;
    mcpw_sessions_end_all(server);
    for (mcpw_http_exchange *e = server->open; e != NULL; e = e->next) {
        if (e->phase == MCPW_EXCHANGE_READS) {
            mcpw_exchange_refuse(e, MCPW_HTTP_UNAVAILABLE, MCPW_RPC_INTERNAL_ERROR, (mcpw_json){NULL, 0, 0},
                                 "The server has ended");
        } else {
            e->kind->end(e);
        }
    }
}

void mcpw_http_server_free(mcpw_http_server *server) {
    if (server == NULL) {
        return;
    }
    const mcpw_allocator allocator = server->config.allocator;
    mcpw_cluster_free(server);
    mcpw_sessions_free(server);
    mcpw_exchanges_free(server);
    mcpw_timers_free(&server->timers, &allocator);
    mcpw_arena_free(&server->scratch);
    mcpw_arena_free(&server->memory);
    (void)mcpw_resize(&allocator, server, sizeof *server, 0);
}

/* ---- A request ---- */

static size_t size_of_head(const mcpw_http_request *request) {
    size_t size = request->path.len + request->method.len;
    for (size_t i = 0; i < request->field_count; i++) {
        size += request->fields[i].name.len + request->fields[i].value.len;
    }
    return size;
}

static mcpw_str copy_str(char **to, mcpw_str text) {
    const mcpw_str copied = {*to, text.len};
    if (text.len != 0) {
        memcpy(*to, text.ptr, text.len);
    }
    *to += text.len;
    return copied;
}

/* Copies the head into one block: first the fields, then their texts. */
static bool copy_head(mcpw_http_exchange *exchange, const mcpw_http_request *request) {
    const size_t fields_size = request->field_count * sizeof *request->fields;
    const size_t size = fields_size + size_of_head(request) + request->principal.len + request->peer.len + 1;
    if (mcpw_buffer_reserve(&exchange->head, size) != MCPW_OK) {
        return false;
    }
    mcpw_http_field *const fields = (mcpw_http_field *)(void *)exchange->head.data;
    char *to = exchange->head.data + fields_size;
    for (size_t i = 0; i < request->field_count; i++) {
        fields[i].name = copy_str(&to, request->fields[i].name);
        fields[i].value = copy_str(&to, request->fields[i].value);
    }
    exchange->fields = fields;
    exchange->field_count = request->field_count;
    exchange->principal = request->principal;
    exchange->peer = request->peer;
    exchange->method = copy_str(&to, request->method);
    if (request->principal.ptr != NULL) {
        exchange->principal = copy_str(&to, request->principal);
    }
    if (request->peer.ptr != NULL) {
        exchange->peer = copy_str(&to, request->peer);
    }
    return true;
}

/* Answers a request without a body at once. */
static void answer_head(mcpw_http_exchange *exchange, mcpw_head_verdict verdict) {
    if (verdict == MCPW_HEAD_GET) {
        exchange->is_standing = true;
        mcpw_http_session_get(exchange);
    } else if (verdict == MCPW_HEAD_DELETE) {
        mcpw_http_session_delete(exchange);
    }
}

mcpw_status mcpw_http_begin(mcpw_http_server *server, const mcpw_http_request *request, void *user,
                            mcpw_http_exchange **exchange) {
    const mcpw_http_config *const config = &server->config;
    *exchange = NULL;
    if (server->is_ended) {
        return MCPW_E_CLOSED;
    }
    if (server->open_count >= config->max_exchanges) {
        return MCPW_E_FULL;
    }
    mcpw_http_exchange *const e = mcpw_exchange_open(server, expire);
    if (e == NULL) {
        return MCPW_E_MEMORY;
    }
    e->user = user;
    e->due = mcpw_time_after(server->now, config->body_timeout_ms);
    const bool is_long =
        request->field_count > config->max_fields || size_of_head(request) > config->max_head;
    const char *const fault = is_long ? NULL : mcpw_framing_fault(request);
    if (is_long) {
        mcpw_exchange_refuse(e, MCPW_HTTP_HEAD_TOO_LARGE, MCPW_RPC_INVALID_REQUEST, (mcpw_json){NULL, 0, 0},
                             "The header of the request is too long");
    } else if (fault != NULL) {
        mcpw_exchange_refuse(e, MCPW_HTTP_BAD_REQUEST, MCPW_RPC_INVALID_REQUEST, (mcpw_json){NULL, 0, 0},
                             fault);
        mcpw_exchange_add(e, MCPW_STR_VALUE("Connection"), MCPW_STR_VALUE("close"));
    } else if (!copy_head(e, request)) {
        mcpw_exchange_release(e);
        return MCPW_E_MEMORY;
    } else {
        answer_head(e, mcpw_exchange_check_head(e, request));
    }
    mcpw_exchange_await(e);
    *exchange = e;
    return MCPW_OK;
}

void mcpw_http_body(mcpw_http_exchange *exchange, const void *bytes, size_t len) {
    if (exchange->phase != MCPW_EXCHANGE_READS) {
        return;
    }
    if (len > exchange->server->config.max_body - exchange->body.len) {
        mcpw_exchange_refuse(exchange, MCPW_HTTP_TOO_LARGE, MCPW_RPC_INVALID_REQUEST, (mcpw_json){NULL, 0, 0},
                             "The message is too long");
    } else if (!mcpw_gate_takes(exchange, len)) {
        return; /* it was refused */
    } else if (mcpw_buffer_append(&exchange->body, bytes, len) != MCPW_OK) {
        mcpw_gate_takes_back(exchange, len);
        mcpw_exchange_refuse(exchange, MCPW_HTTP_UNAVAILABLE, MCPW_RPC_INTERNAL_ERROR,
                             (mcpw_json){NULL, 0, 0}, "Out of memory");
    }
}

/* Handles a message whose body is complete. */
static void answer_body(mcpw_http_exchange *exchange) {
    mcpw_message_envelope envelope;
    const mcpw_body_verdict verdict = mcpw_exchange_check_body(exchange, &envelope);
    forget(&exchange->server->scratch);
    if (verdict == MCPW_BODY_ALONE) {
        mcpw_stateless_post(exchange, &envelope);
    } else if (verdict != MCPW_BODY_ANSWERED) {
        mcpw_http_session_post(exchange, verdict == MCPW_BODY_OPENS,
                               verdict != MCPW_BODY_BATCH ? &envelope : NULL);
    }
}

void mcpw_http_body_end(mcpw_http_exchange *exchange) {
    if (exchange->phase != MCPW_EXCHANGE_READS) {
        return;
    }
    exchange->is_read = true;
    if (exchange->waits) {
        exchange->due = UINT64_MAX; /* mcpw_http_verified goes on */
    } else {
        answer_body(exchange);
    }
    mcpw_exchange_await(exchange);
}

void mcpw_http_verified(mcpw_http_exchange *exchange, const mcpw_http_verdict *verdict) {
    if (!exchange->waits) {
        return;
    }
    if (mcpw_gate_settle(exchange, verdict)) {
        answer_head(exchange, mcpw_exchange_check_rest(exchange));
        if (exchange->is_read && exchange->phase == MCPW_EXCHANGE_READS) {
            answer_body(exchange);
        }
    }
    mcpw_exchange_await(exchange);
}

void mcpw_http_close(mcpw_http_exchange *exchange) { mcpw_exchange_close(exchange); }

/* ---- All exchanges ---- */

void mcpw_http_advance(mcpw_http_server *server, uint64_t now) {
    server->now = now > server->now ? now : server->now;
    if (server->now < mcpw_http_deadline(server)) {
        return;
    }
    mcpw_timers_advance(&server->timers, server->now);
    mcpw_sessions_advance(server);
}

uint64_t mcpw_http_deadline(const mcpw_http_server *server) {
    return earlier(mcpw_timers_deadline(&server->timers), mcpw_sessions_deadline(server));
}

mcpw_http_exchange *mcpw_http_ready(mcpw_http_server *server) {
    if (!server->is_walking) {
        mcpw_sessions_pump(server);
        mcpw_exchanges_reap(server);
        server->cursor = server->ready.first;
    }
    server->is_walking = true;
    while (server->cursor != NULL) {
        mcpw_http_exchange *const e = server->cursor;
        e->kind->pump(e);
        mcpw_exchange_await(e);
        server->cursor = e->next_ready;
        if (mcpw_exchange_has_output(e)) {
            return e;
        }
        mcpw_exchange_unmark_ready(e);
    }
    server->is_walking = false;
    return NULL;
}

/* ---- For handlers ---- */

/* The arguments of a posted mcpw_http_end_stream. */
typedef struct ending {
    mcpw_http_exchange *exchange;
    mcpw_status status;
} ending;

static void end_stream(void *argument) {
    ending *const e = argument;
    e->status = e->exchange != NULL ? e->exchange->kind->end_stream(e->exchange) : MCPW_E_STATE;
}

mcpw_status mcpw_http_end_stream(mcpw_request *request) {
    ending e = {mcpw_http_exchange_of(request), MCPW_OK};
    const mcpw_status status = mcpw_request_run_at_home(request, "mcpw_http_end_stream", end_stream, &e);
    return status != MCPW_OK ? status : e.status;
}

mcpw_http_exchange *mcpw_http_exchange_of(const mcpw_request *request) {
    return mcpw_request_context(request);
}

mcpw_str mcpw_http_field_of(const mcpw_http_exchange *exchange, const char *name) {
    mcpw_str value;
    const mcpw_str field = mcpw_str_from(name);
    const size_t count = mcpw_header_is_secret(field) ? 0 : mcpw_header_count(exchange, field, &value);
    return count == 1 ? value : (mcpw_str){NULL, 0};
}

const mcpw_http_access *mcpw_http_access_of(const mcpw_request *request) {
    const mcpw_http_exchange *const exchange = mcpw_http_exchange_of(request);
    const mcpw_held_access *const held = exchange != NULL ? mcpw_gate_access(exchange) : NULL;
    return held != NULL ? &held->access : NULL;
}

bool mcpw_http_has_scope(const mcpw_request *request, const char *scope) {
    const mcpw_http_exchange *const exchange = mcpw_http_exchange_of(request);
    const mcpw_http_access *const access = mcpw_http_access_of(request);
    const mcpw_guard *const guard = exchange != NULL ? exchange->server->guard : NULL;
    return guard == NULL ||
           (access != NULL && mcpw_scopes_include(guard, access->scopes, mcpw_str_from(scope)));
}

mcpw_str mcpw_http_peer(const mcpw_http_exchange *exchange) { return exchange->peer; }

void *mcpw_http_user(const mcpw_http_exchange *exchange) { return exchange->user; }
