/* SPDX-License-Identifier: MIT */
/*
 * The thread of a session, and the calls of other threads. Nothing here knows threads, but
 * the executor does.
 */
#ifndef MCPW_THREADS_H
#define MCPW_THREADS_H

#include "core.h"
#include "registry.h"

/* Tells on_diagnostic that a function was called on a wrong thread. */
void mcpw_session_diagnose_misuse(mcpw_session *session);
/* The caller's thread ends the session, which gives up its executor. */
void mcpw_session_take(mcpw_session *session);
void mcpw_session_leave(mcpw_session *session);
/* The session gets its server's changes no more. */
void mcpw_session_leave_server(mcpw_session *session);
/* Waits until other threads have returned what they have. */
void mcpw_session_await_detached(mcpw_session *session);

/* Whether a call has to be posted to the session's thread. Costs nothing where there are no threads. */
static inline bool mcpw_request_is_elsewhere(const mcpw_request *request) {
    return request->thread.guarded && mcpw_request_is_cross_thread(request);
}

/* Whether the handler of a request has given it to another thread. The handler detached it, and has returned
 * with that status. If not, the request is settled with the status. */
bool mcpw_request_is_handed_over(mcpw_request *request, mcpw_status *status);
/* Tells the thread that has the request that it is cancelled. */
void mcpw_request_flag_cancelled(mcpw_request *request);
/* The status of a call for a request that can no longer be answered. */
mcpw_status mcpw_request_how_ended(const mcpw_request *request);
/* Takes a request back to the session's thread. */
void mcpw_request_take_back(mcpw_request *request);
/* MCPW_OK while a request can be answered; else why it cannot. */
static inline mcpw_status mcpw_request_ended(const mcpw_request *r) {
    const bool lives = r->life.in_flight && !r->life.cancelled &&
                       (r->origin.round == NULL || r->origin.round->pending != NULL);
    return lives ? MCPW_OK : mcpw_request_how_ended(r);
}

#endif
