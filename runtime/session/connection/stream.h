/* SPDX-License-Identifier: MIT */
/* A session as one stream of bytes: what attach.h offers to the layer that cuts them into messages. */
#ifndef MCPW_STREAM_H
#define MCPW_STREAM_H

#include "../core/core.h"

/* Goes on with what had to wait for room in the output. */
void mcpw_session_go_on(mcpw_session *session);

#endif
