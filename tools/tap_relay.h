/* SPDX-License-Identifier: MIT */
/*
 * Passes bytes between our standard input and output and a child, both ways at once. Nothing is read from a
 * side while what it sent before still waits to be written, so that memory stays bounded and each side feels
 * when the other one is slow, as if nobody stood between them.
 */
#ifndef MCPWIRE_TAP_RELAY_H
#define MCPWIRE_TAP_RELAY_H

#include "tap_outlet.h"
#include "tap_talk.h"
#include "text.h"

#include <mcpw/io.h>

enum { RELAY_BUFFER = 1 << 16, RELAY_OUTLETS = 3 };

typedef struct relay_lane {
    int in; /* -1: closed */
    sink out;
    char buffer[RELAY_BUFFER];
    const char *bytes; /* bytes[begin .. end) waits to be written: the buffer, or shown */
    size_t begin;
    size_t end;
    bool escapes; /* out is a terminal: bytes that it would obey are escaped */
    size_t kept;  /* bytes of an unfinished character at the buffer's begin, if it escapes */
    text shown;   /* the buffer, escaped */
} relay_lane;

typedef struct relay {
    mcpw_child *child;
    relay_lane blocks[SIDES]; /* by the side that the bytes come from */
    int wake;                 /* tells of signals */
    bool child_gone;
    bool leave; /* a signal came after the child had gone */
    /* Sees copies of the bytes right after the first attempt to pass them on; len 0: the side has ended. */
    void (*on_bytes)(void *user, side from, const char *bytes, size_t len);
    void *user;
    outlet *outlets[RELAY_OUTLETS]; /* what else may wait to be written; NULL: nothing */
    outlet *aside; /* where standard error of the child goes, cleaned for a terminal; NULL: it
                      has ours */
} relay;

/* Starts the child. False: said on stderr why not. */
bool relay_start(relay *r, mcpw_child *child, const char *const *argv);

/* Until both sides have ended or the child has gone. False: the machine failed, said on stderr. */
bool relay_run(relay *r);

/* Waits for the end of the child; its exit status as a shell counts it. */
int relay_finish(relay *r);

#endif
