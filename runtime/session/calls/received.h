/* SPDX-License-Identifier: MIT */
/* A message of the peer's while it is received: its text, and its envelope when something asks for that. */
#ifndef MCPW_RECEIVED_H
#define MCPW_RECEIVED_H

#include <mcpw/envelope.h>

#include "../core/core.h"

typedef struct mcpw_received {
    mcpw_str text;
    const mcpw_message_envelope *envelope; /* NULL: it has not been read */
    mcpw_message_envelope own;             /* in use where envelope points at it */
    mcpw_error error;                      /* why own could not be read; MCPW_OK: it could */
} mcpw_received;

/* envelope is that of the text, or NULL. It stays the caller's. */
static inline void mcpw_received_open(mcpw_received *received, mcpw_str text,
                                      const mcpw_message_envelope *envelope) {
    received->text = text;
    received->envelope = envelope;
    received->error.code = MCPW_OK;
}

/* The contents of an envelope, read once for each message. It lies in the text and in the arena. */
typedef struct mcpw_outline {
    const mcpw_message_envelope *envelope;
    mcpw_id id;
    mcpw_str method;
    bool has_outcome; /* it has a result or an error, so it answers something */
} mcpw_outline;

/* Looks at a message, which may not be JSON: received->error says so. */
mcpw_outline mcpw_outline_of(mcpw_received *received, mcpw_arena *arena);

#endif
