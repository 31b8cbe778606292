/* SPDX-License-Identifier: MIT */
/* Faults of servers that a client lets pass or mends, where its config says so. */
#ifndef MCPW_LENIENT_H
#define MCPW_LENIENT_H

#include "pending.h"
#include "received.h"

/* Whether a request may go out though the server has not declared the capability that it needs. It is noted
 * then, and user code may end anything. */
bool mcpw_lenient_undeclared(mcpw_session *session, const char *capability, mcpw_str method);

/* The text of an answer to a request of ours that could not be read, with its faults mended, in the arena;
 * absent: it cannot be mended. Each fault is noted, and user code may end anything. */
mcpw_str mcpw_lenient_mend(mcpw_session *session, const mcpw_profile *profile, mcpw_received *text,
                           mcpw_arena *arena);

/* Whether an answer that could be read is to be mended all the same: a list of tools whose schemas may hold
 * null. */
bool mcpw_lenient_looks_again(mcpw_session *session, const mcpw_profile *profile, mcpw_str text,
                              const mcpw_message *message);

#endif
