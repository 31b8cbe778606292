/* SPDX-License-Identifier: MIT */
/*
 * Which revision a message of the peer's is in. A session has an era: with a handshake (legacy), where that
 * is agreed on for good, or without one (modern), where each request names its own. It is unknown until the
 * client has opened, or the server has answered.
 */
#ifndef MCPW_ERA_H
#define MCPW_ERA_H

#include "core.h"

/* The revision that a message is read by, where the text has to be looked at for that. False when the answer
 * is an error, which is sent. */
bool mcpw_era_look(mcpw_session *session, mcpw_str text, mcpw_batch *batch, const mcpw_dialect **out);
/* The same, where that is not known. */
static inline bool mcpw_era_find(mcpw_session *session, mcpw_str text, mcpw_batch *batch,
                                 const mcpw_dialect **out) {
    *out = session->dialect;
    return (session->era != MCPW_ERA_UNKNOWN && !session->opening) ||
           mcpw_era_look(session, text, batch, out);
}
/* The same once more, for a message that was read by *dialect with that status: the requests of a client may
 * each name another. */
bool mcpw_era_look_again(mcpw_session *session, mcpw_str text, mcpw_batch *batch, const mcpw_message *message,
                         mcpw_status status, const mcpw_dialect **dialect);
static inline bool mcpw_era_find_again(mcpw_session *session, mcpw_str text, mcpw_batch *batch,
                                       const mcpw_message *message, mcpw_status status,
                                       const mcpw_dialect **dialect) {
    return session->era != MCPW_ERA_MODERN ||
           mcpw_era_look_again(session, text, batch, message, status, dialect);
}
/* The revision with batches that a line is read by; NULL: it has none. */
const mcpw_dialect *mcpw_era_of_batches(mcpw_session *session);
/* What a server learns from a request that it takes: the era, and that its client has opened. False when a
 * callback has ended the request. */
bool mcpw_era_learn(mcpw_request *request);
static inline bool mcpw_era_enter(mcpw_request *request) {
    const bool knows_all = request->session->open && request->dialect == request->session->dialect;
    return knows_all || mcpw_era_learn(request);
}

#endif
