/* SPDX-License-Identifier: MIT */
/* Answers to the peer's requests: results in its revision, and errors. */
#ifndef MCPW_RESPOND_H
#define MCPW_RESPOND_H

#include "request.h"

/* Answers with the text of a result in the peer's revision. */
MCPW_NODISCARD mcpw_status mcpw_respond_raw(mcpw_request *request, const mcpw_type *type, mcpw_json result,
                                            mcpw_error *error);
/* As mcpw_respond, on the session's thread. Raw values that lie in the arena `checked` as they were received
 * need no check; NULL: all are checked. */
MCPW_NODISCARD mcpw_status mcpw_respond_received(mcpw_request *request, const mcpw_type *type,
                                                 const void *result, const mcpw_arena *checked,
                                                 mcpw_error *error);
MCPW_NODISCARD mcpw_status mcpw_respond_empty(mcpw_request *request);

#endif
