/* SPDX-License-Identifier: MIT */
/* Requests of ours go through the middleware before they are sent, and their responses before their callers
 * get them. */
#ifndef MCPW_PASSING_CALL_H
#define MCPW_PASSING_CALL_H

#include "../requests/passage.h"

/* Takes a request through the middleware on its way in, the first time it is called. *params is its params
 * afterwards, as text, if they were replaced. *answered: a middleware has answered it, and it is not sent. */
MCPW_NODISCARD mcpw_status mcpw_passing_sent(mcpw_pending *pending, const mcpw_profile *profile,
                                             const mcpw_message *message, mcpw_json *params, bool *answered);
/* Takes the response through it on its way out, and puts the outcome into the message. */
MCPW_NODISCARD mcpw_status mcpw_passing_reply(mcpw_pending *pending, mcpw_request *transport,
                                              mcpw_error *error);
/* The response of a middleware as a message. */
MCPW_NODISCARD mcpw_status mcpw_passing_answer(mcpw_pending *pending, mcpw_request *transport,
                                               mcpw_error *error);

#endif
