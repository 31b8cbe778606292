/* SPDX-License-Identifier: MIT */
/* Properties of endpoints, sessions and servers that the library's transports read. This is not part of the
 * API and may change in any version. */
#ifndef MCPW_DETAIL_SESSION_H
#define MCPW_DETAIL_SESSION_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* The revision with that name in messages, if the endpoint speaks it; else NULL. */
MCPW_API const mcpw_revision *mcpw_endpoint_revision(const mcpw_endpoint *endpoint, mcpw_str name);

/* The revisions that the endpoint speaks, oldest first; NULL behind the last. */
MCPW_API const mcpw_revision *mcpw_endpoint_revision_at(const mcpw_endpoint *endpoint, size_t index);

/* The server of its config; NULL: none. */
MCPW_API mcpw_server *mcpw_endpoint_server(const mcpw_endpoint *endpoint);

/* The number of requests that other threads have (<mcpw/thread.h>), including cancelled ones. While it is not
 * 0, their contexts may be read, so a transport keeps the data behind them. */
MCPW_API size_t mcpw_session_detached(const mcpw_session *session);

/* Whether the session repairs common faults of its peer (`lenient` of its config). For transports. */
MCPW_API bool mcpw_session_is_lenient(const mcpw_session *session);

/* The name of a server, as it was given. It lives as long as the server. */
MCPW_API const char *mcpw_server_name(const mcpw_server *server);

/* Its version, likewise; NULL if it has none. */
MCPW_API const char *mcpw_server_version(const mcpw_server *server);

/* The input schema of a tool; absent: there is no tool of this name. It lives as long as the tool. */
MCPW_API mcpw_json mcpw_server_tool_schema(const mcpw_server *server, mcpw_str name);

MCPW_END_DECLS

#endif
