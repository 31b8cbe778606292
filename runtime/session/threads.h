/* SPDX-License-Identifier: MIT */
/*
 * Which thread a session belongs to, and what other threads may ask of it. Nothing here knows threads: the
 * executor does.
 */
#ifndef MCPW_THREADS_H
#define MCPW_THREADS_H

#include "core.h"
#include "registry.h"

/* Tells on_note of it. */
void mcpw_session_tell_misuse(mcpw_session *session);
/* The caller's thread ends the session, which has executor and queue no more. */
void mcpw_session_take(mcpw_session *session);
void mcpw_session_leave(mcpw_session *session);
/* Waits until other threads have returned what they have. */
void mcpw_session_await_detached(mcpw_session *session);

/* Whether the caller has to take the far way; costs nothing where there are no threads. */
static inline bool mcpw_request_is_elsewhere(const mcpw_request *request) {
    return request->guarded && mcpw_request_is_far(request);
}

/* Whether its handler, which detached it and has returned with that status, has given it to another thread.
 * Else it is settled, with the status. */
bool mcpw_request_is_handed_over(mcpw_request *request, mcpw_status *status);
/* Tells the thread that has it. */
void mcpw_request_flag_cancelled(mcpw_request *request);
/* What a call returns about one that can be answered no more. */
mcpw_status mcpw_request_how_ended(const mcpw_request *request);
/* The session's thread has it again. */
void mcpw_request_take_back(mcpw_request *request);
/* MCPW_OK while it can be answered; else that. */
static inline mcpw_status mcpw_request_ended(const mcpw_request *r) {
    const bool lives = r->in_flight && !r->cancelled && (r->round == NULL || r->round->pending != NULL);
    return lives ? MCPW_OK : mcpw_request_how_ended(r);
}

#endif
