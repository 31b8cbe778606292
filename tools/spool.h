/* SPDX-License-Identifier: MIT */
/* Output that must wait for earlier output is kept in a temporary file, or in the memory of the module of
 * WebAssembly. */
#ifndef MCPWIRE_SPOOL_H
#define MCPWIRE_SPOOL_H

#include "text.h"

typedef struct spool spool;

/* NULL: *error is an errno. spool_free accepts NULL. */
spool *spool_new(int *error);
void spool_free(spool *s);

/* Keeps a text. Returns 0 or an errno. */
int spool_keep(spool *s, const text *t);

/* Passes on in pieces what was kept, and frees the spool. Returns 0 or an errno. */
int spool_take(spool *s, void (*put)(void *user, const char *bytes, size_t len), void *user);

#endif
