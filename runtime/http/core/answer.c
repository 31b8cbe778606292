/* SPDX-License-Identifier: MIT */
/* Writes responses: one JSON text, or a stream of events. */
#include <mcpw/policy.h>

#include "gate.h"

static const mcpw_str json_type = MCPW_STR("application/json");

void mcpw_exchange_add(mcpw_http_exchange *exchange, mcpw_str name, mcpw_str value) {
    exchange->answer[exchange->answer_count++] = (mcpw_http_field){name, value};
}

/* Adds the CORS fields, so that the browser gives the response to an allowed page. (WHATWG Fetch, "HTTP-CORS
 * protocol".) */
static void mark_origin(mcpw_http_exchange *exchange) {
    if (!exchange->server->config.cors) {
        return;
    }
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Vary"), MCPW_STR_VALUE("Origin"));
    if (exchange->origin.ptr != NULL) {
        mcpw_exchange_add(exchange, MCPW_STR_VALUE("Access-Control-Allow-Origin"), exchange->origin);
        mcpw_exchange_add(exchange, MCPW_STR_VALUE("Access-Control-Expose-Headers"),
                          MCPW_STR_VALUE("DPoP-Nonce, Mcp-Session-Id, WWW-Authenticate"));
    }
}

void mcpw_exchange_begin(mcpw_http_exchange *exchange, int status) {
    const mcpw_held_access *const held = mcpw_gate_access(exchange);
    mcpw_gate_forget(exchange);
    exchange->phase = MCPW_EXCHANGE_SERVES;
    exchange->status = status;
    exchange->answer_count = 0;
    mark_origin(exchange);
    if (held != NULL && held->nonce.len != 0) {
        mcpw_exchange_add(exchange, MCPW_STR_VALUE("DPoP-Nonce"), held->nonce);
    }
    mcpw_exchange_mark_ready(exchange);
}

void mcpw_exchange_finish(mcpw_http_exchange *exchange) {
    exchange->is_over = true;
    exchange->due = UINT64_MAX;
    mcpw_exchange_mark_ready(exchange);
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

void mcpw_exchange_fail(mcpw_http_exchange *exchange) {
    static const mcpw_str text = MCPW_STR(
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":\"Internal error: out of memory\"}}");
    mcpw_exchange_begin(exchange, MCPW_HTTP_UNAVAILABLE);
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Content-Type"), json_type);
    exchange->out.len = 0;
    exchange->fixed = text;
    mcpw_exchange_finish(exchange);
}

void mcpw_exchange_refuse(mcpw_http_exchange *exchange, int status, int64_t code, mcpw_json id,
                          const char *message) {
    if (write_error(exchange, code, id, message) != MCPW_OK) {
        mcpw_exchange_fail(exchange);
        return;
    }
    mcpw_exchange_begin(exchange, status);
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Content-Type"), json_type);
    mcpw_exchange_finish(exchange);
}

void mcpw_exchange_accept(mcpw_http_exchange *exchange, int status) {
    mcpw_exchange_begin(exchange, status);
    mcpw_exchange_finish(exchange);
}

/* ---- Output of the session ---- */

void mcpw_exchange_begin_stream(mcpw_http_exchange *exchange) {
    mcpw_exchange_begin(exchange, MCPW_HTTP_OK);
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Content-Type"), MCPW_STR_VALUE("text/event-stream"));
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Cache-Control"), MCPW_STR_VALUE("no-cache"));
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("X-Accel-Buffering"), MCPW_STR_VALUE("no"));
    exchange->streams = true;
}

static mcpw_status append(mcpw_http_exchange *exchange, mcpw_str text) {
    mcpw_exchange_mark_ready(exchange);
    return mcpw_buffer_append(&exchange->out, text.ptr, text.len);
}

mcpw_status mcpw_exchange_append_event(mcpw_http_exchange *exchange, mcpw_str lines, mcpw_str data) {
    const size_t before = exchange->out.len;
    mcpw_status status = append(exchange, lines);
    status = status == MCPW_OK ? append(exchange, MCPW_STR_VALUE("data: ")) : status;
    status = status == MCPW_OK ? append(exchange, data) : status;
    status = status == MCPW_OK ? append(exchange, MCPW_STR_VALUE("\n\n")) : status;
    exchange->out.len = status == MCPW_OK ? exchange->out.len : before;
    return status;
}

mcpw_status mcpw_exchange_send_json(mcpw_http_exchange *exchange, int status, mcpw_str text) {
    const mcpw_status appended = append(exchange, text);
    mcpw_exchange_begin(exchange, status);
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Content-Type"), json_type);
    return appended;
}

void mcpw_exchange_put_off(mcpw_http_exchange *exchange) {
    exchange->due = mcpw_time_after(exchange->server->now, exchange->server->config.keep_alive_ms);
}

bool mcpw_has_outcome(mcpw_json message) {
    mcpw_json outcome;
    return mcpw_json_get(message, "result", &outcome) == MCPW_OK ||
           mcpw_json_get(message, "error", &outcome) == MCPW_OK;
}

void mcpw_exchange_refuse_unanswered(mcpw_http_exchange *exchange) {
    const mcpw_json message = {exchange->body.data, exchange->body.len, 0};
    mcpw_json id = {NULL, 0, 0};
    if (mcpw_has_outcome(message)) {
        (void)!mcpw_json_get(message, "id", &id);
        mcpw_exchange_refuse(exchange, MCPW_HTTP_BAD_REQUEST, MCPW_RPC_INVALID_REQUEST, id,
                             "Invalid Request: a message has a method or an outcome, not both");
    } else {
        mcpw_exchange_refuse(exchange, MCPW_HTTP_INTERNAL_ERROR, MCPW_RPC_INTERNAL_ERROR, id,
                             "Internal error: there is no response");
    }
}

void mcpw_exchange_comment(mcpw_http_exchange *exchange) {
    if (exchange->status == 0) {
        exchange->kind->begin_stream(exchange);
    }
    if (exchange->out.len == 0) {
        (void)!append(exchange, MCPW_STR_VALUE(":\n\n")); /* without memory no comment is sent */
    }
    exchange->kind->trim(exchange);
    mcpw_exchange_put_off(exchange);
}

/* ---- To the program ---- */

bool mcpw_exchange_has_output(const mcpw_http_exchange *exchange) {
    return exchange->status != 0 && !exchange->out_given &&
           (!exchange->head_given || exchange->out.len != 0 || (exchange->is_over && !exchange->end_given));
}

static mcpw_str bytes_of(mcpw_http_exchange *exchange) {
    exchange->out_given = exchange->out.len != 0;
    return exchange->out_given ? exchange->kind->give(exchange) : exchange->fixed;
}

bool mcpw_http_next(mcpw_http_exchange *exchange, mcpw_http_output *output) {
    memset(output, 0, sizeof *output);
    if (exchange->out_given) {
        exchange->kind->sent(exchange);
    }
    exchange->out_given = false;
    exchange->kind->pump(exchange);
    if (!mcpw_exchange_has_output(exchange)) {
        exchange->kind->rest(exchange);
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
