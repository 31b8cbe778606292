/* SPDX-License-Identifier: MIT */
/*
 * Relays bytes between standard input and output and a child, in both directions at once. A side is read only
 * when its earlier bytes were written. So memory is limited, and each side notices when the other one is
 * slow.
 */
#ifndef MCPWIRE_TAP_RELAY_H
#define MCPWIRE_TAP_RELAY_H

#include "tap_outlet.h"
#include "tap_talk.h"
#include "text.h"

#include <mcpw/io.h>

enum { RELAY_BUFFER = 1 << 16, RELAY_OUTLETS = 3 };

typedef struct relay {
    mcpw_child *child;
    struct relay_own *own; /* of the system; relay_finish frees it */
    /* Receives copies of the bytes after the first attempt to write them; len 0: the side has ended. */
    void (*on_bytes)(void *user, side from, const char *bytes, size_t len);
    void *user;
    outlet *outlets[RELAY_OUTLETS]; /* other output to write; NULL: none */
    outlet *aside; /* receives the child's standard error, made safe for a terminal; NULL: the child writes to
                      this process's */
} relay;

/* Starts the child. False: the error was printed on stderr. relay_finish need not be called then. */
bool relay_start(relay *r, mcpw_child *child, const char *const *argv);

/* Relays until both sides have ended or the child has gone. False: it failed; the error was printed on
 * stderr. */
bool relay_run(relay *r);

/* Waits for the end of the child; returns its exit status as a shell does. */
int relay_finish(relay *r);

#endif
