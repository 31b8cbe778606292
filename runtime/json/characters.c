/* SPDX-License-Identifier: MIT */
/* Single characters of JSON text: types of values, escapes. */
#include "characters.h"

enum { HEX_DIGITS = 4, NO_UNIT = 0x10000 };
enum { HIGH_SURROGATE = 0xd800, LOW_SURROGATE = 0xdc00, SURROGATE_BITS = 10, SURROGATE_MASK = 0x3ff };

unsigned mcpw_json_type(unsigned char c) {
    switch (c) {
    case '{':
        return MCPW_IS_OBJECT;
    case '[':
        return MCPW_IS_ARRAY;
    case '"':
        return MCPW_IS_STRING;
    case 't':
    case 'f':
        return MCPW_IS_BOOLEAN;
    case 'n':
        return MCPW_IS_NULL;
    default:
        return c == '-' || mcpw_is_digit(c) ? MCPW_IS_NUMBER : 0;
    }
}

uint32_t mcpw_next_character(const unsigned char **p) {
    const unsigned char *at = *p;
    uint32_t c = *at;
    if (c == '\\') {
        mcpw_status status = MCPW_OK;
        *p = mcpw_read_escape(at, at + 2 * MCPW_ESCAPE_SIZE, &c, &status);
        return c;
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

static unsigned hex_value(unsigned char c) {
    if (mcpw_is_digit(c)) {
        return (unsigned)c - '0';
    }
    const unsigned letter = (unsigned)(c | 0x20) - 'a';
    return letter < 6 ? letter + 10 : 16;
}

/* Reads the code unit of \uXXXX at p; NO_UNIT when it is none. Looks at no byte after one that is wrong. */
static uint32_t code_unit(const unsigned char *p, const unsigned char *end) {
    uint32_t unit = 0;
    if (end - p < MCPW_ESCAPE_SIZE || p[0] != '\\' || p[1] != 'u') {
        return NO_UNIT;
    }
    for (int i = 2; i < 2 + HEX_DIGITS; i++) {
        const unsigned digit = hex_value(p[i]);
        if (digit > 15) {
            return NO_UNIT;
        }
        unit = unit << 4 | digit;
    }
    return unit;
}

static bool is_surrogate(uint32_t unit, uint32_t first) {
    return (unit & ~(uint32_t)SURROGATE_MASK) == first;
}

const unsigned char *mcpw_read_escape(const unsigned char *p, const unsigned char *end, uint32_t *character,
                                      mcpw_status *status) {
    const unsigned char simple = end - p >= 2 ? mcpw_simple_escape(p[1]) : 0;
    if (simple != 0) {
        *character = simple;
        return p + 2;
    }
    const uint32_t unit = code_unit(p, end);
    if (unit == NO_UNIT) {
        *status = MCPW_E_SYNTAX;
        return NULL;
    }
    *character = unit;
    *status = MCPW_E_UTF8;
    if (is_surrogate(unit, HIGH_SURROGATE)) {
        const uint32_t low = code_unit(p + MCPW_ESCAPE_SIZE, end);
        *character = 0x10000U + ((unit & SURROGATE_MASK) << SURROGATE_BITS) + (low & SURROGATE_MASK);
        return is_surrogate(low, LOW_SURROGATE) ? p + 2 * MCPW_ESCAPE_SIZE : NULL;
    }
    return is_surrogate(unit, LOW_SURROGATE) ? NULL : p + MCPW_ESCAPE_SIZE;
}

size_t mcpw_undo_escapes(unsigned char *to, size_t size, const unsigned char *from,
                         const unsigned char *end) {
    size_t used = 0;
    while (from < end) {
        unsigned char character[MCPW_CHARACTER_SIZE];
        const unsigned char *piece = from;
        size_t count = 0;
        if (*from == '\\') {
            count = mcpw_put_character(character, mcpw_next_character(&from));
            piece = character;
        } else {
            const unsigned char *const escape = memchr(from, '\\', (size_t)(end - from));
            from = escape != NULL ? escape : end;
            count = (size_t)(from - piece);
        }
        if (count > size - used) {
            return size + 1;
        }
        memmove(to + used, piece, count);
        used += count;
    }
    return used;
}

const mcpw_escape mcpw_escapes[MCPW_ESCAPES] = {
    {"\\u0000", 6}, {"\\u0001", 6}, {"\\u0002", 6}, {"\\u0003", 6}, {"\\u0004", 6}, {"\\u0005", 6},
    {"\\u0006", 6}, {"\\u0007", 6}, {"\\b", 2},     {"\\t", 2},     {"\\n", 2},     {"\\u000b", 6},
    {"\\f", 2},     {"\\r", 2},     {"\\u000e", 6}, {"\\u000f", 6}, {"\\u0010", 6}, {"\\u0011", 6},
    {"\\u0012", 6}, {"\\u0013", 6}, {"\\u0014", 6}, {"\\u0015", 6}, {"\\u0016", 6}, {"\\u0017", 6},
    {"\\u0018", 6}, {"\\u0019", 6}, {"\\u001a", 6}, {"\\u001b", 6}, {"\\u001c", 6}, {"\\u001d", 6},
    {"\\u001e", 6}, {"\\u001f", 6}, {"\\\"", 2},    {"\\\\", 2}};
