/* SPDX-License-Identifier: MIT */
#include "scanner.h"

#include <mcpw/codec.h>

#include "../codec/error_internal.h"
#include "reader.h"

enum { HEX_DIGITS = 4, ESCAPE_BYTES = 6, LEVEL_BITS = 8 };

static const unsigned char *fail(mcpw_scanner *s, const unsigned char *p, mcpw_status status) {
    s->at = p;
    s->status = status;
    return NULL;
}

const unsigned char *mcpw_scan_space(mcpw_scanner *s, const unsigned char *p) {
    for (; p < s->end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'); p++) {
        s->saw_line_break |= *p == '\n' || *p == '\r';
    }
    return p;
}

/* ---- strings ---- */

static unsigned hex_value(unsigned char c) {
    if (mcpw_is_digit(c)) {
        return (unsigned)c - '0';
    }
    const unsigned letter = (unsigned)(c | 0x20) - 'a';
    return letter < 6 ? letter + 10 : 16;
}

/* The code unit of \uXXXX at p; more than 0xffff when it is none. */
static uint32_t code_unit(const unsigned char *p, const unsigned char *end) {
    uint32_t unit = 0;
    if (end - p < ESCAPE_BYTES || p[0] != '\\' || p[1] != 'u') {
        return UINT32_MAX;
    }
    for (int i = 2; i < 2 + HEX_DIGITS; i++) {
        const unsigned digit = hex_value(p[i]);
        if (digit > 15) {
            return UINT32_MAX;
        }
        unit = unit << 4 | digit;
    }
    return unit;
}

enum { HIGH_SURROGATE = 0xd800, LOW_SURROGATE = 0xdc00, SURROGATE_BITS = 10, SURROGATE_MASK = 0x3ff };

static bool is_surrogate(uint32_t unit, uint32_t first) {
    return (unit & ~(uint32_t)SURROGATE_MASK) == first;
}

const unsigned char *mcpw_scan_escape(mcpw_scanner *s, const unsigned char *p) {
    static const char named[] = "\"\"\\\\//b\bf\fn\nr\rt\t"; /* letters, and what they stand for */
    for (size_t i = 0; s->end - p >= 2 && i < sizeof named - 1; i += 2) {
        if (p[1] == (unsigned char)named[i]) {
            s->character = (unsigned char)named[i + 1];
            return p + 2;
        }
    }
    const uint32_t unit = code_unit(p, s->end);
    s->character = unit;
    if (unit == UINT32_MAX) {
        return fail(s, p, MCPW_E_SYNTAX);
    }
    if (is_surrogate(unit, HIGH_SURROGATE)) {
        const uint32_t low = code_unit(p + ESCAPE_BYTES, s->end);
        s->character = 0x10000U + ((unit & SURROGATE_MASK) << SURROGATE_BITS) + (low & SURROGATE_MASK);
        return is_surrogate(low, LOW_SURROGATE) ? p + 2 * ESCAPE_BYTES : fail(s, p, MCPW_E_UTF8);
    }
    return is_surrogate(unit, LOW_SURROGATE) ? fail(s, p, MCPW_E_UTF8) : p + ESCAPE_BYTES;
}

/* The first special byte from p on, or the end. */
static const unsigned char *scan_plain(const mcpw_scanner *s, const unsigned char *p) {
    while (!MCPW_COMPACT && s->end - p >= MCPW_LANE) {
        const mcpw_special m = mcpw_special_bytes(p);
        if (m != 0) {
            return p + mcpw_special_first(m);
        }
        p += MCPW_LANE;
    }
    while (p < s->end && *p != '"' && *p != '\\' && *p >= 0x20 && *p < 0x80) {
        p++;
    }
    return p;
}

const unsigned char *mcpw_scan_string(mcpw_scanner *s, const unsigned char *p) {
    p++;
    while (p != NULL) {
        p = scan_plain(s, p);
        if (p == s->end || *p < 0x20) {
            return fail(s, p, MCPW_E_SYNTAX);
        }
        if (*p == '"') {
            return p + 1;
        }
        if (*p == '\\') {
            p = mcpw_scan_escape(s, p);
        } else {
            const unsigned n = mcpw_utf8_length(p, (size_t)(s->end - p));
            p = n != 0 ? p + n : fail(s, p, MCPW_E_UTF8);
        }
    }
    return NULL;
}

uint32_t mcpw_next_character(const unsigned char **p) {
    const unsigned char *at = *p;
    uint32_t c = *at;
    if (c == '\\') {
        mcpw_scanner s;
        mcpw_scanner_open(&s, at + 2 * ESCAPE_BYTES, 0);
        *p = mcpw_scan_escape(&s, at);
        return s.character;
    }
    at++;
    if (c >= 0x80) {
        const unsigned n = c < 0xe0 ? 1U : c < 0xf0 ? 2U : 3U; /* bytes that follow */
        c &= 0x3fU >> n;
        for (unsigned i = 0; i < n; i++) {
            c = c << 6 | (*at++ & 0x3fU);
        }
    }
    *p = at;
    return c;
}

size_t mcpw_put_character(unsigned char *to, uint32_t c) {
    if (c < 0x80) {
        to[0] = (unsigned char)c;
        return 1;
    }
    const size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--) {
        to[i] = (unsigned char)(0x80U | (c & 0x3fU));
        c >>= 6;
    }
    to[0] = (unsigned char)((0xf00U >> n & 0xf0U) | c);
    return n;
}

/* ---- other scalars ---- */

static const unsigned char *scan_digits(mcpw_scanner *s, const unsigned char *p) {
    if (p == s->end || !mcpw_is_digit(*p)) {
        return fail(s, p, MCPW_E_SYNTAX);
    }
    while (p < s->end && mcpw_is_digit(*p)) {
        p++;
    }
    return p;
}

static bool stands(const mcpw_scanner *s, const unsigned char *p, unsigned char c) {
    return p < s->end && *p == c;
}

const unsigned char *mcpw_scan_number(mcpw_scanner *s, const unsigned char *p) {
    p += stands(s, p, '-');
    p = stands(s, p, '0') ? p + 1 : scan_digits(s, p);
    if (p != NULL && stands(s, p, '.')) {
        p = scan_digits(s, p + 1);
    }
    if (p != NULL && (stands(s, p, 'e') || stands(s, p, 'E'))) {
        p++;
        p += stands(s, p, '+') || stands(s, p, '-');
        p = scan_digits(s, p);
    }
    return p;
}

static const unsigned char *scan_scalar(mcpw_scanner *s, const unsigned char *p) {
    const char *text = "null";
    switch (*p) {
    case '"':
        return mcpw_scan_string(s, p);
    case 't':
        text = "true";
        break;
    case 'f':
        text = "false";
        break;
    case 'n':
        break;
    default:
        return mcpw_scan_number(s, p);
    }
    const size_t len = strlen(text);
    return (size_t)(s->end - p) >= len && memcmp(p, text, len) == 0 ? p + len : fail(s, p, MCPW_E_SYNTAX);
}

/* ---- any value ---- */

/* The open arrays and objects, one bit each. */
typedef struct levels {
    unsigned char objects[MCPW_MAX_DEPTH / LEVEL_BITS];
    unsigned open;
} levels;

static bool in_object(const levels *l) {
    const unsigned top = l->open - 1;
    return (l->objects[top / LEVEL_BITS] >> (top % LEVEL_BITS) & 1U) != 0;
}

static void open_level(levels *l, bool object) {
    const unsigned bit = 1U << (l->open % LEVEL_BITS);
    unsigned char *const bits = l->objects + l->open / LEVEL_BITS;
    *bits = (unsigned char)(object ? *bits | bit : *bits & ~bit);
    l->open++;
}

const unsigned char *mcpw_scan_name(mcpw_scanner *s, const unsigned char *p, mcpw_json *name) {
    if (!stands(s, p, '"')) {
        return fail(s, p, MCPW_E_SYNTAX);
    }
    const unsigned char *const begin = p;
    p = mcpw_scan_string(s, p);
    if (p == NULL) {
        return NULL;
    }
    if (name != NULL) {
        name->ptr = (const char *)begin;
        name->len = (size_t)(p - begin);
    }
    p = mcpw_scan_space(s, p);
    return stands(s, p, ':') ? mcpw_scan_space(s, p + 1) : fail(s, p, MCPW_E_SYNTAX);
}

/* From behind a value: closes what ends there, up to where the next value begins, if any level is open then.
 */
static const unsigned char *scan_after(mcpw_scanner *s, const unsigned char *p, levels *l) {
    while (l->open > 0) {
        const bool object = in_object(l);
        p = mcpw_scan_space(s, p);
        if (stands(s, p, ',')) {
            p = mcpw_scan_space(s, p + 1);
            return object ? mcpw_scan_name(s, p, NULL) : p;
        }
        if (!stands(s, p, object ? '}' : ']')) {
            return fail(s, p, MCPW_E_SYNTAX);
        }
        p++;
        l->open--;
    }
    return p;
}

const unsigned char *mcpw_scan_value(mcpw_scanner *s, const unsigned char *p) {
    levels l;
    memset(&l, 0, sizeof l);
    do {
        if (p == s->end) {
            return fail(s, p, MCPW_E_SYNTAX);
        }
        const bool object = *p == '{';
        if (object || *p == '[') {
            if (l.open >= s->depth) {
                return fail(s, p, MCPW_E_DEPTH);
            }
            open_level(&l, object);
            p = mcpw_scan_space(s, p + 1);
            if (!stands(s, p, object ? '}' : ']')) {
                p = object ? mcpw_scan_name(s, p, NULL) : p;
                continue;
            }
        } else {
            p = scan_scalar(s, p);
        }
        if (p != NULL) {
            p = scan_after(s, p, &l);
        }
    } while (p != NULL && l.open > 0);
    return p;
}

mcpw_status mcpw_scan_whole(mcpw_json value, unsigned depth, mcpw_json *out, size_t *offset) {
    const unsigned char *const begin = (const unsigned char *)value.ptr;
    if (begin == NULL) {
        *offset = 0;
        return MCPW_E_SYNTAX;
    }
    mcpw_scanner s;
    mcpw_scanner_open(&s, begin + value.len, depth);
    const unsigned char *const first = mcpw_scan_space(&s, begin);
    const unsigned char *const last = mcpw_scan_value(&s, first);
    if (last == NULL) {
        *offset = (size_t)(s.at - begin);
        return s.status;
    }
    out->ptr = (const char *)first;
    out->len = (size_t)(last - first);
    *offset = (size_t)(mcpw_scan_space(&s, last) - begin);
    return *offset == value.len ? MCPW_OK : MCPW_E_SYNTAX;
}
