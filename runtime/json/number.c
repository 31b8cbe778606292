/* SPDX-License-Identifier: MIT */
/* Text to numbers, and numbers compared as text. */
#include "number_parts.h"

#include <float.h>

enum {
    INT64_DIGITS = 19,
    MAX_DOUBLE_EXPONENT = 310, /* 1e310 overflows, and everything below 1e-400 is zero */
    MIN_DOUBLE_EXPONENT = -400
};

/* Exponents are cut here; no text that fits in memory has enough digits to make up for it. */
static const int64_t exponent_limit = INT64_C(100000000000000000); /* ten times as much still fits */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int64_t read_exponent(const char *p, const char *end) {
    int64_t value = 0;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+')) {
        negative = *p == '-';
        p++;
    }
    for (; p < end; p++) {
        value = value < exponent_limit ? value * 10 + (*p - '0') : exponent_limit * 10;
    }
    return negative ? -value : value;
}

static mcpw_decimal take_apart(const char *p, size_t len) {
    const char *const end = p + len;
    mcpw_decimal d = {false, p, 0, 0, 0};
    if (p < end && *p == '-') {
        d.negative = true;
        p++;
    }
    const char *const integer = p;
    while (p < end && is_digit(*p)) {
        p++;
    }
    const char *const integer_end = p;
    const char *fraction_end = p;
    if (p < end && *p == '.') {
        p++;
        while (p < end && is_digit(*p)) {
            p++;
        }
        fraction_end = p;
    }
    if (p < end) { /* e or E */
        d.scale = read_exponent(p + 1, end);
    }
    const char *first = integer;
    while (first < fraction_end && (*first == '0' || *first == '.')) {
        first++;
    }
    const char *last = fraction_end; /* after the last significant digit */
    while (last > first && (last[-1] == '0' || last[-1] == '.')) {
        last--;
    }
    d.digits = first;
    if (first == last) {
        d.scale = 0;
        return d;
    }
    const bool split = first < integer_end && last > integer_end;
    d.count = (size_t)(last - first) - (split ? 1U : 0U);
    d.point = split ? (size_t)(integer_end - first) : d.count;
    /* Digits of the integer part count up, zeros after the point count down. */
    d.scale += first < integer_end ? integer_end - first : integer_end + 1 - first;
    return d;
}

mcpw_decimal mcpw_take_apart(const char *text, size_t len) { return take_apart(text, len); }

mcpw_status mcpw_parse_int64(const char *text, size_t len, int64_t *out) {
    const mcpw_decimal d = take_apart(text, len);
    uint64_t value = 0;
    if (d.count == 0) {
        *out = 0;
        return MCPW_OK;
    }
    if (d.scale < 0 || (uint64_t)d.scale < d.count) {
        return MCPW_E_TYPE;
    }
    if (d.scale > INT64_DIGITS) {
        return MCPW_E_OVERFLOW;
    }
    for (size_t i = 0; i < (size_t)d.scale; i++) {
        value = value * 10 + (i < d.count ? mcpw_digit_at(&d, i) : 0);
    }
    if (value > (uint64_t)INT64_MAX + (d.negative ? 1U : 0U)) {
        return MCPW_E_OVERFLOW;
    }
    if (d.negative) {
        *out = value > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)value;
    } else {
        *out = (int64_t)value;
    }
    return MCPW_OK;
}

mcpw_status mcpw_parse_double(const char *text, size_t len, double *out) {
    const mcpw_decimal d = take_apart(text, len);
    double value = 0;
    if (d.count != 0 && d.scale >= MIN_DOUBLE_EXPONENT && !mcpw_exact_double(&d, &value)) {
        if (d.scale > MAX_DOUBLE_EXPONENT) {
            return MCPW_E_OVERFLOW;
        }
        value = mcpw_nearest_double(&d);
        if (value > DBL_MAX) {
            return MCPW_E_OVERFLOW;
        }
    }
    *out = d.negative ? -value : value;
    return MCPW_OK;
}

static int compare_magnitude(const mcpw_decimal *a, const mcpw_decimal *b) {
    const size_t shared = a->count < b->count ? a->count : b->count;
    if (a->scale != b->scale) {
        return a->scale < b->scale ? -1 : 1;
    }
    for (size_t i = 0; i < shared; i++) {
        const unsigned x = mcpw_digit_at(a, i);
        const unsigned y = mcpw_digit_at(b, i);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return a->count == b->count ? 0 : a->count < b->count ? -1 : 1;
}

static int sign_of(const mcpw_decimal *d) { return d->count == 0 ? 0 : d->negative ? -1 : 1; }

int mcpw_compare_decimal(const char *a, size_t alen, const char *b, size_t blen) {
    const mcpw_decimal x = take_apart(a, alen);
    const mcpw_decimal y = take_apart(b, blen);
    const int sx = sign_of(&x);
    const int sy = sign_of(&y);
    if (sx != sy) {
        return sx < sy ? -1 : 1;
    }
    return sx == 0 ? 0 : sx * compare_magnitude(&x, &y);
}
