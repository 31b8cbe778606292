/* SPDX-License-Identifier: MIT */
/* Makes calls of the session's messages. */
#include "client.h"

bool mcpw_http_calls_is_modern(const mcpw_http_client *client) {
    const mcpw_revision *const revision = mcpw_session_revision(client->config.session);
    return revision != NULL && mcpw_method_number(revision, "initialize", sizeof "initialize" - 1) == 0;
}

/* Finds the call of a request in a list. */
static mcpw_http_call *find_call(const mcpw_call_list *list, int64_t request) {
    for (mcpw_http_call *call = list->first; call != NULL; call = call->next) {
        if (call->request == request) {
            return call;
        }
    }
    return NULL;
}

/* Gives up the call that a message cancels. True: the message need not be sent, because the server sees the
 * closed stream, or has never received the request. */
static bool cancel(mcpw_http_client *client, int64_t request) {
    mcpw_http_call *call = find_call(&client->running, request);
    call = call != NULL ? call : find_call(&client->waiting, request);
    const bool was_made = call != NULL;
    call = call != NULL ? call : find_call(&client->ready, request);
    if (call == NULL) {
        return mcpw_http_calls_is_modern(client);
    }
    const bool is_modern = call->version.ptr != NULL;
    mcpw_http_calls_drop(call);
    return is_modern || !was_made;
}

static mcpw_status take_message(mcpw_http_client *client, const mcpw_outgoing *said) {
    mcpw_status status = MCPW_OK;
    if (mcpw_str_is(said->method, "notifications/cancelled") && cancel(client, said->request)) {
        return MCPW_OK;
    }
    mcpw_http_call *const call = mcpw_http_calls_call(client, MCPW_CALL_MESSAGE, said->text);
    if (call == NULL) {
        return MCPW_E_MEMORY;
    }
    call->request = said->kind == MCPW_MESSAGE_REQUEST ? said->request : 0;
    if (mcpw_str_is(said->method, "initialize")) {
        status = mcpw_client_keep(&client->initialize, said->text);
    } else if (mcpw_str_is(said->method, "notifications/initialized")) {
        status = mcpw_client_keep(&client->initialized, said->text);
        client->barrier = call;
    }
    if (call->id.ptr == NULL) {
        call->is_queued = true;
        client->queued++;
        client->queued_bytes += call->body.len;
    }
    mcpw_http_calls_put(call, &client->ready);
    return status;
}

bool mcpw_client_is_full(const mcpw_http_client *client) {
    return client->queued >= client->config.max_queued ||
           client->queued_bytes >= client->config.max_queued_bytes;
}

void mcpw_http_calls_take(mcpw_http_client *client) {
    mcpw_outgoing said;
    while (!mcpw_client_is_full(client) && mcpw_session_next_message(client->config.session, &said)) {
        if (said.text.ptr != NULL && take_message(client, &said) != MCPW_OK) {
            mcpw_http_calls_fail(client, MCPW_E_MEMORY, "no memory for a message to the server");
        }
    }
}
