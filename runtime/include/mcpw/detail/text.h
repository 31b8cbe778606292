/* SPDX-License-Identifier: MIT */
/* Text in messages. No part of the API: it may change in any version. */
#ifndef MCPW_DETAIL_TEXT_H
#define MCPW_DETAIL_TEXT_H

#include <mcpw/error.h>

MCPW_BEGIN_DECLS

/* Writes the beginning of a foreign text to out so that it can stand in a message: control characters, what
 * turns the direction of writing and bytes that are not UTF-8 as \xNN, cut between characters and marked with
 * "...". Returns out. */
MCPW_API const char *mcpw_excerpt(char out[MCPW_EXCERPT_SIZE], const char *text, size_t len);

/* Writes as much of a foreign text to out, NUL-terminated, as fits in size bytes (1 at least), in that form:
 * a terminal can show it. Returns how many bytes of text that took. */
MCPW_API size_t mcpw_put_printable(char *out, size_t size, const char *text, size_t len);

/* The bytes of the UTF-8 character that text begins with, from 1 to 4; 0 where it is malformed, cut off, or
 * there is no text. */
MCPW_API unsigned mcpw_utf8_length(const unsigned char *text, size_t len);

MCPW_END_DECLS

#endif
