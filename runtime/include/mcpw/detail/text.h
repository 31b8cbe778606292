/* SPDX-License-Identifier: MIT */
/* Text in messages. This is not part of the API and may change in any version. */
#ifndef MCPW_DETAIL_TEXT_H
#define MCPW_DETAIL_TEXT_H

#include <mcpw/error.h>

MCPW_BEGIN_DECLS

/* Writes the beginning of a foreign text to out, in a form that is safe in a message. Control characters,
 * characters that change the direction of writing and bytes that are not UTF-8 become \xNN. The text is cut
 * between characters and marked with "...". Returns out. */
MCPW_API const char *mcpw_excerpt(char out[MCPW_EXCERPT_SIZE], const char *text, size_t len);

/* Writes as much of a foreign text to out as fits in size bytes (at least 1), NUL-terminated and in the same
 * form, so that a terminal can show it. Returns the number of bytes of text that were used. */
MCPW_API size_t mcpw_put_printable(char *out, size_t size, const char *text, size_t len);

/* The bytes of the UTF-8 character that text begins with, from 1 to 4; 0 if it is malformed or cut off, or if
 * there is no text. */
MCPW_API unsigned mcpw_utf8_length(const unsigned char *text, size_t len);

MCPW_END_DECLS

#endif
