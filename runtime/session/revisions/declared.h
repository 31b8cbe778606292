/* SPDX-License-Identifier: MIT */
/* The declared capabilities of the peer, and look-ups in them. */
#ifndef MCPW_DECLARED_H
#define MCPW_DECLARED_H

#include "../core/objects.h"

/* The bytes of the name that begins at a place of a dotted name. Those of extensions have dots, and nothing
 * follows them: "extensions.io.modelcontextprotocol/tasks" has two names. */
size_t mcpw_path_part(const char *path, const char *at);
/* Whether a capabilities object holds "resources.subscribe": present and not false. */
bool mcpw_capability_in(mcpw_json capabilities, const char *path);
/* Keeps what the peer has declared. The text must live as long as the session. MCPW_E_SIZE when it is too
 * long. */
MCPW_NODISCARD mcpw_status mcpw_declared_keep(mcpw_session *session, mcpw_json capabilities);
void mcpw_declared_free(mcpw_session *session);
mcpw_declared mcpw_peer_declared(const mcpw_session *session);
/* Whether the peer has declared "resources.subscribe": present and not false. */
bool mcpw_declares(mcpw_declared declared, const char *path);

#endif
