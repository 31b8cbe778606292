/* SPDX-License-Identifier: MIT */
/* Messages of the peer about requests of ours. */
#ifndef MCPW_REPLY_H
#define MCPW_REPLY_H

#include "pending.h"

/* The peer has answered. */
void mcpw_call_answered(mcpw_session *session, const mcpw_profile *profile, mcpw_request *transport);
/* Tells the caller how a request of ours has ended: by the result or the error in the message. */
void mcpw_call_tell(mcpw_pending *pending, const mcpw_profile *profile, mcpw_request *transport);
/* The peer's answer cannot be read. */
void mcpw_call_broken(mcpw_pending *pending, const mcpw_error *error);
void mcpw_call_progress(mcpw_session *session, mcpw_request *transport);

#endif
