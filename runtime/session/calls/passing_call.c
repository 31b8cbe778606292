/* SPDX-License-Identifier: MIT */
/* Requests of ours on their way through the middleware. */
#include "passing_call.h"

#include <mcpw/detail/catalogue.h>

#include "../requests/request.h"

static bool is_of_session(mcpw_own own) {
    return own == MCPW_OWN_INITIALIZE || own == MCPW_OWN_DISCOVER || own == MCPW_OWN_PING ||
           own == MCPW_OWN_LISTEN;
}

mcpw_status mcpw_passing_sent(mcpw_pending *pending, const mcpw_profile *profile, const mcpw_message *message,
                              mcpw_json *params, bool *answered) {
    mcpw_session *const session = pending->session;
    *params = no_json;
    *answered = false;
    if (pending->passage != NULL || !mcpw_passes(session, MCPW_PASS_SENT_REQUESTS) ||
        is_of_session(profile->bindings[message->method].own)) {
        return MCPW_OK;
    }
    mcpw_passage *const p = mcpw_arena_alloc(&pending->arena, sizeof *p);
    if (p == NULL) {
        return MCPW_E_MEMORY;
    }
    *p = (mcpw_passage){.session = session,
                        .arena = &pending->arena,
                        .pass = MCPW_PASS_SENT_REQUESTS,
                        .method = message->method_name.ptr != NULL
                                      ? message->method_name
                                      : mcpw_method_name(profile->revision, message->method),
                        .params = message->raw,
                        .type = message->type,
                        .value = message->value};
    pending->passage = p;
    const int64_t number = pending->number;
    mcpw_arena memory = MCPW_ARENA_INIT;
    p->outlives = &memory;
    const mcpw_status status = mcpw_passage_enter(p);
    if (pending->number != number) { /* user code has ended it */
        mcpw_arena_free(&memory);
        return MCPW_E_CLOSED;
    }
    p->outlives = NULL;
    *params = p->replaced ? p->params : no_json;
    *answered = p->answered;
    p->value = NULL; /* it is the caller's */
    return status;
}

/* Runs the middleware on the way out. False: user code has ended the request. */
static bool leave(mcpw_pending *pending) {
    mcpw_passage *const p = pending->passage;
    const int64_t number = pending->number;
    mcpw_arena memory = MCPW_ARENA_INIT;
    p->outlives = &memory;
    mcpw_passage_leave(p);
    if (pending->number != number) {
        mcpw_arena_free(&memory);
        return false;
    }
    p->outlives = NULL;
    return true;
}

/* Reads a result that a middleware has made, as a response is read. */
static mcpw_status read_result(const mcpw_pending *p, mcpw_request *transport, mcpw_json result,
                               mcpw_error *error) {
    mcpw_message *const m = &transport->message;
    const mcpw_method *const method = mcpw_method_entry(p->sent.profile->revision, p->sent.method);
    m->kind = MCPW_MESSAGE_RESULT;
    m->raw = result;
    m->type = NULL;
    m->value = NULL;
    if (method == NULL ||
        mcpw_extensions_answer(p->session->config->extensions,
                               mcpw_method_name(p->sent.profile->revision, p->sent.method), result) != NULL) {
        return MCPW_OK; /* the extension reads it */
    }
    m->type = p->traits.task && mcpw_method_task_result(method) != NULL ? mcpw_method_task_result(method)
                                                                        : mcpw_method_response(method);
    void *const value = mcpw_arena_alloc(&transport->arena, mcpw_type_size(m->type));
    if (value == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    m->value = value;
    m->raw = no_json;
    return mcpw_decode(m->type, result.ptr, result.len, &transport->arena, value,
                       &p->session->endpoint->reading, error);
}

/* Puts what the middleware leaves into the message. */
static mcpw_status take(const mcpw_pending *p, mcpw_request *transport, mcpw_error *error) {
    const mcpw_passage *const passage = p->passage;
    if (passage->has_error) {
        transport->message.kind = MCPW_MESSAGE_ERROR;
        transport->message.error = passage->error;
        return MCPW_OK;
    }
    return read_result(p, transport, passage->result, error);
}

mcpw_status mcpw_passing_reply(mcpw_pending *pending, mcpw_request *transport, mcpw_error *error) {
    mcpw_passage *const p = pending->passage;
    mcpw_message *const m = &transport->message;
    if (!mcpw_passage_is_open(p)) {
        return MCPW_OK;
    }
    p->result = m->kind == MCPW_MESSAGE_RESULT ? m->raw : no_json;
    if (m->kind == MCPW_MESSAGE_RESULT && m->value != NULL) {
        const mcpw_status status =
            mcpw_field_text(mcpw_field_of(m->type, m->value), &transport->arena, &p->result);
        if (status != MCPW_OK) {
            return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
        }
    }
    p->has_error = m->kind == MCPW_MESSAGE_ERROR;
    p->error = m->error;
    p->changed = false;
    if (!leave(pending)) {
        return MCPW_E_CLOSED;
    }
    return p->changed ? take(pending, transport, error) : MCPW_OK;
}

mcpw_status mcpw_passing_answer(mcpw_pending *pending, mcpw_request *transport, mcpw_error *error) {
    pending->passage->answered = false;
    return leave(pending) ? take(pending, transport, error) : MCPW_E_CLOSED;
}
