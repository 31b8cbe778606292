/* SPDX-License-Identifier: MIT */
/* Validating (validate.c), as messages and projection do it, too. */
#ifndef MCPW_VALIDATE_H
#define MCPW_VALIDATE_H

#include "walk.h"

/* Checks a value that stays text against a type, without changing it (validate.c). */
unsigned char *mcpw_check_shape(mcpw_walk *w, unsigned char *p, mcpw_ref ref);

/* Runs a validation on an opened walk (status tells whether it could be opened), with its error record and
 * its callback: what mcpw_validate and mcpw_message_validate share. */
mcpw_status mcpw_validate_open(mcpw_walk *w, mcpw_status status, const mcpw_options *options,
                               mcpw_error *error, mcpw_status (*run)(mcpw_walk *w, void *what), void *what);

/* mcpw_validate for a text that is not likely to be valid: says at once what is wrong. */
MCPW_NODISCARD mcpw_status mcpw_validate_exactly(const mcpw_type *type, const char *text, size_t len,
                                                 mcpw_arena *scratch, const mcpw_options *options,
                                                 mcpw_error *error);

/* The checks that need the whole text, when strict. */
mcpw_status mcpw_finish_strict(mcpw_walk *w);

/* Whether `text`, which is writable with MCPW_TAIL writable bytes after it, is exactly one value of the
 * type. Reads in place and changes nothing but those bytes. *line_breaks tells whether a line break stands
 * between tokens. Working memory, which is given back, is the allocator's. */
MCPW_NODISCARD mcpw_status mcpw_check_text(const mcpw_revision *revision, mcpw_ref ref, char *text,
                                           size_t len, unsigned depth, mcpw_allocator allocator,
                                           const mcpw_options *options, mcpw_error *error, bool *line_breaks);

#endif
