/* SPDX-License-Identifier: MIT */
/* Which resources the client watches. */
#ifndef MCPW_WATCH_H
#define MCPW_WATCH_H

#include "core.h"
#include "registry.h"

/* A subscription to a resource begins or ends. Handlers are told, if it is the first or the last. */
MCPW_NODISCARD mcpw_status mcpw_watch_begin(mcpw_session *session, mcpw_str uri);
void mcpw_watch_end(mcpw_session *session, mcpw_str uri);
/* Gives back the table of what is watched, where nothing is. */
void mcpw_watched_free(mcpw_session *session);
/* The subscription that a request was has ended. */
void mcpw_filter_end(mcpw_request *request);

#endif
