/* SPDX-License-Identifier: MIT */
/* Messages from the server to the session. */
#include <mcpw/detail/session.h>
#include <mcpw/error.h>

#include "attach.h"
#include "client.h"

/* Gives the session a message, which belongs to the request of a call. If the session's output must be taken
 * first, the client makes calls of it. */
static void give(const mcpw_http_call *call, mcpw_str text) {
    mcpw_http_client *const client = call->client;
    mcpw_session *const session = client->config.session;
    const int64_t number = call->request;
    mcpw_status status = mcpw_session_receive_for(session, text.ptr, text.len, number);
    if (status == MCPW_E_FULL) {
        mcpw_http_calls_take(client);
        status = mcpw_session_receive_for(session, text.ptr, text.len, number);
    }
    if (status != MCPW_OK && status != MCPW_E_CLOSED) {
        mcpw_http_calls_fail(client, status, "a message of the server's was lost");
    }
}

/* ---- Errors -------------------------------------------------------------------------------------------- */

/* The id of the request in the session. */
static mcpw_json known_id(const mcpw_http_call *call) {
    return call->known.ptr != NULL ? call->known : call->id;
}

static void begin_error(mcpw_http_call *call, mcpw_json_writer *w) {
    mcpw_http_client *const client = call->client;
    client->written.len = 0;
    mcpw_json_write_into(w, &client->written);
    mcpw_json_write_object(w);
    mcpw_json_write_key(w, "jsonrpc");
    mcpw_json_write_string(w, "2.0", sizeof "2.0" - 1);
    mcpw_json_write_key(w, "id");
    mcpw_json_write_raw(w, known_id(call));
    mcpw_json_write_key(w, "error");
}

static void end_error(mcpw_http_call *call, mcpw_json_writer *w) {
    mcpw_http_client *const client = call->client;
    mcpw_json written;
    mcpw_json_write_close(w);
    if (mcpw_json_write_end(w, &written) != MCPW_OK) {
        mcpw_http_calls_fail(client, MCPW_E_MEMORY, "no memory to say that a request has failed");
        return;
    }
    give(call, (mcpw_str){written.ptr, written.len});
}

void mcpw_http_calls_answer(mcpw_http_call *call, mcpw_json error) {
    mcpw_json_writer w;
    begin_error(call, &w);
    mcpw_json_write_raw(&w, error);
    end_error(call, &w);
    mcpw_http_calls_free_call(call);
}

/* ---- Messages ------------------------------------------------------------------------------------------ */

/* True if an id is the request's number as a string, and the session accepts that. */
static bool is_id_as_text(const mcpw_http_call *call, mcpw_json id) {
    return id.len == call->id.len + 2 && id.ptr[0] == '"' &&
           memcmp(id.ptr + 1, call->id.ptr, call->id.len) == 0 &&
           mcpw_session_is_lenient(call->client->config.session);
}

static bool answers(const mcpw_http_call *call, const mcpw_message_envelope *e) {
    const mcpw_json id = e->at[MCPW_AT_ID];
    return call->id.ptr != NULL && id.ptr != NULL &&
           (e->at[MCPW_AT_RESULT].ptr != NULL || e->at[MCPW_AT_ERROR].ptr != NULL) &&
           e->at[MCPW_AT_METHOD].ptr == NULL && (mcpw_json_equal(id, call->id) || is_id_as_text(call, id));
}

/* Replaces one value in a text. */
static mcpw_status replace(mcpw_http_client *client, mcpw_str *text, mcpw_json value, mcpw_json other) {
    mcpw_buffer *const out = &client->written;
    const size_t before = (size_t)(value.ptr - text->ptr);
    out->len = 0;
    mcpw_status status = mcpw_buffer_append(out, text->ptr, before);
    status = status == MCPW_OK ? mcpw_buffer_append(out, other.ptr, other.len) : status;
    status = status == MCPW_OK
                 ? mcpw_buffer_append(out, value.ptr + value.len, text->len - before - value.len)
                 : status;
    *text = (mcpw_str){out->data, out->len};
    return status;
}

/* A repeated request has another id than the session knows. The client restores that id in the response and
 * in the notifications of a subscription. */
static mcpw_status rename_id(mcpw_http_call *call, const mcpw_message_envelope *e, mcpw_str *text) {
    mcpw_json id;
    if (answers(call, e)) {
        return replace(call->client, text, e->at[MCPW_AT_ID], call->known);
    }
    if (mcpw_json_get(e->at[MCPW_AT_META], "io.modelcontextprotocol/subscriptionId", &id) == MCPW_OK &&
        mcpw_json_equal(id, call->id)) {
        return replace(call->client, text, id, call->known);
    }
    return MCPW_OK;
}

static void hear_message(mcpw_http_call *call, mcpw_str text, mcpw_message_envelope *e) {
    mcpw_http_client *const client = call->client;
    const char *const received = text.ptr;
    mcpw_status status = MCPW_OK;
    if (answers(call, e)) {
        call->is_answered = true;
        if (call->version.ptr != NULL && mcpw_str_is(call->method, "tools/list")) {
            status = mcpw_http_calls_learn_tools(client, e->at[MCPW_AT_RESULT], &text);
        }
    }
    if (status == MCPW_OK && call->known.ptr != NULL) {
        const mcpw_json now = {text.ptr, text.len, 0};
        status = text.ptr != received ? mcpw_envelope_read(e, now, 0, NULL) : MCPW_OK;
        status = status == MCPW_OK ? rename_id(call, e, &text) : status;
    }
    if (status != MCPW_OK) {
        mcpw_http_calls_fail(client, status, "no memory for a message of the server's");
        return;
    }
    give(call, text);
}

/* Handles a batch, which may contain the response. */
static void receive_batch(mcpw_http_call *call, mcpw_str text) {
    mcpw_json_iter it;
    mcpw_json item;
    if (mcpw_json_iterate((mcpw_json){text.ptr, text.len, 0}, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, NULL, &item)) {
            mcpw_message_envelope e;
            call->is_answered =
                call->is_answered || (mcpw_envelope_read(&e, item, 0, NULL) == MCPW_OK && answers(call, &e));
        }
    }
    give(call, text);
}

/* The server has opened another session. It must offer the same as the lost one. */
static void receive_reopened(mcpw_http_call *call, mcpw_json result) {
    mcpw_http_client *const client = call->client;
    const mcpw_revision *const revision = mcpw_session_revision(client->config.session);
    mcpw_str version;
    if (revision != NULL &&
        mcpw_json_get_string(result, "protocolVersion", &client->scratch, &version) == MCPW_OK &&
        mcpw_str_is(version, mcpw_revision_name(revision))) {
        call->is_answered = true;
        mcpw_http_calls_say_ready(client);
    }
}

/* Handles a page of tools that were listed again. */
static void receive_listed(mcpw_http_call *call, mcpw_str text, mcpw_json result) {
    mcpw_http_client *const client = call->client;
    mcpw_str cursor;
    client->cursor.len = 0;
    if (result.ptr == NULL) {
        return;
    }
    if (mcpw_json_get_string(result, "nextCursor", &client->scratch, &cursor) == MCPW_OK &&
        mcpw_buffer_append(&client->cursor, cursor.ptr, cursor.len) != MCPW_OK) {
        client->cursor.len = 0;
    }
    call->is_answered = mcpw_http_calls_learn_tools(client, result, &text) == MCPW_OK;
}

void mcpw_http_calls_receive(mcpw_http_call *call, mcpw_str text) {
    mcpw_message_envelope e;
    mcpw_arena_reset(&call->client->scratch);
    if (mcpw_envelope_read(&e, (mcpw_json){text.ptr, text.len, 0}, 0, NULL) != MCPW_OK) {
        if (call->purpose == MCPW_CALL_MESSAGE || call->purpose == MCPW_CALL_LISTEN) {
            give(call, text); /* the session reports the fault */
        }
        return;
    }
    switch (call->purpose) {
    case MCPW_CALL_MESSAGE:
    case MCPW_CALL_LISTEN:
        if (e.kind == MCPW_MESSAGE_BATCH) {
            receive_batch(call, text);
        } else {
            hear_message(call, text, &e);
        }
        break;
    case MCPW_CALL_LIST:
        if (answers(call, &e)) {
            receive_listed(call, text, e.at[MCPW_AT_RESULT]);
        }
        break;
    case MCPW_CALL_REOPEN:
        if (answers(call, &e) && !call->is_answered) {
            receive_reopened(call, e.at[MCPW_AT_RESULT]);
        }
        break;
    default:
        break; /* no message is expected */
    }
}
