/* SPDX-License-Identifier: MIT */
/* Messages whose values are checked and not stored. Small builds have message_small.c. */
#include "mode_validate.h"

#include "message_walk.inc"

#include "message_fast.inc"

unsigned char *mcpw_message_check(mcpw_exchange *x, mcpw_message *out) { return message_all(x, out); }
