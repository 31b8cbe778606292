/* SPDX-License-Identifier: MIT */
/* The differences between ECMA-262 and PCRE2: the meaning of . and \s, escapes, names of properties, and what
 * PCRE2 has beyond ECMA-262 (possessive quantifiers, verbs, options), which is refused. Escapes of ASCII
 * punctuation stand for themselves, as without the flag u. */
#include "ecma.h"

/* Inside of brackets. */
static const char spaces[] = "\\x09-\\x0d\\x20\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
                             "\\x{205f}\\x{3000}\\x{feff}";
static const char not_spaces[] =
    "\\x00-\\x08\\x0e-\\x1f\\x21-\\x9f\\xa1-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{"
    "202e}"
    "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

/* A pattern being translated. */
typedef struct translator {
    const char *p;
    const char *end;
    mcpw_buffer *out;
    mcpw_status status;
    const char *why;
} translator;

static bool fail(translator *t, const char *why) {
    if (t->status == MCPW_OK) {
        t->status = MCPW_E_FORMAT;
        t->why = why;
    }
    return false;
}

static bool put(translator *t, const char *text, size_t len) {
    const mcpw_status status = mcpw_buffer_append(t->out, text, len);
    if (status != MCPW_OK && t->status == MCPW_OK) {
        t->status = status;
    }
    return t->status == MCPW_OK;
}

static bool put_text(translator *t, const char *text) { return put(t, text, strlen(text)); }

/* As it stands, and the next one is looked at. */
static bool pass(translator *t, size_t len) {
    t->p += len;
    return put(t, t->p - len, len);
}

static bool stands(const translator *t, const char *text) {
    const size_t len = strlen(text);
    return (size_t)(t->end - t->p) >= len && memcmp(t->p, text, len) == 0;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return ((unsigned)(unsigned char)c | 0x20U) - 'a' < 26U; }

enum { NO_HEX = 16, HEX_BITS = 4, LAST_CHARACTER = 0x10ffff };

static unsigned hex_of(char c) {
    if (is_digit(c)) {
        return (unsigned)(c - '0');
    }
    const unsigned letter = ((unsigned)(unsigned char)c | 0x20U) - 'a';
    return letter < 6 ? letter + 10 : NO_HEX;
}

/* ---- characters ---- */

static bool put_character(translator *t, uint32_t c) {
    static const char digits[] = "0123456789abcdef";
    char text[] = "\\x{00000000}";
    for (size_t i = sizeof text - 3; c != 0; i--, c >>= HEX_BITS) {
        text[i] = digits[c & 15U];
    }
    return put_text(t, text);
}

/* So many hexadecimal digits. */
static bool take_hex(translator *t, unsigned count, uint32_t *out) {
    *out = 0;
    if ((size_t)(t->end - t->p) < count) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        const unsigned digit = hex_of(t->p[i]);
        if (digit == NO_HEX) {
            return false;
        }
        *out = *out << HEX_BITS | digit;
    }
    t->p += count;
    return true;
}

static bool is_surrogate(uint32_t c) { return c >= 0xd800 && c < 0xe000; }

/* After \u. */
static bool put_unicode(translator *t) {
    uint32_t c = 0;
    uint32_t low = 0;
    if (stands(t, "{")) {
        const char *p = t->p + 1;
        for (; p < t->end && hex_of(*p) != NO_HEX && c <= LAST_CHARACTER; p++) {
            c = c << HEX_BITS | hex_of(*p);
        }
        if (p == t->p + 1 || p == t->end || *p != '}' || c > LAST_CHARACTER || is_surrogate(c)) {
            return fail(t, "\\u{...} is no character");
        }
        t->p = p + 1;
        return put_character(t, c);
    }
    if (!take_hex(t, 4, &c)) {
        return fail(t, "\\u has four hexadecimal digits");
    }
    if (c >= 0xd800 && c < 0xdc00 && stands(t, "\\u")) {
        t->p += 2;
        if (!take_hex(t, 4, &low) || low < 0xdc00 || low > 0xdfff) {
            return fail(t, "half of a surrogate pair");
        }
        c = 0x10000U + ((c - 0xd800U) << 10) + (low - 0xdc00U);
    }
    return is_surrogate(c) ? fail(t, "half of a surrogate pair") : put_character(t, c);
}

/* After \p or \P, which `letter` is. */
static bool put_property(translator *t, char letter) {
    const char *const close = t->p < t->end ? memchr(t->p, '}', (size_t)(t->end - t->p)) : NULL;
    if (!stands(t, "{") || close == NULL || close == t->p + 1) {
        return fail(t, "\\p is followed by the name of a property in braces");
    }
    const mcpw_str name = {t->p + 1, (size_t)(close - t->p - 1)};
    const mcpw_str known = mcpw_ecma_property(name);
    const char begin[] = {'\\', letter, '{'};
    t->p = close + 1;
    return put(t, begin, sizeof begin) && put(t, known.ptr, known.len) && put_text(t, "}");
}

/* A single character after a backslash: a control, or one that stands for itself. */
static bool put_single(translator *t) {
    static const char names[] = "tnvfr";
    static const unsigned char controls[] = {'\t', '\n', '\v', '\f', '\r'};
    const char c = *t->p;
    const char *const control = c != '\0' ? strchr(names, c) : NULL;
    uint32_t value = 0;
    if (control != NULL) {
        t->p++;
        return put_character(t, controls[control - names]);
    }
    t->p++;
    switch (c) {
    case 'c':
        if (t->p == t->end || !is_letter(*t->p)) {
            return fail(t, "\\c is followed by a letter");
        }
        return put_character(t, (unsigned char)*t->p++ & 31U);
    case 'x':
        return take_hex(t, 2, &value) ? put_character(t, value) : fail(t, "\\x has two hexadecimal digits");
    case 'u':
        return put_unicode(t);
    case '0':
        return t->p < t->end && is_digit(*t->p) ? fail(t, "octal escapes are not supported")
                                                : put_character(t, 0);
    default:
        break;
    }
    if (is_letter(c) || is_digit(c) || (unsigned char)c >= 0x80 || c <= ' ' || c == '_') {
        return fail(t, "unknown escape");
    }
    return put_character(t, (unsigned char)c);
}

/* ---- classes ---- */

/* After a backslash in brackets. */
static bool put_class_escape(translator *t) {
    switch (*t->p) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
        t->p--;
        return pass(t, 2);
    case 's':
        t->p++;
        return put_text(t, spaces);
    case 'S':
        t->p++;
        return put_text(t, not_spaces);
    case 'p':
    case 'P':
        return put_property(t, *t->p++);
    case 'b':
        t->p++;
        return put_character(t, '\b');
    case '-':
        return pass(t, 1) ? (t->out->len--, put_text(t, "\\-")) : false;
    default:
        return put_single(t);
    }
}

static bool put_class(translator *t) {
    if (!pass(t, 1)) {
        return false;
    }
    if (stands(t, "^") && !pass(t, 1)) {
        return false;
    }
    while (t->p < t->end && *t->p != ']') {
        bool well = true;
        if (*t->p == '\\') {
            t->p++;
            well = t->p < t->end ? put_class_escape(t) : fail(t, "nothing follows the backslash");
        } else if (*t->p == '[') {
            t->p++;
            well = put_text(t, "\\[");
        } else {
            well = pass(t, 1);
        }
        if (!well) {
            return false;
        }
    }
    return t->p < t->end ? pass(t, 1) : fail(t, "a class is not closed");
}

/* ---- the rest ---- */

/* After a backslash outside of brackets. */
static bool put_escape(translator *t) {
    switch (*t->p) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
    case 'b':
    case 'B':
        t->p--;
        return pass(t, 2);
    case 's':
        t->p++;
        return put_text(t, "[") && put_text(t, spaces) && put_text(t, "]");
    case 'S':
        t->p++;
        return put_text(t, "[^") && put_text(t, spaces) && put_text(t, "]");
    case 'p':
    case 'P':
        return put_property(t, *t->p++);
    case 'k': {
        const char *const close = memchr(t->p, '>', (size_t)(t->end - t->p));
        if (t->end - t->p < 2 || t->p[1] != '<' || close == NULL) {
            return fail(t, "\\k is followed by the name of a group");
        }
        t->p--;
        return pass(t, (size_t)(close + 1 - t->p));
    }
    default:
        break;
    }
    if (*t->p < '1' || *t->p > '9') {
        return put_single(t);
    }
    size_t digits = 1;
    while (t->p + digits < t->end && is_digit(t->p[digits])) {
        digits++;
    }
    return put_text(t, "\\g{") && pass(t, digits) && put_text(t, "}");
}

static bool put_group(translator *t) {
    static const char *const kinds[] = {"(?:", "(?=", "(?!", "(?<=", "(?<!"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (stands(t, kinds[i])) {
            return pass(t, strlen(kinds[i]));
        }
    }
    if (stands(t, "(?<")) {
        return pass(t, strlen("(?<"));
    }
    return stands(t, "(?") || stands(t, "(*") ? fail(t, "unknown kind of group") : pass(t, 1);
}

/* The length of {n}, {n,} or {n,m}; 0: it is none. */
static size_t braces_at(const translator *t) {
    const char *p = t->p + 1;
    const char *const first = p;
    while (p < t->end && is_digit(*p)) {
        p++;
    }
    if (p == first) {
        return 0;
    }
    if (p < t->end && *p == ',') {
        p++;
        while (p < t->end && is_digit(*p)) {
            p++;
        }
    }
    return p < t->end && *p == '}' ? (size_t)(p + 1 - t->p) : 0;
}

/* After a quantifier. */
static bool end_quantifier(translator *t) {
    if (stands(t, "?") && !pass(t, 1)) {
        return false;
    }
    const bool again =
        stands(t, "*") || stands(t, "+") || stands(t, "?") || (stands(t, "{") && braces_at(t) != 0);
    return !again || fail(t, "nothing to repeat");
}

static bool put_next(translator *t) {
    size_t braces = 0;
    switch (*t->p) {
    case '\\':
        t->p++;
        return t->p < t->end ? put_escape(t) : fail(t, "nothing follows the backslash");
    case '[':
        return put_class(t);
    case '(':
        return put_group(t);
    case '.':
        t->p++;
        return put_text(t, "[^\\n\\r\\x{2028}\\x{2029}]");
    case '*':
    case '+':
    case '?':
        return pass(t, 1) && end_quantifier(t);
    case '{':
        braces = braces_at(t);
        if (braces != 0) {
            return pass(t, braces) && end_quantifier(t);
        }
        t->p++;
        return put_text(t, "\\{");
    case '}':
    case ']':
        return put_character(t, (unsigned char)*t->p++);
    default:
        return pass(t, 1);
    }
}

mcpw_status mcpw_ecma_translate(mcpw_str pattern, mcpw_buffer *out, const char **why, size_t *at) {
    translator t = {pattern.ptr, pattern.ptr + pattern.len, out, MCPW_OK, ""};
    while (t.p < t.end && put_next(&t)) {
    }
    *why = t.why;
    *at = (size_t)(t.p - pattern.ptr);
    return t.status;
}
