/* SPDX-License-Identifier: MIT */
/* Rounds of input, at the client. */
#ifndef MCPW_ROUND_H
#define MCPW_ROUND_H

#include "pending.h"

/* Begins a round: the server's answer to a request of ours asks for input. */
void mcpw_round_begin(mcpw_pending *pending, mcpw_field asked);

#endif
