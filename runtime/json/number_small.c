/* SPDX-License-Identifier: MIT */
/* The fast ways of small builds, of which there are none: the general way leads to the same numbers and
 * texts. */
#include "number_parts.h"

#if defined(MCPW_SMALL)
bool mcpw_exact_double(const mcpw_decimal *d, double *out) {
    (void)d;
    (void)out;
    return false;
}

size_t mcpw_format_short(char *out, double value) {
    (void)out;
    (void)value;
    return 0;
}

size_t mcpw_format_unsigned(char *out, uint64_t value) {
    char digits[MCPW_INT_SIZE];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + (char)(value % 10));
        value /= 10;
    } while (value != 0);
    memcpy(out, digits + at, sizeof digits - at);
    return sizeof digits - at;
}
#endif
