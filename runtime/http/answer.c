/* SPDX-License-Identifier: MIT */
/* Responses: one JSON text, or a stream of events, as the session says what belongs to the request. */
#include <mcpw/policy.h>

#include "exchange.h"

enum { ENOUGH = 1 << 16 /* bytes that wait to be sent, from which on the session keeps its own */ };

static const mcpw_str json_type = MCPW_STR("application/json");

static void add_field(mcpw_http_exchange *exchange, mcpw_str name, mcpw_str value) {
    exchange->answer[exchange->answer_count++] = (mcpw_http_field){name, value};
}

static void begin(mcpw_http_exchange *exchange, int status) {
    exchange->phase = MCPW_EXCHANGE_SERVES;
    exchange->status = status;
    exchange->answer_count = 0;
}

/* The response is complete. */
static void finish(mcpw_http_exchange *exchange) {
    exchange->is_over = true;
    exchange->due = UINT64_MAX;
}

/* ---- Errors ---- */

static mcpw_status write_error(mcpw_http_exchange *exchange, int64_t code, mcpw_json id,
                               const char *message) {
    mcpw_json_writer w;
    mcpw_json written;
    exchange->out.len = 0;
    mcpw_json_write_into(&w, &exchange->out);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "jsonrpc");
    mcpw_json_write_string(&w, "2.0", sizeof "2.0" - 1);
    if (id.ptr != NULL) {
        mcpw_json_write_key(&w, "id");
        mcpw_json_write_raw(&w, id);
    }
    mcpw_json_write_key(&w, "error");
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "code");
    mcpw_json_write_int(&w, code);
    mcpw_json_write_key(&w, "message");
    mcpw_json_write_string(&w, message, strlen(message));
    mcpw_json_write_close(&w);
    mcpw_json_write_close(&w);
    return mcpw_json_write_end(&w, &written);
}

/* Answers where there is no memory for anything else. */
static void fail(mcpw_http_exchange *exchange) {
    static const mcpw_str text = MCPW_STR(
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":\"Internal error: out of memory\"}}");
    begin(exchange, MCPW_HTTP_UNAVAILABLE);
    add_field(exchange, MCPW_STR_VALUE("Content-Type"), json_type);
    exchange->out.len = 0;
    exchange->fixed = text;
    finish(exchange);
}

void mcpw_exchange_refuse(mcpw_http_exchange *exchange, int status, int64_t code, mcpw_json id,
                          const char *message) {
    if (write_error(exchange, code, id, message) != MCPW_OK) {
        fail(exchange);
        return;
    }
    begin(exchange, status);
    add_field(exchange, MCPW_STR_VALUE("Content-Type"), json_type);
    finish(exchange);
}

void mcpw_exchange_accept(mcpw_http_exchange *exchange) {
    begin(exchange, MCPW_HTTP_ACCEPTED);
    finish(exchange);
}

/* ---- What the session says ---- */

/* The status of an answer. Most errors are the business of who asked; some say that the request was wrong for
 * this transport. */
static int status_of(const mcpw_outgoing *said) {
    const mcpw_json text = {said->text.ptr, said->text.len};
    mcpw_json error;
    int64_t code = 0;
    if (said->kind != MCPW_MESSAGE_ERROR || mcpw_json_get(text, "error", &error) != MCPW_OK ||
        mcpw_json_get_int(error, "code", &code) != MCPW_OK) {
        return MCPW_HTTP_OK;
    }
    switch (code) {
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

static void begin_stream(mcpw_http_exchange *exchange) {
    begin(exchange, MCPW_HTTP_OK);
    add_field(exchange, MCPW_STR_VALUE("Content-Type"), MCPW_STR_VALUE("text/event-stream"));
    add_field(exchange, MCPW_STR_VALUE("Cache-Control"), MCPW_STR_VALUE("no-cache"));
    add_field(exchange, MCPW_STR_VALUE("X-Accel-Buffering"), MCPW_STR_VALUE("no"));
    exchange->streams = true;
}

static mcpw_status append(mcpw_http_exchange *exchange, mcpw_str text) {
    return mcpw_buffer_append(&exchange->out, text.ptr, text.len);
}

/* Puts an event behind what waits to be sent; where there is no memory for all of it, none of it. */
static mcpw_status append_event(mcpw_http_exchange *exchange, mcpw_str data) {
    const size_t before = exchange->out.len;
    mcpw_status status = append(exchange, MCPW_STR_VALUE("data: "));
    status = status == MCPW_OK ? append(exchange, data) : status;
    status = status == MCPW_OK ? append(exchange, MCPW_STR_VALUE("\n\n")) : status;
    exchange->out.len = status == MCPW_OK ? exchange->out.len : before;
    return status;
}

static void put_off(mcpw_http_exchange *exchange) {
    exchange->due = exchange->server->now + exchange->server->config.keep_alive;
}

/* One message of the session's. */
static mcpw_status say(mcpw_http_exchange *exchange, const mcpw_outgoing *said) {
    const bool is_first = exchange->status == 0;
    mcpw_status status = MCPW_OK;
    exchange->is_pending = !said->is_last;
    if (said->text.ptr == NULL) {
        if (is_first && exchange->is_request) { /* its handler has lost it */
            /* uncovered: no memory, at one more place */
            mcpw_exchange_refuse(exchange, MCPW_HTTP_INTERNAL_ERROR, MCPW_RPC_INTERNAL_ERROR,
                                 (mcpw_json){NULL, 0}, "Internal error: there is no answer");
        } else if (is_first) {
            mcpw_exchange_accept(exchange);
        }
    } else if (is_first && said->is_last) {
        status = append(exchange, said->text);
        begin(exchange, status_of(said));
        add_field(exchange, MCPW_STR_VALUE("Content-Type"), json_type);
    } else {
        if (is_first) {
            begin_stream(exchange);
        }
        status = append_event(exchange, said->text);
        put_off(exchange);
    }
    if (said->is_last) {
        finish(exchange);
    }
    return status;
}

/* Nothing more can be said for want of memory: what was begun is cut off, so that nobody takes it for
 * complete. */
static void lose(mcpw_http_exchange *exchange) {
    if (exchange->is_pending) {
        exchange->is_pending = false;
        mcpw_session_abandon(exchange->session, exchange);
    }
    if (exchange->streams) {
        finish(exchange);
    } else {
        fail(exchange);
    }
}

void mcpw_exchange_pump(mcpw_http_exchange *exchange) {
    mcpw_outgoing said;
    /* To the end, though its last message was seen: then the session empties its queue. */
    while (!exchange->out_given && exchange->out.len < ENOUGH &&
           mcpw_session_next_message(exchange->session, &said)) {
        if (said.context == exchange && say(exchange, &said) != MCPW_OK) {
            lose(exchange);
        }
    }
}

void mcpw_exchange_comment(mcpw_http_exchange *exchange) {
    if (exchange->status == 0) {
        begin_stream(exchange);
    }
    if (exchange->out.len == 0) {
        (void)!append(exchange, MCPW_STR_VALUE(":\n\n")); /* without memory the stream is silent */
    }
    put_off(exchange);
}

/* ---- To the program ---- */

bool mcpw_exchange_has_output(const mcpw_http_exchange *exchange) {
    return exchange->status != 0 && !exchange->out_given &&
           (!exchange->head_given || exchange->out.len != 0 || (exchange->is_over && !exchange->end_given));
}

static mcpw_str bytes_of(mcpw_http_exchange *exchange) {
    exchange->out_given = exchange->out.len != 0;
    return exchange->out.len != 0 ? (mcpw_str){exchange->out.data, exchange->out.len} : exchange->fixed;
}

bool mcpw_http_next(mcpw_http_exchange *exchange, mcpw_http_output *output) {
    memset(output, 0, sizeof *output);
    if (exchange->out_given) {
        exchange->out.len = 0;
        exchange->out_given = false;
    }
    mcpw_exchange_pump(exchange);
    if (!mcpw_exchange_has_output(exchange)) {
        return false;
    }
    if (!exchange->head_given) {
        exchange->head_given = true;
        output->step = MCPW_HTTP_HEAD;
        output->status = exchange->status;
        output->fields = exchange->answer;
        output->field_count = exchange->answer_count;
        output->streams = exchange->streams;
        if (!exchange->streams) {
            output->bytes = bytes_of(exchange);
        }
    } else if (exchange->out.len != 0) {
        output->step = MCPW_HTTP_BODY;
        output->bytes = bytes_of(exchange);
    } else {
        exchange->end_given = true;
        output->step = MCPW_HTTP_END;
    }
    return true;
}
