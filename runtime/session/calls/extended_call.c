/* SPDX-License-Identifier: MIT */
/* Requests and notifications of this end whose method an extension adds, and responses that a middleware has
 * made. */
#include "extended_call.h"

#include <mcpw/detail/catalogue.h>

#include "../requests/outbound.h"
#include "../requests/request.h"
#include "call.h"
#include "custom_call.h"
#include "passing_call.h"
#include "reply.h"
#include "taker.h"

mcpw_status mcpw_call_send_custom(mcpw_pending *p, const void *params, mcpw_error *error) {
    mcpw_session *const session = p->session;
    const int64_t number = p->number;
    const mcpw_profile *const profile = session->profile;
    const mcpw_custom_given given = {params, p->asked.text};
    const mcpw_id token = {MCPW_ID_INTEGER, {.integer = p->number}};
    mcpw_json text = no_json;
    mcpw_status status = mcpw_custom_may_send(session, profile, p->sent.custom, MCPW_METHOD_REQUEST,
                                              mcpw_peer_declared(session), error);
    if (status == MCPW_OK) {
        status = mcpw_custom_text(session, profile, p->sent.custom, &given,
                                  p->call.on_progress != NULL ? &token : NULL, &p->arena, &text, error);
    }
    status = status == MCPW_OK ? mcpw_call_emit(p, profile, NULL, text, error) : status;
    if (p->number != number) {
        return MCPW_E_CLOSED; /* user code has ended it */
    }
    p->kind = MCPW_PENDING_SENT;
    p->sent.profile = profile;
    return status;
}

/* A result that an extension adds to a method of the protocol. */
static void reply_added(mcpw_pending *p, mcpw_json result) {
    const mcpw_reply reply = {.text = result};
    if (p->taker != NULL) {
        mcpw_taker_take(p, result);
    } else {
        mcpw_pending_end(p, &reply);
    }
}

bool mcpw_call_reply_added(mcpw_pending *p, mcpw_request *transport) {
    const mcpw_message *const message = &transport->message;
    const mcpw_extensions *const set = p->session->config->extensions;
    mcpw_json text;
    if (set->result_count == 0 ||
        mcpw_field_text(mcpw_field_of(message->type, message->value), &transport->arena, &text) != MCPW_OK ||
        mcpw_extensions_answer(set, mcpw_method_name(p->sent.profile->revision, p->sent.method), text) ==
            NULL) {
        return false;
    }
    reply_added(p, text);
    return true;
}

/* Whether such a result is taken as text: an extension adds it, or it is about a task and a fault of the
 * server is let pass. User code may end anything meanwhile. */
static bool is_text(mcpw_session *session, mcpw_pending *p, mcpw_json result, const mcpw_error *why) {
    const mcpw_str name = mcpw_method_name(p->sent.profile->revision, p->sent.method);
    const bool is_task = p->traits.as_text || (p->traits.task && p->taker != NULL);
    const int64_t number = p->number;
    if (mcpw_extensions_answer(session->config->extensions, name, result) != NULL) {
        return true;
    }
    if (!session->config->lenient || !is_task || mcpw_json_kind_of(result) != MCPW_JSON_OBJECT) {
        return false;
    }
    const mcpw_id id = {MCPW_ID_INTEGER, {.integer = p->id}};
    mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_TOLERATED, &id, name, why);
    return p->number == number;
}

bool mcpw_call_read_added(mcpw_session *session, mcpw_received *text, const mcpw_error *why,
                          mcpw_request *r) {
    if (session->config->extensions->result_count == 0) {
        return false;
    }
    const mcpw_outline o = mcpw_outline_of(text, &session->scratch);
    mcpw_pending *const p = o.has_outcome ? mcpw_pending_answered(session, &o.id) : NULL;
    const mcpw_json result = o.has_outcome ? o.envelope->at[MCPW_AT_RESULT] : no_json;
    mcpw_error unused;
    if (p == NULL || p->sent.method == 0 || result.ptr == NULL ||
        mcpw_json_check(result, 0, &unused) != MCPW_OK || !is_text(session, p, result, why)) {
        return false;
    }
    mcpw_arena_reset(&r->arena);
    r->message = (mcpw_message){.kind = MCPW_MESSAGE_RESULT, .id = o.id, .raw = result};
    return true;
}

void mcpw_call_reply_custom(mcpw_pending *p, mcpw_request *transport) {
    mcpw_reply reply = {0};
    mcpw_error error;
    if (p->sent.custom == NULL) {
        reply_added(p, transport->message.raw);
        return;
    }
    error.code = MCPW_OK;
    reply.status = mcpw_custom_read(p->session, p->sent.custom, transport->message.raw, &transport->arena,
                                    &reply, &error);
    if (reply.status != MCPW_OK) {
        reply.error = &error;
        reply.value = NULL;
        reply.text = no_json;
    }
    mcpw_pending_end(p, &reply);
}

void mcpw_call_passed(mcpw_pending *p) {
    mcpw_session *const session = p->session;
    const int64_t number = p->number;
    mcpw_request *const transport = mcpw_request_take(session);
    mcpw_reply reply = {0};
    mcpw_error error;
    if (transport == NULL) {
        mcpw_pending_fail(p, MCPW_E_MEMORY, mcpw_status_text(MCPW_E_MEMORY));
        return;
    }
    transport->message = (mcpw_message){0};
    reply.status = mcpw_passing_answer(p, transport, &error);
    if (p->number == number && reply.status != MCPW_OK) {
        reply.error = &error;
        mcpw_pending_end(p, &reply);
    } else if (p->number == number) {
        mcpw_call_tell(p, p->sent.profile, transport);
    }
    mcpw_request_release(transport);
}

const mcpw_topic *mcpw_custom_topic(const mcpw_session *session, const char *filter) {
    const mcpw_added_topic *const added =
        session->profile->customs != NULL ? mcpw_extensions_topic(session->config->extensions, filter) : NULL;
    return added != NULL ? &added->topic : NULL;
}

mcpw_status mcpw_custom_notify_value(mcpw_session *session, const mcpw_custom *custom, const void *params,
                                     mcpw_error *error) {
    return mcpw_custom_notify_alone(session, custom, &(mcpw_custom_given){.value = params}, error);
}

mcpw_status mcpw_call_emit_passing(mcpw_pending *p, const mcpw_profile *profile, const mcpw_message *message,
                                   const mcpw_route *route, mcpw_error *error) {
    mcpw_message changed = *message;
    mcpw_json replaced = no_json;
    bool answered = false;
    const mcpw_status status = mcpw_passing_sent(p, profile, message, &replaced, &answered);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "a middleware failed: %s", mcpw_status_text(status));
    }
    if (answered) {
        return MCPW_OK;
    }
    if (replaced.ptr != NULL) {
        changed.raw = replaced;
        changed.value = NULL;
    }
    return mcpw_session_emit(p->session, profile, &changed, route, error);
}
