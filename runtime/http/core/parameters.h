/* SPDX-License-Identifier: MIT */
/* Headers that repeat arguments of a tool. */
#ifndef MCPW_PARAMETERS_H
#define MCPW_PARAMETERS_H

#include "exchange.h"

/* Checks that the Mcp-Param-... fields match the arguments, as the tool's schema demands with `x-mcp-header`.
 * MCPW_E_VALUE: they do not. (MCP 2026-07-28, "Streamable HTTP", custom headers.) */
MCPW_NODISCARD mcpw_status mcpw_parameters_check(mcpw_http_exchange *exchange, mcpw_json schema,
                                                 mcpw_json arguments);

#endif
