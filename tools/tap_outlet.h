/* SPDX-License-Identifier: MIT */
/* Output of lines that never waits: lines without room are counted as lost. */
#ifndef MCPWIRE_TAP_OUTLET_H
#define MCPWIRE_TAP_OUTLET_H

#include "tap_sink.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct outlet {
    sink out;
    text pending;   /* whole lines that are not written yet */
    size_t written; /* of pending */
    size_t begun;   /* where the current line begins in pending */
    int error;      /* errno of the first failed write */
    uint64_t lost;  /* lines */
} outlet;

outlet outlet_of(int fd);

/* Begins a line: returns the text to append to, up to its line feed. NULL: there is no room, and the line is
 * lost. */
text *outlet_begin(outlet *o);

/* Ends the line. Without memory it is lost as a whole. */
void outlet_end(outlet *o);

/* outlet_waits returns whether something is unwritten; outlet_flush writes as much as possible. */
bool outlet_waits(const outlet *o);
void outlet_flush(outlet *o);

/* Writes all output while the descriptor takes something every patience ms; -1: without a limit. */
void outlet_drain(outlet *o, int patience);

void outlet_free(outlet *o);

#endif
