/* SPDX-License-Identifier: MIT */
/* Requests of this end whose result an extension may take: mcpw_extension_result. Most of these functions are
 * called by ../revisions/extended.h alone. */
#ifndef MCPW_TAKER_H
#define MCPW_TAKER_H

#include "call.h"

/* Whether the extension holds a request back. params are those of the caller. */
bool mcpw_taker_holds(mcpw_pending *pending, const void *params);
/* Puts the extension's members into the params, which are of the revision that is spoken. */
MCPW_NODISCARD mcpw_status mcpw_taker_add_members(mcpw_pending *pending, const mcpw_type *type,
                                                  const void **params, mcpw_error *error);
/* Gives a result to the extension. */
void mcpw_taker_take(mcpw_pending *pending, mcpw_json result);
void mcpw_taker_take_value(mcpw_pending *pending, const mcpw_type *type, const void *value,
                           mcpw_arena *arena);
/* Gives a request no time limit, as the extension ends it. Its caller may cancel it. */
void mcpw_taker_keep(mcpw_pending *pending);
/* A request with a state ends. */
void mcpw_taker_end_state(mcpw_pending *pending);

#endif
