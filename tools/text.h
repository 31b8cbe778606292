/* SPDX-License-Identifier: MIT */
/* Output that is built in memory before it is written: JSON, and text that is safe on a terminal. */
#ifndef MCPWIRE_TEXT_H
#define MCPWIRE_TEXT_H

#include "tool.h"

#include <mcpw/arena.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct text {
    mcpw_buffer buffer;
    bool lost; /* memory ran out, so a part is missing */
} text;

#define TEXT_INIT                                                                                            \
    { MCPW_BUFFER_INIT, false }

void text_bytes(text *t, const char *bytes, size_t len);
void text_add(text *t, const char *piece);
/* Appends another text, and its lost flag. */
void text_join(text *t, const text *other);

/* Appends numbers and other short pieces. */
void text_format(text *t, const char *fmt, ...) TOOL_PRINTF(2, 3);

/* A formatted text of its own, which the caller frees; NULL: no memory. */
char *text_made(const char *fmt, ...) TOOL_PRINTF(1, 2);

/*
 * External text may contain terminal commands: control characters, U+0080 to U+009F, and characters that
 * change the writing direction. It passes through one of the following functions before a terminal shows it.
 */

/* Appends a JSON string; such characters are escaped. Invalid UTF-8, for example in file names, becomes
 * U+FFFD. */
void text_json(text *t, const char *bytes, size_t len);

/* Appends a JSON value; such characters are escaped, and the value is unchanged. */
void text_safe_json(text *t, const char *bytes, size_t len);

/* Appends text with such characters and invalid UTF-8 as \xNN. */
void text_safe(text *t, const char *bytes, size_t len);

/* Like text_safe, but keeps line feeds and tabs. */
void text_safe_lines(text *t, const char *bytes, size_t len);

/* Like text_safe for XML text or attribute values: special characters and the two remaining invalid ones are
 * escaped. */
void text_xml(text *t, const char *bytes, size_t len);

/* Appends name="value" after a space. */
void text_xml_attribute(text *t, const char *name, const char *value);

/* Like text_safe for a GitHub Actions workflow command; a property needs more escapes. */
void text_command(text *t, const char *bytes, size_t len, bool property);

/* The largest length up to the limit that does not split a UTF-8 character. */
size_t text_cut(const char *bytes, size_t len, size_t limit);

/* The length without an unfinished UTF-8 character at the end, which later bytes may complete. */
size_t text_whole(const char *bytes, size_t len);

/* Bytes of the UTF-8 character at the beginning; 0: there is none. */
size_t text_character(const char *bytes, size_t len);

/* Writes the text to standard error. */
void text_write_stderr(const text *t);

void text_clear(text *t);
void text_free(text *t);

#endif
