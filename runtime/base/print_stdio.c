/* SPDX-License-Identifier: MIT */
/* Messages put together by the C library (print.h). */
#include "print.h"

#if !defined(MCPW_NO_STDIO) && !defined(MCPW_NO_ERROR_TEXT)
#include <stdio.h>

int mcpw_vprint(char *out, size_t size, const char *fmt, va_list args) {
    return vsnprintf(out, size, fmt, args);
}

#endif
