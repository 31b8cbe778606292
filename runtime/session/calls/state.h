/* SPDX-License-Identifier: MIT */
/* requestState: what a server keeps in its client's hands. */
#ifndef MCPW_STATE_H
#define MCPW_STATE_H

#include "../requests/request.h"

/* Seals a state, which the client returns when it sends this request again; opens it then. */
MCPW_NODISCARD mcpw_status mcpw_state_seal(mcpw_request *request, mcpw_json content, mcpw_str *out,
                                           mcpw_error *error);
MCPW_NODISCARD mcpw_status mcpw_state_open(mcpw_request *request, mcpw_str sealed, mcpw_json *content,
                                           mcpw_error *error);
/* Makes a handle for an elicitation that is settled out of band, in the arena. */
MCPW_NODISCARD mcpw_status mcpw_elicitation_id(mcpw_session *session, mcpw_arena *arena, mcpw_str *out);

#endif
