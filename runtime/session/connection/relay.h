/* SPDX-License-Identifier: MIT */
/* Requests that are passed on to the peer of another session. */
#ifndef MCPW_RELAY_H
#define MCPW_RELAY_H

#include "../requests/request.h"

/* Gives up the relays that wait for their clients. */
void mcpw_relays_free(mcpw_session *session);

/* A request that was passed on, or is carried, has ended. */
void mcpw_relay_ended(mcpw_request *request);

#endif
