/* SPDX-License-Identifier: MIT */
/* Messages put together by our own hands (print.h). */
#include "print.h"

#if defined(MCPW_NO_STDIO) && !defined(MCPW_NO_ERROR_TEXT)
#include <stdbool.h>
#include <stdint.h>

enum { NUMBER_DIGITS = 20 }; /* of 64 bits */

/* The message so far: no more than size bytes are written, but all are counted. */
typedef struct sink {
    char *out;
    size_t size;
    size_t len;
} sink;

static void put(sink *s, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++, s->len++) {
        if (s->len < s->size) {
            s->out[s->len] = text[i];
        }
    }
}

static void put_number(sink *s, unsigned long value, bool negative) {
    char digits[NUMBER_DIGITS + 1];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + (char)(value % 10));
        value /= 10;
    } while (value != 0);
    if (negative) {
        digits[--at] = '-';
    }
    put(s, digits + at, sizeof digits - at);
}

static size_t bounded_length(const char *text, size_t most) {
    size_t len = 0;
    while (len < most && text[len] != '\0') {
        len++;
    }
    return len;
}

int mcpw_vprint(char *out, size_t size, const char *fmt, va_list args) {
    sink s = {out, size - 1, 0};
    for (; *fmt != '\0'; fmt++) {
        size_t most = SIZE_MAX;
        if (*fmt != '%') {
            put(&s, fmt, 1);
            continue;
        }
        fmt++;
        if (fmt[0] == '.' && fmt[1] == '*') {
            const int precision = va_arg(args, int);
            most = precision < 0 ? SIZE_MAX : (size_t)precision;
            fmt += 2;
        } else if (*fmt == '.') {
            for (most = 0, fmt++; *fmt >= '0' && *fmt <= '9'; fmt++) {
                most = most * 10 + (size_t)(*fmt - '0');
            }
        }
        if (*fmt == 's') {
            const char *const text = va_arg(args, const char *);
            put(&s, text, bounded_length(text, most));
        } else if (*fmt == 'u') {
            put_number(&s, va_arg(args, unsigned), false);
        } else if (fmt[0] == 'l' && fmt[1] == 'd') {
            const long value = va_arg(args, long);
            put_number(&s, value < 0 ? 0UL - (unsigned long)value : (unsigned long)value, value < 0);
            fmt++;
        } else if (fmt[0] == 'z' && fmt[1] == 'u') {
            put_number(&s, (unsigned long)va_arg(args, size_t), false);
            fmt++;
        } else {
            put(&s, fmt, 1);
        }
    }
    out[s.len < s.size ? s.len : s.size] = '\0';
    return (int)s.len;
}

#endif
