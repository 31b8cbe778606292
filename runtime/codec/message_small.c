/* SPDX-License-Identifier: MIT */
/* Messages where size counts: with their values, or without. */
#include "mode_small.h"

#include "message_walk.inc"

#include "message_no_fast.inc"

static unsigned char *read(mcpw_exchange *x, mcpw_message *out, const void *store) {
    x->store = store;
    return message_all(x, out);
}

unsigned char *mcpw_message_build(mcpw_exchange *x, mcpw_message *out) { return read(x, out, out); }

unsigned char *mcpw_message_check(mcpw_exchange *x, mcpw_message *out) { return read(x, out, NULL); }
