/* SPDX-License-Identifier: MIT */
/* Integers to text. */
#include "number_parts.h"

size_t mcpw_format_int(char *out, int64_t value) {
    if (value >= 0) {
        return mcpw_format_unsigned(out, (uint64_t)value);
    }
    out[0] = '-';
    return 1 + mcpw_format_unsigned(out + 1, 0 - (uint64_t)value);
}
