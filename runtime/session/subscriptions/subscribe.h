/* SPDX-License-Identifier: MIT */
/* Subscriptions of a client. */
#ifndef MCPW_SUBSCRIBE_H
#define MCPW_SUBSCRIBE_H

#include "../calls/pending.h"

/* Tells the server that there is no subscriber any more. */
void mcpw_listen_close(mcpw_session *session);

#endif
