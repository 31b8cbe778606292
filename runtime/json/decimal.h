/* SPDX-License-Identifier: MIT */
/* Decimal digits to double and back without the C library's help, for builds without stdio. Slow beside
 * strtod, small, and right in the last bit. */
#ifndef MCPW_DECIMAL_H
#define MCPW_DECIMAL_H

#include <stdbool.h>

/* More than the 767 digits that can decide how a double is rounded, which is also as many as one can have. */
enum { MCPW_MAX_DIGITS = 800 };

/* 0.d1 d2 d3... * 10^point, without zeros at either end; no digits: zero. */
typedef struct mcpw_digits {
    unsigned char digit[MCPW_MAX_DIGITS]; /* 0 to 9 */
    unsigned count;
    int point;
    bool more; /* something that is not zero was cut off after the last digit */
} mcpw_digits;

/* The nearest double, ties to even; infinity when it is too large. Changes d. */
double mcpw_digits_to_double(mcpw_digits *d);

/* All digits of a double that is finite and not negative. */
void mcpw_digits_of_double(mcpw_digits *d, double value);

/* Rounds to `count` digits at most, ties to even. */
void mcpw_digits_round(mcpw_digits *d, unsigned count);

#endif
