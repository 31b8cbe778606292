/* SPDX-License-Identifier: MIT */
/* Messages that cannot be read: their diagnostics, and the codes of their responses. */
#ifndef MCPW_BROKEN_H
#define MCPW_BROKEN_H

#include "../calls/received.h"

/* A message that cannot be read is answered if it is a request, reported if it is not. */
void mcpw_receive_broken(mcpw_session *session, const mcpw_profile *profile, mcpw_received *text,
                         const mcpw_error *error, mcpw_batch *batch);
/* A line that is longer than the limit. */
void mcpw_receive_too_long(mcpw_session *session);

#endif
