/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_SIZE = 256, FIRST_PRINTABLE = 0x20, DELETE = 0x7f, SEQUENCE_MAX = 4 };

void text_bytes(text *t, const char *bytes, size_t len) {
    if (!t->lost && mcpw_buffer_append(&t->buffer, bytes, len) != MCPW_OK) {
        t->lost = true;
    }
}

void text_add(text *t, const char *piece) { text_bytes(t, piece, strlen(piece)); }

void text_join(text *t, const text *other) {
    if (other->buffer.len != 0) {
        text_bytes(t, other->buffer.data, other->buffer.len);
    }
    t->lost = t->lost || other->lost;
}

void text_format(text *t, const char *fmt, ...) {
    char piece[PIECE_SIZE];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(piece, sizeof piece, fmt, args);
    va_end(args);
    text_add(t, piece);
}

char *text_made(const char *fmt, ...) {
    va_list args;
    va_list again;
    va_start(args, fmt);
    va_copy(again, args);
    const int len = vsnprintf(NULL, 0, fmt, args);
    char *const made = len >= 0 ? malloc((size_t)len + 1) : NULL;
    if (made != NULL) {
        (void)vsnprintf(made, (size_t)len + 1, fmt, again);
    }
    va_end(again);
    va_end(args);
    return made;
}

size_t text_character(const char *bytes, size_t len) {
    const unsigned char *const p = (const unsigned char *)bytes;
    if (len == 0) {
        return 0;
    }
    const unsigned char lead = p[0];
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xc2 || lead > 0xf4) {
        return 0;
    }
    const size_t need = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : SEQUENCE_MAX;
    if (len < need) {
        return 0;
    }
    const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < low || p[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < need; i++) {
        if ((p[i] & 0xc0U) != 0x80U) {
            return 0;
        }
    }
    return need;
}

static bool is_control(unsigned char c) { return c < FIRST_PRINTABLE || c == DELETE; }

/* U+0080 to U+009F are control characters too, and some terminals obey them. */
static bool is_high_control(unsigned long c) { return c >= 0x80 && c < 0xa0; }

/* True for characters that change the writing direction, so that a text looks like another. */
static bool is_turn(unsigned long c) {
    return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* The code point of a character of two or three bytes; 0: another character. */
static unsigned long code_of(const char *bytes, size_t size) {
    const unsigned char *const p = (const unsigned char *)bytes;
    return size == 2   ? (p[0] & 0x1fUL) << 6 | (p[1] & 0x3fUL)
           : size == 3 ? (p[0] & 0x0fUL) << 12 | (p[1] & 0x3fUL) << 6 | (p[2] & 0x3fUL)
                       : 0;
}

/* The code point of a non-ASCII character that is unsafe on a terminal; 0: it is safe. */
static unsigned long unsafe_code(const char *bytes, size_t size) {
    const unsigned long c = code_of(bytes, size);
    return is_high_control(c) || is_turn(c) ? c : 0;
}

/* Writes one character of a JSON string. */
static void put_json_character(text *t, const char *bytes, size_t size) {
    const unsigned char c = (unsigned char)bytes[0];
    const unsigned long unsafe = unsafe_code(bytes, size);
    if (unsafe != 0 || is_control(c)) {
        text_format(t, "\\u%04lx", unsafe != 0 ? unsafe : c);
    } else if (size == 0) {
        text_add(t, "\\ufffd");
    } else {
        text_bytes(t, bytes, size);
    }
}

void text_json(text *t, const char *bytes, size_t len) {
    text_add(t, "\"");
    for (size_t i = 0; i < len;) {
        const size_t size = text_character(bytes + i, len - i);
        if (bytes[i] == '"' || bytes[i] == '\\') {
            text_add(t, "\\");
            text_bytes(t, bytes + i, 1);
        } else {
            put_json_character(t, bytes + i, size);
        }
        i += size != 0 ? size : 1;
    }
    text_add(t, "\"");
}

void text_safe_json(text *t, const char *bytes, size_t len) {
    for (size_t i = 0; i < len;) {
        const size_t size = text_character(bytes + i, len - i);
        if (bytes[i] == '\n' || bytes[i] == '\t') { /* white space between values: strings contain none */
            text_bytes(t, bytes + i, 1);
        } else if (bytes[i] == '\r') {
            text_add(t, " ");
        } else {
            put_json_character(t, bytes + i, size);
        }
        i += size != 0 ? size : 1;
    }
}

static void put_safe(text *t, const char *bytes, size_t len, const char *kept) {
    for (size_t i = 0; i < len;) {
        const size_t size = text_character(bytes + i, len - i);
        const unsigned char c = (unsigned char)bytes[i];
        const size_t end = i + (size != 0 ? size : 1);
        if (size == 0 || unsafe_code(bytes + i, size) != 0 ||
            (is_control(c) && (c == '\0' || strchr(kept, c) == NULL))) {
            for (; i < end; i++) {
                text_format(t, "\\x%02x", (unsigned char)bytes[i]);
            }
        } else {
            text_bytes(t, bytes + i, size);
            i = end;
        }
    }
}

void text_safe(text *t, const char *bytes, size_t len) { put_safe(t, bytes, len, ""); }

void text_safe_lines(text *t, const char *bytes, size_t len) { put_safe(t, bytes, len, "\n\t"); }

/* The XML escape of the text at `at`; *size: its bytes. NULL: it needs none. */
static const char *xml_of(const char *at, size_t left, size_t *size) {
    static const struct {
        const char *from;
        const char *to;
    } table[] = {{"&", "&amp;"},
                 {"<", "&lt;"},
                 {">", "&gt;"},
                 {"\"", "&quot;"},
                 {"'", "&apos;"},
                 {"\xef\xbf\xbe", "\\xef\\xbf\\xbe"},
                 {"\xef\xbf\xbf", "\\xef\\xbf\\xbf"}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        *size = strlen(table[k].from);
        if (*size <= left && memcmp(at, table[k].from, *size) == 0) {
            return table[k].to;
        }
    }
    *size = 1;
    return NULL;
}

void text_xml(text *t, const char *bytes, size_t len) {
    text clean = TEXT_INIT;
    size_t size = 0;
    text_safe(&clean, bytes, len);
    for (size_t i = 0; i < clean.buffer.len; i += size) {
        const char *const at = clean.buffer.data + i;
        const char *const to = xml_of(at, clean.buffer.len - i, &size);
        text_bytes(t, to != NULL ? to : at, to != NULL ? strlen(to) : size);
    }
    t->lost = t->lost || clean.lost;
    text_free(&clean);
}

void text_xml_attribute(text *t, const char *name, const char *value) {
    text_format(t, " %s=\"", name);
    text_xml(t, value, strlen(value));
    text_add(t, "\"");
}

void text_command(text *t, const char *bytes, size_t len, bool property) {
    text clean = TEXT_INIT;
    text_safe(&clean, bytes, len); /* this removes CR and LF, which would end the command */
    for (size_t i = 0; i < clean.buffer.len; i++) {
        const char c = clean.buffer.data[i];
        if (c == '%' || (property && (c == ':' || c == ','))) {
            text_format(t, "%%%02X", (unsigned)c);
        } else {
            text_bytes(t, &c, 1);
        }
    }
    t->lost = t->lost || clean.lost;
    text_free(&clean);
}

size_t text_cut(const char *bytes, size_t len, size_t limit) {
    if (len <= limit) {
        return len;
    }
    size_t cut = limit;
    while (cut > 0 && ((unsigned char)bytes[cut] & 0xc0U) == 0x80U) {
        cut--;
    }
    return cut;
}

size_t text_whole(const char *bytes, size_t len) {
    for (size_t back = 1; back < SEQUENCE_MAX && back <= len; back++) {
        const unsigned char c = (unsigned char)bytes[len - back];
        if (c >= 0xc0) {
            const size_t need = c < 0xe0 ? 2 : c < 0xf0 ? 3 : SEQUENCE_MAX;
            return back < need ? len - back : len;
        }
        if (c < 0x80) {
            break;
        }
    }
    return len;
}

void text_clear(text *t) {
    t->buffer.len = 0;
    t->lost = false;
}

void text_free(text *t) { mcpw_buffer_free(&t->buffer); }
