/* SPDX-License-Identifier: MIT */
/* An event's id is the number of its stream and its own among the stream's: "3-17". So it is the only one in
 * its session, and says which stream to go on with. (MCP 2025-11-25, "Resumability and Redelivery".) */
#include "flows.h"

#include "cluster.h"

#include <mcpw/protocol.h>

#include <stdio.h>

enum { LINES = 128 /* bytes of the lines before the data of an event */ };

static mcpw_http_store *store_of(const mcpw_legacy *legacy) { return &legacy->server->sessions->store; }

bool mcpw_flow_primes(const mcpw_legacy *legacy) {
    const mcpw_revision *const revision = mcpw_session_revision(legacy->session);
    return revision != NULL && strcmp(mcpw_revision_wire(revision), "2025-11-25") >= 0;
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

bool mcpw_flow_read_id(mcpw_str text, uint64_t *number, uint64_t *event) {
    if (!read_number(&text, number) || text.len == 0 || *text.ptr != '-') {
        return false;
    }
    text.ptr++;
    text.len--;
    return read_number(&text, event) && text.len == 0;
}

/* ---- Who reads ---- */

void mcpw_flow_leave(mcpw_http_exchange *exchange) {
    if (exchange->legacy->choked == exchange) {
        exchange->legacy->choked = NULL;
        mcpw_sessions_hear(exchange->legacy);
    }
    if (exchange->reads != NULL) {
        exchange->reads->reader = NULL;
        exchange->reads = NULL;
    }
}

void mcpw_flow_end(mcpw_flow *flow) {
    mcpw_http_exchange *const reader = flow->reader;
    if (reader != NULL) {
        mcpw_flow_leave(reader);
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

/* An event without data: a client that has its id can come back before anything was said. */
static void put_priming(mcpw_http_exchange *reader, const mcpw_flow *flow) {
    char lines[LINES];
    const int len =
        snprintf(lines, sizeof lines, "id: %llu-%llu\nretry: %llu\n", (unsigned long long)flow->number,
                 (unsigned long long)flow->read, (unsigned long long)reader->server->config.retry);
    /* without memory it has to come back with a later one */
    (void)!mcpw_exchange_append_event(reader, (mcpw_str){lines, (size_t)len}, MCPW_STR_VALUE(""));
}

void mcpw_flow_begin(mcpw_http_exchange *exchange, bool is_primed) {
    mcpw_exchange_begin_stream(exchange);
    if (exchange->reads != NULL) {
        exchange->reads->is_numbered = true;
        if (is_primed && mcpw_flow_primes(exchange->legacy)) {
            put_priming(exchange, exchange->reads);
        }
    }
    mcpw_exchange_put_off(exchange);
}

/* Says something on a stream. What its client has no id for, it cannot ask for. */
static void say_on(mcpw_legacy *legacy, mcpw_flow *flow, mcpw_str text) {
    mcpw_http_exchange *const reader = flow->reader;
    const mcpw_http_store *const store = store_of(legacy);
    if (reader == NULL && !flow->is_numbered) {
        return;
    }
    if (reader != NULL && reader->status == 0) {
        mcpw_flow_begin(reader, true);
    }
    flow->said++;
    if (legacy->rest != MCPW_ENDED) { /* what cannot be kept is sent all the same */
        (void)!store->append(store->self, mcpw_legacy_id(legacy), flow->number, flow->said, text);
    }
    if (reader == NULL) {
        return;
    }
    if (put_event(reader, flow->number, flow->said, text) != MCPW_OK) {
        mcpw_flow_end(flow); /* cut off: nobody takes it for complete */
        return;
    }
    flow->read = flow->said;
    if (reader->out.len >= MCPW_ENOUGH_OUTPUT) {
        legacy->choked = reader;
    }
}

/* ---- Again ---- */

typedef struct repeat {
    mcpw_http_exchange *reader;
    uint64_t number;
    uint64_t last; /* that was given */
} repeat;

static mcpw_status give(void *user, uint64_t event, mcpw_str text) {
    repeat *const r = user;
    r->last = event;
    return put_event(r->reader, r->number, event, text);
}

static bool repeat_events(repeat *r, uint64_t after) {
    const mcpw_legacy *const legacy = r->reader->legacy;
    const mcpw_http_store *const store = store_of(legacy);
    return store->replay(store->self, mcpw_legacy_id(legacy), r->number, after, give, r) == MCPW_OK;
}

bool mcpw_flow_repeat(mcpw_http_exchange *exchange, uint64_t number, uint64_t after) {
    repeat r = {exchange, number, after};
    const mcpw_flow flow = {.number = number, .read = after};
    if (mcpw_has_cluster(exchange->server) && mcpw_flow_primes(exchange->legacy)) {
        put_priming(exchange, &flow); /* it may go on in another process: its client asks again */
    }
    return repeat_events(&r, after);
}

void mcpw_flow_tell(mcpw_legacy *legacy, uint64_t entry, mcpw_str text) {
    mcpw_flow *const own = &legacy->own;
    if (own->reader == NULL || entry <= own->read) {
        return;
    }
    if (put_event(own->reader, own->number, entry, text) != MCPW_OK) {
        mcpw_flow_end(own);
        return;
    }
    own->said = own->read = entry;
    if (own->reader->out.len >= MCPW_ENOUGH_OUTPUT) {
        legacy->choked = own->reader;
    }
}

void mcpw_flow_tell_part(mcpw_legacy *legacy, uint64_t entry, mcpw_str text) {
    mcpw_flow *const own = &legacy->own;
    if (own->reader == NULL || entry <= own->read) {
        return;
    }
    if (put_event(own->reader, own->number, entry - 1, text) != MCPW_OK) {
        mcpw_flow_end(own);
    }
}

void mcpw_flow_tell_end(mcpw_legacy *legacy, uint64_t entry) {
    mcpw_flow *const own = &legacy->own;
    if (own->reader == NULL || entry <= own->read) {
        return;
    }
    own->said = own->read = entry;
    if (own->reader->out.len >= MCPW_ENOUGH_OUTPUT) {
        legacy->choked = own->reader;
    }
}

bool mcpw_flow_attach(mcpw_http_exchange *exchange, mcpw_flow *flow, uint64_t after) {
    repeat r = {exchange, flow->number, after};
    mcpw_flow_end(flow);
    exchange->reads = flow;
    flow->reader = exchange;
    flow->read = after;
    mcpw_flow_begin(exchange, true);
    const bool by_log = flow == &exchange->legacy->own && mcpw_has_cluster(exchange->server);
    if (by_log ? !mcpw_cluster_repeat(exchange->legacy, after) : !repeat_events(&r, after)) {
        mcpw_flow_leave(exchange);
        return false;
    }
    if (by_log) {
        return exchange->reads == flow;
    }
    flow->read = flow->said;
    if (exchange->out.len >= MCPW_ENOUGH_OUTPUT) {
        exchange->legacy->choked = exchange;
    }
    return true;
}

/* ---- What a session says ---- */

/* The status of an answer that comes alone. An error is the business of who asked; 404 would say that the
 * session is gone. */
static int status_of(const mcpw_http_exchange *exchange, const mcpw_outgoing *said) {
    const int64_t code = mcpw_outgoing_code(said);
    const bool is_broken = code == MCPW_RPC_PARSE_ERROR || (code != 0 && !exchange->is_request);
    return is_broken ? MCPW_HTTP_BAD_REQUEST : MCPW_HTTP_OK;
}

/* The other processes could not be told of a granted request, so it is refused after all. */
static void refuse_unshared(mcpw_http_exchange *exchange, mcpw_status why) {
    static const mcpw_json no_id = {NULL, 0};
    if (why == MCPW_E_SIZE) {
        mcpw_exchange_refuse(exchange, MCPW_HTTP_TOO_LARGE, MCPW_RPC_INVALID_REQUEST, no_id,
                             "The session has more to remember than its processes share");
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
    } else if (mcpw_exchange_tell(exchange, status_of(exchange, said), said->text) != MCPW_OK) {
        mcpw_exchange_fail(exchange);
    } else if (exchange->opens && said->kind == MCPW_MESSAGE_RESULT) {
        mcpw_exchange_add(exchange, MCPW_STR_VALUE("Mcp-Session-Id"), mcpw_legacy_id(exchange->legacy));
    }
}

/* There is no answer: none was wanted, its request was cancelled, or there was no memory for it. The response
 * to a request is JSON or a stream, so that to a cancelled one is a stream that ends: without an id in it
 * nobody asks for the rest. (MCP 2025-11-25, "Streamable HTTP", sending messages.) */
static void answer_nothing(mcpw_http_exchange *exchange) {
    if (exchange->flow.reader != exchange || exchange->status != 0) {
        return;
    }
    if (!exchange->is_request) {
        mcpw_exchange_accept(exchange, MCPW_HTTP_ACCEPTED);
    } else if (exchange->legacy->cancels) {
        mcpw_exchange_begin_stream(exchange);
    } else {
        mcpw_exchange_refuse_unanswered(exchange);
    }
}

static void bring(mcpw_legacy *legacy, const mcpw_outgoing *said) {
    mcpw_http_exchange *const exchange = said->context;
    if (said->context == legacy) {
        return; /* the answer to what another process was told */
    }
    if (exchange == NULL && mcpw_has_cluster(legacy->server)) {
        mcpw_cluster_say_on_own(legacy, said);
        return;
    }
    if (exchange == NULL) {
        say_on(legacy, &legacy->own, said->text);
        return;
    }
    const bool keeps =
        said->is_last && said->kind == MCPW_MESSAGE_RESULT && exchange->kept != MCPW_KEPT_NOTHING;
    const mcpw_status shared = keeps ? mcpw_cluster_keep(exchange) : MCPW_OK;
    exchange->is_pending = !said->is_last;
    /* cancelled, or given up by a session that is closed: another thread may have it still */
    exchange->is_dropped = exchange->is_request && said->is_last &&
                           (said->text.ptr == NULL || mcpw_session_is_closed(legacy->session));
    if (said->text.ptr == NULL) {
        answer_nothing(exchange);
    } else if (said->is_last && exchange->flow.reader == exchange && exchange->status == 0) {
        answer(exchange, said, shared);
    } else {
        say_on(legacy, &exchange->flow, said->text);
    }
    if (said->is_last && exchange->role == MCPW_IN_SESSION_MESSAGE) {
        mcpw_sessions_done(exchange);
    }
    if (said->is_last) {
        mcpw_flow_end(&exchange->flow);
        mcpw_exchange_hear(exchange); /* if its peer has gone, it can go now */
    }
}

bool mcpw_flows_pump(mcpw_legacy *legacy) {
    mcpw_outgoing said;
    bool has_said = false;
    while (legacy->choked == NULL && mcpw_session_next_message(legacy->session, &said)) {
        bring(legacy, &said);
        has_said = true;
    }
    return has_said;
}
