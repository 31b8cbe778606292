/* SPDX-License-Identifier: MIT */
/* Digits with a decimal point. */
#include "number_parts.h"

#include <string.h>

size_t mcpw_put_decimals(char *out, const char *digits, size_t count, size_t decimals) {
    size_t used = 0;
    if (decimals >= count) {
        out[used++] = '0';
        out[used++] = '.';
        while (decimals > count) {
            out[used++] = '0';
            decimals--;
        }
        memcpy(out + used, digits, count);
        return used + count;
    }
    memcpy(out, digits, count - decimals);
    used = count - decimals;
    out[used++] = '.';
    memcpy(out + used, digits + (count - decimals), decimals);
    return used + decimals;
}
