/* SPDX-License-Identifier: MIT */
/* The basis of the fast ways from and to doubles. */
#ifndef MCPW_NUMBER_FAST_H
#define MCPW_NUMBER_FAST_H

#include <float.h>
#include <stdbool.h>

/* Whether an operation on doubles is rounded once, to a double. x87 code rounds to wider registers first. */
#if defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1)
enum { MCPW_PLAIN_DOUBLES = true };
#else
enum { MCPW_PLAIN_DOUBLES = false };
#endif

/* Powers of ten that a double holds exactly: with a mantissa below 2^53 one division or multiplication is
 * correctly rounded. */
enum { MCPW_EXACT_POWER = 22 };
extern const double mcpw_powers_of_ten[MCPW_EXACT_POWER + 1];

#endif
