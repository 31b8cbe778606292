/* SPDX-License-Identifier: MIT */
/* Short texts put together: by the C library (print_stdio.c), or by the codec's own code where the build
 * leaves stdio out (print_alone.c). Formats have %s, %.*s, %u, %ld and %zu. */
#ifndef MCPW_SESSION_PRINT_H
#define MCPW_SESSION_PRINT_H

#include <mcpw/error.h>

#include <stdarg.h>

/* As snprintf and vsnprintf: at most size bytes, of which the last is a NUL. */
int mcpw_print_text(char *out, size_t size, const char *format, ...) MCPW_PRINTF(3, 4);
int mcpw_vprint_text(char *out, size_t size, const char *format, va_list arguments) MCPW_PRINTF(3, 0);

#endif
