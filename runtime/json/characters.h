/* SPDX-License-Identifier: MIT */
/*
 * Single characters of JSON text: classes of bytes, UTF-8, escapes. What RFC 8259 and Unicode say about them
 * stands here and nowhere else.
 */
#ifndef MCPW_CHARACTERS_H
#define MCPW_CHARACTERS_H

#include <mcpw/error.h>

#include "../base/compiler.h"

/* ---- bytes ---- */

MCPW_INLINE bool mcpw_is_digit(unsigned char c) { return (unsigned)c - '0' < 10U; }

MCPW_INLINE bool mcpw_is_space(unsigned char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/* Whether it ends a plain run of string text (see lane.h). */
MCPW_INLINE bool mcpw_is_special(unsigned char c) { return c < ' ' || c >= 0x80 || c == '"' || c == '\\'; }

/* ---- UTF-8 ---- */

enum { MCPW_CHARACTER_SIZE = 4 }; /* bytes of the longest character */

MCPW_INLINE bool mcpw_is_continuation(unsigned char c) { return (c & 0xc0U) == 0x80U; }

/* Length of the sequence at p, whose first byte is 0x80 or more, of `left` bytes, one at least; 0 when it is
 * none or cut off (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing past U+10FFFF). */
MCPW_INLINE unsigned mcpw_utf8_sequence(const unsigned char *p, size_t left) {
    const unsigned char a = p[0];
    if (a < 0xc2 || a > 0xf4 || left < 2 || !mcpw_is_continuation(p[1])) {
        return 0;
    }
    if (a < 0xe0) {
        return 2;
    }
    if (left < 3 || !mcpw_is_continuation(p[2])) {
        return 0;
    }
    if (a < 0xf0) {
        return (a == 0xe0 && p[1] < 0xa0) || (a == 0xed && p[1] > 0x9f) ? 0 : 3;
    }
    if (left < 4 || !mcpw_is_continuation(p[3])) {
        return 0;
    }
    return (a == 0xf0 && p[1] < 0x90) || (a == 0xf4 && p[1] > 0x8f) ? 0 : 4;
}

/* The bytes of the character at text, from 1 to 4; 0 when it is malformed or cut off. */
MCPW_API unsigned mcpw_utf8_length(const unsigned char *text, size_t len);

/* Writes a character, 1 to 4 bytes; returns how many. */
unsigned mcpw_put_character(unsigned char *to, uint32_t c);

/* One character of a string whose grammar has been checked: *p moves behind it, or behind its escape. */
uint32_t mcpw_next_character(const unsigned char **p);

/* ---- escapes ---- */

/* What the letter behind a backslash stands for; 0 when it is none, or u. */
MCPW_INLINE unsigned char mcpw_simple_escape(unsigned char letter) {
    switch (letter) {
    case '"':
    case '\\':
    case '/':
        return letter;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return 0;
    }
}

/* The escape at p, which is a backslash: returns the place behind it (behind both, for a pair of surrogates)
 * and the character; or NULL and a status: MCPW_E_SYNTAX, or MCPW_E_UTF8 for half of a pair. */
const unsigned char *mcpw_read_escape(const unsigned char *p, const unsigned char *end, uint32_t *character,
                                      mcpw_status *status);

/* Undoes the escapes of text between the quotes of a string whose grammar has been checked. `to`, which may
 * be the text itself, has room for size bytes. Returns their number, or size + 1 when there are more: escapes
 * are never longer undone. */
size_t mcpw_undo_escapes(unsigned char *to, size_t size, const unsigned char *from, const unsigned char *end);

/* Writes the escape of a quote, a backslash or a control character; returns the place behind it. */
enum { MCPW_ESCAPE_SIZE = 6 };
unsigned char *mcpw_put_escape(unsigned char *p, unsigned char c);

#endif
