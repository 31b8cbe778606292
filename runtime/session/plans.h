/* SPDX-License-Identifier: MIT */
/* What typed handlers are given and say, in the peer's revision: worked out once for all sessions. */
#ifndef MCPW_PLANS_H
#define MCPW_PLANS_H

#include "core.h"

/* Binds the methods of a dialect to the types of the handlers' revision, with plans between the two. */
MCPW_NODISCARD mcpw_status mcpw_plans_bind(mcpw_endpoint *endpoint, mcpw_dialect *dialect);
/* mcpw_session_adapt, by the plan where it does; NULL: there is none. */
MCPW_NODISCARD mcpw_status mcpw_session_adapt_by(mcpw_session *session, const mcpw_plan *plan,
                                                 const mcpw_type *from, const void *value,
                                                 const mcpw_type *to, mcpw_arena *arena, const void **out,
                                                 mcpw_error *error);
/* Gives back what a session has made for its plans, unless a request may use it. */
void mcpw_plans_trim(mcpw_session *session);

#endif
