/* SPDX-License-Identifier: MIT */
/* What is noted of servers over HTTP. No part of the API: it may change in any version. */
#ifndef MCPW_DETAIL_HTTP_ORIGINS_H
#define MCPW_DETAIL_HTTP_ORIGINS_H

#include <mcpw/http_client.h>

MCPW_BEGIN_DECLS

/* Remembers how a session with the server at a URL was opened: to be called once that has ended. Where it has
 * failed, the origin is forgotten. Without memory nothing is remembered. */
MCPW_API void mcpw_http_origins_learn(mcpw_http_origins *origins, const char *url,
                                      const mcpw_session *session);

/* What a session with the server at a URL is to ask for, for mcpw_session_config.revisions: the config's own,
 * NULL included, but where the server is known to need a handshake only those that have one. It lives as long
 * as the arena; NULL without memory, too, which does no harm. */
MCPW_API const char *mcpw_http_origins_revisions(const mcpw_http_origins *origins, const char *url,
                                                 const mcpw_session_config *config, mcpw_arena *arena);

MCPW_END_DECLS

#endif
