/* SPDX-License-Identifier: MIT */
/* Output that is put together in memory before it is written: JSON, and text that is safe on a terminal. */
#ifndef MCPWIRE_TEXT_H
#define MCPWIRE_TEXT_H

#include "tool.h"

#include <mcpw/arena.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct text {
    mcpw_buffer buffer;
    bool lost; /* memory ran out, and something is missing */
} text;

#define TEXT_INIT                                                                                            \
    { MCPW_BUFFER_INIT, false }

void text_bytes(text *t, const char *bytes, size_t len);
void text_add(text *t, const char *piece);
/* Adds another text, and that it has lost something. */
void text_join(text *t, const text *other);

/* For numbers and other short pieces. */
void text_format(text *t, const char *fmt, ...) TOOL_PRINTF(2, 3);

/*
 * What others wrote may hold commands to a terminal: control characters, those of U+0080 to U+009F, and those
 * that turn the direction of writing. All of it goes through one of the following before a terminal shows it.
 */

/* A JSON string; such characters are escaped. Bytes that are no UTF-8, which file names may hold, become
 * U+FFFD. */
void text_json(text *t, const char *bytes, size_t len);

/* A value that is JSON already, and stays the same value: such characters are escaped. */
void text_safe_json(text *t, const char *bytes, size_t len);

/* The bytes of such characters as \xNN, and so are bytes that are no UTF-8. */
void text_safe(text *t, const char *bytes, size_t len);

/* The same, but line feeds and tabs stay. */
void text_safe_lines(text *t, const char *bytes, size_t len);

/* The same within XML, in text or in the value of an attribute: what means something there is escaped, and so
 * are the two characters left that XML refuses. */
void text_xml(text *t, const char *bytes, size_t len);

/* name="value", with a blank before it. */
void text_xml_attribute(text *t, const char *name, const char *value);

/* The same within a workflow command of GitHub Actions; within one of its properties more is escaped. */
void text_command(text *t, const char *bytes, size_t len, bool property);

/* The largest length up to the limit that does not cut a UTF-8 character in two. */
size_t text_cut(const char *bytes, size_t len, size_t limit);

/* The length without an unfinished UTF-8 character at the end, which the bytes that follow may complete. */
size_t text_whole(const char *bytes, size_t len);

/* Bytes of the UTF-8 character at the beginning; 0 when there is none. */
size_t text_character(const char *bytes, size_t len);

/* Writes it to standard error. */
void text_tell(const text *t);

void text_clear(text *t);
void text_free(text *t);

#endif
