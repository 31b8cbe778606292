/* SPDX-License-Identifier: MIT */
/*
 * The tools that a client's server has listed, as far as their schemas concern it. A schema is kept as text
 * and compiled when a call first needs it, once for each list.
 */
#ifndef MCPW_LISTED_H
#define MCPW_LISTED_H

#include "../core/core.h"

/* A request is about to be sent: a call takes a use of its tool, and its arguments are checked where the
 * config wants it. type and params are those of the peer's revision. Schemas that cannot be compiled are
 * reported, so user code may run. */
MCPW_NODISCARD mcpw_status mcpw_listed_send(mcpw_pending *pending, const mcpw_profile *profile,
                                            const mcpw_type *type, const void *params, mcpw_error *error);
/* Such a request was answered by its usual result: a list is kept, the result of a tool checked. */
MCPW_NODISCARD mcpw_status mcpw_listed_answer(const mcpw_pending *pending, const mcpw_profile *profile,
                                              const mcpw_type *type, const void *result, mcpw_error *error);
/* One use less; NULL does nothing. */
void mcpw_listed_unref(mcpw_session *session, mcpw_listed_tool *tool);
/* The list has changed: until it is asked for again nothing is checked but calls under way. */
void mcpw_listed_forget(mcpw_session *session);
/* The same at the end of the session. */
void mcpw_listed_free(mcpw_session *session);

#endif
