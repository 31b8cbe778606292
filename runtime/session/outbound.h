/* SPDX-License-Identifier: MIT */
/* Messages on their way out. */
#ifndef MCPW_OUTBOUND_H
#define MCPW_OUTBOUND_H

#include "core.h"

/* Appends a message to the output, or to a batch. */
MCPW_NODISCARD mcpw_status mcpw_session_emit(mcpw_session *session, const mcpw_dialect *dialect,
                                             const mcpw_message *message, mcpw_batch *batch,
                                             mcpw_error *error);
void mcpw_batch_done(mcpw_session *session, mcpw_batch *batch);
/* Whether the peer leaves so much unread that nothing may be added which can wait. */
static inline bool mcpw_session_is_full(const mcpw_session *session) {
    return session->output.len - session->sent >= session->config->max_output;
}
/* Answers a message that cannot be read. */
void mcpw_answer_broken(mcpw_session *session, const mcpw_dialect *dialect, const mcpw_id *id, int64_t code,
                        const char *message, mcpw_json data, mcpw_batch *batch);
/* Sends a notification whose params are text in the peer's revision. */
MCPW_NODISCARD mcpw_status mcpw_notify_raw(mcpw_session *session, const mcpw_dialect *dialect,
                                           mcpw_own method, mcpw_json params, mcpw_error *error);
/* The same with what a text holds, which is freed. */
mcpw_status mcpw_notify_text(mcpw_session *session, const mcpw_dialect *dialect, mcpw_own method,
                             mcpw_text *text);

#endif
