/* SPDX-License-Identifier: MIT */
/* Results of methods that extensions add. */
#ifndef MCPW_CUSTOM_RESULT_H
#define MCPW_CUSTOM_RESULT_H

#include "request.h"

/* The text of a result, with the required members that a session fills in. */
MCPW_NODISCARD mcpw_status mcpw_custom_result(mcpw_request *request, const mcpw_type *type,
                                              const void *result, mcpw_json *out, mcpw_error *error);
/* Whether a result does not ask for input, which no result of an extension's method may. (MCP 2026-07-28,
 * "Multi Round-Trip Requests".) */
bool mcpw_custom_is_final(mcpw_json result);
/* Whether the text of a result fits what the extension states. */
MCPW_NODISCARD mcpw_status mcpw_custom_check(mcpw_request *request, mcpw_json result, mcpw_error *error);

#endif
