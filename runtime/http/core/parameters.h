/* SPDX-License-Identifier: MIT */
/* Headers that repeat arguments of a tool. */
#ifndef MCPW_PARAMETERS_H
#define MCPW_PARAMETERS_H

#include "exchange.h"

/* A member of an object that is looked for. */
typedef struct mcpw_wanted {
    mcpw_str name;
    mcpw_json value; /* absent: it does not stand there */
    bool is_twice;   /* it stands there more than once: of two, others may look at the other one */
} mcpw_wanted;

/* Finds members of an object, all in one pass, because texts may be long; their values are absent before.
 * MCPW_E_TYPE where it is no object; MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_wanted_find(mcpw_json object, mcpw_arena *scratch, mcpw_wanted *members,
                                            size_t count);

/* Whether the Mcp-Param-... fields say what the arguments do, as the tool's schema asks for it by
 * `x-mcp-header`. MCPW_E_VALUE: they do not. (MCP 2026-07-28, "Streamable HTTP", custom headers.) */
MCPW_NODISCARD mcpw_status mcpw_parameters_check(mcpw_http_exchange *exchange, mcpw_json schema,
                                                 mcpw_json arguments);

#endif
