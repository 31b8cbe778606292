/* SPDX-License-Identifier: MIT */
/* Exact arithmetic on numbers of any size, as text whose grammar was checked. */
#ifndef MCPW_MULTIPLE_H
#define MCPW_MULTIPLE_H

#include <mcpw/base.h>

enum { MCPW_DIVISOR_DIGITS = 512 }; /* that count: a divisor may not have more */

/* Whether the number is an integer: 5, 5.0, 50e-1. */
bool mcpw_is_integral(mcpw_str number);

/* Whether it is below zero, zero, or above. */
int mcpw_sign_of(mcpw_str number);

/* An integer that is not negative, cut at UINT32_MAX. False when it is none. */
bool mcpw_as_count(mcpw_str number, uint32_t *out);

/* The greatest integer that is not above the number; where it has more than 18 digits, INT64_MAX or
 * INT64_MIN. True when the number is that integer. */
bool mcpw_floor_of(mcpw_str number, int64_t *out);

/* Whether a number may be a divisor: above zero, of not too many digits. */
bool mcpw_is_divisor(mcpw_str number);

/* Whether number is an integral multiple of divisor. */
bool mcpw_is_multiple(mcpw_str number, mcpw_str divisor);

/* How many times as much that costs as looking at a value, in about. */
uint64_t mcpw_multiple_work(mcpw_str number, mcpw_str divisor);

#endif
