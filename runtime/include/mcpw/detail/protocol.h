/* SPDX-License-Identifier: MIT */
/* What sessions ask of a revision. No part of the API: it may change in any version. */
#ifndef MCPW_DETAIL_PROTOCOL_H
#define MCPW_DETAIL_PROTOCOL_H

#include <mcpw/policy.h>
#include <mcpw/protocol.h>

MCPW_BEGIN_DECLS

/* Whether who has declared that makes tasks of a method's requests that carry params.task. Others answer such
 * a request as any other, with its result. (MCP 2025-11-25, "Tasks".) */
MCPW_API bool mcpw_declares_tasks(mcpw_declared declared, const mcpw_revision *revision, int method);

/* Whether a tool's bad arguments are told in a result of the tool, so that the model sees them; else in an
 * error of the request. */
MCPW_API bool mcpw_protocol_tells_arguments(const mcpw_revision *revision);

MCPW_END_DECLS

#endif
