/* SPDX-License-Identifier: MIT */
/* requests/: requests of the peer's, from their arrival to their answer in the output. */
/* Requests of the peer's: their memory, how they are found, what they say, and how they end. */
#ifndef MCPW_REQUEST_H
#define MCPW_REQUEST_H

#include "../core/threads.h"

/* The capabilities that the client has declared, with this request or at the handshake. */
mcpw_declared mcpw_request_declared(mcpw_request *request);
/* Whether an extension is among them, by its place in its set and its capability. */
bool mcpw_request_declares(mcpw_request *request, size_t extension, const char *capability);
mcpw_request *mcpw_request_take(mcpw_session *session);
void mcpw_request_release(mcpw_request *request);
/* Puts a request among those in flight. mcpw_request_finish takes it out again. */
void mcpw_request_link(mcpw_request *request);
/* Charges what a request has taken since it arrived. False where that is too much, and nothing is charged. */
bool mcpw_request_charge(mcpw_request *request);
/* The same for so many bytes, which are to be taken. */
bool mcpw_request_charge_bytes(mcpw_request *request, size_t more);
mcpw_request *mcpw_request_find(mcpw_session *session, const mcpw_id *id);
/* Ends a request that has been answered. Its memory is released now, or when its handler returns. */
void mcpw_request_finish(mcpw_request *request);
/* Ends a request without an answer, as cancelled. */
void mcpw_request_drop(mcpw_request *request);

/* A request in flight that came with a context, or in a batch that did; NULL: there is none. */
mcpw_request *mcpw_request_with(const mcpw_session *session, const void *context);
/* Drops all that came with this context. */
void mcpw_requests_drop(mcpw_session *session, const void *context);
/* Why there is no room for one more request of the peer's beside those in flight; NULL: there is. */
const char *mcpw_request_excess(const mcpw_session *session, const mcpw_request *request);
/* Tells on_diagnostic that a handler has failed. `type` is that of a result that cannot be sent; NULL: none.
 * The callback may end the request. */
void mcpw_request_diagnose(mcpw_request *request, const mcpw_type *type, const mcpw_error *error);
/* Keeps the memory of a request while user code may end it. */
static inline void mcpw_request_ref(mcpw_request *request) { request->life.holds++; }
/* Gives up that hold. False: the request is not in flight any more, and nothing of it may be touched. */
static inline bool mcpw_request_unref(mcpw_request *request) {
    const bool in_flight = request->life.in_flight;
    if (--request->life.holds == 0 && !in_flight) {
        mcpw_request_release(request);
    }
    return in_flight;
}
/* Begins a walk over the requests in flight, and returns the first; NULL: there is none. */
mcpw_request *mcpw_request_walk_begin(mcpw_request_walk *walk, mcpw_session *session);
/* The next one of those that are still in flight. NULL: there is none. */
mcpw_request *mcpw_request_walk_next(mcpw_request_walk *walk);
/* Ends a walk, at any step. Each walk that was begun has to be ended, the innermost first. */
void mcpw_request_walk_end(mcpw_request_walk *walk);
/* Takes an ended request out of the way of walks that would visit it next. */
void mcpw_request_walk_skip(mcpw_request *request);

/* Gives back the memory of requests that are free. */
void mcpw_requests_free(mcpw_session *session);

#endif
