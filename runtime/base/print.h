/* SPDX-License-Identifier: MIT */
/* Putting a message together: by the C library (print_stdio.c), or without it (print_alone.c). */
#ifndef MCPW_PRINT_H
#define MCPW_PRINT_H

#include <stdarg.h>
#include <stddef.h>

#include "compiler.h"

/* vsnprintf. Where there is no stdio: for %s with or without a precision, %ld, %u and %zu, which is all that
 * messages need. */
MCPW_COLD int mcpw_vprint(char *out, size_t size, const char *fmt, va_list args);

#endif
