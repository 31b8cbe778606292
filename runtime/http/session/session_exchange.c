/* SPDX-License-Identifier: MIT */
/* Requests in sessions, and the statuses of refused ones. (MCP 2025-11-25, "Streamable HTTP".) */
#include "session_exchange.h"

#include "attach.h"

#include "../core/fields.h"
#include "http_streams.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/session.h>
#include <mcpw/policy.h>

static const mcpw_json no_id = {NULL, 0, 0};
static const char session_field[] = "Mcp-Session-Id";
static const char version_field[] = "MCP-Protocol-Version";
static const char event_field[] = "Last-Event-ID";

static void refuse(mcpw_http_exchange *exchange, int status, const char *why) {
    const int64_t code =
        status >= MCPW_HTTP_INTERNAL_ERROR ? MCPW_RPC_INTERNAL_ERROR : MCPW_RPC_INVALID_REQUEST;
    mcpw_exchange_refuse(exchange, status, code, no_id, why);
}

/* ---- The exchange ---- */

static void pump(mcpw_http_exchange *exchange) { (void)mcpw_http_stream_pump(exchange->http_session); }

static void begin_stream(mcpw_http_exchange *exchange) { mcpw_http_stream_begin(exchange, true); }

/* Returns the output. Other exchanges of the session may add to it meanwhile. */
static mcpw_str give(mcpw_http_exchange *exchange) {
    const mcpw_buffer empty = exchange->given;
    exchange->given = exchange->out;
    exchange->out = empty;
    return (mcpw_str){exchange->given.data, exchange->given.len};
}

static void sent(mcpw_http_exchange *exchange) {
    exchange->given.len = 0;
    if (exchange->given.capacity > MCPW_ENOUGH_OUTPUT) {
        mcpw_buffer_free(&exchange->given);
    }
    if (exchange->http_session->blocked == exchange) {
        exchange->http_session->blocked = NULL;
    }
}

/* The session frees its memory itself when it rests, and has its own timer. */
static void nothing(mcpw_http_exchange *exchange) { (void)exchange; }

static void advance(mcpw_http_exchange *exchange) {
    mcpw_session_advance(exchange->http_session->session, exchange->server->now);
}

static uint64_t deadline(const mcpw_http_exchange *exchange) {
    (void)exchange;
    return UINT64_MAX;
}

/* The cluster sends changes to sessions. */
static void changed(mcpw_http_exchange *exchange, mcpw_change change, mcpw_str uri) {
    (void)exchange;
    (void)change;
    (void)uri;
}

static mcpw_status end_stream(mcpw_http_exchange *exchange) {
    mcpw_http_exchange *const reader = exchange->stream.reader;
    if (!mcpw_http_stream_primes(exchange->http_session)) {
        return MCPW_E_STATE;
    }
    if (reader != NULL && reader->status == 0) {
        mcpw_http_stream_begin(reader, true);
    }
    mcpw_http_stream_end(&exchange->stream);
    return MCPW_OK;
}

static bool is_in_use(const mcpw_http_exchange *exchange) {
    return exchange->is_pending ||
           (exchange->is_dropped && mcpw_session_detached(exchange->http_session->session) != 0);
}

static const mcpw_exchange_kind session_exchange = {
    .pump = pump,
    .begin_stream = begin_stream,
    .give = give,
    .sent = sent,
    .rest = nothing,
    .trim = nothing,
    .advance = advance,
    .deadline = deadline,
    .changed = changed,
    .end_stream = end_stream,
    .end = nothing,
    .abandon = mcpw_http_stream_leave,
    .is_in_use = is_in_use,
    .leave = mcpw_sessions_leave,
};

/* ---- The session ---- */

static size_t count_of(const mcpw_http_exchange *exchange, const char *name, mcpw_str *value) {
    return mcpw_header_count(exchange, mcpw_str_from(name), value);
}

bool mcpw_http_session_is_named(const mcpw_http_exchange *exchange) {
    mcpw_str id;
    return mcpw_serves_sessions(exchange->server) && count_of(exchange, session_field, &id) != 0;
}

/* Finds the session that a request names. MCPW_E_NOT_FOUND: there is none, or the program or another process
 * has closed it. Other errors: the session could not be copied. */
static mcpw_status find_named(const mcpw_http_exchange *exchange, mcpw_http_session **found) {
    mcpw_str id;
    *found = NULL;
    if (count_of(exchange, session_field, &id) != 1) {
        return MCPW_E_NOT_FOUND;
    }
    *found = mcpw_sessions_find(exchange->server, id, exchange->principal);
    if (*found == NULL) {
        const mcpw_status status =
            mcpw_sharing_of(exchange->server)->adopt(exchange->server, id, exchange->principal, found);
        if (status == MCPW_OK) {
            mcpw_sessions_settle(*found); /* it rests unless the request joins it, so that it can expire */
        }
        return status;
    }
    if (mcpw_session_is_closed((*found)->session)) {
        mcpw_sessions_end(*found);
    } else if (mcpw_sharing_of(exchange->server)->touch(*found) == MCPW_E_NOT_FOUND) {
        mcpw_sessions_leave_to_others(*found);
    } else {
        return MCPW_OK;
    }
    *found = NULL;
    return MCPW_E_NOT_FOUND;
}

bool mcpw_http_session_is_live(const mcpw_http_exchange *exchange) {
    mcpw_http_session *found;
    return find_named(exchange, &found) == MCPW_OK;
}

/* True if the header is missing, or names a revision that sessions of this server can have. */
static bool is_version_right(const mcpw_http_exchange *exchange) {
    mcpw_str version;
    const size_t count = count_of(exchange, version_field, &version);
    const mcpw_revision *const revision =
        count == 1 ? mcpw_endpoint_revision(exchange->server->config.endpoint, version) : NULL;
    return count == 0 || (revision != NULL && mcpw_revision_has_handshake(revision));
}

/* True if a session is lost to all processes: it has ended, or its record is unreadable. Its client opens
 * another one. */
static bool is_lost(mcpw_status status) {
    return status == MCPW_E_NOT_FOUND || status == MCPW_E_FORMAT || status == MCPW_E_SIZE;
}

/* Finds the session of a request; NULL: the request was refused. */
static mcpw_http_session *session_of(mcpw_http_exchange *exchange) {
    mcpw_str id;
    mcpw_http_session *found = NULL;
    const size_t count = count_of(exchange, session_field, &id);
    const mcpw_status status = find_named(exchange, &found);
    if (count != 1) {
        refuse(exchange, MCPW_HTTP_BAD_REQUEST,
               "Bad request: Mcp-Session-Id is missing; initialize opens a session");
    } else if (is_lost(status)) {
        refuse(exchange, MCPW_HTTP_NOT_FOUND, "Not found: there is no such session; initialize opens one");
    } else if (status == MCPW_E_VERSION) {
        refuse(exchange, MCPW_HTTP_UNAVAILABLE,
               "Unavailable: the session belongs to servers of a newer version");
    } else if (status != MCPW_OK) {
        refuse(exchange, MCPW_HTTP_UNAVAILABLE, "Unavailable: the session cannot be read from its store");
    } else if (!is_version_right(exchange)) {
        refuse(exchange, MCPW_HTTP_BAD_REQUEST,
               "Bad request: sessions of this server do not support MCP-Protocol-Version");
        return NULL;
    }
    return count == 1 ? found : NULL;
}

static mcpw_http_session *open_session(mcpw_http_exchange *exchange) {
    mcpw_http_session *opened = NULL;
    const mcpw_status status = mcpw_sessions_open(exchange->server, (mcpw_str){NULL, 0}, exchange->principal,
                                                  &exchange->server->scratch, &opened);
    switch (status) {
    case MCPW_OK:
        exchange->opens = true;
        return opened;
    case MCPW_E_FULL:
        refuse(exchange, MCPW_HTTP_UNAVAILABLE, "Unavailable: there are too many sessions");
        return NULL;
    default:
        mcpw_exchange_fail(exchange);
        return NULL;
    }
}

static bool join(mcpw_http_exchange *exchange, mcpw_http_session *http_session, mcpw_role_in_session role) {
    if (mcpw_sessions_join(http_session, exchange, role)) {
        exchange->kind = &session_exchange;
        exchange->phase = MCPW_EXCHANGE_SERVES;
        mcpw_exchange_put_off(exchange);
        mcpw_session_advance(http_session->session, exchange->server->now);
        mcpw_sessions_settle(http_session);
        if (http_session->rest != MCPW_ENDED) {
            return true;
        }
        refuse(exchange, exchange->opens ? MCPW_HTTP_UNAVAILABLE : MCPW_HTTP_NOT_FOUND,
               "The session was closed");
        return false;
    }
    refuse(exchange, MCPW_HTTP_UNAVAILABLE, "Unavailable: the session has too many requests and streams");
    return false;
}

/* ---- POST ---- */

/* True if a batch has a request. */
static bool wants_answer(mcpw_json text) {
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_json member;
    if (mcpw_json_check(text, 0, NULL) != MCPW_OK || mcpw_json_iterate(text, &it) != MCPW_OK) {
        return false;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        if (mcpw_json_get(item, "method", &member) == MCPW_OK &&
            mcpw_json_get(item, "id", &member) == MCPW_OK && !mcpw_has_outcome(item)) {
            return true;
        }
    }
    return false;
}

/* Accepts the batch in the body, or refuses it. (MCP 2025-03-26, "Batching"; later revisions have none.) */
static bool accept_batch(mcpw_http_exchange *exchange, const mcpw_http_session *http_session) {
    const mcpw_revision *const revision = mcpw_session_revision(http_session->session);
    if (revision == NULL || mcpw_revision_type(revision, "JSONRPCBatchRequest") == NULL) {
        refuse(exchange, MCPW_HTTP_BAD_REQUEST,
               "Invalid Request: the revision of this session has no batches");
        return false;
    }
    exchange->is_request = wants_answer((mcpw_json){exchange->body.data, exchange->body.len, 0});
    return true;
}

/* Informs the other processes of the session; false: the request was refused. */
static bool is_known_to_others(mcpw_http_exchange *exchange) {
    const mcpw_status status = mcpw_sharing_of(exchange->server)->look_at(exchange);
    if (status == MCPW_E_SIZE) {
        refuse(exchange, MCPW_HTTP_TOO_LARGE, "The message is too long to be passed to another process");
    } else if (status == MCPW_E_NOT_FOUND) {
        refuse(exchange, MCPW_HTTP_NOT_FOUND, "Not found: the session has ended in another process");
    } else if (status != MCPW_OK) {
        refuse(exchange, MCPW_HTTP_UNAVAILABLE, "Unavailable: the session cannot be kept");
    }
    return status == MCPW_OK;
}

static void receive(mcpw_http_exchange *exchange, const mcpw_message_envelope *envelope) {
    mcpw_http_session *const http_session = exchange->http_session;
    if (!is_known_to_others(exchange)) {
        mcpw_sessions_done(exchange);
        return;
    }
    exchange->is_pending = true;
    exchange->stream = (mcpw_http_stream){mcpw_sharing_of(exchange->server)->next_stream(http_session), 0, 0,
                                          exchange, false};
    exchange->reads = &exchange->stream;
    const mcpw_status status = mcpw_session_receive_read(http_session->session, exchange->body.data,
                                                         exchange->body.len, envelope, exchange);
    if (status != MCPW_OK) {
        exchange->is_pending = false;
        mcpw_http_stream_leave(exchange);
        mcpw_sessions_done(exchange);
        refuse(exchange, MCPW_HTTP_UNAVAILABLE, mcpw_status_text(status));
    }
    http_session->cancels = exchange->cancels;
    (void)mcpw_http_stream_pump(http_session);
    http_session->cancels = false;
    if (exchange->opens &&
        (mcpw_session_revision(http_session->session) == NULL || exchange->status >= MCPW_HTTP_BAD_REQUEST)) {
        mcpw_sessions_end(http_session); /* initialize was refused, or the session cannot be recorded */
    }
    mcpw_sessions_settle(http_session);
}

void mcpw_http_session_post(mcpw_http_exchange *exchange, bool opens, const mcpw_message_envelope *envelope) {
    mcpw_http_session *const http_session = opens ? open_session(exchange) : session_of(exchange);
    if (http_session == NULL || (envelope == NULL && !accept_batch(exchange, http_session))) {
        return;
    }
    if (join(exchange, http_session,
             exchange->is_request ? MCPW_IN_SESSION_REQUEST : MCPW_IN_SESSION_MESSAGE)) {
        receive(exchange, envelope);
    }
}

/* ---- GET ---- */

/* Finds the open exchange whose stream has that number. */
static mcpw_http_exchange *find_stream(const mcpw_http_session *http_session, uint64_t number) {
    mcpw_http_exchange *e = http_session->members;
    while (e != NULL && (e->stream.number != number || !e->is_pending)) {
        e = e->sibling;
    }
    return e;
}

static void check_sent(mcpw_http_exchange *exchange, bool was_sent) {
    if (!was_sent) {
        mcpw_exchange_finish(exchange); /* cut off; the client resumes it */
    }
}

/* Makes the exchange the reader of the session's own stream, here and in all processes. */
static void read_own(mcpw_http_exchange *exchange, uint64_t after) {
    mcpw_http_session *const http_session = exchange->http_session;
    mcpw_sharing_of(exchange->server)->reads(http_session);
    check_sent(exchange, mcpw_http_stream_attach(exchange, &http_session->own, after));
}

static void resume(mcpw_http_exchange *exchange, uint64_t number, uint64_t event) {
    mcpw_http_session *const http_session = exchange->http_session;
    mcpw_http_exchange *const asked = number != 0 ? find_stream(http_session, number) : NULL;
    mcpw_http_stream *const stream = asked != NULL ? &asked->stream : &http_session->own;
    const mcpw_sharing *const sharing = mcpw_sharing_of(exchange->server);
    const bool is_foreign = sharing->is_foreign(exchange->server, number);
    const bool by_log = number == 0 && sharing->is_shared; /* other processes may have sent more */
    if ((number > http_session->last_stream && !is_foreign) || (asked != NULL && !stream->is_numbered) ||
        ((asked != NULL || number == 0) && !by_log && event > stream->said)) {
        refuse(exchange, MCPW_HTTP_BAD_REQUEST, "Bad request: Last-Event-ID does not belong to this session");
    } else if (asked != NULL) {
        check_sent(exchange, mcpw_http_stream_attach(exchange, stream, event));
    } else if (number == 0) {
        read_own(exchange, event);
    } else {
        mcpw_exchange_begin_stream(exchange);
        (void)!mcpw_http_stream_repeat(exchange, number, event);
        mcpw_exchange_finish(exchange);
    }
}

void mcpw_http_session_get(mcpw_http_exchange *exchange) {
    mcpw_http_session *const http_session = session_of(exchange);
    mcpw_str last;
    uint64_t number = 0;
    uint64_t event = 0;
    if (http_session == NULL || !join(exchange, http_session, MCPW_IN_SESSION_READER)) {
        return;
    }
    (void)mcpw_http_stream_pump(http_session);
    const size_t count = count_of(exchange, event_field, &last);
    if (count > 1 || (count == 1 && last.len != 0 && !mcpw_http_stream_read_id(last, &number, &event))) {
        refuse(exchange, MCPW_HTTP_BAD_REQUEST, "Bad request: Last-Event-ID does not belong to this session");
    } else if (count == 1 && last.len != 0) {
        resume(exchange, number, event);
    } else if (http_session->own.reader != NULL) {
        refuse(exchange, MCPW_HTTP_CONFLICT, "Conflict: the stream of this session is already being read");
    } else {
        read_own(exchange, http_session->own.read);
    }
}

/* ---- DELETE ---- */

void mcpw_http_session_delete(mcpw_http_exchange *exchange) {
    mcpw_http_session *const http_session = session_of(exchange);
    if (http_session != NULL) {
        mcpw_sessions_end(http_session);
        mcpw_exchange_accept(exchange, MCPW_HTTP_NO_CONTENT);
    }
}
