/* SPDX-License-Identifier: MIT */
/* The standard output and the standard error of a command: console_stdio.c, or those of the module of
 * WebAssembly. text_write_stderr (text.h) is the other half. */
#ifndef MCPWIRE_CONSOLE_H
#define MCPWIRE_CONSOLE_H

#include "text.h"

#include <stdbool.h>

/* Writes a text to standard output. Returns 0 or an errno, which is ENOMEM for a text with a missing part. */
int console_write(const text *t);

/* Passes on what was written. Returns 0 or an errno, also if an earlier write has failed. */
int console_flush(void);

/* True if standard output is a terminal. */
bool console_is_terminal(void);

/* True if a terminal shows colours: NO_COLOR is not set, and TERM is not "dumb". */
bool console_has_colour(void);

#endif
