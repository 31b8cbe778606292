/* SPDX-License-Identifier: MIT */
/* How a client is told of changes. */
#ifndef MCPW_SUBSCRIBE_H
#define MCPW_SUBSCRIBE_H

#include "../calls/pending.h"

/* Tells the server that nobody listens any more. */
void mcpw_listen_close(mcpw_session *session);

#endif
