/* SPDX-License-Identifier: MIT */
/* Headers that repeat arguments of a tool. */
#ifndef MCPW_PARAMETERS_H
#define MCPW_PARAMETERS_H

#include "exchange.h"

/* Whether the Mcp-Param-... fields say what the arguments do, as the tool's schema asks for it by
 * `x-mcp-header`. MCPW_E_VALUE: they do not. (MCP 2026-07-28, "Streamable HTTP", custom headers.) */
MCPW_NODISCARD mcpw_status mcpw_parameters_check(mcpw_http_exchange *exchange, mcpw_json schema,
                                                 mcpw_json arguments);

#endif
