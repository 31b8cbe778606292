/* SPDX-License-Identifier: MIT */
/* Requests of the revisions with a handshake, 2025-03-26 to 2025-11-25: POST, GET and DELETE in sessions. */
#ifndef MCPW_HTTP_SESSION_H
#define MCPW_HTTP_SESSION_H

#include "../core/exchange.h"

#include <mcpw/envelope.h>

/* True if a server also accepts stateless requests. */
static inline bool mcpw_serves_alone(const mcpw_http_server *server) { return server->serves_alone; }

/* True if a request names a session; true if that session exists for its principal. */
bool mcpw_http_session_is_named(const mcpw_http_exchange *exchange);
bool mcpw_http_session_is_live(const mcpw_http_exchange *exchange);
/* Handles the message in the body. envelope is the message's; NULL: the body is a batch. */
void mcpw_http_session_post(mcpw_http_exchange *exchange, bool opens, const mcpw_message_envelope *envelope);
/* Answers a GET: the server's own stream, or one that is resumed. */
void mcpw_http_session_get(mcpw_http_exchange *exchange);
/* Answers a DELETE: ends the session. */
void mcpw_http_session_delete(mcpw_http_exchange *exchange);

#endif
