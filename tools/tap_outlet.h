/* SPDX-License-Identifier: MIT */
/* Lines on their way to a descriptor. It never waits: lines that find no room are counted as lost. */
#ifndef MCPWIRE_TAP_OUTLET_H
#define MCPWIRE_TAP_OUTLET_H

#include "tap_sink.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct outlet {
    sink out;
    text pending;   /* whole lines that have not been written yet */
    size_t written; /* of pending */
    size_t begun;   /* where the line at hand begins in pending */
    int error;      /* errno of the first failed write */
    uint64_t lost;  /* lines */
} outlet;

outlet outlet_of(int fd);

/* Begins a line: where to put it, up to its line feed. NULL: there is no room, the line is lost. */
text *outlet_begin(outlet *o);

/* Ends it. A line that memory ran out for is lost as a whole. */
void outlet_end(outlet *o);

/* Whether something waits to be written; writes as much of it as can be. */
bool outlet_waits(const outlet *o);
void outlet_flush(outlet *o);

/* Writes all that waits, as long as the descriptor takes something every patience ms; -1: however long that
 * takes. */
void outlet_drain(outlet *o, int patience);

void outlet_free(outlet *o);

#endif
