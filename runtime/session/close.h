/* SPDX-License-Identifier: MIT */
/* How a session is closed: mcpw_session_close of <mcpw/session.h>. */
#ifndef MCPW_CLOSE_H
#define MCPW_CLOSE_H

#include "core.h"

/* The peer will send nothing more: subscriptions end, requests of ours fail, answers have end_grace ms. */
void mcpw_session_input_ended(mcpw_session *session);

/* There is room in the output again: what had to wait for that. In session.c. */
void mcpw_session_go_on(mcpw_session *session);

#endif
