/* SPDX-License-Identifier: MIT */
/* How a session is closed: mcpw_session_close of <mcpw/session.h>. */
#ifndef MCPW_CLOSE_H
#define MCPW_CLOSE_H

#include "core.h"

/* The peer will send nothing more: subscriptions end, requests of ours fail, answers have end_grace ms. */
void mcpw_session_input_ended(mcpw_session *session);

#endif
