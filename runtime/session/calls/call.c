/* SPDX-License-Identifier: MIT */
/*
 * Requests of ours: how they are sent, given up and ended. reply.c reads what the peer answers.
 */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/protocol.h>
#include <mcpw/detail/reflect.h>

#include "call.h"

#include "../core/threads.h"
#include "../requests/outbound.h"
#include "../requests/passage.h"
#include "../revisions/capability.h"
#include "../revisions/judge.h"
#include "../revisions/overlaid.h"
#include "../revisions/profile.h"
#include "../support/wire_names.h"
#include "lenient.h"
#include "listed.h"

/* ---- How they end, and when ---- */

void mcpw_pending_end(mcpw_pending *p, const mcpw_reply *reply) {
    mcpw_session *const session = p->session;
    const mcpw_on_reply on_reply = p->callbacks.on_reply;
    void *const user = p->callbacks.user;
    mcpw_reply reported = *reply;
    reported.method = p->asked.method;
    mcpw_pending_release(p);
    if (on_reply != NULL) {
        on_reply(user, session, &reported);
    }
}

void mcpw_pending_fail(mcpw_pending *p, mcpw_status status, const char *why) {
    mcpw_reply reply = {0};
    mcpw_error error;
    mcpw_error_set(&error, status, 0, "%s", why);
    reply.status = status;
    reply.error = &error;
    mcpw_pending_end(p, &reply);
}

static void start_clock(mcpw_pending *p) {
    mcpw_session *const session = p->session;
    const mcpw_session_config *const c = session->config;
    if (p->traits.listening) {
        return;
    }
    p->call.timeout_ms = p->call.timeout_ms != 0 ? p->call.timeout_ms : c->request_timeout_ms;
    p->call.max_timeout_ms = p->call.max_timeout_ms != 0 ? p->call.max_timeout_ms : c->max_request_timeout_ms;
    p->clock.due_at_last =
        mcpw_later(session->now,
                   p->call.max_timeout_ms > p->call.timeout_ms ? p->call.max_timeout_ms : p->call.timeout_ms);
    mcpw_pending_set_due(p, mcpw_later(session->now, p->call.timeout_ms));
}

void mcpw_call_extend(mcpw_pending *p) {
    const uint64_t due = mcpw_later(p->session->now, p->call.timeout_ms);
    mcpw_pending_set_due(p, due < p->clock.due_at_last ? due : p->clock.due_at_last);
}

/* The next mcpw_session_advance reports a response that a middleware has made. The call itself does not. */
static void notice_answer(mcpw_pending *p) {
    if (mcpw_passage_waits(p->passage)) {
        mcpw_pending_set_due(p, 0);
    }
}

/* ---- Sending ---- */

/* The code for extensions and middleware, at an end that has some. */
static const mcpw_extended *extended_of(const mcpw_pending *p) {
    return p->session->config->extensions->extended;
}

/* The method in the peer's revision, if this end may send it there. */
static mcpw_status peer_method(mcpw_pending *p, const mcpw_profile *profile, mcpw_error *error) {
    const mcpw_str name = mcpw_method_name(p->asked.revision, p->asked.method);
    p->sent.method = mcpw_method_in(profile->revision, p->asked.revision, p->asked.method);
    mcpw_case message = {
        .from = p->session->config->role, .kind = MCPW_MESSAGE_REQUEST, .method = p->sent.method};
    if (p->sent.method != 0 && mcpw_judge(p->session, profile, MCPW_RULES_DIRECTION, &message, NULL)) {
        return MCPW_OK;
    }
    message.inside = true;
    const bool is_input_request =
        p->sent.method != 0 && mcpw_judge(p->session, profile, MCPW_RULES_DIRECTION, &message, NULL);
    return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s: %.*s, in %s",
                          is_input_request ? "only mcpw_request_ask can send this"
                                           : "the revision has no such request from this end",
                          (int)name.len, name.ptr, mcpw_revision_name(profile->revision));
}

mcpw_status mcpw_call_emit(mcpw_pending *p, const mcpw_profile *profile, const void *value, mcpw_json raw,
                           mcpw_error *error) {
    mcpw_message message = {0};
    message.kind = MCPW_MESSAGE_REQUEST;
    message.method = p->sent.method;
    message.method_name = p->sent.custom != NULL ? p->sent.custom->name : no_str;
    message.id.kind = MCPW_ID_INTEGER;
    message.id.as.integer = p->id;
    if (p->sent.custom == NULL) {
        message.type = mcpw_method_params(mcpw_method_entry(profile->revision, p->sent.method));
    }
    message.value = value;
    message.raw = raw;
    const mcpw_route route = {NULL, p->context, false, p->id};
    if (mcpw_passes(p->session, MCPW_PASS_SENT_REQUESTS)) {
        return extended_of(p)->pass_sent(p, profile, &message, &route, error);
    }
    return mcpw_session_emit(p->session, profile, &message, &route, error);
}

/* Whether an answer may ask for input: its type is chosen among several. */
static bool may_ask(const mcpw_method *method) {
    const mcpw_type *const response = mcpw_method_response(method);
    return response != NULL &&
           mcpw_alternative_count(mcpw_type_revision(response), mcpw_type_ref(response)) > 1;
}

static bool carries_task(const mcpw_method *method, const void *params) {
    return mcpw_method_task_result(method) != NULL && params != NULL &&
           mcpw_field_get(mcpw_field_of(mcpw_method_params(method), params), "task").at != NULL;
}

bool mcpw_call_is_task(const mcpw_session *session, const mcpw_revision *theirs, int method,
                       const void *params) {
    const mcpw_method *const entry = mcpw_method_entry(theirs, method);
    return carries_task(entry, params) && mcpw_declares_tasks(mcpw_peer_declared(session), theirs, method);
}

mcpw_status mcpw_call_wants(const mcpw_session *session, const mcpw_revision *theirs,
                            const mcpw_revision *revision, int method, const void *params,
                            const mcpw_type *wanted, mcpw_error *error) {
    const mcpw_method *const entry = mcpw_method_entry(revision, method);
    if (wanted == NULL || entry == NULL) {
        return MCPW_OK; /* whoever sends it refuses what is no method */
    }
    const mcpw_str name = mcpw_method_name(revision, method);
    const bool task = carries_task(entry, params);
    if (wanted != mcpw_method_result(entry) && wanted != mcpw_method_task_result(entry)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%.*s is not answered by a %s", (int)name.len,
                              name.ptr, mcpw_type_name(wanted));
    }
    if (task != (wanted == mcpw_method_task_result(entry))) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              task ? "params with a task are answered by a %s: use the function for tasks"
                                   : "params without a task are not answered by a %s",
                              mcpw_type_name(mcpw_method_task_result(entry)));
    }
    if (task && !mcpw_declares_tasks(mcpw_peer_declared(session), theirs,
                                     mcpw_method_number(theirs, name.ptr, name.len))) {
        return mcpw_error_set(error, MCPW_E_CAPABILITY, 0,
                              "the peer has not declared that it makes tasks of %.*s", (int)name.len,
                              name.ptr);
    }
    return MCPW_OK;
}

mcpw_status mcpw_session_wants(const mcpw_session *session, const mcpw_revision *revision, int method,
                               const void *params, const mcpw_type *wanted, mcpw_error *error) {
    return mcpw_call_wants(session, session->profile->revision, revision, method, params, wanted, error);
}

/* Keeps the text of params, to which a round of input may add its answers. */
static mcpw_status keep_text(mcpw_pending *p, const mcpw_method *method, const void *params,
                             mcpw_error *error) {
    if (params == NULL || !may_ask(method)) {
        return MCPW_OK;
    }
    mcpw_buffer buffer = mcpw_buffer_in(&p->arena);
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_ALLOW_UNKNOWN;
    mcpw_status status = mcpw_encode(mcpw_method_params(method), params, &buffer, &options, NULL);
    p->sent.text = status == MCPW_OK ? mcpw_buffer_take(&buffer) : no_json;
    status = status == MCPW_E_MEMORY ? p->arena.status : status;
    return status == MCPW_E_MEMORY || status == MCPW_E_ARENA
               ? mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status))
               : MCPW_OK; /* any other shows when they are encoded */
}

/* Nothing is asked for that the peer has not declared, nor anything of an extension that not both have. */
static mcpw_status check_declared(const mcpw_pending *p, const mcpw_profile *profile, const mcpw_type *type,
                                  const void *params, mcpw_error *error) {
    mcpw_session *const session = p->session;
    const mcpw_str name = mcpw_method_name(profile->revision, p->sent.method);
    mcpw_case message = {.from = session->config->role,
                         .kind = MCPW_MESSAGE_REQUEST,
                         .method = p->sent.method,
                         .type = type,
                         .value = params,
                         .declared = mcpw_peer_declared(session)};
    const bool is_extended = profile->bindings[p->sent.method].extended;
    mcpw_verdict verdict;
    if (!mcpw_judge(session, profile, MCPW_RULES_CAPABILITY, &message, &verdict) &&
        !mcpw_lenient_undeclared(session, verdict.capability, name)) {
        return mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "the peer has not declared \"%s\"",
                              verdict.capability);
    }
    message.declared = (mcpw_declared){session->declared, NULL};
    if (is_extended && !mcpw_judge(session, profile, MCPW_RULES_EXTENSION, &message, &verdict)) {
        return mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "%s", verdict.text);
    }
    return MCPW_OK;
}

/* Nor is a value sent that only such an extension allows. */
static mcpw_status check_value(const mcpw_pending *p, const mcpw_profile *profile, const mcpw_type *type,
                               const void *params, mcpw_error *error) {
    const mcpw_overlaid_value out = {MCPW_MESSAGE_REQUEST,          p->sent.method, type, params, no_json,
                                     mcpw_peer_declared(p->session)};
    const char *capability = NULL;
    bool by_peer = false;
    return mcpw_overlaid_check(p->session, profile, &out, &capability, &by_peer, error);
}

/* A callback may end the request meanwhile. Then p->number has changed, and nothing of it may be used. */
static mcpw_status transmit(mcpw_pending *p, const void *params, bool unguarded, mcpw_error *error) {
    const int64_t number = p->number;
    mcpw_session *const session = p->session;
    const mcpw_extensions *const set = session->config->extensions;
    const mcpw_profile *const profile = session->profile;
    if (set != NULL && p->sent.custom == NULL &&
        mcpw_method_in(profile->revision, p->asked.revision, p->asked.method) == 0) {
        p->sent.custom = set->extended->numbered(session, p->asked.revision, p->asked.method);
    }
    if (set != NULL && p->sent.custom != NULL) {
        return set->extended->send(p, params, error);
    }
    mcpw_status status = peer_method(p, profile, error);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_method *const method = mcpw_method_entry(profile->revision, p->sent.method);
    const mcpw_type *const from = mcpw_method_params(mcpw_method_entry(p->asked.revision, p->asked.method));
    if (params != NULL && from != mcpw_method_params(method)) {
        status =
            mcpw_session_adapt(session, from, params, mcpw_method_params(method), &p->arena, &params, error);
    }
    if (p->number == number && status == MCPW_OK && set != NULL && p->taker != NULL) {
        status = set->extended->add_members(p, mcpw_method_params(method), &params, error);
    }
    if (p->number != number) {
        return MCPW_E_CLOSED;
    }
    if (status == MCPW_OK && !unguarded) {
        status = check_declared(p, profile, mcpw_method_params(method), params, error);
    }
    if (status == MCPW_OK && params != NULL && profile->has_extensions) {
        status = check_value(p, profile, mcpw_method_params(method), params, error);
    }
    if (status == MCPW_OK && !p->traits.relayed) {
        status = mcpw_listed_send(p, profile, mcpw_method_params(method), params, error);
    }
    if (p->number != number) {
        return MCPW_E_CLOSED;
    }
    const mcpw_id token = {MCPW_ID_INTEGER, {.integer = p->number}};
    if (status == MCPW_OK) {
        status = mcpw_profile_params(session, profile, p->sent.method, params,
                                     p->call.on_progress != NULL ? &token : NULL, &p->arena, &params);
    }
    if (status == MCPW_OK) {
        status = keep_text(p, method, params, error);
    }
    if (status == MCPW_OK) {
        p->traits.task = mcpw_call_is_task(session, profile->revision, p->sent.method, params);
        status = mcpw_call_emit(p, profile, params, no_json, error);
    }
    if (p->number != number) {
        return MCPW_E_CLOSED;
    }
    p->kind = MCPW_PENDING_SENT;
    p->sent.profile = profile;
    return status;
}

/* Keeps the params of a request until it can be sent. */
static mcpw_status keep_params(mcpw_pending *p, const mcpw_send *send, mcpw_error *error) {
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(send->revision, send->method));
    if (send->text.ptr != NULL) {
        p->asked.text.ptr = mcpw_arena_str(&p->arena, send->text.ptr, send->text.len).ptr;
        return p->asked.text.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    if (send->params == NULL || type == NULL) {
        return MCPW_OK;
    }
    void *const copy = mcpw_arena_alloc(&p->arena, mcpw_type_size(type));
    p->asked.params = copy;
    return copy != NULL ? mcpw_copy(type, send->params, &p->arena, copy, error) : MCPW_E_MEMORY;
}

/* Whether a request cannot be sent yet. params are the caller's. User code may end the request meanwhile. */
static bool must_wait(mcpw_pending *p, const void *params, bool unguarded) {
    return (!p->session->open && !unguarded) || (p->taker != NULL && extended_of(p)->holds(p, params));
}

mcpw_status mcpw_call_send(mcpw_session *session, const mcpw_send *send, int64_t *number, mcpw_error *error) {
    mcpw_error local;
    mcpw_error *const e = error != NULL ? error : &local;
    local.code = MCPW_OK;
    const mcpw_method *const method = mcpw_method_entry(send->revision, send->method);
    mcpw_status status = MCPW_OK;
    if (session->closed || session->input_ended) {
        return mcpw_error_set(e, MCPW_E_CLOSED, 0, "%s", mcpw_status_text(MCPW_E_CLOSED));
    }
    if (send->custom == NULL && (method == NULL || (mcpw_method_flags(method) & MCPW_METHOD_REQUEST) == 0)) {
        return mcpw_error_set(e, MCPW_E_ARGUMENT, 0, "%d is not the number of a request in %s", send->method,
                              mcpw_revision_name(send->revision));
    }
    mcpw_pending *const p = mcpw_pending_new(session);
    if (p == NULL) {
        return mcpw_error_set(e, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    mcpw_pending_take_id(p);
    const int64_t own = p->number;
    p->asked.revision = send->revision;
    p->asked.method = send->method;
    p->sent.custom = send->custom;
    p->asked.text = send->text;
    p->traits.uncancellable = send->unguarded;
    p->traits.listening = send->listening;
    p->traits.relayed = send->relayed;
    p->traits.as_text = send->as_text;
    p->context = send->context;
    if (send->call != NULL) {
        p->call = *send->call;
    }
    p->taker = send->taker;
    p->state = send->state;
    p->traits.lends_state = send->state != NULL;
    const bool waits = must_wait(p, send->params, send->unguarded);
    if (p->number == own) {
        status = waits ? keep_params(p, send, &local) : transmit(p, send->params, send->unguarded, &local);
    } else {
        status = MCPW_E_CLOSED; /* by user code */
    }
    if (status != MCPW_OK) {
        if (p->number == own) {
            mcpw_pending_release(p);
        }
        mcpw_explain(&local, status);
        *e = local;
        return status;
    }
    p->traits.lends_state = false;
    p->callbacks.on_reply = send->on_reply; /* only now: a call that fails never calls it */
    p->callbacks.user = send->user;
    start_clock(p);
    notice_answer(p);
    if (number != NULL) {
        *number = p->number;
    }
    return MCPW_OK;
}

/* The extension that takes a result of such a request; NULL: none does, or its caller wants that result. */
static const mcpw_added_result *taker_of(const mcpw_session *session, const mcpw_revision *revision,
                                         int method, const void *params) {
    const mcpw_extensions *const set = session->config->extensions;
    const mcpw_method *const entry =
        set != NULL && set->takes_results ? mcpw_method_entry(revision, method) : NULL;
    const mcpw_added_result *const taker =
        entry != NULL && !carries_task(entry, params)
            ? mcpw_extensions_taker(set, mcpw_method_name(revision, method))
            : NULL;
    return taker != NULL && taker->given.type_name != NULL &&
                   mcpw_profile_response(entry, taker->given.type_name) != NULL
               ? NULL
               : taker;
}

mcpw_status mcpw_session_request(mcpw_session *session, const mcpw_revision *revision, int method,
                                 const void *params, const mcpw_call *call, mcpw_on_reply on_reply,
                                 void *user, int64_t *number, mcpw_error *error) {
    mcpw_call own = {0};
    const bool usable = MCPW_TAKE(&own, on_progress, call);
    const mcpw_send send = {.revision = revision,
                            .method = method,
                            .params = params,
                            .call = call != NULL ? &own : NULL,
                            .on_reply = on_reply,
                            .user = user,
                            .taker = taker_of(session, revision, method, params)};
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_request", error);
    }
    if (!usable) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "struct_size of the mcpw_call is wrong");
    }
    return mcpw_call_send(session, &send, number, error);
}

mcpw_status mcpw_session_request_named(mcpw_session *session, const char *method, mcpw_json params,
                                       const mcpw_call *call, mcpw_on_reply on_reply, void *user,
                                       int64_t *number, mcpw_error *error) {
    static const mcpw_json nothing = MCPW_JSON("{}");
    mcpw_call own = {0};
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_request_named", error);
    }
    const mcpw_send send = {.call = call != NULL ? &own : NULL,
                            .on_reply = on_reply,
                            .user = user,
                            .custom = mcpw_extensions_find(session->config->extensions,
                                                           mcpw_str_from(method != NULL ? method : "")),
                            .text = params.ptr != NULL ? params : nothing};
    if (!MCPW_TAKE(&own, on_progress, call)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "struct_size of the mcpw_call is wrong");
    }
    return send.custom != NULL
               ? mcpw_call_send(session, &send, number, error)
               : mcpw_error_set(error, MCPW_E_METHOD, 0, "no extension of this end has a method \"%s\"",
                                method != NULL ? method : "");
}

void mcpw_call_go_on(mcpw_pending *p) {
    mcpw_error error;
    error.code = MCPW_OK;
    const int64_t number = p->number;
    const mcpw_status status = transmit(p, p->asked.params, false, &error);
    if (p->number == number && status != MCPW_OK) {
        mcpw_reply reply = {0};
        mcpw_explain(&error, status);
        reply.status = status;
        reply.error = &error;
        mcpw_pending_end(p, &reply);
    } else if (p->number == number) {
        notice_answer(p);
    }
}

void mcpw_call_flush(mcpw_session *session) {
    session->pending.flushing = session->pending.oldest;
    while (session->pending.flushing != NULL && !session->closed) {
        mcpw_pending *const p = session->pending.flushing;
        session->pending.flushing = p->place.next; /* a callback may end that one */
        if (p->kind == MCPW_PENDING_SENT) {
            continue;
        }
        const int64_t number = p->number;
        const bool waits = must_wait(p, p->asked.params, false);
        if (p->number == number && !waits) {
            mcpw_call_go_on(p);
        }
    }
}

void mcpw_call_resend(mcpw_pending *p, mcpw_json answers, mcpw_json state) {
    mcpw_text text = mcpw_session_text(p->session);
    mcpw_error error;
    mcpw_status status;
    mcpw_text_raw(&text, p->sent.text.ptr,
                  p->sent.text.len - 1); /* without its closing brace: more members follow */
    if (answers.ptr != NULL) {
        mcpw_text_key(&text, MCPW_NAME_INPUT_RESPONSES);
        mcpw_text_object(&text);
        mcpw_text_json(&text, answers);
        mcpw_text_object_end(&text);
    }
    if (state.ptr != NULL) {
        mcpw_text_member_json(&text, MCPW_NAME_REQUEST_STATE, state);
    }
    mcpw_text_object_end(&text);
    mcpw_pending_drop_id(p);
    mcpw_pending_take_id(p);
    mcpw_call_extend(p);
    status = text.status == MCPW_OK
                 ? mcpw_call_emit(p, p->session->profile, NULL, mcpw_text_get(&text), &error)
                 : text.status;
    mcpw_text_free(&text);
    if (status != MCPW_OK) {
        mcpw_pending_fail(p, status, "the responses to the server's input requests could not be sent");
    }
}

/* ---- Giving up ---- */

mcpw_status mcpw_notify_cancelled(mcpw_session *session, mcpw_pending *pending, const char *reason) {
    mcpw_text text = mcpw_session_text(session);
    mcpw_text_object(&text);
    mcpw_text_key(&text, "requestId");
    mcpw_text_int(&text, pending->id);
    if (reason != NULL) {
        mcpw_text_member(&text, "reason", mcpw_str_from(reason));
    }
    mcpw_text_object_end(&text);
    const mcpw_route route = {NULL, pending->context, false, pending->id};
    return mcpw_notify_text(session, session->profile, MCPW_OWN_CANCELLED, &text, &route);
}

static void tell_cancelled(mcpw_pending *p, const char *reason) {
    /* In a round of input, or when a task has answered it, nothing of it is in flight: it has no id. */
    const mcpw_case cancelling = {.from = p->session->config->role,
                                  .kind = MCPW_MESSAGE_NOTIFICATION,
                                  .cancels = p->sent.method,
                                  .cancels_task = p->traits.task};
    if (p->kind == MCPW_PENDING_SENT && !p->traits.uncancellable && p->id != 0 &&
        mcpw_judge(p->session, p->sent.profile, MCPW_RULES_CANCEL, &cancelling, NULL)) {
        mcpw_ignore(mcpw_notify_cancelled(p->session, p, reason));
    }
}

mcpw_status mcpw_session_cancel(mcpw_session *session, int64_t number, const char *reason) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_cancel", NULL);
    }
    mcpw_pending *const p = mcpw_pending_numbered(session, number);
    if (p == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    if (p->traits.uncancellable) {
        return MCPW_E_STATE;
    }
    tell_cancelled(p, reason);
    if (p->callbacks.cancelled != NULL) {
        void (*const cancelled)(mcpw_pending *) = p->callbacks.cancelled;
        p->callbacks.cancelled = NULL;
        cancelled(p);
    }
    if (mcpw_pending_numbered(session, number) == p) { /* user code has not ended it */
        mcpw_pending_fail(p, MCPW_E_CANCELLED, reason != NULL ? reason : "the request was cancelled");
    }
    return MCPW_OK;
}

void mcpw_call_timeouts(mcpw_session *session) {
    mcpw_pending *p = mcpw_pending_first_due(session);
    while (p != NULL && p->clock.due <= session->now) {
        if (mcpw_passage_waits(p->passage)) {
            session->callbacks->answered(p);
            p = mcpw_pending_first_due(session);
            continue;
        }
        tell_cancelled(p, "timeout");
        mcpw_pending_fail(p, MCPW_E_TIMEOUT, "the peer did not answer in time");
        p = mcpw_pending_first_due(session);
    }
}

void mcpw_call_fail_all(mcpw_session *session, const char *why) {
    while (session->pending.oldest != NULL) {
        mcpw_pending_fail(session->pending.oldest, MCPW_E_CLOSED, why);
    }
}
