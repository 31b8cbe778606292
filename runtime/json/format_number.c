/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#if defined(MCPW_NO_STDIO)
#include "decimal.h"
#else
#include <stdio.h>
#endif
#include "number.h"
#include "reader.h"

enum {
    MAX_FAST_DECIMALS = 15,
    SAFE_DIGITS = 15,          /* every decimal of so many digits survives being a double */
    EXACT_DIGITS = 17,         /* every double survives being a decimal of so many digits */
    LEAST_PLAIN_EXPONENT = -5, /* below 1e-5 and from 1e17 on numbers are written with an exponent */
    PLAIN_DIGITS = 17
};

static const double least_plain = 1e-5;
static const double integral_limit = 1e17;
#if !MCPW_COMPACT
static const double exact_half_limit = 4503599627370496.0; /* 2^52: below it a half can be added exactly */
#endif

/* The digits with a point before the last `decimals` of them; decimals may be more than there are. */
static size_t put_decimals(char *out, const char *digits, size_t count, size_t decimals) {
    size_t used = 0;
    if (decimals >= count) {
        out[used++] = '0';
        out[used++] = '.';
        while (decimals > count) {
            out[used++] = '0';
            decimals--;
        }
        memcpy(out + used, digits, count);
        return used + count;
    }
    memcpy(out, digits, count - decimals);
    used = count - decimals;
    out[used++] = '.';
    memcpy(out + used, digits + (count - decimals), decimals);
    return used + decimals;
}

#if MCPW_COMPACT /* the library's way leads to the same text */
#define format_short(out, value) ((void)(out), (void)(value), 0U)
#else
/* integer / 10^k, where the division leaves a rest. */
static size_t put_short(char *out, uint64_t integer, size_t k) {
    char digits[MCPW_INT_SIZE];
    if (k == 1) { /* the most frequent case */
        const size_t used = mcpw_format_int(out, (int64_t)(integer / 10));
        out[used] = '.';
        out[used + 1] = (char)('0' + (char)(integer % 10));
        return used + 2;
    }
    return put_decimals(out, digits, mcpw_format_int(digits, (int64_t)integer), k);
}

/* Numbers with few decimals, which is what people and programs write: the first k for which value * 10^k
 * is, give or take its rounding, an integer that leads back to value. 0 when there is none. */
static size_t format_short(char *out, double value) {
    for (size_t k = 1; MCPW_PLAIN_DOUBLES && k <= MAX_FAST_DECIMALS; k++) {
        const double scaled = value * mcpw_powers_of_ten[k];
        if (scaled >= exact_half_limit) {
            break;
        }
        const uint64_t integer = (uint64_t)(scaled + 0.5);
        if ((double)integer / mcpw_powers_of_ten[k] == value) {
            return put_short(out, integer, k);
        }
    }
    return 0;
}
#endif

/* A number as so many digits, the first before the point, and an exponent. */
typedef struct scientific {
    char digits[EXACT_DIGITS + 1];
    size_t count;
    int exponent;
} scientific;

#if defined(MCPW_NO_STDIO)
static scientific to_scientific(double value, int digits) {
    scientific s = {{0}, 0, 0};
    mcpw_digits d;
    mcpw_digits_of_double(&d, value);
    mcpw_digits_round(&d, (unsigned)digits);
    for (; s.count < d.count; s.count++) {
        s.digits[s.count] = (char)('0' + (char)d.digit[s.count]);
    }
    s.exponent = d.point - 1;
    return s;
}
#else
static scientific to_scientific(double value, int digits) {
    enum { SCRATCH = 48 };
    scientific s;
    char text[SCRATCH];
    const char *p = text;
    bool negative;
    s.count = 0;
    s.exponent = 0;
    (void)snprintf(text, sizeof text, "%.*e", digits - 1, value);
    for (; *p != 'e'; p++) { /* whatever the locale has for a point is stepped over */
        if (mcpw_is_digit((unsigned char)*p) && s.count < EXACT_DIGITS) {
            s.digits[s.count++] = *p;
        }
    }
    negative = p[1] == '-';
    for (p += 2; *p != '\0'; p++) {
        s.exponent = s.exponent * 10 + (*p - '0');
    }
    s.exponent = negative ? -s.exponent : s.exponent;
    while (s.count > 1 && s.digits[s.count - 1] == '0') {
        s.count--;
    }
    return s;
}
#endif

static size_t put_scientific(char *out, const scientific *s) {
    size_t used;
    if (s->exponent >= LEAST_PLAIN_EXPONENT && s->exponent < PLAIN_DIGITS &&
        s->exponent < (int)s->count - 1) {
        return put_decimals(out, s->digits, s->count, (size_t)((int)s->count - 1 - s->exponent));
    }
    out[0] = s->digits[0];
    used = 1;
    if (s->count > 1) {
        out[used++] = '.';
        memcpy(out + used, s->digits + 1, s->count - 1);
        used += s->count - 1;
    }
    out[used++] = 'e';
    return used + mcpw_format_int(out + used, s->exponent);
}

/* Through the C library, with the fewest digits that read back. From 15 digits on, except that denormal
 * numbers hold fewer. */
static size_t format_by_library(char *out, double value) {
    int digits = value < DBL_MIN ? 1 : SAFE_DIGITS;
    for (;; digits++) {
        const scientific s = to_scientific(value, digits);
        const size_t used = put_scientific(out, &s);
        double back = 0;
        if (digits >= EXACT_DIGITS || (mcpw_parse_double(out, used, &back) == MCPW_OK && back == value)) {
            return used;
        }
    }
}

size_t mcpw_format_double(char *out, double value) {
    size_t sign = 0;
    size_t used = 0;
    if (signbit(value) != 0) {
        out[0] = '-';
        sign = 1;
        value = -value;
    }
    out += sign;
    if (value < integral_limit) {
        const int64_t integer = (int64_t)value; /* signed: what machines have an instruction for */
        if ((double)integer == value) {
            return sign + mcpw_format_int(out, integer);
        }
        if (value >= least_plain) {
            used = format_short(out, value);
        }
    }
    if (used == 0) {
        used = format_by_library(out, value);
    }
    return sign + used;
}
