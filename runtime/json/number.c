/* SPDX-License-Identifier: MIT */
#include "number.h"

#include <float.h>

#if defined(MCPW_NO_STDIO)
#include "decimal.h"
#else
#include <stdlib.h>
#endif
#include "reader.h"

enum {
    INT64_DIGITS = 19,
#if !MCPW_COMPACT
    UINT64_DIGITS = 19, /* that always fit */
#endif
#if !defined(MCPW_NO_STDIO)
    MAX_DIGITS = 800, /* more than the 767 digits that can decide how a double is rounded */
    TEXT_SIZE = MAX_DIGITS + 32,
#endif
    MAX_DOUBLE_EXPONENT = 310, /* 1e310 overflows, and everything below 1e-400 is zero */
    MIN_DOUBLE_EXPONENT = -400
};

/* Exponents are cut here; no text that fits in memory has enough digits to make up for it. */
static const int64_t exponent_limit = INT64_C(100000000000000000); /* ten times as much still fits */
#if !MCPW_COMPACT
static const uint64_t double_mantissa_limit = UINT64_C(1) << 53;
#endif

/* A number taken apart: 0.d1 d2 d3... * 10^scale, without zeros at either end of the digits. The digits
 * stand in the text around a point that is skipped. */
typedef struct decimal {
    bool negative;
    const char *digits; /* first significant digit */
    size_t count;       /* of significant digits; 0: the number is zero */
    size_t point;       /* digits before the point, when that lies between them, else count */
    int64_t scale;
} decimal;

static unsigned digit_at(const decimal *d, size_t i) {
    return (unsigned)(d->digits[i < d->point ? i : i + 1] - '0');
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int64_t read_exponent(const char *p, const char *end) {
    int64_t value = 0;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+')) {
        negative = *p == '-';
        p++;
    }
    for (; p < end; p++) {
        if (value < exponent_limit) {
            value = value * 10 + (*p - '0');
        }
    }
    return negative ? -value : value;
}

static decimal take_apart(const char *p, size_t len) {
    const char *const end = p + len;
    decimal d = {false, p, 0, 0, 0};
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
    const char *last = fraction_end; /* behind the last significant digit */
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
    /* Digits of the integer part count up, zeros behind the point count down. */
    d.scale += first < integer_end ? integer_end - first : integer_end + 1 - first;
    return d;
}

mcpw_status mcpw_parse_int64(const char *text, size_t len, int64_t *out) {
    const decimal d = take_apart(text, len);
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
        value = value * 10 + (i < d.count ? digit_at(&d, i) : 0);
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

#if MCPW_COMPACT /* the library's way leads to the same double */
#define parse_exactly(d, out) false
#else
/* With a mantissa and a power of ten that are both exact, one operation rounds once, so correctly. That
 * needs MCPW_PLAIN_DOUBLES. */
static bool parse_exactly(const decimal *d, double *out) {
    const int64_t exponent = d->scale - (int64_t)d->count;
    uint64_t mantissa = 0;
    if (!MCPW_PLAIN_DOUBLES || d->count > UINT64_DIGITS || exponent > MCPW_EXACT_POWER ||
        exponent < -MCPW_EXACT_POWER) {
        return false;
    }
    for (size_t i = 0; i < d->count; i++) {
        mantissa = mantissa * 10 + digit_at(d, i);
    }
    if (mantissa > double_mantissa_limit) {
        return false;
    }
    *out = exponent < 0 ? (double)mantissa / mcpw_powers_of_ten[-exponent]
                        : (double)mantissa * mcpw_powers_of_ten[exponent];
    return true;
}
#endif

#if defined(MCPW_NO_STDIO)
static double parse_by_library(const decimal *d) {
    mcpw_digits digits;
    digits.count = 0;
    digits.point = (int)d->scale;
    digits.more = d->count > MCPW_MAX_DIGITS;
    while (digits.count < d->count && digits.count < MCPW_MAX_DIGITS) {
        digits.digit[digits.count] = (unsigned char)digit_at(d, digits.count);
        digits.count++;
    }
    return mcpw_digits_to_double(&digits);
}
#else
/* Over strtod, on a text without a decimal point: "digits e exponent" means the same in every locale. */
static double parse_by_library(const decimal *d) {
    char text[TEXT_SIZE];
    size_t count = d->count < MAX_DIGITS ? d->count : MAX_DIGITS;
    size_t used = count;
    for (size_t i = 0; i < count; i++) {
        text[i] = (char)('0' + digit_at(d, i));
    }
    if (count < d->count) { /* the last digit is not zero: something is left beyond those that are kept */
        text[used++] = '1';
        count++;
    }
    text[used++] = 'e';
    used += mcpw_format_int(text + used, d->scale - (int64_t)count);
    text[used] = '\0';
    return strtod(text, NULL);
}
#endif

mcpw_status mcpw_parse_double(const char *text, size_t len, double *out) {
    const decimal d = take_apart(text, len);
    double value = 0;
    if (d.count != 0 && d.scale >= MIN_DOUBLE_EXPONENT && !parse_exactly(&d, &value)) {
        if (d.scale > MAX_DOUBLE_EXPONENT) {
            return MCPW_E_OVERFLOW;
        }
        value = parse_by_library(&d);
        if (value > DBL_MAX) {
            return MCPW_E_OVERFLOW;
        }
    }
    *out = d.negative ? -value : value;
    return MCPW_OK;
}

static int compare_magnitude(const decimal *a, const decimal *b) {
    const size_t shared = a->count < b->count ? a->count : b->count;
    if (a->scale != b->scale) {
        return a->scale < b->scale ? -1 : 1;
    }
    for (size_t i = 0; i < shared; i++) {
        const unsigned x = digit_at(a, i);
        const unsigned y = digit_at(b, i);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return a->count == b->count ? 0 : a->count < b->count ? -1 : 1;
}

static int sign_of(const decimal *d) { return d->count == 0 ? 0 : d->negative ? -1 : 1; }

int mcpw_compare_decimal(const char *a, size_t alen, const char *b, size_t blen) {
    const decimal x = take_apart(a, alen);
    const decimal y = take_apart(b, blen);
    const int sx = sign_of(&x);
    const int sy = sign_of(&y);
    if (sx != sy) {
        return sx < sy ? -1 : 1;
    }
    return sx == 0 ? 0 : sx * compare_magnitude(&x, &y);
}

/* ---- integers as text ---- */

#if MCPW_COMPACT
static size_t format_unsigned(char *out, uint64_t value) {
    char digits[MCPW_INT_SIZE];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + (char)(value % 10));
        value /= 10;
    } while (value != 0);
    memcpy(out, digits + at, sizeof digits - at);
    return sizeof digits - at;
}
#else
static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
                                  "25262728293031323334353637383940414243444546474849"
                                  "50515253545556575859606162636465666768697071727374"
                                  "75767778798081828384858687888990919293949596979899";

static unsigned count_digits(uint64_t value) {
    unsigned n = 1;
    for (; value >= 10000; value /= 10000) {
        n += 4;
    }
    return n + (value >= 10) + (value >= 100) + (value >= 1000);
}

static size_t format_unsigned(char *out, uint64_t value) {
    if (value < 10) {
        out[0] = (char)('0' + (char)value);
        return 1;
    }
    const size_t len = count_digits(value);
    size_t at = len;
    while (value >= 100) {
        const size_t pair = (size_t)(value % 100) * 2;
        value /= 100;
        at -= 2;
        memcpy(out + at, digit_pairs + pair, 2);
    }
    if (value >= 10) {
        memcpy(out, digit_pairs + (size_t)value * 2, 2);
    } else {
        out[0] = (char)('0' + (char)value);
    }
    return len;
}

#endif

size_t mcpw_format_int(char *out, int64_t value) {
    if (value >= 0) {
        return format_unsigned(out, (uint64_t)value);
    }
    out[0] = '-';
    return 1 + format_unsigned(out + 1, 0 - (uint64_t)value);
}
