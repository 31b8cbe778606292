/* SPDX-License-Identifier: MIT */
/* Input requests in the middle of a request, at the server. */
#ifndef MCPW_SESSION_ASK_H
#define MCPW_SESSION_ASK_H

#include "../requests/request.h"

/* Whether a request may have input responses or state. Most do not. */
static inline bool mcpw_ask_is_due(const mcpw_request *r) {
    return r->binding->state != MCPW_NO_OFFSET && !r->input.loaded && r->message.value != NULL &&
           r->origin.round == NULL;
}
/* Reads the input responses and the state of a retry. Invalid ones are answered by an error. */
MCPW_NODISCARD mcpw_status mcpw_ask_load(mcpw_request *request);
/* The handler waits for answers: asks the client for them, where they come with a retry. */
mcpw_status mcpw_ask_settle(mcpw_request *request);
/* Brings an input request into another revision. An elicitation that is settled out of band (mode "url") has
 * a handle in some revisions. One is made where only the target has it. */
MCPW_NODISCARD mcpw_status mcpw_input_request_adapt(mcpw_request *request, const mcpw_type *from,
                                                    const void *value, const mcpw_type *to, const void **out,
                                                    mcpw_error *error);

/* Whether the handler of a request may ask something now, by this key; MCPW_E_STATE and the like. */
MCPW_NODISCARD mcpw_status mcpw_ask_is_allowed(const mcpw_request *request, const char *key,
                                               mcpw_error *error);
/* The answer to an input request is no good. The handler gets this status whenever it asks again. */
void mcpw_ask_refuse(mcpw_request *request, const char *key, const mcpw_error *why);

/* The request has ended. Nobody waits for answers to its input requests any more. */
void mcpw_ask_forget(mcpw_request *request);

#endif
