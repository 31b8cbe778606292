/* SPDX-License-Identifier: MIT */
/* How a message is put together: by the C library (print_stdio.c), or without it (print_alone.c). */
#ifndef MCPW_PRINT_H
#define MCPW_PRINT_H

#include <stdarg.h>
#include <stddef.h>

#include "compiler.h"

/* vsnprintf. The one without stdio knows %s with or without a precision, %ld, %u and %zu. Messages need no
 * more. */
MCPW_COLD int mcpw_vprint(char *out, size_t size, const char *fmt, va_list args);

#endif
