/* SPDX-License-Identifier: MIT */
/* Texts put together by the C library (print.h). */
#include "print.h"

#if !defined(MCPW_NO_STDIO)
#include <stdio.h>

int mcpw_vprint_text(char *out, size_t size, const char *format, va_list arguments) {
    return vsnprintf(out, size, format, arguments);
}

int mcpw_print_text(char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int len = vsnprintf(out, size, format, arguments);
    va_end(arguments);
    return len;
}

#endif
