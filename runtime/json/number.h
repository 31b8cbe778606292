/* SPDX-License-Identifier: MIT */
/* Numbers as decimal text. Every text here is one JSON number whose grammar was checked. */
#ifndef MCPW_NUMBER_H
#define MCPW_NUMBER_H

#include <mcpw/error.h>

/* Reads the exact value of a number, which may be written 1.0 or 1e3. MCPW_E_TYPE when it is not integral,
 * MCPW_E_OVERFLOW when it does not fit. *out is left alone then. */
MCPW_NODISCARD mcpw_status mcpw_parse_int64(const char *text, size_t len, int64_t *out);

/* Reads the nearest double, whatever the locale. MCPW_E_OVERFLOW when that would be infinite. */
MCPW_NODISCARD mcpw_status mcpw_parse_double(const char *text, size_t len, double *out);

/* Compares two numbers as exact decimals: negative, 0 or positive. */
int mcpw_compare_decimal(const char *a, size_t alen, const char *b, size_t blen);

enum { MCPW_INT_SIZE = 20, MCPW_DOUBLE_SIZE = 32 }; /* bytes that a formatted number takes at most */

/* Writes the integer in decimal, without a NUL; out has MCPW_INT_SIZE bytes. Returns its length. */
size_t mcpw_format_int(char *out, int64_t value);

/* Writes the shortest decimal that reads back as the same double, as JSON, without a NUL; out has
 * MCPW_DOUBLE_SIZE bytes. value is finite. Returns its length. */
size_t mcpw_format_double(char *out, double value);

#endif
