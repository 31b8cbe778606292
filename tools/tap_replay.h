/* SPDX-License-Identifier: MIT */
/* Checks a recorded conversation. */
#ifndef MCPWIRE_TAP_REPLAY_H
#define MCPWIRE_TAP_REPLAY_H

#include "tap_conversation.h"

#include <stdbool.h>

/* Passes the content of a log (record.h) to conversations, with its times. False: the error was printed on
 * stderr. */
bool replay(conversations *c, const char *name);

#endif
