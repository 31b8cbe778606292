/* SPDX-License-Identifier: MIT */
/* Messages with their values. Small builds have message_small.c. */
#include "mode_decode.h"

#include "message_walk.inc"

#include "message_fast.inc"

unsigned char *mcpw_message_build(mcpw_exchange *x, mcpw_message *out) { return message_all(x, out); }
