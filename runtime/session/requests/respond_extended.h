/* SPDX-License-Identifier: MIT */
/* Responses at an end that has extensions or middleware. Their functions are called by
 * ../revisions/extended.h alone. */
#ifndef MCPW_RESPOND_EXTENDED_H
#define MCPW_RESPOND_EXTENDED_H

#include "request.h"

/* Answers a request of an extension by a struct. */
MCPW_NODISCARD mcpw_status mcpw_respond_custom(mcpw_request *request, const mcpw_type *type,
                                               const void *result, mcpw_error *error);
/* Take a result or an error through the middleware, and send what it leaves. bare: the result has no _meta,
 * and gets the one that names this program. */
MCPW_NODISCARD mcpw_status mcpw_respond_pass_value(mcpw_request *request, const mcpw_type *type,
                                                   const void *result, bool bare, mcpw_error *error);
MCPW_NODISCARD mcpw_status mcpw_respond_pass_text(mcpw_request *request, const mcpw_type *type,
                                                  mcpw_json result, mcpw_error *error);
MCPW_NODISCARD mcpw_status mcpw_respond_pass_error(mcpw_request *request, const mcpw_rpc_error *error);
/* Begin and end a result that is written, for the middleware. */
void mcpw_respond_begin_written(mcpw_written *written, mcpw_request *request);
MCPW_NODISCARD mcpw_status mcpw_respond_end_written(mcpw_written *written);

#endif
