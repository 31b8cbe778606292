/* SPDX-License-Identifier: MIT */
/* Output that must wait for earlier output is kept in a temporary file. */
#ifndef MCPWIRE_SPOOL_H
#define MCPWIRE_SPOOL_H

#include <stddef.h>
#include <stdio.h>

/* Passes on the content of a temporary file in pieces, and closes it. Returns 0 or an errno. */
int spool_take(FILE *spool, void (*put)(void *user, const char *bytes, size_t len), void *user);

#endif
