/* SPDX-License-Identifier: MIT */
/*
 * A session as one stream of bytes, framed as in the stdio transport. Messages are lines of UTF-8, ended by
 * LF; a CR before it is tolerated. (MCP, "Transports", stdio.)
 */
#ifndef MCPW_FRAME_H
#define MCPW_FRAME_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* Takes bytes from the peer and handles every message that they complete. The session goes on after invalid
 * bytes. MCPW_E_CLOSED if the session is closed, MCPW_E_MEMORY if a message was lost because memory ran out.
 * Messages that arrive while max_output waits are kept, and handled inside mcpw_session_sent. At the end of
 * input mcpw_session_end_input handles a last line without its end. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_feed(mcpw_session *session, const void *bytes,
                                                              size_t len);

/* Returns the number of bytes to send next, and their address. They are whole lines; 0: there are none. They
 * live until mcpw_session_sent or the next call of any other function of the session. */
MCPW_SESSION_API size_t mcpw_session_output(mcpw_session *session, const char **bytes);

/* Reports that the first len bytes of the output were sent. len may be any part of the output. Messages that
 * waited for room in the output are handled now, so handlers may be called. */
MCPW_SESSION_API void mcpw_session_sent(mcpw_session *session, size_t len);

MCPW_END_DECLS

#endif
