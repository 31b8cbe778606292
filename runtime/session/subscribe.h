/* SPDX-License-Identifier: MIT */
/* Being told of changes, at the client. */
#ifndef MCPW_SUBSCRIBE_H
#define MCPW_SUBSCRIBE_H

#include "pending.h"

/* Client: tells the server that nobody listens any more. */
void mcpw_listen_close(mcpw_session *session);

#endif
