/* SPDX-License-Identifier: MIT */
/* The records about servers over HTTP. This is not part of the API and may change in any version. */
#ifndef MCPW_DETAIL_HTTP_ORIGINS_H
#define MCPW_DETAIL_HTTP_ORIGINS_H

#include <mcpw/http_client.h>

MCPW_BEGIN_DECLS

/* Records how a session with the server at a URL was opened. Call it once the negotiation has ended. If the
 * negotiation failed, the origin is dropped. If memory runs out, nothing is recorded. */
MCPW_SESSION_API void mcpw_http_origins_learn(mcpw_http_origins *origins, const char *url,
                                              const mcpw_session *session);

/* The revisions that a session with the server at a URL must ask for, for mcpw_session_config.revisions. They
 * are the config's own, NULL included. If the server is known to need a handshake, they are only those with a
 * handshake. The text lives as long as the arena. It is also NULL if memory runs out, which does no harm. */
MCPW_SESSION_API const char *mcpw_http_origins_revisions(const mcpw_http_origins *origins, const char *url,
                                                         const mcpw_session_config *config,
                                                         mcpw_arena *arena);

MCPW_END_DECLS

#endif
