/* SPDX-License-Identifier: MIT */
/* Events in memory, so many and no more: the store of a server whose program gives none. */
#ifndef MCPW_EVENTS_H
#define MCPW_EVENTS_H

#include <mcpw/http.h>

typedef struct mcpw_events mcpw_events;

/* A store by the limits of a config, and how it is called; NULL: there is no memory. */
MCPW_NODISCARD mcpw_events *mcpw_events_new(const mcpw_http_config *config, mcpw_http_store *store);
/* Does nothing for NULL. */
void mcpw_events_free(mcpw_events *events);

#endif
