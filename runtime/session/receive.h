/* SPDX-License-Identifier: MIT */
/* Messages on their way in. */
#ifndef MCPW_RECEIVE_H
#define MCPW_RECEIVE_H

#include "core.h"

/* Handles a message, or a batch of them. context is the transport's own, or NULL. MCPW_E_MEMORY: it was lost;
 * where it has a context, that was not taken. The text stays in use while this runs: session->feeding says
 * so. */
MCPW_NODISCARD mcpw_status mcpw_receive(mcpw_session *session, mcpw_str text, void *context);
/* The same of one that is longer than a message may be, and was not kept. */
MCPW_NODISCARD mcpw_status mcpw_receive_long(mcpw_session *session, void *context);

#endif
