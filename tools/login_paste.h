/* SPDX-License-Identifier: MIT */
/* A line of standard input that may be a secret: login_paste_posix.c or login_paste_win.c. */
#ifndef MCPWIRE_LOGIN_PASTE_H
#define MCPWIRE_LOGIN_PASTE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a line, with a NUL in place of its end or after it. A terminal does not show it. False: the input
 * has ended. */
bool login_paste(char *line, size_t size);

#endif
