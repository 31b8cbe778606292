/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PIECE_SIZE = 256, FIRST_PRINTABLE = 0x20, DELETE = 0x7f, SEQUENCE_MAX = 4 };

void text_bytes(text *t, const char *bytes, size_t len) {
    if (!t->lost && mcpw_buffer_append(&t->buffer, bytes, len) != MCPW_OK) {
        t->lost = true;
    }
}

void text_add(text *t, const char *piece) { text_bytes(t, piece, strlen(piece)); }

void text_format(text *t, const char *fmt, ...) {
    char piece[PIECE_SIZE];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(piece, sizeof piece, fmt, args);
    va_end(args);
    text_add(t, piece);
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

/* U+0080 to U+009F are control characters too, some of which terminals obey. */
static bool is_high_control(const char *bytes, size_t size) {
    return size == 2 && (unsigned char)bytes[0] == 0xc2 && (unsigned char)bytes[1] < 0xa0;
}

void text_json(text *t, const char *bytes, size_t len) {
    text_add(t, "\"");
    for (size_t i = 0; i < len;) {
        const size_t size = text_character(bytes + i, len - i);
        const unsigned char c = (unsigned char)bytes[i];
        if (is_control(c)) {
            text_format(t, "\\u%04x", c);
        } else if (is_high_control(bytes + i, size)) {
            text_format(t, "\\u%04x", (unsigned char)bytes[i + 1]);
        } else if (c == '"' || c == '\\') {
            text_format(t, "\\%c", c);
        } else if (size == 0) {
            text_add(t, "\\ufffd");
        } else {
            text_bytes(t, bytes + i, size);
        }
        i += size != 0 ? size : 1;
    }
    text_add(t, "\"");
}

static void put_safe(text *t, const char *bytes, size_t len, const char *kept) {
    for (size_t i = 0; i < len;) {
        const size_t size = text_character(bytes + i, len - i);
        const unsigned char c = (unsigned char)bytes[i];
        if (size == 0 || is_high_control(bytes + i, size) ||
            (is_control(c) && (c == '\0' || strchr(kept, c) == NULL))) {
            text_format(t, "\\x%02x", c);
            i++;
        } else {
            text_bytes(t, bytes + i, size);
            i += size;
        }
    }
}

void text_safe(text *t, const char *bytes, size_t len) { put_safe(t, bytes, len, ""); }

void text_safe_lines(text *t, const char *bytes, size_t len) { put_safe(t, bytes, len, "\n\t"); }

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

void text_clear(text *t) {
    t->buffer.len = 0;
    t->lost = false;
}

void text_free(text *t) { mcpw_buffer_free(&t->buffer); }
