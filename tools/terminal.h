/* SPDX-License-Identifier: MIT */
/* Terminals: terminal_posix.c or terminal_win.c. */
#ifndef MCPWIRE_TERMINAL_H
#define MCPWIRE_TERMINAL_H

#include "text.h"

#include <stdbool.h>

enum { TERMINAL_INPUT, TERMINAL_OUTPUT, TERMINAL_ERROR }; /* descriptors */

/* True if what is written to a descriptor appears on a terminal, which must get no commands of a peer. */
bool terminal_shows(int fd);

/* The same, and the terminal obeys escape sequences. On Windows this tells the console to obey them, until
 * terminal_restore. */
bool terminal_obeys(int fd);

/* True if standard input is a terminal whose user can be asked. */
bool terminal_asks(void);

/* Makes the console speak UTF-8 until terminal_restore, which the end of the program calls. */
void terminal_begin(void);

/* Gives the console its earlier modes. Any thread may call this, and more than once. */
void terminal_restore(void);

typedef enum terminal_line {
    TERMINAL_MORE,  /* the line goes on */
    TERMINAL_WHOLE, /* the line is complete, without its end */
    TERMINAL_ENDED  /* the input has ended, or the line has no memory */
} terminal_line;

/* Appends to a line what its user has typed at standard input, for which terminal_asks is true. Waits if
 * nothing is there. */
terminal_line terminal_read(text *line);

#endif
