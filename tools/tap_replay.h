/* SPDX-License-Identifier: MIT */
/* A recorded conversation, looked at once more. */
#ifndef MCPWIRE_TAP_REPLAY_H
#define MCPWIRE_TAP_REPLAY_H

#include "tap_conversation.h"

#include <stdbool.h>

/* Gives conversations what is in a log (record.h), with the time that passed between its lines. False: said
 * on stderr what could not be read. */
bool replay(conversations *c, const char *name);

#endif
