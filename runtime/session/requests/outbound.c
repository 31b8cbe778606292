/* SPDX-License-Identifier: MIT */
/* Messages on their way out: written, put after those that wait, and gathered where they answer a batch. */
#include "outbound.h"

#include "passage.h"

#include <mcpw/detail/catalogue.h>

#include "../revisions/judge.h"

/* ---- Messages that are handed out one by one ---- */

enum { FIRST_QUEUED_MESSAGES = 8 };

/* Makes room for so many more queued messages, besides the last ones that are due. */
static bool make_room(mcpw_session *session, size_t more) {
    const size_t waiting = session->outgoing.end - session->outgoing.first;
    const size_t needed = waiting + session->outgoing.open_contexts + more;
    if (session->outgoing.end + session->outgoing.open_contexts + more <= session->outgoing.capacity) {
        return true;
    }
    if (needed > session->outgoing.capacity) {
        const size_t twice = 2 * session->outgoing.capacity;
        const size_t least = needed > FIRST_QUEUED_MESSAGES ? needed : FIRST_QUEUED_MESSAGES;
        const size_t capacity = twice > least ? twice : least;
        mcpw_queued_message *const queued_messages = mcpw_resize(
            &session->config->allocator, session->outgoing.queue,
            session->outgoing.capacity * sizeof *queued_messages, capacity * sizeof *queued_messages);
        if (queued_messages == NULL) {
            return false;
        }
        session->outgoing.queue = queued_messages;
        session->outgoing.capacity = capacity;
    }
    if (waiting != 0) {
        memmove(session->outgoing.queue, session->outgoing.queue + session->outgoing.first,
                waiting * sizeof *session->outgoing.queue);
    }
    session->outgoing.first = 0;
    session->outgoing.end = waiting;
    return true;
}

static void put_queued_message(mcpw_session *session, mcpw_queued_message queued_message) {
    const bool is_first = session->outgoing.first == session->outgoing.end;
    session->outgoing.open_contexts -= queued_message.context != NULL && queued_message.is_last;
    queued_message.is_dropped = session->incoming.gone && queued_message.context == session->incoming.context;
    session->outgoing.queue[session->outgoing.end++] = queued_message;
    if (is_first && session->outgoing.on_output != NULL) {
        session->outgoing.on_output(session->outgoing.user, session);
    }
}

mcpw_status mcpw_outbound_push(mcpw_session *session, const mcpw_route *route, mcpw_message_kind kind,
                               mcpw_str method, int64_t code) {
    const bool has_room =
        route->context != NULL && route->is_last; /* its room was made when the message came */
    if (!make_room(session, has_room ? 0 : 1)) {
        session->outgoing.text.len = session->outgoing.addressed;
        return MCPW_E_MEMORY;
    }
    const size_t len = session->outgoing.text.len - session->outgoing.addressed - 1;
    put_queued_message(session, (mcpw_queued_message){len, route->context, method, kind, code, route->request,
                                                      route->is_last, false});
    session->outgoing.addressed = session->outgoing.text.len;
    return MCPW_OK;
}

mcpw_status mcpw_outbound_make_room(mcpw_session *session) {
    if (!make_room(session, 1)) {
        return MCPW_E_MEMORY;
    }
    session->outgoing.open_contexts++;
    return MCPW_OK;
}

void mcpw_outbound_silence(mcpw_session *session, void *context) {
    if (context != NULL && session->stream == NULL && make_room(session, 0)) {
        put_queued_message(session,
                           (mcpw_queued_message){0, context, no_str, MCPW_MESSAGE_NONE, 0, 0, true, false});
    }
}

void mcpw_outbound_drop(mcpw_session *session, const void *context) {
    for (size_t i = session->outgoing.first; i < session->outgoing.end; i++) {
        session->outgoing.queue[i].is_dropped =
            session->outgoing.queue[i].is_dropped || session->outgoing.queue[i].context == context;
    }
}

/* Uses the room again that was sent. */
static void forget_sent(mcpw_session *session) {
    mcpw_buffer *const out = &session->outgoing.text;
    if (session->outgoing.sent == out->len) {
        session->outgoing.sent = out->len = session->outgoing.addressed = 0;
        if (out->capacity > MCPW_KEPT_OUTPUT) {
            mcpw_buffer_free(out);
        }
    } else if (session->outgoing.sent > out->len / 2 && session->outgoing.sent > MCPW_KEPT_ARENA &&
               out->data != NULL) {
        /* Every byte is moved once at most for each byte that was sent. */
        memmove(out->data, out->data + session->outgoing.sent, out->len - session->outgoing.sent);
        out->len -= session->outgoing.sent;
        session->outgoing.addressed -= session->stream == NULL ? session->outgoing.sent : 0;
        session->outgoing.sent = 0;
    }
}

/* Takes the first queued message out. Its text is passed over once the transport has it no more in hand. */
static mcpw_queued_message take_queued_message(mcpw_session *session) {
    const mcpw_queued_message queued_message = session->outgoing.queue[session->outgoing.first++];
    session->outgoing.handed_out = queued_message.kind != MCPW_MESSAGE_NONE ? queued_message.len + 1 : 0;
    return queued_message;
}

bool mcpw_outbound_next(mcpw_session *session, mcpw_outgoing *out) {
    session->outgoing.sent += session->outgoing.handed_out;
    session->outgoing.handed_out = 0;
    forget_sent(session);
    while (session->outgoing.first != session->outgoing.end) {
        const char *const text =
            session->outgoing.text.data != NULL ? session->outgoing.text.data + session->outgoing.sent : NULL;
        const mcpw_queued_message queued_message = take_queued_message(session);
        if (queued_message.is_dropped) {
            session->outgoing.sent += session->outgoing.handed_out;
            session->outgoing.handed_out = 0;
            continue;
        }
        const bool is_silence = queued_message.kind == MCPW_MESSAGE_NONE;
        out->text = is_silence ? no_str : (mcpw_str){text, queued_message.len};
        out->context = queued_message.context;
        out->is_last = queued_message.is_last;
        out->kind = queued_message.kind;
        out->method = queued_message.method;
        out->code = queued_message.code;
        out->request = queued_message.request;
        return true;
    }
    forget_sent(session);
    return false;
}

/* ---- One stream of bytes ---- */

void mcpw_stream_join(mcpw_session *session, mcpw_stream *stream, char terminator) {
    size_t at = session->outgoing.sent + session->outgoing.handed_out;
    session->outgoing.sent = at;
    for (size_t i = session->outgoing.first; i < session->outgoing.end; i++) {
        at += session->outgoing.queue[i].len;
        if (session->outgoing.queue[i].kind != MCPW_MESSAGE_NONE) {
            session->outgoing.text.data[at++] = terminator;
        }
    }
    session->outgoing.first = session->outgoing.end;
    session->outgoing.handed_out = session->outgoing.open_contexts = 0;
    mcpw_outbound_trim(session);
    session->stream = stream;
    session->outgoing.terminator = terminator;
}

void mcpw_outbound_trim(mcpw_session *session) {
    if (session->outgoing.first == session->outgoing.end && session->outgoing.open_contexts == 0) {
        mcpw_session_release(session, session->outgoing.queue,
                             session->outgoing.capacity * sizeof *session->outgoing.queue);
        session->outgoing.queue = NULL;
        session->outgoing.first = session->outgoing.end = session->outgoing.capacity = 0;
    }
    if (session->outgoing.sent == session->outgoing.text.len) {
        session->outgoing.sent = session->outgoing.text.len = session->outgoing.addressed = 0;
        mcpw_buffer_free(&session->outgoing.text);
    }
}

size_t mcpw_stream_bytes(const mcpw_session *session, const char **bytes) {
    *bytes =
        session->outgoing.text.data != NULL ? session->outgoing.text.data + session->outgoing.sent : NULL;
    return session->outgoing.text.len - session->outgoing.sent;
}

void mcpw_outbound_sent(mcpw_session *session, size_t len) {
    const size_t waiting = session->outgoing.text.len - session->outgoing.sent;
    session->outgoing.sent += len < waiting ? len : waiting;
    forget_sent(session);
}

/* ---- Writing ---- */

/* Ends a message with the byte that follows it, and says where it goes. */
static mcpw_status finish(mcpw_session *session, mcpw_buffer *out, size_t before, const mcpw_route *route,
                          mcpw_message_kind kind, mcpw_str method, int64_t code) {
    const char terminator = mcpw_outbound_terminator(session, route->batch);
    const mcpw_status status = mcpw_buffer_append(out, &terminator, 1);
    if (status != MCPW_OK) {
        out->len = before;
        return status;
    }
    return mcpw_outbound_address(session, route, kind, method, code);
}

mcpw_status mcpw_outbound_emit(mcpw_session *session, const mcpw_profile *profile,
                               const mcpw_message *message, const mcpw_route *route, mcpw_error *error) {
    mcpw_buffer *const out = route->batch != NULL ? &route->batch->text : &session->outgoing.text;
    mcpw_options options = MCPW_OPTIONS_INIT;
    const size_t before = out->len;
    options.flags = MCPW_ALLOW_UNKNOWN;
    mcpw_status status = mcpw_message_encode(profile->revision, message, out, &options, error);
    if (status != MCPW_OK) {
        return status;
    }
    status = finish(session, out, before, route, message->kind,
                    message->method_name.ptr != NULL ? message->method_name
                                                     : mcpw_method_name(profile->revision, message->method),
                    message->kind == MCPW_MESSAGE_ERROR ? message->error.code : 0);
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    return status;
}

/* Whether the middleware gets a message of ours. */
static bool passes(const mcpw_session *session, const mcpw_profile *profile, const mcpw_message *message) {
    if (message->kind != MCPW_MESSAGE_NOTIFICATION || !mcpw_passes(session, MCPW_PASS_SENT_NOTIFICATIONS)) {
        return false;
    }
    const mcpw_own own = profile->bindings[message->method].own;
    return own != MCPW_OWN_INITIALIZED && own != MCPW_OWN_CANCELLED && own != MCPW_OWN_ACKNOWLEDGED;
}

mcpw_status mcpw_session_emit(mcpw_session *session, const mcpw_profile *profile, const mcpw_message *message,
                              const mcpw_route *route, mcpw_error *error) {
    return passes(session, profile, message) ? session->config->extensions->extended->pass_notification(
                                                   session, profile, message, route, error)
                                             : mcpw_outbound_emit(session, profile, message, route, error);
}

void mcpw_batch_done(mcpw_session *session, mcpw_batch *batch) {
    if (batch == NULL || --batch->waiting != 0) {
        return;
    }
    mcpw_status status = MCPW_E_NOT_FOUND;
    if (batch->text.len != 0) {
        const mcpw_route route = {NULL, batch->context, true, 0};
        const size_t before = session->outgoing.text.len;
        batch->text.data[batch->text.len - 1] = ']';
        status = mcpw_buffer_append(&session->outgoing.text, "[", 1);
        status = status == MCPW_OK
                     ? mcpw_buffer_append(&session->outgoing.text, batch->text.data, batch->text.len)
                     : status;
        status = status == MCPW_OK
                     ? finish(session, &session->outgoing.text, before, &route, MCPW_MESSAGE_BATCH, no_str, 0)
                     : status;
        if (status != MCPW_OK) {
            session->outgoing.text.len = before;
        }
    }
    if (status != MCPW_OK) {
        mcpw_outbound_silence(session, batch->context);
    }
    mcpw_buffer_free(&batch->text);
    mcpw_session_release(session, batch, sizeof *batch);
}

/* ---- Without a request ---- */

void mcpw_respond_to_broken(mcpw_session *session, const mcpw_profile *profile, const mcpw_id *id,
                            int64_t code, const char *message, mcpw_json data, mcpw_batch *batch) {
    const mcpw_case refusal = {.from = session->config->role, .kind = MCPW_MESSAGE_ERROR};
    mcpw_message answer = {0};
    if (!mcpw_judge(session, session->profile, MCPW_RULES_DIRECTION, &refusal, NULL)) {
        return; /* a client has nothing to answer where servers make no requests (2026-07-28, "Messages") */
    }
    answer.kind = MCPW_MESSAGE_ERROR;
    if (id != NULL && id->kind != MCPW_ID_ABSENT) {
        answer.id = *id;
    } else if (mcpw_revision_type(profile->revision, "JSONRPCErrorResponse") == NULL) {
        answer.id.kind = MCPW_ID_NULL; /* JSON-RPC's word for an id that could not be read */
    }
    answer.error.code = code;
    answer.error.message = mcpw_str_from(message);
    answer.error.data = data;
    const mcpw_route route = {batch, batch == NULL ? session->incoming.context : NULL, true, 0};
    session->incoming.open = session->incoming.open && batch != NULL;
    if (mcpw_session_emit(session, profile, &answer, &route, NULL) != MCPW_OK) {
        session->incoming.open = batch == NULL;
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_MEMORY, 0, "an error could not be sent");
        mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_BAD_LINE, id, no_str, &error);
    }
}

mcpw_status mcpw_notify_number(mcpw_session *session, const mcpw_profile *profile, int method,
                               mcpw_json params, const mcpw_route *route, mcpw_error *error) {
    mcpw_message message = {0};
    message.kind = MCPW_MESSAGE_NOTIFICATION;
    message.method = method;
    message.raw = params;
    if (message.method == 0) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no such notification",
                              mcpw_revision_name(profile->revision));
    }
    if (session->input_ended) {
        return MCPW_OK; /* a peer whose output has ended gets nothing more but responses */
    }
    return mcpw_session_emit(session, profile, &message, route, error);
}

mcpw_status mcpw_notify_raw(mcpw_session *session, const mcpw_profile *profile, mcpw_own method,
                            mcpw_json params, const mcpw_route *route, mcpw_error *error) {
    return mcpw_notify_number(session, profile, profile->number[method], params, route, error);
}

mcpw_status mcpw_notify_text(mcpw_session *session, const mcpw_profile *profile, mcpw_own method,
                             mcpw_text *text, const mcpw_route *route) {
    mcpw_error error;
    mcpw_status status = text->status;
    if (status == MCPW_OK) {
        status = mcpw_notify_raw(session, profile, method, mcpw_text_get(text), route, &error);
    }
    mcpw_text_free(text);
    return status;
}
