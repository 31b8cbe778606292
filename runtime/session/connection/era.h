/* SPDX-License-Identifier: MIT */
/*
 * Finds the revision of a message of the peer. A session has an era. With a handshake (legacy) one revision
 * is agreed on for good. Without one (modern) each request names its own. The era is unknown until the client
 * has opened the session, or the server has answered.
 */
#ifndef MCPW_ERA_H
#define MCPW_ERA_H

#include "../calls/received.h"

/* Finds the revision that a message is read by in its text. False when that has been answered by an error. */
bool mcpw_era_look(mcpw_session *session, mcpw_received *text, mcpw_batch *batch, const mcpw_profile **out);
/* The same, which looks at the text only where the revision is not known without it. */
static inline bool mcpw_era_find(mcpw_session *session, mcpw_received *text, mcpw_batch *batch,
                                 const mcpw_profile **out) {
    *out = session->profile;
    return (session->era != MCPW_ERA_UNKNOWN && !session->negotiation.under_way) ||
           mcpw_era_look(session, text, batch, out);
}
/* Looks again, after a message was read by *profile with that status: each request of a client may name
 * another revision. */
bool mcpw_era_look_again(mcpw_session *session, mcpw_received *text, mcpw_batch *batch,
                         const mcpw_request *request, mcpw_status status, const mcpw_profile **profile);
static inline bool mcpw_era_find_again(mcpw_session *session, mcpw_received *text, mcpw_batch *batch,
                                       const mcpw_request *request, mcpw_status status,
                                       const mcpw_profile **profile) {
    return session->era != MCPW_ERA_MODERN ||
           mcpw_era_look_again(session, text, batch, request, status, profile);
}
/* The revision with batches that a line is read by; NULL where none has them. */
const mcpw_profile *mcpw_era_of_batches(mcpw_session *session);
/* Updates a server by a request that it accepts: the era, and that its client has opened. False when a
 * callback has ended the request. */
bool mcpw_era_learn(mcpw_request *request);
static inline bool mcpw_era_enter(mcpw_request *request) {
    const bool knows_all = request->session->open && request->profile == request->session->profile;
    return knows_all || mcpw_era_learn(request);
}

#endif
