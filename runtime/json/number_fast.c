/* SPDX-License-Identifier: MIT */
/* Fast ways from text to numbers and back, for what people and programs write. */
#include "number_parts.h"

#if !defined(MCPW_SMALL)
#include "number_fast.h"

enum { UINT64_DIGITS = 19, MAX_FAST_DECIMALS = 15 }; /* the first: digits that always fit */

static const uint64_t double_mantissa_limit = UINT64_C(1) << 53;
static const double exact_half_limit = 4503599627370496.0; /* 2^52: below it a half can be added exactly */

const double mcpw_powers_of_ten[MCPW_EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* With a mantissa and a power of ten that are both exact, one operation rounds once, so the result is right.
 * That needs MCPW_PLAIN_DOUBLES. */
bool mcpw_exact_double(const mcpw_decimal *d, double *out) {
    const int64_t exponent = d->scale - (int64_t)d->count;
    uint64_t mantissa = 0;
    if (!MCPW_PLAIN_DOUBLES || d->count > UINT64_DIGITS || exponent > MCPW_EXACT_POWER ||
        exponent < -MCPW_EXACT_POWER) {
        return false;
    }
    for (size_t i = 0; i < d->count; i++) {
        mantissa = mantissa * 10 + mcpw_digit_at(d, i);
    }
    if (mantissa > double_mantissa_limit) {
        return false;
    }
    *out = exponent < 0 ? (double)mantissa / mcpw_powers_of_ten[-exponent]
                        : (double)mantissa * mcpw_powers_of_ten[exponent];
    return true;
}

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

size_t mcpw_format_unsigned(char *out, uint64_t value) {
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

/* Writes integer / 10^k, where the division leaves a rest. */
static size_t put_short(char *out, uint64_t integer, size_t k) {
    char digits[MCPW_INT_SIZE];
    if (k == 1) { /* the most frequent case */
        const size_t used = mcpw_format_unsigned(out, integer / 10);
        out[used] = '.';
        out[used + 1] = (char)('0' + (char)(integer % 10));
        return used + 2;
    }
    return mcpw_put_decimals(out, digits, mcpw_format_unsigned(digits, integer), k);
}

/* Writes numbers with few decimals, as people and programs write them. It looks for the first k for which
 * value * 10^k, give or take its rounding, is an integer that leads back to value. 0 when there is none. */
size_t mcpw_format_short(char *out, double value) {
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
