/* SPDX-License-Identifier: MIT */
/* Numbers to text. */
#include "number_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    SAFE_DIGITS = 15,          /* every decimal of so many digits survives being a double */
    LEAST_PLAIN_EXPONENT = -5, /* below 1e-5 and from 1e17 on numbers are written with an exponent */
    PLAIN_DIGITS = 17
};

static const double least_plain = 1e-5;
static const double integral_limit = 1e17;

static size_t put_scientific(char *out, const mcpw_scientific *s) {
    size_t used;
    if (s->exponent >= LEAST_PLAIN_EXPONENT && s->exponent < PLAIN_DIGITS &&
        s->exponent < (int)s->count - 1) {
        return mcpw_put_decimals(out, s->digits, s->count, (size_t)((int)s->count - 1 - s->exponent));
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
        const mcpw_scientific s = mcpw_round_digits(value, digits);
        const size_t used = put_scientific(out, &s);
        double back = 0;
        if (digits >= MCPW_EXACT_DIGITS ||
            (mcpw_parse_double(out, used, &back) == MCPW_OK && back == value)) {
            return used;
        }
    }
}

/* Whether the sign is a minus, of zero too. signbit() of some systems converts to float. */
static bool is_negative(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63U != 0;
}

size_t mcpw_format_double(char *out, double value) {
    size_t sign = 0;
    size_t used = 0;
    if (is_negative(value)) {
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
            used = mcpw_format_short(out, value);
        }
    }
    if (used == 0) {
        used = format_by_library(out, value);
    }
    return sign + used;
}
