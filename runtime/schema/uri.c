/* SPDX-License-Identifier: MIT */
#include "uri.h"

#include <string.h>

enum { NO_HEX = 256, HEX_BITS = 4, ESCAPE = 3 /* bytes of %xx */ };

static unsigned digit(char c) {
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    const unsigned letter = ((unsigned)c | 0x20U) - 'a';
    return letter < 6 ? letter + 10 : NO_HEX;
}

unsigned mcpw_uri_hex(const char *p) {
    const unsigned high = digit(p[0]);
    const unsigned low = high < NO_HEX ? digit(p[1]) : NO_HEX;
    return low < NO_HEX ? high << HEX_BITS | low : NO_HEX;
}

static bool is_letter(char c) { return ((unsigned)c | 0x20U) - 'a' < 26U; }

static bool is_scheme_byte(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

static void drop(mcpw_str *text, size_t count) {
    text->ptr += count;
    text->len -= count;
}

mcpw_str mcpw_uri_cut(mcpw_str *text, char end) {
    const char *const found = text->len != 0 ? memchr(text->ptr, end, text->len) : NULL;
    const mcpw_str piece = {text->ptr, found != NULL ? (size_t)(found - text->ptr) : text->len};
    drop(text, piece.len);
    return piece;
}

mcpw_uri_parts mcpw_uri_take_apart(mcpw_str text) {
    static const mcpw_str absent = {NULL, 0};
    mcpw_uri_parts p = {absent, absent, absent, absent};
    size_t n = 0;
    while (n < text.len && is_scheme_byte(text.ptr[n])) {
        n++;
    }
    if (n > 0 && n < text.len && text.ptr[n] == ':' && is_letter(text.ptr[0])) {
        p.scheme.ptr = text.ptr;
        p.scheme.len = n;
        drop(&text, n + 1);
    }
    p.path = mcpw_uri_cut(&text, '?');
    if (text.len > 0) {
        drop(&text, 1);
        p.query = text;
    }
    if (p.path.len >= 2 && p.path.ptr[0] == '/' && p.path.ptr[1] == '/') {
        drop(&p.path, 2);
        p.authority = mcpw_uri_cut(&p.path, '/');
    }
    return p;
}

bool mcpw_uri_decode(mcpw_str text, char *out, size_t *len) {
    *len = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned c = (unsigned char)text.ptr[i];
        if (c == '%') {
            c = text.len - i >= ESCAPE ? mcpw_uri_hex(text.ptr + i + 1) : NO_HEX;
            i += ESCAPE - 1;
        }
        if (c >= NO_HEX) {
            return false;
        }
        out[(*len)++] = (char)c;
    }
    return true;
}

bool mcpw_pointer_step(mcpw_str *pointer, char *out, size_t *len) {
    drop(pointer, 1);
    const mcpw_str step = mcpw_uri_cut(pointer, '/');
    *len = 0;
    for (size_t i = 0; i < step.len; i++) {
        char c = step.ptr[i];
        if (c == '~') {
            i++;
            if (i == step.len || (step.ptr[i] != '0' && step.ptr[i] != '1')) {
                return false;
            }
            c = step.ptr[i] == '0' ? '~' : '/';
        }
        out[(*len)++] = c;
    }
    return true;
}
