/* SPDX-License-Identifier: MIT */
/* Messages on their way in. */
#ifndef MCPW_RECEIVE_H
#define MCPW_RECEIVE_H

#include "core.h"

MCPW_NODISCARD mcpw_status mcpw_receive_line(mcpw_session *session, mcpw_str line);

#endif
