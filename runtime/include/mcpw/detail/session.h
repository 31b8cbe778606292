/* SPDX-License-Identifier: MIT */
/* Properties of endpoints, sessions, requests and servers that the library's transports read. This is not
 * part of the API and may change in any version. */
#ifndef MCPW_DETAIL_SESSION_H
#define MCPW_DETAIL_SESSION_H

#include <mcpw/server.h>

MCPW_BEGIN_DECLS

/* The revision with that name in messages, if the endpoint speaks it; else NULL. */
MCPW_SESSION_API const mcpw_revision *mcpw_endpoint_revision(const mcpw_endpoint *endpoint, mcpw_str name);

/* The server of its config; NULL: none. */
MCPW_SESSION_API mcpw_server *mcpw_endpoint_server(const mcpw_endpoint *endpoint);

/* Whether an extension of the endpoint adds a method (<mcpw/extension.h>). */
MCPW_SESSION_API bool mcpw_endpoint_has_added(const mcpw_endpoint *endpoint, mcpw_str method);

/* The number of requests that other threads have (<mcpw/thread.h>), including cancelled ones. While it is not
 * 0, their contexts may be read, so a transport keeps the data behind them. */
MCPW_SESSION_API size_t mcpw_session_detached(const mcpw_session *session);

/* Whether the session repairs common faults of its peer (`lenient` of its config). For transports. */
MCPW_SESSION_API bool mcpw_session_is_lenient(const mcpw_session *session);

/* The name of a server, as it was given. It lives as long as the server. */
MCPW_SESSION_API const char *mcpw_server_name(const mcpw_server *server);

/* Its version, likewise; NULL if it has none. */
MCPW_SESSION_API const char *mcpw_server_version(const mcpw_server *server);

/* The input schema of a tool; absent: there is no tool of this name. It lives as long as the tool. */
MCPW_SESSION_API mcpw_json mcpw_server_tool_schema(const mcpw_server *server, mcpw_str name);

/* Fails a request of ours that a transport could not deliver, or whose response it could not deliver.
 * on_reply gets `why` and its status, which must not be MCPW_E_REMOTE. Nothing is sent to the peer. id is the
 * id of the message with the request. MCPW_E_NOT_FOUND: no such request waits. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_fail(mcpw_session *session, const mcpw_id *id,
                                                              const mcpw_error *why);

/* Stops the time limits of requests of ours while a transport waits for something else than the peer, such as
 * a user who logs in, and lets them run again. now: that of mcpw_session_advance. */
MCPW_SESSION_API void mcpw_session_hold(mcpw_session *session, bool is_held, uint64_t now);

/* Sends a ping, to learn whether the peer is alive. It works as mcpw_session_request; the result is empty.
 * MCPW_E_METHOD if the revision has no ping (2026-07-28). (MCP, "Ping".) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_ping(mcpw_session *session, const mcpw_call *call,
                                                              mcpw_on_reply on_reply, void *user,
                                                              int64_t *number, mcpw_error *error);

/* The params in the peer's revision, for code that serves every method alike. */
MCPW_SESSION_API const void *mcpw_request_params(const mcpw_request *request, const mcpw_type **type);

MCPW_END_DECLS

#endif
