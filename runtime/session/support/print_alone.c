/* SPDX-License-Identifier: MIT */
/* Texts put together by the codec's own code (print.h). */
#include "print.h"

#if defined(MCPW_NO_STDIO)
#include "../../base/print.h"

int mcpw_vprint_text(char *out, size_t size, const char *format, va_list arguments) {
    return mcpw_vprint(out, size, format, arguments);
}

int mcpw_print_text(char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int len = mcpw_vprint(out, size, format, arguments);
    va_end(arguments);
    return len;
}

#endif
