/* SPDX-License-Identifier: MIT */
/* A progress line on the terminal. */
#ifndef MCPWIRE_PROGRESS_H
#define MCPWIRE_PROGRESS_H

#include "input.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct progress {
    FILE *terminal; /* NULL: none, or --quiet */
    uint64_t next;  /* the number of bytes at which the line is drawn again */
    bool visible;
} progress;

/* Shows progress on stderr if that is a terminal, unless quiet is set. */
void progress_init(progress *p, bool quiet);

/* Begins a new file. */
void progress_restart(progress *p);

/* Draws the line if enough was read since the last time; small inputs get none. */
void progress_update(progress *p, const input *in);

/* Removes the line, so that other output can be written. */
void progress_hide(progress *p);

#endif
