/* SPDX-License-Identifier: MIT */
/* Numbers in parts, for the files that read and write them. Each variant is a whole file with one interface:
 * number_fast.c or number_small.c, number_stdio.c or number_alone.c. */
#ifndef MCPW_NUMBER_PARTS_H
#define MCPW_NUMBER_PARTS_H

#include "../base/compiler.h"
#include "number.h"

/* A number taken apart: 0.d1 d2 d3... * 10^scale, without zeros at either end of the digits. The digits stand
 * in the text, around a point that is passed over. */
typedef struct mcpw_decimal {
    bool negative;
    const char *digits; /* first significant digit */
    size_t count;       /* how many significant digits; 0: the number is zero */
    size_t point;       /* digits before the point, when that lies between them, else count */
    int64_t scale;
} mcpw_decimal;

MCPW_INLINE unsigned mcpw_digit_at(const mcpw_decimal *d, size_t i) {
    return (unsigned)(d->digits[i < d->point ? i : i + 1] - '0');
}

/* Takes the text of a JSON number apart. Exponents are cut where no text that fits in memory makes up for
 * them. */
mcpw_decimal mcpw_take_apart(const char *text, size_t len);

enum { MCPW_EXACT_DIGITS = 17 }; /* every double survives being a decimal of so many digits */

/* A number as so many digits, the first before the point, and an exponent. */
typedef struct mcpw_scientific {
    char digits[MCPW_EXACT_DIGITS + 1];
    size_t count;
    int exponent;
} mcpw_scientific;

/* Writes the digits with a point before the last `decimals` of them; there may be fewer digits than that. */
size_t mcpw_put_decimals(char *out, const char *digits, size_t count, size_t decimals);

/* ---- with speed or with size in mind ---- */

/* The nearest double, where that is easy to say. */
bool mcpw_exact_double(const mcpw_decimal *d, double *out);

/* Writes a number with few decimals; 0 where that is not easy. */
size_t mcpw_format_short(char *out, double value);

size_t mcpw_format_unsigned(char *out, uint64_t value);

/* ---- with the C library or without ---- */

/* The magnitude of a number that is neither zero nor beyond the range of doubles by far. */
double mcpw_nearest_double(const mcpw_decimal *d);

/* Rounds value to so many digits, without zeros at the end. */
mcpw_scientific mcpw_round_digits(double value, int digits);

#endif
