/* SPDX-License-Identifier: MIT */
/* Messages about requests of ours: responses, which may ask for input, and progress. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/detail/session.h>

#include "reply.h"

#include "../core/threads.h"
#include "../requests/request.h"
#include "../revisions/extension.h"
#include "../revisions/judge.h"
#include "../revisions/profile.h"
#include "../support/wire_names.h"
#include "call.h"
#include "listed.h"
#include "round.h"

/* Whether one of the results that a method may have asks for input. */
static bool asks_for_input(mcpw_field result) {
    return mcpw_slot_exists(mcpw_slot_named(result.revision, result.ref, "inputRequests")) &&
           mcpw_slot_exists(mcpw_slot_named(result.revision, result.ref, "requestState"));
}

static const mcpw_extended *extended_of(const mcpw_pending *p) {
    return p->session->config->extensions->extended;
}

/* A result that only an extension has: the caller gets it as what it is, if this end has declared that. */
static void reply_extension(mcpw_pending *p, const mcpw_profile *profile, mcpw_request *transport,
                            mcpw_field chosen) {
    const int64_t number = p->number;
    const char *name = NULL;
    const mcpw_message *const message = &transport->message;
    const mcpw_case result = {.from = MCPW_ROLE_SERVER,
                              .kind = message->kind,
                              .method = p->sent.method,
                              .type = message->type,
                              .value = message->value,
                              .raw = message->raw,
                              .declared.text = p->session->declared};
    mcpw_reply reply = {0};
    mcpw_verdict verdict;
    mcpw_error error;
    if (p->session->config->extensions != NULL && extended_of(p)->reply_added(p, transport)) {
        return;
    }
    (void)mcpw_field_alternative(mcpw_field_of(message->type, message->value), &name);
    const mcpw_type *const type =
        mcpw_profile_response(mcpw_method_entry(profile->revision, p->sent.method), name);
    reply.type = mcpw_profile_response(mcpw_method_entry(p->asked.revision, p->asked.method), name);
    if (!mcpw_judge(p->session, profile, MCPW_RULES_EXTENSION, &result, &verdict)) {
        reply.status = MCPW_E_CAPABILITY;
        mcpw_error_set(&error, reply.status, 0, "the server's result needs more: %s", verdict.text);
    } else if (type == NULL || reply.type == NULL) {
        reply.status = MCPW_E_PROJECTION;
        mcpw_error_set(&error, reply.status, 0, "%s cannot be expressed in %s",
                       name != NULL ? name : "the result", mcpw_revision_name(p->asked.revision));
    } else {
        reply.status = mcpw_session_adapt(p->session, type, chosen.at, reply.type, &transport->arena,
                                          &reply.value, &error);
    }
    if (p->number != number) {
        return;
    }
    if (reply.status != MCPW_OK) {
        reply.error = &error;
        reply.value = NULL;
    }
    mcpw_pending_end(p, &reply);
}

/* Gives a result that asks for input to a caller that passes it on. The caller may keep the type. */
static void tell_input(mcpw_pending *p, const mcpw_method *method, mcpw_field asked) {
    const mcpw_reply reply = {.type = mcpw_profile_response(method, "InputRequiredResult"),
                              .value = asked.at};
    if (reply.type == NULL) {
        mcpw_pending_fail(p, MCPW_E_PROJECTION, "the result that asks for input cannot be passed on");
        return;
    }
    mcpw_pending_end(p, &reply);
}

/* Writes a result as text for a caller that wants that. */
static mcpw_status write_result(const mcpw_pending *p, mcpw_reply *reply, mcpw_arena *arena,
                                mcpw_error *error) {
    const mcpw_status status =
        p->traits.as_text ? mcpw_field_text(mcpw_field_of(reply->type, reply->value), arena, &reply->text)
                          : MCPW_OK;
    return status == MCPW_OK ? MCPW_OK : mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
}

static void reply_result(mcpw_pending *p, const mcpw_profile *profile, mcpw_request *transport) {
    const mcpw_method *const method = mcpw_method_entry(profile->revision, p->sent.method);
    const mcpw_method *const callers = mcpw_method_entry(p->asked.revision, p->asked.method);
    const mcpw_type *type = transport->message.type;
    const void *value = transport->message.value;
    const int64_t number = p->number;
    mcpw_reply reply = {0};
    mcpw_error error;
    if (type != mcpw_method_result(method) && type == mcpw_method_response(method)) {
        const mcpw_field answer = mcpw_field_of(type, value);
        const mcpw_ref usual = mcpw_type_ref(mcpw_method_result(method)); /* may be a union itself */
        const bool is_choice = answer.ref.kind == MCPW_KIND_UNION && !mcpw_ref_same(answer.ref, usual);
        const mcpw_field chosen = is_choice ? mcpw_field_alternative(answer, NULL) : answer;
        const bool is_other = !mcpw_ref_same(chosen.ref, usual);
        if (is_other && !asks_for_input(chosen)) {
            reply_extension(p, profile, transport, chosen);
            return;
        }
        if (is_other) {
            if (p->traits.tells_input) {
                tell_input(p, method, chosen);
                return;
            }
            mcpw_pending_drop_id(
                p); /* it is answered, so nothing of it is in flight until it is sent again */
            mcpw_round_begin(p, chosen);
            return;
        }
        type = mcpw_method_result(method);
        value = chosen.at;
    }
    if (p->taker != NULL && type == mcpw_method_task_result(method)) {
        extended_of(p)->take_result(p, type, value, &transport->arena);
        return;
    }
    reply.type = type == mcpw_method_task_result(method) ? mcpw_method_task_result(callers)
                                                         : mcpw_method_result(callers);
    if (reply.type == NULL) {
        mcpw_error_set(&error, MCPW_E_PROJECTION, 0, "%s cannot be expressed in %s", mcpw_type_name(type),
                       mcpw_revision_name(p->asked.revision));
        reply.status = MCPW_E_PROJECTION;
    } else {
        reply.status =
            mcpw_session_adapt(p->session, type, value, reply.type, &transport->arena, &reply.value, &error);
    }
    if (p->number == number && reply.status == MCPW_OK && !p->traits.relayed &&
        type == mcpw_method_result(method)) {
        reply.status = mcpw_listed_answer(p, profile, type, value, &error);
    }
    if (p->number != number) {
        return; /* a callback has ended it, and its caller was notified */
    }
    reply.status =
        reply.status == MCPW_OK ? write_result(p, &reply, &transport->arena, &error) : reply.status;
    if (reply.status != MCPW_OK) {
        reply.error = &error;
        reply.value = NULL;
    }
    mcpw_pending_end(p, &reply);
}

void mcpw_call_tell(mcpw_pending *p, const mcpw_profile *profile, mcpw_request *transport) {
    mcpw_session *const session = p->session;
    const mcpw_message *const m = &transport->message;
    mcpw_reply reply = {0};
    mcpw_error error;
    if (m->kind == MCPW_MESSAGE_RESULT) {
        session->answer = &transport->arena;
        if (p->sent.custom != NULL || (m->type == NULL && m->raw.ptr != NULL)) {
            extended_of(p)->reply(p, transport);
        } else {
            reply_result(p, profile, transport);
        }
        session->answer = NULL;
        return;
    }
    mcpw_error_set(&error, MCPW_E_REMOTE, 0, "the peer answered %lld: %.*s", (long long)m->error.code,
                   (int)m->error.message.len, m->error.message.ptr);
    reply.status = MCPW_E_REMOTE;
    reply.remote = m->error;
    reply.error = &error;
    mcpw_pending_end(p, &reply);
}

void mcpw_call_answered(mcpw_session *session, const mcpw_profile *profile, mcpw_request *transport) {
    const mcpw_message *const m = &transport->message;
    mcpw_pending *const p = mcpw_pending_answered(session, &m->id);
    mcpw_reply reply = {0};
    mcpw_error error;
    if (p == NULL) {
        const bool was_used =
            m->id.kind == MCPW_ID_INTEGER && m->id.as.integer > 0 && m->id.as.integer < session->next_id;
        mcpw_error_set(&error, was_used ? MCPW_E_MESSAGE : MCPW_E_NOT_FOUND, 0,
                       "a response to no open request of this end");
        mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_UNKNOWN_REPLY, &m->id, no_str, &error);
        return;
    }
    if (m->id.kind == MCPW_ID_STRING) {
        const int64_t number = p->number;
        mcpw_error_set(&error, MCPW_E_TYPE, 0, "the id is the text of a number");
        mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_TOLERATED, &m->id, no_str, &error);
        if (mcpw_pending_answered(session, &m->id) != p || p->number != number) {
            return; /* user code has ended it */
        }
    }
    const int64_t number = p->number;
    error.code = MCPW_OK;
    reply.status = p->passage != NULL ? extended_of(p)->pass_reply(p, transport, &error) : MCPW_OK;
    if (p->number != number) {
        return;
    }
    if (reply.status != MCPW_OK) {
        reply.error = &error;
        mcpw_pending_end(p, &reply);
        return;
    }
    mcpw_call_tell(p, profile, transport);
}

void mcpw_call_broken(mcpw_pending *p, const mcpw_error *error) {
    mcpw_reply reply = {0};
    reply.status = error->code;
    reply.error = error;
    mcpw_pending_end(p, &reply);
}

mcpw_status mcpw_session_fail(mcpw_session *session, const mcpw_id *id, const mcpw_error *why) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_fail", NULL);
    }
    mcpw_pending *const p = mcpw_pending_answered(session, id);
    if (p == NULL || why == NULL || why->code == MCPW_OK) {
        return p == NULL ? MCPW_E_NOT_FOUND : MCPW_E_ARGUMENT;
    }
    mcpw_call_broken(p, why);
    return MCPW_OK;
}

/* The members of a notification of progress that mcpw_progress does not name, as an object; absent: there are
 * none, or there is no memory for them. */
static mcpw_json other_members(mcpw_request *transport, mcpw_field params) {
    static const char *const named[] = {MCPW_NAME_PROGRESS_TOKEN, "progress", "total", "message", NULL};
    mcpw_text out = {mcpw_buffer_in(&transport->arena), MCPW_OK};
    mcpw_json text;
    mcpw_text_object(&out);
    const size_t empty = out.buffer.len;
    if (mcpw_field_text(params, &transport->arena, &text) != MCPW_OK || out.status != MCPW_OK ||
        mcpw_json_append_members(&out.buffer, text, named) != MCPW_OK || out.buffer.len == empty) {
        return no_json;
    }
    mcpw_text_object_end(&out);
    return mcpw_text_get(&out);
}

void mcpw_call_progress(mcpw_session *session, mcpw_request *transport) {
    const mcpw_field params = mcpw_field_of(transport->message.type, transport->message.value);
    const mcpw_id token = mcpw_field_id(mcpw_field_get(params, MCPW_NAME_PROGRESS_TOKEN));
    mcpw_pending *const p =
        token.kind == MCPW_ID_INTEGER ? mcpw_pending_numbered(session, token.as.integer) : NULL;
    mcpw_progress progress = {0};
    mcpw_error error;
    if (p == NULL || p->call.on_progress == NULL ||
        !mcpw_field_number(mcpw_field_get(params, "progress"), &progress.progress)) {
        mcpw_error_set(&error, MCPW_E_MESSAGE, 0, "progress for no request that asked for it");
        mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_UNKNOWN_REPLY, &token, transport->message.method_name,
                              &error);
        return;
    }
    progress.total.set = mcpw_field_number(mcpw_field_get(params, "total"), &progress.total.value);
    progress.message = mcpw_field_str(mcpw_field_get(params, "message"));
    if (!p->clock.has_progress || progress.progress > p->clock.progress) {
        mcpw_call_extend(p);
        p->clock.progress = progress.progress;
        p->clock.has_progress = true;
    }
    progress.more = other_members(transport, params);
    p->call.on_progress(p->callbacks.user, session, &progress);
}
