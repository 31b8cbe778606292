/* SPDX-License-Identifier: MIT */
/* Opens the files that mcpwire tap writes. They quote messages, which may contain secrets, so only their
 * owner can read them. */
#ifndef MCPWIRE_TAP_FILE_H
#define MCPWIRE_TAP_FILE_H

#include "text.h"

#include <stdbool.h>

/*
 * Opens a file for writing; %p in its name is replaced by the process id, and %% by %.
 *
 * A new file has mode 0600, on Windows an access control list with this user alone. An existing regular file
 * must belong to this user and have no other name; its mode or its list becomes the same. It is emptied, or
 * with append kept and ended by a line feed. A symbolic link is refused. Devices and FIFOs are opened as they
 * are. /dev/stdout, /dev/stderr and /dev/fd/N refer to the open descriptor, which is neither emptied nor
 * changed. Returns -1 after an error on standard error.
 */
int tap_file_open(const char *pattern, bool append);

/* Writes the name that a pattern stands for, with its NUL. */
void tap_file_name(text *name, const char *pattern);

#endif
