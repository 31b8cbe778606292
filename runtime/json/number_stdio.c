/* SPDX-License-Identifier: MIT */
/* Doubles as digits and back by the C library. */
#include "number_parts.h"

#if !defined(MCPW_NO_STDIO)
#include <stdio.h>
#include <stdlib.h>

#include "characters.h"

enum {
    MAX_DIGITS = 800, /* more than the 767 digits that can decide how a double is rounded */
    TEXT_SIZE = MAX_DIGITS + 32
};

/* Uses strtod, on a text without a decimal point: "digits e exponent" means the same in every locale. */
double mcpw_nearest_double(const mcpw_decimal *d) {
    char text[TEXT_SIZE];
    size_t count = d->count < MAX_DIGITS ? d->count : MAX_DIGITS;
    size_t used = count;
    for (size_t i = 0; i < count; i++) {
        text[i] = (char)('0' + mcpw_digit_at(d, i));
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

mcpw_scientific mcpw_round_digits(double value, int digits) {
    enum { SCRATCH = 48 };
    mcpw_scientific s;
    char text[SCRATCH];
    const char *p = text;
    bool negative;
    s.count = 0;
    s.exponent = 0;
    (void)snprintf(text, sizeof text, "%.*e", digits - 1, value);
    for (; *p != 'e'; p++) { /* whatever the locale has for a point is stepped over */
        if (mcpw_is_digit((unsigned char)*p) && s.count < MCPW_EXACT_DIGITS) {
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
