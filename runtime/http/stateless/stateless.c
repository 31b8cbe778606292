/* SPDX-License-Identifier: MIT */
/* A stateless request has a session of its own while it lasts. Its response is one JSON text or a stream of
 * events. */
#include "stateless.h"

#include <mcpw/detail/session.h>
#include <mcpw/policy.h>

/* ---- Messages of the session ---- */

/* The HTTP status of a response. Most errors are for the caller only; some mean that the HTTP request was
 * wrong. */
static int status_of(const mcpw_outgoing *said) {
    switch (said->code) {
    case MCPW_RPC_METHOD_NOT_FOUND:
        return MCPW_HTTP_NOT_FOUND;
    case MCPW_RPC_PARSE_ERROR:
    case MCPW_RPC_INVALID_REQUEST:
    case MCPW_RPC_HEADER_MISMATCH:
    case MCPW_RPC_MISSING_CAPABILITY:
    case MCPW_RPC_UNSUPPORTED_VERSION:
        return MCPW_HTTP_BAD_REQUEST;
    default:
        return MCPW_HTTP_OK;
    }
}

/* Sends one message of the session. */
static mcpw_status send_message(mcpw_http_exchange *exchange, const mcpw_outgoing *said) {
    const bool is_first = exchange->status == 0;
    mcpw_status status = MCPW_OK;
    exchange->is_pending = !said->is_last;
    if (said->text.ptr == NULL) {
        if (is_first && exchange->is_request) {
            mcpw_exchange_refuse_unanswered(exchange);
        } else if (is_first) {
            mcpw_exchange_accept(exchange, MCPW_HTTP_ACCEPTED);
        }
    } else if (is_first && said->is_last) {
        status = mcpw_exchange_send_json(exchange, status_of(said), said->text);
    } else {
        if (is_first) {
            mcpw_exchange_begin_stream(exchange);
        }
        status = mcpw_exchange_append_event(exchange, MCPW_STR_VALUE(""), said->text);
        mcpw_exchange_put_off(exchange);
    }
    if (said->is_last) {
        mcpw_exchange_finish(exchange);
    }
    return status;
}

/* Ends the exchange for lack of memory. A response that has begun is cut off, so that the client does not
 * take it for complete. */
static void lose(mcpw_http_exchange *exchange) {
    if (exchange->is_pending) {
        exchange->is_pending = false;
        mcpw_session_abandon(exchange->session, exchange);
    }
    if (exchange->streams) {
        mcpw_exchange_finish(exchange);
    } else {
        mcpw_exchange_fail(exchange);
    }
}

static void pump(mcpw_http_exchange *exchange) {
    mcpw_outgoing said;
    if (exchange->session == NULL) {
        return;
    }
    /* Read to the end, even after the last message, so that the session empties its queue. */
    while (!exchange->out_given && exchange->out.len < MCPW_ENOUGH_OUTPUT &&
           mcpw_session_next_message(exchange->session, &said)) {
        if (said.context == exchange && send_message(exchange, &said) != MCPW_OK) {
            lose(exchange);
        }
    }
}

/* ---- The message ---- */

static void on_output(void *user, mcpw_session *session) {
    (void)session;
    mcpw_exchange_mark_ready(user);
}

/* Gives an exchange its session. */
static mcpw_status give_session(mcpw_http_exchange *exchange) {
    const mcpw_http_config *const config = &exchange->server->config;
    if (exchange->session != NULL && mcpw_session_is_closed(exchange->session)) {
        mcpw_exchange_free_session(exchange); /* the program has closed it while it was idle */
    }
    if (exchange->session == NULL) {
        exchange->session = mcpw_session_from(config->endpoint, NULL, NULL);
        if (exchange->session == NULL) {
            return MCPW_E_MEMORY;
        }
        mcpw_session_on_output(exchange->session, on_output, exchange);
        if (config->on_session != NULL) {
            config->on_session(config->user, exchange->session);
        }
    }
    return mcpw_session_set_principal(exchange->session, exchange->principal);
}

void mcpw_stateless_post(mcpw_http_exchange *exchange, const mcpw_message_envelope *envelope) {
    exchange->phase = MCPW_EXCHANGE_SERVES;
    mcpw_exchange_put_off(exchange);
    exchange->is_pending = true;
    mcpw_status status = give_session(exchange);
    if (status == MCPW_OK) {
        mcpw_session_advance(exchange->session, exchange->server->now);
        status = mcpw_session_receive_read(exchange->session, exchange->body.data, exchange->body.len,
                                           envelope, exchange);
    }
    if (status != MCPW_OK) {
        exchange->is_pending = false;
        mcpw_exchange_refuse(exchange, MCPW_HTTP_UNAVAILABLE, MCPW_RPC_INTERNAL_ERROR,
                             (mcpw_json){NULL, 0, 0}, mcpw_status_text(status));
    }
    pump(exchange);
}

/* ---- The exchange ---- */

static mcpw_str give(mcpw_http_exchange *exchange) {
    return (mcpw_str){exchange->out.data, exchange->out.len};
}

static void sent(mcpw_http_exchange *exchange) { exchange->out.len = 0; }

/* Frees the memory of a subscription that has sent its messages: there may be many subscriptions, and most
 * are silent. */
static void rest(mcpw_http_exchange *exchange) {
    if (exchange->listens && exchange->streams && exchange->session != NULL) {
        exchange->listens = false;
        mcpw_buffer_free(&exchange->body);
        mcpw_buffer_free(&exchange->out);
        mcpw_session_trim(exchange->session);
    }
}

static void trim(mcpw_http_exchange *exchange) {
    if (exchange->session != NULL) {
        mcpw_session_trim(exchange->session);
    }
}

static void advance(mcpw_http_exchange *exchange) {
    if (exchange->session != NULL) {
        mcpw_session_advance(exchange->session, exchange->server->now);
    }
}

static uint64_t deadline(const mcpw_http_exchange *exchange) {
    return exchange->session != NULL ? mcpw_session_deadline(exchange->session) : UINT64_MAX;
}

static void changed(mcpw_http_exchange *exchange, mcpw_change change, mcpw_str uri) {
    if (exchange->is_pending) {
        mcpw_session_changed(exchange->session, change, uri);
    }
}

/* A stateless client cannot resume a stream. */
static mcpw_status end_stream(mcpw_http_exchange *exchange) {
    (void)exchange;
    return MCPW_E_STATE;
}

static void end(mcpw_http_exchange *exchange) {
    if (exchange->session != NULL) {
        mcpw_session_close(exchange->session);
    }
}

static void abandon(mcpw_http_exchange *exchange) {
    if (exchange->is_pending) {
        exchange->is_pending = false;
        mcpw_session_abandon(exchange->session, exchange);
    }
}

/* Another thread may still have a cancelled request. */
static bool is_in_use(const mcpw_http_exchange *exchange) {
    const mcpw_session *const session = exchange->session;
    return session != NULL && (mcpw_session_is_busy(session) || mcpw_session_detached(session) != 0);
}

static void leave(mcpw_http_exchange *exchange) { (void)exchange; /* it belongs to no session */ }

const mcpw_exchange_kind mcpw_stateless_exchange = {
    .pump = pump,
    .begin_stream = mcpw_exchange_begin_stream,
    .give = give,
    .sent = sent,
    .rest = rest,
    .trim = trim,
    .advance = advance,
    .deadline = deadline,
    .changed = changed,
    .end_stream = end_stream,
    .end = end,
    .abandon = abandon,
    .is_in_use = is_in_use,
    .leave = leave,
};
