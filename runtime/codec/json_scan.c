/* SPDX-License-Identifier: MIT */
#include "json_scan.h"

#include <mcpw/codec.h>

#include "error_internal.h"
#include "reader.h"

enum { HEX_DIGITS = 4, ESCAPE_BYTES = 6, LEVEL_BITS = 64, LEVEL_WORDS = MCPW_MAX_DEPTH / LEVEL_BITS };

static const unsigned char *fail(mcpw_scanner *s, const unsigned char *p, mcpw_status status) {
    s->at = p;
    s->status = status;
    return NULL;
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

static bool is_high(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }

static bool is_low(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

static const unsigned char *scan_escape(mcpw_scanner *s, const unsigned char *p) {
    if (s->end - p < 2) {
        return fail(s, p, MCPW_E_SYNTAX);
    }
    if (p[1] != 'u') {
        return p[1] != 0 && strchr("\"\\/bfnrt", p[1]) != NULL ? p + 2 : fail(s, p, MCPW_E_SYNTAX);
    }
    const uint32_t unit = code_unit(p, s->end);
    if (unit == UINT32_MAX) {
        return fail(s, p, MCPW_E_SYNTAX);
    }
    if (is_low(unit)) {
        return fail(s, p, MCPW_E_UTF8);
    }
    if (is_high(unit)) {
        return is_low(code_unit(p + ESCAPE_BYTES, s->end)) ? p + 2 * ESCAPE_BYTES : fail(s, p, MCPW_E_UTF8);
    }
    return p + ESCAPE_BYTES;
}

/* The first special byte from p on, or the end. */
static const unsigned char *scan_plain(const mcpw_scanner *s, const unsigned char *p) {
    while (s->end - p >= MCPW_LANE) {
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
            p = scan_escape(s, p);
        } else {
            const unsigned n = mcpw_utf8_length(p, (size_t)(s->end - p));
            p = n != 0 ? p + n : fail(s, p, MCPW_E_UTF8);
        }
    }
    return NULL;
}

uint32_t mcpw_next_character(const unsigned char **p) {
    static const char named[] = "b\bf\fn\nr\rt\t";
    const unsigned char *const at = *p;
    if (*at < 0x80 && *at != '\\') {
        *p = at + 1;
        return *at;
    }
    if (*at != '\\') {
        const unsigned n = *at < 0xe0 ? 2U : *at < 0xf0 ? 3U : 4U;
        uint32_t c = *at & (0x7fU >> n);
        for (unsigned i = 1; i < n; i++) {
            c = c << 6 | (at[i] & 0x3fU);
        }
        *p = at + n;
        return c;
    }
    if (at[1] != 'u') {
        const char *const name = strchr(named, at[1]);
        *p = at + 2;
        return name != NULL && (name - named) % 2 == 0 ? (unsigned char)name[1] : at[1];
    }
    const uint32_t unit = code_unit(at, at + ESCAPE_BYTES);
    *p = at + ESCAPE_BYTES;
    if (!is_high(unit)) {
        return unit;
    }
    const uint32_t low = code_unit(*p, *p + ESCAPE_BYTES);
    *p += ESCAPE_BYTES;
    return 0x10000U + ((unit & 0x3ffU) << 10) + (low & 0x3ffU);
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

bool mcpw_tokens_equal(mcpw_json a, mcpw_json b) {
    const unsigned char *p = (const unsigned char *)a.ptr + 1;
    const unsigned char *q = (const unsigned char *)b.ptr + 1;
    const unsigned char *const p_end = p + a.len - 2;
    const unsigned char *const q_end = q + b.len - 2;
    const bool escapes = memchr(p, '\\', a.len - 2) != NULL || memchr(q, '\\', b.len - 2) != NULL;
    if (!escapes) {
        return a.len == b.len && memcmp(p, q, a.len - 2) == 0;
    }
    while (p < p_end && q < q_end) {
        if (mcpw_next_character(&p) != mcpw_next_character(&q)) {
            return false;
        }
    }
    return p == p_end && q == q_end;
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

static const unsigned char *scan_number(mcpw_scanner *s, const unsigned char *p) {
    if (*p == '-') {
        p++;
    }
    if (p < s->end && *p == '0') {
        p++;
    } else {
        p = scan_digits(s, p);
    }
    if (p != NULL && p < s->end && *p == '.') {
        p = scan_digits(s, p + 1);
    }
    if (p != NULL && p < s->end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < s->end && (*p == '+' || *p == '-')) {
            p++;
        }
        p = scan_digits(s, p);
    }
    return p;
}

static const unsigned char *scan_literal(mcpw_scanner *s, const unsigned char *p, const char *text,
                                         size_t len) {
    if ((size_t)(s->end - p) < len || memcmp(p, text, len) != 0) {
        return fail(s, p, MCPW_E_SYNTAX);
    }
    return p + len;
}

static const unsigned char *scan_scalar(mcpw_scanner *s, const unsigned char *p) {
    switch (*p) {
    case '"':
        return mcpw_scan_string(s, p);
    case 't':
        return scan_literal(s, p, "true", 4);
    case 'f':
        return scan_literal(s, p, "false", 5);
    case 'n':
        return scan_literal(s, p, "null", 4);
    default:
        return scan_number(s, p);
    }
}

/* ---- any value ---- */

/* The open arrays and objects, one bit each. */
typedef struct levels {
    uint64_t objects[LEVEL_WORDS];
    unsigned open;
} levels;

static bool in_object(const levels *l) {
    const unsigned top = l->open - 1;
    return (l->objects[top / LEVEL_BITS] >> (top % LEVEL_BITS) & 1U) != 0;
}

static void open_level(levels *l, bool object) {
    const uint64_t bit = UINT64_C(1) << (l->open % LEVEL_BITS);
    uint64_t *const word = l->objects + l->open / LEVEL_BITS;
    *word = object ? *word | bit : *word & ~bit;
    l->open++;
}

/* The name of a member and its colon, up to the value. */
static const unsigned char *scan_name(mcpw_scanner *s, const unsigned char *p) {
    if (p == s->end || *p != '"') {
        return fail(s, p, MCPW_E_SYNTAX);
    }
    p = mcpw_scan_string(s, p);
    if (p == NULL) {
        return NULL;
    }
    p = mcpw_scan_space(s, p);
    return p < s->end && *p == ':' ? mcpw_scan_space(s, p + 1) : fail(s, p, MCPW_E_SYNTAX);
}

/* From behind a value: closes what ends there, up to where the next value begins. *done when all is closed.
 */
static const unsigned char *scan_after(mcpw_scanner *s, const unsigned char *p, levels *l, bool *done) {
    while (l->open > 0) {
        const bool object = in_object(l);
        p = mcpw_scan_space(s, p);
        if (p < s->end && *p == ',') {
            p = mcpw_scan_space(s, p + 1);
            return object ? scan_name(s, p) : p;
        }
        if (p == s->end || *p != (object ? '}' : ']')) {
            return fail(s, p, MCPW_E_SYNTAX);
        }
        p++;
        l->open--;
    }
    *done = true;
    return p;
}

const unsigned char *mcpw_scan_value(mcpw_scanner *s, const unsigned char *p) {
    if (p < s->end && *p != '{' && *p != '[') {
        return scan_scalar(s, p);
    }
    levels l = {{0}, 0};
    bool done = false;
    while (p != NULL && !done) {
        if (p == s->end) {
            return fail(s, p, MCPW_E_SYNTAX);
        }
        if (*p != '{' && *p != '[') {
            p = scan_scalar(s, p);
        } else {
            const bool object = *p == '{';
            if (l.open >= s->depth) {
                return fail(s, p, MCPW_E_DEPTH);
            }
            open_level(&l, object);
            p = mcpw_scan_space(s, p + 1);
            if (p == s->end || *p != (object ? '}' : ']')) {
                p = object ? scan_name(s, p) : p;
                continue;
            }
            p++;
            l.open--;
        }
        p = p != NULL ? scan_after(s, p, &l, &done) : NULL;
    }
    return p;
}
