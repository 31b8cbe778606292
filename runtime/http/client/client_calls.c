/* SPDX-License-Identifier: MIT */
/* The calls of a client: creation, lists, release and reports to the program. */
#include "client.h"

#include <mcpw/error.h>

enum { MOST_FLOOR = 10000 /* ms; the upper limit of the lower bound */ };

/* ---- Reports to the program ---------------------------------------------------------------------------- */

void mcpw_client_put_words(char *out, size_t size, const char *words, mcpw_str more) {
    const size_t len = strlen(words); /* they are literals of the library, and short */
    memcpy(out, words, len + 1);
    if (more.len != 0 && len + 2 < size) {
        out[len] = ':';
        out[len + 1] = ' ';
        (void)mcpw_put_printable(out + len + 2, size - len - 2, more.ptr, more.len);
    }
}

void mcpw_http_calls_warn(const mcpw_http_client *client, const char *words, mcpw_str more) {
    char message[MCPW_CLIENT_WORDS];
    if (client->config.on_warning != NULL) {
        mcpw_client_put_words(message, sizeof message, words, more);
        client->config.on_warning(client->config.user, message);
    }
}

void mcpw_http_calls_fail(mcpw_http_client *client, mcpw_status status, const char *why) {
    if (client->why.code == MCPW_OK) {
        mcpw_error_set(&client->why, status, 0, "%s", why);
    }
}

/* ---- Lists --------------------------------------------------------------------------------------------- */

void mcpw_client_take_off(mcpw_http_call *call) {
    mcpw_call_list *const list = call->list;
    if (list != NULL) {
        *(call->previous != NULL ? &call->previous->next : &list->first) = call->next;
        *(call->next != NULL ? &call->next->previous : &list->last) = call->previous;
        list->count--;
        call->list = NULL;
    }
}

void mcpw_http_calls_put(mcpw_http_call *call, mcpw_call_list *list) {
    mcpw_client_take_off(call);
    call->list = list;
    call->next = NULL;
    call->previous = list->last;
    *(list->last != NULL ? &list->last->next : &list->first) = call;
    list->last = call;
    list->count++;
}

void mcpw_http_calls_put_off(mcpw_http_call *call) {
    mcpw_http_client *const client = call->client;
    uint64_t floor = client->config.retry_floor_ms;
    for (unsigned i = 0; i < call->idle && floor < MOST_FLOOR; i++) {
        floor = 2 * floor < MOST_FLOOR ? 2 * floor : MOST_FLOOR;
    }
    const uint64_t ms = client->retry > floor ? client->retry : floor;
    call->tries++;
    call->idle++;
    call->due = ms < UINT64_MAX - client->now ? client->now + ms : UINT64_MAX;
    mcpw_http_calls_put(call, &client->waiting);
}

/* ---- A call -------------------------------------------------------------------------------------------- */

/* Copies a text of the message, because the message may be rewritten under another id. */
static mcpw_status copy_text(mcpw_http_call *call, const mcpw_message_envelope *from, mcpw_envelope_at member,
                             mcpw_str *out) {
    mcpw_str text;
    *out = (mcpw_str){NULL, 0};
    if (mcpw_envelope_string(from, member, &call->facts, &text) != MCPW_OK) {
        return call->facts.status;
    }
    *out = mcpw_arena_str(&call->facts, text.ptr, text.len);
    return out->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

mcpw_message_envelope mcpw_http_calls_envelope(mcpw_http_call *call) {
    mcpw_message_envelope e;
    if (mcpw_envelope_read(&e, (mcpw_json){call->body.data, call->body.len, 0}, MCPW_MAX_DEPTH, NULL) ==
            MCPW_OK &&
        (e.kind == MCPW_MESSAGE_REQUEST || e.kind == MCPW_MESSAGE_NOTIFICATION)) {
        call->id = e.at[MCPW_AT_ID];
        call->params = e.at[MCPW_AT_PARAMS];
        call->meta = e.at[MCPW_AT_META];
    }
    return e;
}

static mcpw_status read_message(mcpw_http_call *call) {
    const mcpw_message_envelope e = mcpw_http_calls_envelope(call);
    const mcpw_status status = copy_text(call, &e, MCPW_AT_METHOD, &call->method);
    return status == MCPW_OK ? copy_text(call, &e, MCPW_AT_VERSION, &call->version) : status;
}

mcpw_http_call *mcpw_http_calls_call(mcpw_http_client *client, mcpw_purpose purpose, mcpw_str text) {
    const mcpw_allocator *const allocator = &client->config.allocator;
    mcpw_http_call *const call = mcpw_resize(allocator, NULL, 0, sizeof *call);
    if (call == NULL) {
        return NULL;
    }
    *call = (mcpw_http_call){.client = client,
                             .purpose = purpose,
                             .body = MCPW_BUFFER_INIT,
                             .facts = MCPW_ARENA_INIT,
                             .head = MCPW_ARENA_INIT,
                             .reply = MCPW_BUFFER_INIT,
                             .events = MCPW_EVENT_READER_INIT,
                             .challenge = MCPW_BUFFER_INIT,
                             .location = MCPW_BUFFER_INIT,
                             .last_id = MCPW_BUFFER_INIT,
                             .token = MCPW_BUFFER_INIT};
    call->body.allocator = call->facts.allocator = call->head.allocator = *allocator;
    call->reply.allocator = call->challenge.allocator = call->token.allocator = *allocator;
    call->location.allocator = call->last_id.allocator = *allocator;
    call->events.line.allocator = call->events.data.allocator = *allocator;
    call->events.id.allocator = call->events.new_id.allocator = *allocator;
    call->events.limit = client->config.max_message;
    if (text.len != 0 &&
        (mcpw_buffer_append(&call->body, text.ptr, text.len) != MCPW_OK || read_message(call) != MCPW_OK)) {
        mcpw_http_calls_free_call(call);
        return NULL;
    }
    return call;
}

/* Removes all references to a call. */
static void forget(mcpw_http_call *call) {
    mcpw_http_client *const client = call->client;
    mcpw_call_list *const lists[] = {&client->ready, &client->waiting, &client->running};
    client->barrier = client->barrier == call ? NULL : client->barrier;
    for (size_t i = 0; call->was_listed && i < sizeof lists / sizeof *lists; i++) {
        for (mcpw_http_call *c = lists[i]->first; c != NULL; c = c->next) {
            c->waits = c->waits == call ? NULL : c->waits;
        }
    }
}

void mcpw_http_calls_free_call(mcpw_http_call *call) {
    mcpw_http_client *const client = call->client;
    const mcpw_allocator allocator = client->config.allocator;
    mcpw_client_take_off(call);
    forget(call);
    if (call->is_queued) {
        client->queued--;
        client->queued_bytes -= call->body.len;
    }
    mcpw_buffer_free(&call->body);
    mcpw_arena_free(&call->facts);
    mcpw_arena_free(&call->head);
    mcpw_buffer_free(&call->reply);
    mcpw_buffer_free(&call->challenge);
    mcpw_buffer_free(&call->location);
    mcpw_buffer_free(&call->last_id);
    mcpw_buffer_free(&call->token);
    mcpw_event_reader_free(&call->events);
    (void)mcpw_resize(&allocator, call, sizeof *call, 0);
}

void mcpw_http_calls_drop(mcpw_http_call *call) {
    mcpw_http_client *const client = call->client;
    if (call->list == &client->running) {
        forget(call);
        mcpw_http_calls_put(call, &client->dropped);
    } else {
        mcpw_http_calls_free_call(call);
    }
}

void mcpw_client_free_list(mcpw_call_list *list) {
    while (list->first != NULL) {
        mcpw_http_calls_free_call(list->first);
    }
}

/* ---- Kept texts ---- */

mcpw_status mcpw_client_keep(mcpw_buffer *buffer, mcpw_str text) {
    buffer->len = 0;
    return mcpw_buffer_append(buffer, text.ptr, text.len);
}
