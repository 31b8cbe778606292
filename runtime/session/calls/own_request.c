/* SPDX-License-Identifier: MIT */
/* Requests of this end as extensions make and end them: <mcpw/extension_kit.h>. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/extension_kit.h>

#include "../core/threads.h"
#include "../revisions/extension.h"
#include "../revisions/profile.h"
#include "custom_call.h"
#include "round.h"
#include "taker.h"

static mcpw_status no_memory(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

/* ---- Requests with a message ---- */

mcpw_status mcpw_session_request_with_state(mcpw_session *session, const mcpw_revision *revision, int method,
                                            const void *params, const mcpw_call *call, void *state,
                                            mcpw_on_reply on_reply, void *user, int64_t *number,
                                            mcpw_error *error) {
    mcpw_call own = {0};
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_request_with_state", error);
    }
    if (!MCPW_TAKE(&own, on_progress, call)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "struct_size of the mcpw_call is wrong");
    }
    const mcpw_send send = {
        .revision = revision,
        .method = method,
        .params = params,
        .call = &own,
        .on_reply = on_reply,
        .user = user,
        .taker = mcpw_extensions_taker(session->config->extensions, mcpw_method_name(revision, method)),
        .state = state};
    return send.taker != NULL ? mcpw_call_send(session, &send, number, error)
                              : mcpw_error_set(error, MCPW_E_METHOD, 0,
                                               "no extension of this end takes results of this method");
}

/* Sends a request of the revision that is spoken, whose params have a type. */
static mcpw_status send_typed(mcpw_session *session, const char *method, const mcpw_send *like,
                              int64_t *number, mcpw_error *error) {
    const mcpw_revision *const revision = session->profile->revision;
    const int known = mcpw_method_number(revision, method, strlen(method));
    const mcpw_type *const type = known != 0 ? mcpw_method_params(mcpw_method_entry(revision, known)) : NULL;
    const mcpw_mark mark = mcpw_arena_mark(&session->scratch);
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_send send = *like;
    if (type == NULL) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no %s", mcpw_revision_name(revision), method);
    }
    void *const value = mcpw_arena_alloc(&session->scratch, mcpw_type_size(type));
    options.flags = MCPW_ALLOW_UNKNOWN;
    mcpw_status status = value != NULL ? mcpw_params_with_meta(session, session->profile, send.text,
                                                               &session->scratch, &send.text)
                                       : MCPW_E_MEMORY;
    if (status != MCPW_OK) {
        status = mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    } else {
        status = mcpw_decode(type, send.text.ptr, send.text.len, &session->scratch, value, &options, error);
    }
    if (status == MCPW_OK) {
        send.text = no_json;
        send.revision = revision;
        send.method = known;
        send.params = value;
        send.as_text = true;
        status = mcpw_call_send(session, &send, number, error);
    }
    mcpw_arena_rewind(&session->scratch, mark);
    return status;
}

mcpw_status mcpw_session_request_text(mcpw_session *session, const char *method, mcpw_json params,
                                      const mcpw_call *call, mcpw_on_reply on_reply, void *user,
                                      int64_t *number, mcpw_error *error) {
    static const mcpw_json nothing = MCPW_JSON("{}");
    mcpw_error local;
    mcpw_call own = {0};
    error = error != NULL ? error : &local;
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_request_text", error);
    }
    if (!MCPW_TAKE(&own, on_progress, call)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "struct_size of the mcpw_call is wrong");
    }
    if (!session->open) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "the session is not open");
    }
    const mcpw_send send = {.call = &own,
                            .on_reply = on_reply,
                            .user = user,
                            .custom =
                                session->profile->customs != NULL
                                    ? mcpw_extensions_find(session->config->extensions, mcpw_str_from(method))
                                    : NULL,
                            .text = params.ptr != NULL ? params : nothing};
    return send.custom != NULL ? mcpw_call_send(session, &send, number, error)
                               : send_typed(session, method, &send, number, error);
}

/* ---- Requests without one ---- */

static mcpw_pending *without_message(mcpw_session *session, mcpw_on_reply on_reply, void *user,
                                     int64_t *number, mcpw_error *error) {
    mcpw_pending *const p = session->closed ? NULL : mcpw_pending_new(session);
    if (p == NULL) {
        const mcpw_status status = session->closed ? MCPW_E_CLOSED : MCPW_E_MEMORY;
        mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
        return NULL;
    }
    mcpw_pending_take_number(p);
    p->kind = MCPW_PENDING_SENT; /* nothing has to be sent when the session opens */
    p->callbacks.on_reply = on_reply;
    p->callbacks.user = user;
    if (number != NULL) {
        *number = p->number;
    }
    return p;
}

/* The status of such a request that could not be made. */
static mcpw_status not_made(const mcpw_session *session) {
    return session->closed ? MCPW_E_CLOSED : MCPW_E_MEMORY;
}

mcpw_status mcpw_session_wait(mcpw_session *session, uint64_t ms, mcpw_on_reply on_reply, void *user,
                              int64_t *number, mcpw_error *error) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_wait", error);
    }
    mcpw_pending *const p = without_message(session, on_reply, user, number, error);
    if (p == NULL) {
        return not_made(session);
    }
    mcpw_pending_set_due(p, mcpw_later(session->now, ms));
    return MCPW_OK;
}

mcpw_status mcpw_session_keep_open(mcpw_session *session, const mcpw_revision *revision, int method,
                                   void *state, mcpw_on_reply on_reply, void *user, int64_t *number,
                                   mcpw_error *error) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_keep_open", error);
    }
    const mcpw_added_result *const taker =
        mcpw_extensions_taker(session->config->extensions, mcpw_method_name(revision, method));
    if (taker == NULL) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0,
                              "no extension of this end takes results of this method");
    }
    mcpw_pending *const p = without_message(session, on_reply, user, number, error);
    if (p == NULL) {
        return not_made(session);
    }
    p->asked.revision = revision;
    p->asked.method = method;
    p->taker = taker;
    p->state = state;
    mcpw_taker_keep(p);
    return MCPW_OK;
}

/* ---- Their states, and their ends ---- */

void *mcpw_session_request_state(mcpw_session *session, int64_t request) {
    const mcpw_pending *const p = mcpw_pending_numbered(session, request);
    return p != NULL ? p->state : NULL;
}

bool mcpw_session_set_request_state(mcpw_session *session, int64_t request, void *state) {
    mcpw_pending *const p = mcpw_pending_numbered(session, request);
    if (p == NULL || p->taker == NULL) {
        return false;
    }
    p->state = state;
    p->traits.lends_state = false;
    return true;
}

bool mcpw_session_has_request(mcpw_session *session, int64_t request) {
    return mcpw_pending_numbered(session, request) != NULL;
}

void mcpw_session_send_held(mcpw_session *session, int64_t request) {
    mcpw_pending *const p = mcpw_pending_numbered(session, request);
    if (p != NULL && p->kind == MCPW_PENDING_WAITING && session->open) {
        mcpw_call_go_on(p);
    }
}

bool mcpw_session_end_request(mcpw_session *session, int64_t request, const mcpw_reply *reply) {
    mcpw_pending *const p = mcpw_pending_numbered(session, request);
    if (p != NULL) {
        mcpw_pending_end(p, reply);
    }
    return p != NULL;
}

/* Brings a result into the caller's revision. The value is in the arena. */
static mcpw_status read_result(const mcpw_pending *p, mcpw_json result, mcpw_arena *arena, mcpw_reply *reply,
                               mcpw_error *error) {
    mcpw_session *const session = p->session;
    const mcpw_revision *const revision = session->profile->revision;
    const mcpw_type *const type = mcpw_method_result(
        mcpw_method_entry(revision, mcpw_method_in(revision, p->asked.revision, p->asked.method)));
    const mcpw_type *const wanted = mcpw_method_result(mcpw_method_entry(p->asked.revision, p->asked.method));
    if (type == NULL) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no such method", mcpw_revision_name(revision));
    }
    void *const value = mcpw_arena_alloc(arena, mcpw_type_size(type));
    if (value == NULL) {
        return no_memory(error);
    }
    const mcpw_status status =
        mcpw_decode(type, result.ptr, result.len, arena, value, &session->endpoint->reading, error);
    reply->type = wanted;
    return status == MCPW_OK ? mcpw_session_adapt(session, type, value, wanted, arena, &reply->value, error)
                             : status;
}

bool mcpw_session_finish_request(mcpw_session *session, int64_t request, mcpw_json result) {
    mcpw_pending *const p = mcpw_pending_numbered(session, request);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_reply reply = {0};
    mcpw_error error;
    if (p == NULL) {
        return false;
    }
    error.code = MCPW_OK;
    arena.allocator = session->config->allocator;
    reply.status = read_result(p, result, &arena, &reply, &error); /* it reports what it drops */
    if (reply.status != MCPW_OK) {
        mcpw_explain(&error, reply.status);
        reply = (mcpw_reply){.status = reply.status, .error = &error};
    }
    const bool has_ended = mcpw_session_end_request(session, request, &reply);
    mcpw_arena_free(&arena);
    return has_ended;
}

void mcpw_session_drop_request(mcpw_session *session, int64_t request, const char *reason) {
    mcpw_pending *const p = mcpw_pending_numbered(session, request);
    if (p != NULL) {
        p->callbacks.on_reply = NULL;
        if (p->taker != NULL) {
            p->callbacks.cancelled = NULL; /* the extension itself ends it */
        }
        mcpw_ignore(mcpw_session_cancel(session, request, reason));
    }
}

/* ---- Input requests ---- */

/* Gives the responses to the caller, and ends the round. */
static void give_responses(mcpw_round *round) {
    mcpw_pending *const p = round->pending;
    mcpw_text text = mcpw_session_text(p->session);
    mcpw_text_object(&text);
    mcpw_text_json(&text, mcpw_text_get(&round->answers));
    mcpw_text_object_end(&text);
    const mcpw_reply reply = {.status = text.status, .text = mcpw_text_get(&text)};
    mcpw_error why;
    mcpw_error_set(&why, text.status, 0, "%s", mcpw_status_text(text.status));
    const mcpw_reply failed = {.status = text.status, .error = &why};
    p->input.round = NULL;
    round->callbacks->drop(round);
    mcpw_pending_end(p, text.status == MCPW_OK ? &reply : &failed);
    mcpw_text_free(&text);
}

/* Reads input requests as the result that asks for them, by the type of the method that has such results. */
static mcpw_status read_input(mcpw_pending *p, mcpw_json input_requests, mcpw_field *out, mcpw_error *error) {
    const mcpw_profile *const profile = p->session->profile;
    const mcpw_type *const type = mcpw_profile_response(
        mcpw_method_entry(profile->revision, profile->number[MCPW_OWN_CALL_TOOL]), "InputRequiredResult");
    mcpw_text text = mcpw_session_text(p->session);
    if (type == NULL) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no input requests in results",
                              mcpw_revision_name(profile->revision));
    }
    mcpw_text_object(&text);
    mcpw_text_member(&text, "resultType", mcpw_str_from("input_required"));
    mcpw_text_member_json(&text, "inputRequests", input_requests);
    mcpw_text_object_end(&text);
    const mcpw_json whole = mcpw_text_get(&text);
    void *const value = whole.ptr != NULL ? mcpw_arena_alloc(&p->arena, mcpw_type_size(type)) : NULL;
    const mcpw_status status = value != NULL ? mcpw_decode(type, whole.ptr, whole.len, &p->arena, value,
                                                           &p->session->endpoint->reading, error)
                                             : no_memory(error);
    mcpw_text_free(&text);
    *out = mcpw_field_of(type, value);
    return status;
}

mcpw_status mcpw_session_handle_input(mcpw_session *session, mcpw_json input_requests, mcpw_on_reply on_reply,
                                      void *user, int64_t *number, mcpw_error *error) {
    mcpw_error local;
    mcpw_field asked = {0};
    error = error != NULL ? error : &local;
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_handle_input", error);
    }
    mcpw_pending *const p = without_message(session, on_reply, user, number, error);
    if (p == NULL) {
        return not_made(session);
    }
    const mcpw_status status = read_input(p, input_requests, &asked, error);
    if (status != MCPW_OK) {
        mcpw_pending_release(p);
        return status;
    }
    p->callbacks.gathered = give_responses;
    mcpw_round_begin(p, asked);
    return MCPW_OK;
}
