/* SPDX-License-Identifier: MIT */
/* What has to wait until something that stands before it is known: it lies in a temporary file until then. */
#ifndef MCPWIRE_SPOOL_H
#define MCPWIRE_SPOOL_H

#include <stddef.h>
#include <stdio.h>

/* Hands out all that was written to a temporary file, piece by piece, and closes it. 0, or the errno of what
 * failed. */
int spool_take(FILE *spool, void (*put)(void *user, const char *bytes, size_t len), void *user);

#endif
