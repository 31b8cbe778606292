/* SPDX-License-Identifier: MIT */
/* Retries: resumed streams, repeated requests and reopened sessions. */
#include "client.h"

enum {
    MOST_ID_TEXT = 64, /* bytes of an id that the client makes */
    MOST_DIGITS = 20,
    FIRST_WAIT = 200 /* ms that requests wait for the server's own stream, so that an input request of the
                        server is not lost */
};

/* ---- Streams that have ended --------------------------------------------------------------------------- */

/* True if a request only reads, so that repeating it does no harm. */
static bool is_safe(mcpw_str method) {
    static const char *const methods[] = {
        "server/discover", "tools/list",          "prompts/list",
        "prompts/get",     "resources/list",      "resources/templates/list",
        "resources/read",  "completion/complete", "tasks/get",
        "tasks/list",      "tasks/result",        "subscriptions/listen"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (mcpw_str_is(method, methods[i])) {
            return true;
        }
    }
    return false;
}

/* Makes an id that no session makes: the ids of sessions are numbers. */
static mcpw_json new_id(mcpw_http_client *client, char out[MOST_ID_TEXT]) {
    static const char begin[] = "\"mcpwire-";
    enum { TEN = 10 };
    char digits[MOST_DIGITS];
    size_t count = 0;
    size_t len = sizeof begin - 1;
    uint64_t number = ++client->made;
    memcpy(out, begin, len);
    do {
        digits[count++] = (char)('0' + number % TEN);
        number /= TEN;
    } while (number != 0);
    while (count != 0) {
        out[len++] = digits[--count];
    }
    out[len++] = '"';
    return (mcpw_json){out, len, 0};
}

/* Writes the message of a call under another id. */
static mcpw_status rename_request(mcpw_http_call *call) {
    mcpw_buffer *const out = &call->client->written;
    char room[MOST_ID_TEXT];
    const mcpw_json id = new_id(call->client, room);
    const mcpw_json known = call->known.ptr != NULL ? call->known : call->id;
    const mcpw_str kept = mcpw_arena_str(&call->facts, known.ptr, known.len);
    const size_t before = (size_t)(call->id.ptr - call->body.data);
    const size_t after = before + call->id.len;
    out->len = 0;
    if (kept.ptr == NULL || mcpw_buffer_append(out, call->body.data, before) != MCPW_OK ||
        mcpw_buffer_append(out, id.ptr, id.len) != MCPW_OK ||
        mcpw_buffer_append(out, call->body.data + after, call->body.len - after) != MCPW_OK) {
        return MCPW_E_MEMORY;
    }
    const mcpw_buffer body = call->body;
    call->body = *out;
    *out = body;
    call->known = (mcpw_json){kept.ptr, kept.len, 0};
    (void)mcpw_http_calls_envelope(call);
    return MCPW_OK;
}

void mcpw_http_calls_broken(mcpw_http_call *call, const mcpw_error *error) {
    mcpw_http_client *const client = call->client;
    const mcpw_str why = mcpw_str_from(error != NULL ? error->message : NULL);
    const bool may_try = call->tries < client->config.max_retries && call->id.ptr != NULL;
    if (call->status == 0 && !call->resumes && mcpw_str_is(call->method, "initialize")) {
        mcpw_http_calls_fail(client, MCPW_E_CONNECTION,
                             error != NULL ? error->message : "the server does not answer");
        mcpw_http_calls_free_call(call);
        return;
    }
    if (may_try && call->version.ptr == NULL && mcpw_event_reader_id(&call->events).len != 0) {
        call->resumes = true;
        mcpw_http_calls_put_off(call);
    } else if (may_try && call->status != 0 && is_safe(call->method) && rename_request(call) == MCPW_OK) {
        mcpw_http_calls_put_off(call);
    } else if (call->status == 0) {
        mcpw_http_calls_refuse(call, MCPW_E_CONNECTION, "the server cannot be reached", why);
    } else {
        mcpw_http_calls_refuse(call, MCPW_E_CONNECTION, "the connection broke before the response came", why);
    }
}

void mcpw_http_calls_listen(mcpw_http_client *client) {
    if (client->config.open_stream == MCPW_OFF || client->is_ended) {
        return;
    }
    mcpw_http_call *const call = mcpw_http_calls_call(client, MCPW_CALL_LISTEN, (mcpw_str){NULL, 0});
    if (call == NULL) {
        mcpw_http_calls_fail(client, MCPW_E_MEMORY, "no memory for the server's own stream");
        return;
    }
    call->due = client->now + FIRST_WAIT;
    client->barrier = call;
    mcpw_http_calls_put(call, &client->ready);
}

/* ---- Reopened sessions --------------------------------------------------------------------------------- */

void mcpw_http_calls_reopen(mcpw_http_call *call) {
    mcpw_http_client *const client = call->client;
    const bool is_current = call->session == client->session;
    call->was_reopened = true;
    call->resumes = false;
    call->events.id.len = 0; /* the id belongs to the lost session */
    if (call->purpose == MCPW_CALL_LISTEN) {
        mcpw_http_calls_free_call(call); /* the new session gets another one */
    } else {
        mcpw_http_calls_put(call, &client->ready);
    }
    if (client->is_reopening || !is_current || client->is_ended) {
        return;
    }
    client->is_reopening = true; /* if it fails, the next request learns of the loss by the old id */
    mcpw_http_call *const again = mcpw_http_calls_call(
        client, MCPW_CALL_REOPEN, (mcpw_str){client->initialize.data, client->initialize.len});
    if (again == NULL) {
        mcpw_http_calls_reopened(client, false);
        return;
    }
    mcpw_http_calls_put(again, &client->ready);
}

/* Fails all calls that wait for a session that cannot be opened. */
static void refuse_all(mcpw_http_client *client) {
    for (mcpw_http_call *call = client->ready.first, *next; call != NULL; call = next) {
        next = call->next;
        if (call->version.ptr == NULL && call->was_reopened) {
            mcpw_http_calls_refuse(call, MCPW_E_HTTP, "the server has lost the session, and opens no new one",
                                   (mcpw_str){NULL, 0});
        }
    }
}

void mcpw_http_calls_say_ready(mcpw_http_client *client) {
    mcpw_http_call *const ready = mcpw_http_calls_call(
        client, MCPW_CALL_READY, (mcpw_str){client->initialized.data, client->initialized.len});
    if (ready == NULL) {
        mcpw_http_calls_fail(client, MCPW_E_MEMORY, "no memory to open a session again");
        return;
    }
    mcpw_http_calls_put(ready, &client->ready);
}

void mcpw_http_calls_reopened(mcpw_http_client *client, bool is_open) {
    client->is_reopening = false;
    if (is_open) {
        mcpw_http_calls_listen(client);
        if (client->barrier != NULL) {
            client->barrier->was_reopened = true; /* a server that loses this session at once is given up */
        }
    } else {
        refuse_all(client);
    }
}

/* ---- Tools that are listed again ----------------------------------------------------------------------- */

/* Writes the _meta of a call without its progress token. */
static void write_meta(mcpw_json_writer *w, mcpw_json meta, mcpw_arena *scratch) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    mcpw_str name;
    mcpw_json_write_key(w, "_meta");
    mcpw_json_write_object(w);
    if (mcpw_json_iterate(meta, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, &key, &value)) {
            if (mcpw_json_string(key, scratch, &name) != MCPW_OK || mcpw_str_is(name, "progressToken")) {
                continue;
            }
            name = mcpw_arena_str(scratch, name.ptr, name.len);
            if (name.ptr != NULL) {
                mcpw_json_write_key(w, name.ptr);
                mcpw_json_write_raw(w, value);
            }
        }
    }
    mcpw_json_write_close(w);
}

static mcpw_str write_list(mcpw_http_call *call) {
    mcpw_http_client *const client = call->client;
    char room[MOST_ID_TEXT];
    mcpw_json_writer w;
    mcpw_json written;
    client->written.len = 0;
    mcpw_arena_reset(&client->scratch);
    mcpw_json_write_into(&w, &client->written);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "jsonrpc");
    mcpw_json_write_string(&w, "2.0", sizeof "2.0" - 1);
    mcpw_json_write_key(&w, "id");
    mcpw_json_write_raw(&w, new_id(client, room));
    mcpw_json_write_key(&w, "method");
    mcpw_json_write_string(&w, "tools/list", sizeof "tools/list" - 1);
    mcpw_json_write_key(&w, "params");
    mcpw_json_write_object(&w);
    if (client->cursor.len != 0) {
        mcpw_json_write_key(&w, "cursor");
        mcpw_json_write_string(&w, client->cursor.data, client->cursor.len);
        client->cursor.len = 0;
    }
    write_meta(&w, call->meta, &client->scratch);
    mcpw_json_write_close(&w);
    mcpw_json_write_close(&w);
    if (mcpw_json_write_end(&w, &written) != MCPW_OK) {
        return (mcpw_str){NULL, 0};
    }
    return (mcpw_str){written.ptr, written.len};
}

void mcpw_http_calls_list(mcpw_http_call *call) {
    mcpw_http_client *const client = call->client;
    const mcpw_str text = write_list(call);
    mcpw_http_call *const list = text.ptr != NULL ? mcpw_http_calls_call(client, MCPW_CALL_LIST, text) : NULL;
    call->was_listed = true;
    if (list == NULL) {
        mcpw_http_calls_refuse(call, MCPW_E_MEMORY, "there is no memory to list the tools again",
                               (mcpw_str){NULL, 0});
        return;
    }
    list->waits = call;
    call->due = UINT64_MAX;
    mcpw_http_calls_put(call, &client->waiting);
    mcpw_http_calls_put(list, &client->ready);
}
