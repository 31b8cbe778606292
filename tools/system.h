/* SPDX-License-Identifier: MIT */
/* The needs of the command that each system meets in its own way: system_posix.c or system_win.c. Texts are
 * UTF-8. */
#ifndef MCPWIRE_SYSTEM_H
#define MCPWIRE_SYSTEM_H

#include <stdint.h>
#include <stdio.h>

/* Prepares standard input and output for bytes, and makes a closed output appear as a failed write, so that
 * the command sets the exit status. Returns the arguments of the program. */
char **system_begin(int *argc, char **argv);
/* Opens a file for reading; NULL: errno has the reason. */
FILE *system_open(const char *name);
/* A file without a name that the user finds, which is removed when it is closed; nobody else can read it.
 * NULL: errno has the reason. */
FILE *system_temporary(void);
/* The absolute path of a file that is there, which the caller frees; NULL: errno has the reason. */
char *system_full_path(const char *name);

#endif
