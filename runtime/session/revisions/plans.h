/* SPDX-License-Identifier: MIT */
/* Plans by which values go between the handlers' revision and the peer's, worked out once for all sessions.
 */
#ifndef MCPW_PLANS_H
#define MCPW_PLANS_H

#include <mcpw/detail/plan.h>

#include "../core/core.h"

/* Binds the methods of a profile to the types of the handlers' revision, with plans between the two. */
MCPW_NODISCARD mcpw_status mcpw_plans_bind(mcpw_endpoint *endpoint, mcpw_profile *profile);
/* As mcpw_session_adapt, by a plan where that is enough; NULL: there is none. */
MCPW_NODISCARD mcpw_status mcpw_session_adapt_by(mcpw_session *session, const mcpw_plan *plan,
                                                 const mcpw_type *from, const void *value,
                                                 const mcpw_type *to, mcpw_arena *arena, const void **out,
                                                 mcpw_error *error);
/* Gives back what a session has made for its plans, unless a request may use it. */
void mcpw_plans_trim(mcpw_session *session);

#endif
