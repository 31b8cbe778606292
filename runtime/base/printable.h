/* SPDX-License-Identifier: MIT */
/* Foreign text in a form that a terminal can show. Control characters, what turns the direction of writing,
 * and bytes that are not UTF-8 become \xNN. */
#ifndef MCPW_PRINTABLE_H
#define MCPW_PRINTABLE_H

#include <mcpw/error.h>

#include "compiler.h"

/* Bytes that a character takes at most. */
enum { MCPW_PRINTABLE_SIZE = 4 };

/* Writes the first character of text, which is not empty, in that form; *written receives its length. Returns
 * how many bytes of text it took. */
MCPW_COLD size_t mcpw_put_printable_character(char out[MCPW_PRINTABLE_SIZE], const unsigned char *text,
                                              size_t len, size_t *written);

#endif
