/* SPDX-License-Identifier: MIT */
/* Messages on their way in. era.c finds the revision that each is read by. A request goes to its handler
 * (dispatch.c), an answer to whoever waits for it (reply.c), a notification to what it is about. */
#include "receive.h"

#include <mcpw/detail/catalogue.h>

#include "../calls/call.h"
#include "../calls/lenient.h"
#include "../calls/listed.h"
#include "../calls/reply.h"
#include "../requests/known_meta.h"
#include "../requests/outbound.h"
#include "../requests/request.h"
#include "../revisions/extension.h"
#include "../revisions/judge.h"
#include "../revisions/profile.h"
#include "broken.h"
#include "dispatch.h"
#include "era.h"

/* Finds the type of answer by which a response is read. */
static mcpw_answered_request resolve(void *user, const mcpw_id *id) {
    mcpw_answered_request answer = {0, false};
    const mcpw_pending *const p = mcpw_pending_answered(user, id);
    if (p != NULL) {
        answer.method = p->sent.method;
        answer.task = p->traits.task;
    }
    return answer;
}

/* ---- A message ---- */

static mcpw_status decode(mcpw_session *session, const mcpw_profile *profile, mcpw_str text, mcpw_request *r,
                          mcpw_error *error) {
    mcpw_remembered room;
    mcpw_remembered *const meta = profile->modern ? mcpw_known_meta_open(session, profile, &room) : NULL;
    r->profile = profile;
    const mcpw_status status =
        mcpw_message_decode_remembered(profile->revision, text.ptr, text.len, &r->arena, resolve, session,
                                       &r->message, &session->endpoint->reading, error, meta);
    if (meta != NULL && status == MCPW_OK) {
        mcpw_known_meta_note(r, meta);
    }
    return status;
}

/* Reads a message that could not be read once more. Params of an extension's method stay text then: if they
 * are wrong, the extension's method is refused and not the message. */
static mcpw_status decode_without_added(mcpw_session *session, const mcpw_profile *profile, mcpw_str text,
                                        mcpw_request *r, mcpw_error *error, mcpw_status before) {
    if (profile->added_count == 0) {
        return before;
    }
    mcpw_arena_reset(&r->arena);
    return mcpw_message_decode_remembered(profile->revision, text.ptr, text.len, &r->arena, resolve, session,
                                          &r->message, &session->endpoint->reading, error, NULL);
}

/* The peer gives up a request of its own. A client's may be a subscription, which ends. */
static void receive_cancelled(mcpw_session *session, mcpw_field params) {
    const mcpw_id id = mcpw_field_id(mcpw_field_get(params, "requestId"));
    mcpw_request *const cancelled = mcpw_request_find(session, &id);
    mcpw_pending *const p = id.kind == MCPW_ID_INTEGER ? mcpw_pending_find(session, id.as.integer) : NULL;
    const mcpw_case message = {.from = mcpw_peer_role(session),
                               .kind = MCPW_MESSAGE_NOTIFICATION,
                               .cancels = cancelled != NULL ? cancelled->message.method : 0};
    if (cancelled != NULL && mcpw_judge(session, cancelled->profile, MCPW_RULES_CANCEL, &message, NULL)) {
        cancelled->cancel.reason = mcpw_field_str(mcpw_field_get(params, "reason"));
        mcpw_request_drop(cancelled);
    } else if (cancelled == NULL && p != NULL && p->traits.listening) {
        mcpw_pending_fail(p, MCPW_E_CANCELLED, "the server has ended the subscription");
    }
}

/* Applies a notification to the session, and calls its slot. */
void mcpw_receive_handle(mcpw_session *session, mcpw_request *r) {
    const mcpw_message *const m = &r->message;
    const mcpw_binding *const b = r->profile->bindings + m->method;
    const mcpw_dispatch *const dispatch = session->config->dispatch;
    const void *params = m->value;
    mcpw_error error;
    if (b->own == MCPW_OWN_INITIALIZED) {
        session->open = true;
        mcpw_call_flush(session);
    } else if (b->own == MCPW_OWN_PROGRESS) {
        mcpw_call_progress(session, r);
    } else if (b->own == MCPW_OWN_CANCELLED) {
        receive_cancelled(session, mcpw_field_of(m->type, m->value));
    } else if (b->own == MCPW_OWN_TOOLS_CHANGED) {
        mcpw_listed_forget(session);
    }
    if (b->handler == 0) {
        return;
    }
    const mcpw_method *const target = mcpw_method_entry(dispatch->revision, b->handler);
    if (params != NULL && mcpw_method_params(target) != NULL &&
        mcpw_session_adapt(session, m->type, params, mcpw_method_params(target), &r->arena, &params,
                           &error) != MCPW_OK) {
        mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_HANDLER, NULL, m->method_name, &error);
        return;
    }
    dispatch->notification(session->config->handlers, b->handler, session, params, session->user);
}

bool mcpw_receive_admits(mcpw_session *session, mcpw_request *r) {
    const mcpw_message *const m = &r->message;
    static const mcpw_declared unasked = {{NULL, 0, 0}, NULL};
    mcpw_verdict verdict;
    mcpw_error error;
    if (mcpw_judge_received(session, r->profile, m, r->origin.batch != NULL, unasked, &verdict)) {
        return true;
    }
    mcpw_error_set(&error, MCPW_E_METHOD, 0, "%s", verdict.answer);
    mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_OUT_OF_ORDER, NULL, m->method_name, &error);
    return false;
}

static void receive_notification(mcpw_session *session, mcpw_request *r) {
    if (session->config->extensions != NULL) {
        session->config->extensions->extended->take_notification(session, r);
    } else if (mcpw_receive_admits(session, r)) {
        mcpw_receive_handle(session, r);
    }
}

/* Reads an answer that could not be read once more, with what is wrong mended. */
static mcpw_status decode_mended(mcpw_session *session, const mcpw_profile *profile, mcpw_received *text,
                                 mcpw_request *r, mcpw_status before, mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    arena.allocator = session->config->allocator;
    const mcpw_str mended = mcpw_lenient_mend(session, profile, text, &arena);
    mcpw_status status = before;
    if (mended.ptr != NULL) {
        mcpw_arena_reset(&r->arena);
        status = decode(session, profile, mended, r, error);
    }
    mcpw_arena_free(&arena);
    return status;
}

/* Reads one message and dispatches it, as the request r where it is one. True when a request has
 * taken r over. */
static bool receive_message(mcpw_session *session, mcpw_request *r, mcpw_received *text, mcpw_batch *batch) {
    const mcpw_profile *profile = NULL;
    mcpw_error error;
    if (!mcpw_era_find(session, text, batch, &profile)) {
        return false;
    }
    mcpw_status status = decode(session, profile, text->text, r, &error);
    const mcpw_profile *const before = profile;
    if (!mcpw_era_find_again(session, text, batch, r, status, &profile)) {
        return false;
    }
    if (profile != before) {
        r->custom = NULL;
        mcpw_arena_reset(&r->arena);
        status = decode(session, profile, text->text, r, &error);
    }
    const mcpw_extensions *const set = session->config->extensions;
    if (MCPW_UNLIKELY(status != MCPW_OK)) {
        status = decode_without_added(session, profile, text->text, r, &error, status);
    }
    if (status != MCPW_OK && set != NULL && set->extended->read_added(session, text, &error, r)) {
        status = MCPW_OK;
    } else if (session->config->lenient &&
               (status != MCPW_OK || mcpw_lenient_looks_again(session, profile, text->text, &r->message))) {
        status = decode_mended(session, profile, text, r, status, &error);
    }
    if (session->closed) {
        return false;
    }
    if (status != MCPW_OK) {
        mcpw_receive_broken(session, profile, text, &error, batch);
        return false;
    }
    switch (r->message.kind) {
    case MCPW_MESSAGE_REQUEST:
        r->origin.batch = batch;
        mcpw_request_arrive(r);
        return true;
    case MCPW_MESSAGE_NOTIFICATION:
        receive_notification(session, r);
        break;
    case MCPW_MESSAGE_RESULT:
    case MCPW_MESSAGE_ERROR:
        mcpw_call_answered(session, profile, r);
        break;
    case MCPW_MESSAGE_BATCH: /* a batch was taken apart before */
        mcpw_error_set(&error, MCPW_E_MESSAGE, 0, "a batch cannot contain a batch");
        mcpw_receive_broken(session, profile, text, &error, batch);
        break;
    case MCPW_MESSAGE_NONE:
    default:
        break;
    }
    return false;
}

static mcpw_status receive_one(mcpw_session *session, mcpw_str message, const mcpw_message_envelope *envelope,
                               mcpw_batch *batch) {
    mcpw_received text;
    mcpw_received_open(&text, message, envelope);
    mcpw_request *const r = mcpw_request_take(session);
    if (r == NULL) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        mcpw_receive_broken(session, session->profile, &text, &error, batch);
        return MCPW_E_MEMORY;
    }
    if (!receive_message(session, r, &text, batch)) {
        mcpw_request_release(r);
    }
    return MCPW_OK;
}

/* Takes messages in one line, where the revision has that. Each stands for itself, and one that is broken
 * spoils no other. (MCP 2025-03-26, "Batching"; JSON-RPC 2.0 section 6.) */
static mcpw_status receive_batch(mcpw_session *session, const mcpw_profile *profile, mcpw_str line) {
    const mcpw_json all = {line.ptr, line.len, 0};
    mcpw_received received;
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_status status = MCPW_OK;
    mcpw_error error;
    mcpw_batch *batch = NULL;
    const size_t count = mcpw_json_count(all);
    if (mcpw_json_check(all, 0, &error) != MCPW_OK || count == 0 || count > session->config->max_requests) {
        if (count == 0) {
            mcpw_error_set(&error, MCPW_E_MESSAGE, 0, "a batch is not empty");
        } else if (count >
                   session->config->max_requests) { /* answers may be far longer than what they answer */
            mcpw_error_set(&error, MCPW_E_MESSAGE, 0, "a batch has at most %zu messages",
                           session->config->max_requests);
        }
        mcpw_received_open(&received, line, NULL);
        mcpw_receive_broken(session, profile, &received, &error, NULL);
        return MCPW_OK;
    }
    batch = mcpw_session_alloc(session, sizeof *batch);
    if (batch == NULL) {
        return MCPW_E_MEMORY;
    }
    batch->text = (mcpw_buffer)MCPW_BUFFER_INIT;
    batch->text.allocator = session->config->allocator;
    batch->context = session->incoming.context;
    batch->waiting = 1;
    session->incoming.open = false;
    if (mcpw_json_iterate(all, &it) == MCPW_OK) {
        while (!session->closed && !session->incoming.gone && mcpw_json_next(&it, NULL, &item)) {
            const mcpw_str text = {item.ptr, item.len};
            const mcpw_status one = receive_one(session, text, NULL, batch);
            status = one != MCPW_OK ? one : status;
        }
    }
    mcpw_batch_done(session, batch);
    return status;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool is_array(mcpw_str text) {
    size_t blank = 0;
    if (text.len != 0 && text.ptr[0] == '{') {
        return false; /* as most are */
    }
    while (blank < text.len && is_blank(text.ptr[blank])) {
        blank++;
    }
    return blank < text.len && text.ptr[blank] == '[';
}

/* Sees to it that the context of what was received gets its last word, whatever becomes of that. */
static void close_inbound(mcpw_session *session) {
    if (session->incoming.open) {
        session->incoming.open = false;
        mcpw_outbound_silence(session, session->incoming.context);
    }
    if (session->incoming.gone) { /* it was given up before it became a request */
        mcpw_requests_drop(session, session->incoming.context);
    }
    session->incoming.gone = false;
    session->incoming.context = NULL;
}

static mcpw_status open_inbound(mcpw_session *session, void *context) {
    session->incoming.context = context;
    session->incoming.open = context != NULL;
    return mcpw_outbound_expect(session, context);
}

mcpw_status mcpw_receive(mcpw_session *session, mcpw_str text, const mcpw_message_envelope *envelope,
                         void *context) {
    mcpw_status status = open_inbound(session, context);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_profile *const profile = is_array(text) ? mcpw_era_of_batches(session) : NULL;
    if (profile != NULL) {
        status = receive_batch(session, profile, text);
    } else {
        status = receive_one(session, text, envelope, NULL);
    }
    close_inbound(session);
    mcpw_arena_tidy(&session->scratch);
    return context != NULL ? MCPW_OK : status; /* its context has the outcome */
}

mcpw_status mcpw_receive_long(mcpw_session *session, void *context) {
    const mcpw_status status = open_inbound(session, context);
    if (status == MCPW_OK) {
        mcpw_receive_too_long(session);
        close_inbound(session);
    }
    return status;
}
