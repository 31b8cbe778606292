/* SPDX-License-Identifier: MIT */
/* Messages on their way out. */
#ifndef MCPW_OUTBOUND_H
#define MCPW_OUTBOUND_H

#include "../core/core.h"

/* The route of a response to a request; the route of other messages while it is under way. */
static inline mcpw_route mcpw_route_last(const mcpw_request *r) {
    return (mcpw_route){r->origin.batch, r->origin.context, true, 0};
}
static inline mcpw_route mcpw_route_of(const mcpw_request *r) {
    return (mcpw_route){NULL, r->origin.context, false, 0};
}
static const mcpw_route mcpw_no_route = {NULL, NULL, false, 0};

/* Appends a message to the output, or to a batch. */
MCPW_NODISCARD mcpw_status mcpw_session_emit(mcpw_session *session, const mcpw_profile *profile,
                                             const mcpw_message *message, const mcpw_route *route,
                                             mcpw_error *error);
/* The same, past the middleware. */
MCPW_NODISCARD mcpw_status mcpw_outbound_emit(mcpw_session *session, const mcpw_profile *profile,
                                              const mcpw_message *message, const mcpw_route *route,
                                              mcpw_error *error);
/* The byte after a message that is written straight into the output. */
static inline char mcpw_outbound_terminator(const mcpw_session *session, const mcpw_batch *batch) {
    return batch != NULL ? ',' : session->outgoing.terminator;
}
/* Such a message is written: says where it goes. code is an error's, else 0. On failure it is taken back:
 * MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_outbound_push(mcpw_session *session, const mcpw_route *route,
                                              mcpw_message_kind kind, mcpw_str method, int64_t code);
MCPW_NODISCARD static inline mcpw_status mcpw_outbound_address(mcpw_session *session, const mcpw_route *route,
                                                               mcpw_message_kind kind, mcpw_str method,
                                                               int64_t code) {
    return session->stream != NULL || route->batch != NULL
               ? MCPW_OK
               : mcpw_outbound_push(session, route, kind, method, code);
}

/* A message has come with a context: there will be room for its last word. */
MCPW_NODISCARD mcpw_status mcpw_outbound_make_room(mcpw_session *session);
MCPW_NODISCARD static inline mcpw_status mcpw_outbound_expect(mcpw_session *session, const void *context) {
    return context != NULL ? mcpw_outbound_make_room(session) : MCPW_OK;
}
/* Nothing more is said that belongs to it, and no last word was: NULL does nothing. */
void mcpw_outbound_silence(mcpw_session *session, void *context);
/* Nobody is left to get what belongs to it. */
void mcpw_outbound_drop(mcpw_session *session, const void *context);
/* The next message that waits; false: none does. It is in the transport's hand until this is called again. */
bool mcpw_outbound_next(mcpw_session *session, mcpw_outgoing *out);

/* Gives back what is kept for messages to come. */
void mcpw_outbound_trim(mcpw_session *session);

/* The first len bytes of a stream were sent. */
void mcpw_outbound_sent(mcpw_session *session, size_t len);
void mcpw_batch_done(mcpw_session *session, mcpw_batch *batch);
/* Whether the peer leaves so much unread that nothing may be added which can wait. */
static inline bool mcpw_session_is_full(const mcpw_session *session) {
    return session->outgoing.text.len - session->outgoing.sent - session->outgoing.handed_out >=
           session->config->max_output;
}
/* Answers a message that cannot be read. */
void mcpw_respond_to_broken(mcpw_session *session, const mcpw_profile *profile, const mcpw_id *id,
                            int64_t code, const char *message, mcpw_json data, mcpw_batch *batch);
/* Sends a notification whose params are text in the peer's revision. */
MCPW_NODISCARD mcpw_status mcpw_notify_raw(mcpw_session *session, const mcpw_profile *profile,
                                           mcpw_own method, mcpw_json params, const mcpw_route *route,
                                           mcpw_error *error);
/* The same, by the notification's number there. */
MCPW_NODISCARD mcpw_status mcpw_notify_number(mcpw_session *session, const mcpw_profile *profile, int method,
                                              mcpw_json params, const mcpw_route *route, mcpw_error *error);
/* mcpw_notify_raw with what a text holds, which is freed. */
mcpw_status mcpw_notify_text(mcpw_session *session, const mcpw_profile *profile, mcpw_own method,
                             mcpw_text *text, const mcpw_route *route);

#endif
