/* SPDX-License-Identifier: MIT */
/* Single characters of JSON text: classes of bytes, escapes. The rules of RFC 8259 for them are implemented
 * only here. UTF-8 stands in base/utf8.h. */
#ifndef MCPW_CHARACTERS_H
#define MCPW_CHARACTERS_H

#include <mcpw/json.h>

#include "../base/compiler.h"
#include "../base/utf8.h"

/* ---- bytes ---- */

MCPW_INLINE bool mcpw_is_digit(unsigned char c) { return (unsigned)c - '0' < 10U; }

MCPW_INLINE bool mcpw_is_letter(unsigned char c) { return (c | 0x20U) - 'a' < 26U; }

MCPW_INLINE bool mcpw_is_hex(unsigned char c) { return mcpw_is_digit(c) || (c | 0x20U) - 'a' < 6U; }

MCPW_INLINE bool mcpw_is_space(unsigned char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/* Whether a byte cannot stand between quotes as it is. */
MCPW_INLINE bool mcpw_needs_escape(unsigned char c) { return c < ' ' || c == '"' || c == '\\'; }

/* Whether a byte ends a plain run of string text (see block.h). */
MCPW_INLINE bool mcpw_is_special(unsigned char c) { return c >= 0x80 || mcpw_needs_escape(c); }

/* The JSON type of a value by its first byte, as one of MCPW_IS_...; 0 for none. */
unsigned mcpw_json_type(unsigned char c);

/* ---- escapes ---- */

/* Reads one character of a string whose grammar has been checked. *p moves past it, or past its escape.
 */
uint32_t mcpw_next_character(const unsigned char **p);

/* The character of an escape, by the letter after its backslash; 0 for u, and for a letter that is not an
 * escape. */
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

/* Reads the escape at p, which is a backslash. Returns the place after it (after both, for a pair of
 * surrogates) and the character; or NULL and a status. That is MCPW_E_SYNTAX, or MCPW_E_UTF8 for half of a
 * pair. */
const unsigned char *mcpw_read_escape(const unsigned char *p, const unsigned char *end, uint32_t *character,
                                      mcpw_status *status);

/* Undoes the escapes of text between the quotes of a string whose grammar has been checked. `to` has room for
 * size bytes, and may be the text itself. Returns how many bytes there are, or size + 1 when they are more.
 * Escapes are never longer undone. */
size_t mcpw_undo_escapes(unsigned char *to, size_t size, const unsigned char *from, const unsigned char *end);

/* How a control character, the quote and the backslash are written between quotes. */
enum { MCPW_ESCAPE_SIZE = 6, MCPW_ESCAPED_QUOTE = 32, MCPW_ESCAPES = 34 };
typedef struct mcpw_escape {
    char text[MCPW_ESCAPE_SIZE + 1];
    unsigned char len;
} mcpw_escape;
extern const mcpw_escape mcpw_escapes[MCPW_ESCAPES];

/* Writes the escape of a quote, a backslash or a control character; returns the place after it. Eight bytes
 * are written, however long it is. */
MCPW_INLINE unsigned char *mcpw_put_escape(unsigned char *p, unsigned char c) {
    const mcpw_escape *const e = mcpw_escapes + (c < ' ' ? c : MCPW_ESCAPED_QUOTE + (c == '\\'));
    memcpy(p, e, sizeof *e);
    return p + e->len;
}

#endif
