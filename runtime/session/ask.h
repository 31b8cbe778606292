/* SPDX-License-Identifier: MIT */
/* Questions in the middle of a request, at the server. */
#ifndef MCPW_ASK_H
#define MCPW_ASK_H

#include "request.h"

/* Server: whether a request may bring what mcpw_ask_load reads: most do not. */
static inline bool mcpw_ask_is_due(const mcpw_request *r) {
    return r->binding->state != MCPW_NO_OFFSET && !r->loaded && r->message.value != NULL && r->round == NULL;
}
/* Server: reads what the client's retry brings: answers and state. What is no good is refused: answered. */
MCPW_NODISCARD mcpw_status mcpw_ask_load(mcpw_request *request);
/* Server: the handler waits for answers. */
mcpw_status mcpw_ask_settle(mcpw_request *request);
/* A question in another revision. An elicitation that is settled out of band (mode "url") has a handle in
 * some: where only the target has it one is made. */
MCPW_NODISCARD mcpw_status mcpw_question_adapt(mcpw_request *request, const mcpw_type *from,
                                               const void *value, const mcpw_type *to, const void **out,
                                               mcpw_error *error);

/* The request has ended: nobody waits for answers to its questions. */
void mcpw_ask_forget(mcpw_request *request);

#endif
