/* SPDX-License-Identifier: MIT */
/* An event's id is the number of its stream and its own number in the stream: "3-17". So it is unique in its
 * session, and names the stream to resume. (MCP 2025-11-25, "Resumability and Redelivery".) */
#include "http_streams.h"

#include <stdio.h>

enum { LINES = 128 /* bytes of the lines before the data of an event */ };

static mcpw_http_store *store_of(const mcpw_http_session *http_session) {
    return &http_session->server->sessions->store;
}

bool mcpw_http_stream_primes(const mcpw_http_session *http_session) {
    const mcpw_revision *const revision = mcpw_session_revision(http_session->session);
    return revision != NULL && mcpw_revision_polls_streams(revision);
}

/* ---- Ids ---- */

static bool read_number(mcpw_str *text, uint64_t *number) {
    enum { BASE = 10 };
    size_t digits = 0;
    *number = 0;
    for (; digits < text->len && text->ptr[digits] >= '0' && text->ptr[digits] <= '9'; digits++) {
        const unsigned digit = (unsigned)(text->ptr[digits] - '0');
        if (*number > (UINT64_MAX - digit) / BASE) {
            return false;
        }
        *number = *number * BASE + digit;
    }
    text->ptr += digits;
    text->len -= digits;
    return digits != 0;
}

bool mcpw_http_stream_read_id(mcpw_str text, uint64_t *number, uint64_t *event) {
    if (!read_number(&text, number) || text.len == 0 || *text.ptr != '-') {
        return false;
    }
    text.ptr++;
    text.len--;
    return read_number(&text, event) && text.len == 0;
}

/* ---- Readers ---- */

void mcpw_http_stream_leave(mcpw_http_exchange *exchange) {
    if (exchange->http_session->blocked == exchange) {
        exchange->http_session->blocked = NULL;
        mcpw_http_session_mark_ready(exchange->http_session);
    }
    if (exchange->reads != NULL) {
        exchange->reads->reader = NULL;
        exchange->reads = NULL;
    }
}

void mcpw_http_stream_end(mcpw_http_stream *stream) {
    mcpw_http_exchange *const reader = stream->reader;
    if (reader != NULL) {
        mcpw_http_stream_leave(reader);
        mcpw_exchange_finish(reader);
    }
}

/* ---- Events ---- */

static mcpw_status put_event(mcpw_http_exchange *reader, uint64_t number, uint64_t event, mcpw_str text) {
    char lines[LINES];
    const int len = snprintf(lines, sizeof lines, "id: %llu-%llu\n", (unsigned long long)number,
                             (unsigned long long)event);
    mcpw_exchange_put_off(reader);
    return mcpw_exchange_append_event(reader, (mcpw_str){lines, (size_t)len}, text);
}

/* Sends an event without data: a client that has its id can resume the stream before the first message. */
static void put_priming(mcpw_http_exchange *reader, const mcpw_http_stream *stream) {
    char lines[LINES];
    const int len =
        snprintf(lines, sizeof lines, "id: %llu-%llu\nretry: %llu\n", (unsigned long long)stream->number,
                 (unsigned long long)stream->read, (unsigned long long)reader->server->config.retry_ms);
    /* Without memory the client can resume from a later event only. */
    (void)!mcpw_exchange_append_event(reader, (mcpw_str){lines, (size_t)len}, MCPW_STR_VALUE(""));
}

void mcpw_http_stream_begin(mcpw_http_exchange *exchange, bool is_primed) {
    mcpw_exchange_begin_stream(exchange);
    if (exchange->reads != NULL) {
        exchange->reads->is_numbered = true;
        if (is_primed && mcpw_http_stream_primes(exchange->http_session)) {
            put_priming(exchange, exchange->reads);
        }
    }
    mcpw_exchange_put_off(exchange);
}

void mcpw_http_stream_send(mcpw_http_session *http_session, mcpw_http_stream *stream, mcpw_str text) {
    mcpw_http_exchange *const reader = stream->reader;
    const mcpw_http_store *const store = store_of(http_session);
    if (reader == NULL && !stream->is_numbered) {
        return;
    }
    if (reader != NULL && reader->status == 0) {
        mcpw_http_stream_begin(reader, true);
    }
    stream->said++;
    if (http_session->rest != MCPW_ENDED) { /* an event that cannot be stored is sent nevertheless */
        (void)!store->append(store->self, mcpw_http_session_id(http_session), stream->number, stream->said,
                             text);
    }
    if (reader == NULL) {
        return;
    }
    if (put_event(reader, stream->number, stream->said, text) != MCPW_OK) {
        mcpw_http_stream_end(stream); /* cut off, so that the client does not take it for complete */
        return;
    }
    stream->read = stream->said;
    if (reader->out.len >= MCPW_ENOUGH_OUTPUT) {
        http_session->blocked = reader;
    }
}

/* ---- Repeating events ---- */

typedef struct repeat {
    mcpw_http_exchange *reader;
    uint64_t number;
    uint64_t last; /* the last event that was given */
} repeat;

static mcpw_status give(void *user, uint64_t event, mcpw_str text) {
    repeat *const r = user;
    r->last = event;
    return put_event(r->reader, r->number, event, text);
}

static bool repeat_events(repeat *r, uint64_t after) {
    const mcpw_http_session *const http_session = r->reader->http_session;
    const mcpw_http_store *const store = store_of(http_session);
    return store->replay(store->self, mcpw_http_session_id(http_session), r->number, after, give, r) ==
           MCPW_OK;
}

bool mcpw_http_stream_repeat(mcpw_http_exchange *exchange, uint64_t number, uint64_t after) {
    repeat r = {exchange, number, after};
    const mcpw_http_stream stream = {.number = number, .read = after};
    if (mcpw_sharing_of(exchange->server)->is_shared && mcpw_http_stream_primes(exchange->http_session)) {
        put_priming(exchange, &stream); /* another process may continue it: the client resumes it there */
    }
    return repeat_events(&r, after);
}

/* True if the reader of the own stream leaves so much unread that the stream ends: other processes do not
 * know that it is slow. Its client resumes it from the log. */
static bool is_full(const mcpw_http_session *http_session) {
    return http_session->own.reader->out.len >=
           mcpw_endpoint_max_output(http_session->server->config.endpoint);
}

void mcpw_http_stream_send_entry(mcpw_http_session *http_session, uint64_t entry, mcpw_str text) {
    mcpw_http_stream *const own = &http_session->own;
    if (own->reader == NULL || entry <= own->read) {
        return;
    }
    if (is_full(http_session) || put_event(own->reader, own->number, entry, text) != MCPW_OK) {
        mcpw_http_stream_end(own);
        return;
    }
    own->said = own->read = entry;
    if (own->reader->out.len >= MCPW_ENOUGH_OUTPUT) {
        http_session->blocked = own->reader;
    }
}

void mcpw_http_stream_send_part(mcpw_http_session *http_session, uint64_t entry, mcpw_str text) {
    mcpw_http_stream *const own = &http_session->own;
    if (own->reader == NULL || entry <= own->read) {
        return;
    }
    if (put_event(own->reader, own->number, entry - 1, text) != MCPW_OK) {
        mcpw_http_stream_end(own);
    }
}

void mcpw_http_stream_end_parts(mcpw_http_session *http_session, uint64_t entry) {
    mcpw_http_stream *const own = &http_session->own;
    if (own->reader == NULL || entry <= own->read) {
        return;
    }
    own->said = own->read = entry;
    if (own->reader->out.len >= MCPW_ENOUGH_OUTPUT) {
        http_session->blocked = own->reader;
    }
}

void mcpw_http_stream_send_place(mcpw_http_session *http_session, uint64_t entry) {
    mcpw_http_stream *const own = &http_session->own;
    if (own->reader != NULL && entry > own->read && mcpw_http_stream_primes(http_session)) {
        own->said = own->read = entry;
        put_priming(own->reader, own);
    }
}

bool mcpw_http_stream_attach(mcpw_http_exchange *exchange, mcpw_http_stream *stream, uint64_t after) {
    repeat r = {exchange, stream->number, after};
    mcpw_http_stream_end(stream);
    exchange->reads = stream;
    stream->reader = exchange;
    stream->read = after;
    mcpw_http_stream_begin(exchange, true);
    const mcpw_sharing *const sharing = mcpw_sharing_of(exchange->server);
    const bool by_log = stream == &exchange->http_session->own && sharing->is_shared;
    if (by_log ? !sharing->repeat(exchange->http_session, after) : !repeat_events(&r, after)) {
        mcpw_http_stream_leave(exchange);
        return false;
    }
    if (by_log) {
        return exchange->reads == stream;
    }
    stream->read = stream->said;
    if (exchange->out.len >= MCPW_ENOUGH_OUTPUT) {
        exchange->http_session->blocked = exchange;
    }
    return true;
}

/* ---- Messages of a session ---- */

/* The HTTP status of a response. Most errors are for the caller only; 404 would mean that the session has
 * ended. */
static int status_of(const mcpw_http_exchange *exchange, const mcpw_outgoing *said) {
    const bool is_broken = said->code == MCPW_RPC_PARSE_ERROR || (said->code != 0 && !exchange->is_request);
    return is_broken ? MCPW_HTTP_BAD_REQUEST : MCPW_HTTP_OK;
}

/* Refuses an accepted request, because the other processes could not be informed. */
static void refuse_unshared(mcpw_http_exchange *exchange, mcpw_status why) {
    static const mcpw_json no_id = {NULL, 0, 0};
    if (why == MCPW_E_SIZE) {
        mcpw_exchange_refuse(exchange, MCPW_HTTP_TOO_LARGE, MCPW_RPC_INVALID_REQUEST, no_id,
                             "The record of the session is too large");
    } else if (why == MCPW_E_NOT_FOUND) {
        mcpw_exchange_refuse(exchange, MCPW_HTTP_NOT_FOUND, MCPW_RPC_INVALID_REQUEST, no_id,
                             "Not found: the session has ended in another process");
    } else {
        mcpw_exchange_refuse(exchange, MCPW_HTTP_UNAVAILABLE, MCPW_RPC_INTERNAL_ERROR, no_id,
                             "Unavailable: the session cannot be kept");
    }
}

static void answer(mcpw_http_exchange *exchange, const mcpw_outgoing *said, mcpw_status shared) {
    if (shared != MCPW_OK) {
        refuse_unshared(exchange, shared);
    } else if (mcpw_exchange_send_json(exchange, status_of(exchange, said), said->text) != MCPW_OK) {
        mcpw_exchange_fail(exchange);
    } else if (exchange->opens && said->kind == MCPW_MESSAGE_RESULT) {
        mcpw_exchange_add(exchange, MCPW_STR_VALUE("Mcp-Session-Id"),
                          mcpw_http_session_id(exchange->http_session));
    }
}

/* Ends a response without a message: none was wanted, the request was cancelled, or there was no memory. The
 * response to a request must be JSON or a stream, so a cancelled request gets a stream that ends. It has no
 * id, so the client does not resume it. (MCP 2025-11-25, "Streamable HTTP", sending messages.) */
static void answer_nothing(mcpw_http_exchange *exchange) {
    if (exchange->stream.reader != exchange || exchange->status != 0) {
        return;
    }
    if (!exchange->is_request) {
        mcpw_exchange_accept(exchange, MCPW_HTTP_ACCEPTED);
    } else if (exchange->http_session->cancels) {
        mcpw_exchange_begin_stream(exchange);
    } else {
        mcpw_exchange_refuse_unanswered(exchange);
    }
}

static void bring(mcpw_http_session *http_session, const mcpw_outgoing *said) {
    mcpw_http_exchange *const exchange = said->context;
    if (said->context == http_session) {
        return; /* the response to a message that was passed on by another process */
    }
    if (exchange == NULL) {
        mcpw_sharing_of(http_session->server)->send_on_own(http_session, said);
        return;
    }
    const bool keeps =
        said->is_last && said->kind == MCPW_MESSAGE_RESULT && exchange->kept != MCPW_KEPT_NOTHING;
    const mcpw_status shared = keeps ? mcpw_sharing_of(http_session->server)->keep(exchange) : MCPW_OK;
    exchange->is_pending = !said->is_last;
    /* It was cancelled, or given up by a closed session. Another thread may still have it. */
    exchange->is_dropped = exchange->is_request && said->is_last &&
                           (said->text.ptr == NULL || mcpw_session_is_closed(http_session->session));
    if (said->text.ptr == NULL) {
        answer_nothing(exchange);
    } else if (said->is_last && exchange->stream.reader == exchange && exchange->status == 0) {
        answer(exchange, said, shared);
    } else {
        mcpw_http_stream_send(http_session, &exchange->stream, said->text);
    }
    if (said->is_last && exchange->role == MCPW_IN_SESSION_MESSAGE) {
        mcpw_sessions_done(exchange);
    }
    if (said->is_last) {
        mcpw_http_stream_end(&exchange->stream);
        mcpw_exchange_mark_ready(exchange); /* it can be released if its peer has gone */
    }
}

bool mcpw_http_stream_pump(mcpw_http_session *http_session) {
    mcpw_outgoing said;
    bool has_said = false;
    while (http_session->blocked == NULL && mcpw_session_next_message(http_session->session, &said)) {
        bring(http_session, &said);
        has_said = true;
    }
    return has_said;
}
