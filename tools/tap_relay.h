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

typedef struct relay_direction {
    int in; /* -1: closed */
    sink out;
    char buffer[RELAY_BUFFER];
    const char *bytes; /* bytes[begin .. end) is unwritten: in buffer or in shown */
    size_t begin;
    size_t end;
    bool escapes; /* out is a terminal: control characters are escaped */
    size_t kept;  /* bytes of an unfinished character at the beginning of buffer, if it escapes */
    text shown;   /* the escaped buffer */
} relay_direction;

typedef struct relay {
    mcpw_child *child;
    relay_direction directions[SIDES]; /* by the sending side */
    int wake;                          /* readable after a signal */
    bool child_gone;
    bool leave; /* a signal arrived after the child's end */
    /* Receives copies of the bytes after the first attempt to write them; len 0: the side has ended. */
    void (*on_bytes)(void *user, side from, const char *bytes, size_t len);
    void *user;
    outlet *outlets[RELAY_OUTLETS]; /* other output to write; NULL: none */
    outlet *aside; /* receives the child's standard error, made safe for a terminal; NULL: the child writes to
                      this process's */
} relay;

/* Starts the child. False: the error was printed on stderr. */
bool relay_start(relay *r, mcpw_child *child, const char *const *argv);

/* Relays until both sides have ended or the child has gone. False: it failed; the error was printed on
 * stderr. */
bool relay_run(relay *r);

/* Waits for the end of the child; returns its exit status as a shell does. */
int relay_finish(relay *r);

#endif
