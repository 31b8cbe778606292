/* SPDX-License-Identifier: MIT */
/* Answers to the peer's requests: results in its revision, and errors. */
#ifndef MCPW_RESPOND_H
#define MCPW_RESPOND_H

#include "request.h"

/* Answers with the text of a result in the peer's revision. */
MCPW_NODISCARD mcpw_status mcpw_respond_raw(mcpw_request *request, const mcpw_type *type, mcpw_json result,
                                            mcpw_error *error);
/* As mcpw_respond, on the session's thread. */
MCPW_NODISCARD mcpw_status mcpw_respond_received(mcpw_request *request, const mcpw_type *type,
                                                 const void *result, mcpw_error *error);
MCPW_NODISCARD mcpw_status mcpw_respond_empty(mcpw_request *request);
/* Adds to the text of a result the members that it lacks, and this program in its _meta. */
MCPW_NODISCARD mcpw_status mcpw_result_fill(mcpw_request *request, mcpw_json *result);
/* Notes that an answer cannot be sent, by the handler's fault. Returns the status. */
mcpw_status mcpw_request_unsendable(mcpw_request *r, mcpw_status status, mcpw_error *error);

#endif
