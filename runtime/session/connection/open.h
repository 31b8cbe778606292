/* SPDX-License-Identifier: MIT */
/* Negotiation of the revision: initialize, server/discover, both ends. */
#ifndef MCPW_OPEN_H
#define MCPW_OPEN_H

#include "../requests/request.h"

/* Server: an initialize or server/discover request. */
mcpw_status mcpw_open_initialize(mcpw_request *request);
mcpw_status mcpw_open_discover(mcpw_request *request);
/* Client: open_due has come. */
void mcpw_open_overdue(mcpw_session *session);

#endif
