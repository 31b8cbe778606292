/* SPDX-License-Identifier: MIT */
/* Names of members that more than one part of a session reads or writes. */
#ifndef MCPW_WIRE_NAMES_H
#define MCPW_WIRE_NAMES_H

#define MCPW_NAME_META "_meta"
#define MCPW_NAME_CAPABILITIES "capabilities"
#define MCPW_NAME_ELICITATION_ID "elicitationId"
#define MCPW_NAME_INPUT_RESPONSES "inputResponses"
#define MCPW_NAME_PROGRESS_TOKEN "progressToken"
#define MCPW_NAME_PROTOCOL_VERSION "protocolVersion"
#define MCPW_NAME_REQUEST_STATE "requestState"

/* Members of _meta. (MCP 2026-07-28, "Overview", _meta.) */
#define MCPW_META_PROTOCOL_VERSION "io.modelcontextprotocol/protocolVersion"
#define MCPW_META_CLIENT_INFO "io.modelcontextprotocol/clientInfo"
#define MCPW_META_CLIENT_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define MCPW_META_SERVER_INFO "io.modelcontextprotocol/serverInfo"

#endif
