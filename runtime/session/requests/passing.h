/* SPDX-License-Identifier: MIT */
/* Messages of the peer go through the middleware before their handlers get them. */
#ifndef MCPW_PASSING_H
#define MCPW_PASSING_H

#include "passage.h"
#include "request.h"

/* Takes a request through the middleware on its way in, the first time it is called. The request may be
 * answered or gone afterwards. The status is as of a handler. */
MCPW_NODISCARD mcpw_status mcpw_passing_request(mcpw_request *request);
/* The same for a notification. False: no handler gets it. After the handlers call mcpw_passing_end. */
bool mcpw_passing_notification(mcpw_request *transport, mcpw_passage *passage);
void mcpw_passing_end(mcpw_passage *passage);
/* Sends a notification of this end as the middleware leaves it. */
MCPW_NODISCARD mcpw_status mcpw_passing_sent_notification(mcpw_session *session, const mcpw_profile *profile,
                                                          const mcpw_message *message,
                                                          const mcpw_route *route, mcpw_error *error);
/* The request has ended. */
void mcpw_passing_ended(mcpw_request *request);

#endif
