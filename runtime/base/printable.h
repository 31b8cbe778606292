/* SPDX-License-Identifier: MIT */
/* Foreign text in a form that a terminal can show: control characters, what turns the direction of writing
 * and bytes that are not UTF-8 as \xNN. */
#ifndef MCPW_PRINTABLE_H
#define MCPW_PRINTABLE_H

#include <mcpw/base.h>

#include "compiler.h"

/* Bytes that a character takes at most. */
enum { MCPW_PRINTABLE_SIZE = 4 };

/* Writes the character that text, which is not empty, begins with, in that form; sets *written. Returns how
 * many bytes of text that took. */
MCPW_COLD size_t mcpw_put_printable_character(char out[MCPW_PRINTABLE_SIZE], const unsigned char *text,
                                              size_t len, size_t *written);

/* Bytes that an excerpt takes at most, its NUL included. */
enum { MCPW_EXCERPT_SIZE = 48 };

/* Writes as much of text to out, NUL-terminated, as fits in size bytes, in that form.
 * Returns how many bytes of text that took. */
MCPW_COLD MCPW_API size_t mcpw_put_printable(char *out, size_t size, const char *text, size_t len);

/* Writes the beginning of text to out so that it can stand in a message: printable as above, cut between
 * characters and marked with "...". Returns out. */
MCPW_COLD MCPW_API const char *mcpw_excerpt(char out[MCPW_EXCERPT_SIZE], const char *text, size_t len);

#endif
