/* SPDX-License-Identifier: MIT */
/* A line on the terminal that says how far a long run is. */
#ifndef MCPWIRE_PROGRESS_H
#define MCPWIRE_PROGRESS_H

#include "input.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct progress {
    FILE *terminal; /* NULL: there is none, or nobody wants to know */
    uint64_t next;  /* bytes after which the line is drawn again */
    bool visible;
} progress;

/* Shows progress on stderr where that is a terminal, unless told to be quiet. */
void progress_init(progress *p, bool quiet);

/* A new file begins. */
void progress_restart(progress *p);

/* Draws the line when enough has been read since the last time; small inputs never get one. */
void progress_update(progress *p, const input *in);

/* Takes the line away, so that something else can be written. */
void progress_hide(progress *p);

#endif
