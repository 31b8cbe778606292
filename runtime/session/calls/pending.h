/* SPDX-License-Identifier: MIT */
/* The requests of ours that have no answer yet. */
#ifndef MCPW_PENDING_H
#define MCPW_PENDING_H

#include "../core/core.h"

static inline void mcpw_pending_init(mcpw_session *session) {
    session->pending.end = &session->pending.oldest;
    mcpw_table_init(&session->pending.by, session->pending.few, MCPW_TABLE_FEW);
}
/* Makes a request without id, number and time; NULL when memory runs out. */
mcpw_pending *mcpw_pending_new(mcpw_session *session);
void mcpw_pending_release(mcpw_pending *pending);
/* Frees those that are idle, when there are no others. */
void mcpw_pending_free(mcpw_session *session);
/* The same in a session that goes on. */
void mcpw_pending_trim(mcpw_session *session);
/* Finds a request by its id, if it was sent and is not answered, or by the number that its caller knows. */
mcpw_pending *mcpw_pending_find(mcpw_session *session, int64_t id);
/* The same by the id of an answer: a number, or its text where the session lets that pass. */
mcpw_pending *mcpw_pending_answered(mcpw_session *session, const mcpw_id *id);
mcpw_pending *mcpw_pending_numbered(mcpw_session *session, int64_t number);
void mcpw_pending_take_number(mcpw_pending *pending);
/* Gives a request an id. Its first one is its number, too. */
void mcpw_pending_take_id(mcpw_pending *pending);
void mcpw_pending_drop_id(mcpw_pending *pending);
void mcpw_pending_set_due(mcpw_pending *pending, uint64_t due);
/* Gives all requests more time. */
void mcpw_pending_put_off(mcpw_session *session, uint64_t ms);
/* The request that is due first; NULL: none ever is. */
mcpw_pending *mcpw_pending_first_due(const mcpw_session *session);

#endif
