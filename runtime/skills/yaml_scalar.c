/* SPDX-License-Identifier: MIT */
/* Scalars of YAML's core schema as JSON. (YAML 1.2.2, section 10.3.) */
#include "frontmatter.h"

#include <inttypes.h>
#include <stdio.h>

enum { OCTAL_BITS = 3, HEX_BITS = 4, LETTER_DIGIT = 10, BITS = 64 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The end of the digits that begin at `at`. */
static size_t skip_digits(mcpw_str text, size_t at) {
    while (at < text.len && is_digit(text.ptr[at])) {
        at++;
    }
    return at;
}

static bool is_one_of(mcpw_str text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (mcpw_str_is(text, words[i])) {
            return true;
        }
    }
    return false;
}

static int hex_digit(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + LETTER_DIGIT;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + LETTER_DIGIT : -1;
}

/* The bits of a digit in 0o17 or 0x1F; 0: the text is no such number. */
static unsigned bits_of(mcpw_str text) {
    const bool is_hex = text.len > 2 && text.ptr[0] == '0' && text.ptr[1] == 'x';
    const bool is_octal = text.len > 2 && text.ptr[0] == '0' && text.ptr[1] == 'o';
    const unsigned bits = is_hex ? HEX_BITS : is_octal ? OCTAL_BITS : 0;
    for (size_t i = 2; bits != 0 && i < text.len; i++) {
        const int digit = hex_digit(text.ptr[i]);
        if (digit < 0 || digit >= 1 << bits) {
            return 0;
        }
    }
    return bits;
}

static bool has_sign(mcpw_str text) { return text.len != 0 && (text.ptr[0] == '-' || text.ptr[0] == '+'); }

/* Whether an exponent, or nothing, is the rest of the text. */
static bool ends_number(mcpw_str text, size_t at) {
    if (at == text.len) {
        return true;
    }
    if (text.ptr[at] != 'e' && text.ptr[at] != 'E') {
        return false;
    }
    at++;
    at += at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+') ? 1U : 0U;
    return at < text.len && skip_digits(text, at) == text.len;
}

static mcpw_yaml_kind decimal_kind(mcpw_str text) {
    const size_t begin = has_sign(text) ? 1 : 0;
    const size_t whole = skip_digits(text, begin);
    if (whole == text.len) {
        return whole > begin ? MCPW_YAML_INT : MCPW_YAML_STRING;
    }
    size_t at = whole;
    if (text.ptr[at] == '.') {
        at = skip_digits(text, at + 1);
        if (whole == begin && at == whole + 1) {
            return MCPW_YAML_STRING; /* a dot without digits */
        }
    } else if (whole == begin) {
        return MCPW_YAML_STRING;
    }
    return ends_number(text, at) ? MCPW_YAML_FLOAT : MCPW_YAML_STRING;
}

mcpw_yaml_kind mcpw_yaml_kind_of(mcpw_str text) {
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    static const char *const bools[] = {"true", "True", "TRUE", "false", "False", "FALSE"};
    static const char *const infinities[] = {".inf", ".Inf", ".INF"};
    static const char *const no_numbers[] = {".nan", ".NaN", ".NAN"};
    const mcpw_str unsigned_text = {text.ptr + (has_sign(text) ? 1 : 0), text.len - (has_sign(text) ? 1 : 0)};
    if (is_one_of(text, nulls, sizeof nulls / sizeof *nulls)) {
        return MCPW_YAML_NULL;
    }
    if (is_one_of(text, bools, sizeof bools / sizeof *bools)) {
        return MCPW_YAML_BOOL;
    }
    if (is_one_of(unsigned_text, infinities, sizeof infinities / sizeof *infinities) ||
        is_one_of(text, no_numbers, sizeof no_numbers / sizeof *no_numbers)) {
        return MCPW_YAML_NO_JSON;
    }
    return bits_of(text) != 0 ? MCPW_YAML_INT : decimal_kind(text);
}

static size_t write_binary(mcpw_str text, unsigned bits, char *out) {
    uint64_t value = 0;
    for (size_t i = 2; i < text.len; i++) {
        if (value >> (BITS - bits) != 0) {
            return 0;
        }
        value = value << bits | (uint64_t)(unsigned)hex_digit(text.ptr[i]);
    }
    const int len = snprintf(out, MCPW_YAML_NUMBER_EXTRA, "%" PRIu64, value);
    return len > 0 ? (size_t)len : 0;
}

size_t mcpw_yaml_number(mcpw_str text, char *out) {
    const unsigned bits = bits_of(text);
    size_t at = has_sign(text) ? 1 : 0;
    size_t len = 0;
    if (bits != 0) {
        return write_binary(text, bits, out);
    }
    if (at != 0 && text.ptr[0] == '-') {
        out[len++] = '-';
    }
    while (at + 1 < text.len && text.ptr[at] == '0' && is_digit(text.ptr[at + 1])) {
        at++; /* JSON has no zeros in front */
    }
    if (at < text.len && text.ptr[at] == '.') {
        out[len++] = '0';
    }
    for (; at < text.len; at++) {
        const bool is_bare_dot = text.ptr[at] == '.' && (at + 1 == text.len || !is_digit(text.ptr[at + 1]));
        if (!is_bare_dot) {
            out[len++] = text.ptr[at];
        }
    }
    return len;
}
