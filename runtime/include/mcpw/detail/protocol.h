/* SPDX-License-Identifier: MIT */
/* Properties of a revision that sessions read. This is not part of the API and may change in any version. */
#ifndef MCPW_DETAIL_PROTOCOL_H
#define MCPW_DETAIL_PROTOCOL_H

#include <mcpw/policy.h>
#include <mcpw/protocol.h>

MCPW_BEGIN_DECLS

/* Whether an end with these capabilities makes tasks of a method's requests that carry params.task. Other
 * ends answer such a request with its result, like any other. (MCP 2025-11-25, "Tasks".) */
MCPW_API bool mcpw_declares_tasks(mcpw_declared declared, const mcpw_revision *revision, int method);

/* Whether faults in a tool's arguments are answered with a result of the tool, so that the model sees them;
 * else with an error of the request. */
MCPW_API bool mcpw_protocol_tells_arguments(const mcpw_revision *revision);

MCPW_END_DECLS

#endif
