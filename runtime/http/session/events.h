/* SPDX-License-Identifier: MIT */
/* A bounded event store in memory, for a server whose program sets no store. */
#ifndef MCPW_EVENTS_H
#define MCPW_EVENTS_H

#include <mcpw/http.h>

typedef struct mcpw_events mcpw_events;

/* Creates a store with the limits of a config, and its functions; NULL: no memory. */
MCPW_NODISCARD mcpw_events *mcpw_events_new(const mcpw_http_config *config, mcpw_http_store *store);
/* Does nothing for NULL. */
void mcpw_events_free(mcpw_events *events);

#endif
