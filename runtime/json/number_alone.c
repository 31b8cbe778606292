/* SPDX-License-Identifier: MIT */
/* Doubles as digits and back by our own arithmetic (decimal.h). */
#include "number_parts.h"

#if defined(MCPW_NO_STDIO)
#include "decimal.h"

double mcpw_nearest_double(const mcpw_decimal *d) {
    mcpw_digits digits;
    digits.count = 0;
    digits.point = (int)d->scale;
    digits.more = d->count > MCPW_MAX_DIGITS;
    while (digits.count < d->count && digits.count < MCPW_MAX_DIGITS) {
        digits.digit[digits.count] = (unsigned char)mcpw_digit_at(d, digits.count);
        digits.count++;
    }
    return mcpw_digits_to_double(&digits);
}

mcpw_scientific mcpw_round_digits(double value, int digits) {
    mcpw_scientific s = {{0}, 0, 0};
    mcpw_digits d;
    mcpw_digits_of_double(&d, value);
    mcpw_digits_round(&d, (unsigned)digits);
    for (; s.count < d.count; s.count++) {
        s.digits[s.count] = (char)('0' + (char)d.digit[s.count]);
    }
    s.exponent = d.point - 1;
    return s;
}
#endif
