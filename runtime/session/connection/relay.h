/* SPDX-License-Identifier: MIT */
/* Requests that are passed on to the peer of another session. */
#ifndef MCPW_RELAY_H
#define MCPW_RELAY_H

#include "../requests/request.h"

/* Gives up the relays that wait for their clients. */
void mcpw_relays_free(mcpw_session *session);

/* Gives up those whose clients did not come back in time. */
void mcpw_relays_drop_due(mcpw_session *session);

/* The time by which the first of them is given up; UINT64_MAX: none waits. */
uint64_t mcpw_relays_due(const mcpw_session *session);

/* A request that was passed on, or is carried, has ended. */
void mcpw_relay_ended(mcpw_request *request);

#endif
