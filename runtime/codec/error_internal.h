/* SPDX-License-Identifier: MIT */
/* Filling in the caller's error record, without allocating. Every record may be NULL. */
#ifndef MCPW_ERROR_INTERNAL_H
#define MCPW_ERROR_INTERNAL_H

#include <mcpw/error.h>

#include <stdarg.h>

#include "../base/compiler.h"

#if defined(__MINGW32__) /* "printf" is that of an older Windows there, without %zu */
#define MCPW_PRINTF(fmt, first) __attribute__((format(gnu_printf, fmt, first)))
#elif defined(__GNUC__) || defined(__clang__)
#define MCPW_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define MCPW_PRINTF(fmt, first)
#endif

#if defined(MCPW_NO_ERROR_TEXT)
/* Takes what a message would have been made of, and evaluates none of it. */
int mcpw_no_text(const char *fmt, ...) MCPW_PRINTF(1, 2);
#define MCPW_WITHOUT_TEXT(...) ((void)sizeof mcpw_no_text(__VA_ARGS__))
#define MCPW_UNUSED_TEXT(text) ((void)sizeof *(text))
#endif

/* Starts a record: what went wrong, with an empty path. A message that is too long is cut between
 * characters. fmt must not print doubles: their decimal point depends on the locale. */
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_error_set(error, code, offset, ...)                                                             \
    (MCPW_WITHOUT_TEXT(__VA_ARGS__), mcpw_error_place((error), (code), (offset)))
#else
MCPW_COLD MCPW_API void mcpw_error_set(mcpw_error *error, mcpw_status code, size_t offset, const char *fmt,
                                       ...) MCPW_PRINTF(4, 5);
#endif

/* The same without a message. */
MCPW_COLD void mcpw_error_place(mcpw_error *error, mcpw_status code, size_t offset);

/* The same with a text as it is: most messages are one, and calls with variable arguments are long. */
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_error_text(error, code, offset, text)                                                           \
    (MCPW_UNUSED_TEXT(text), mcpw_error_place((error), (code), (offset)))
#else
MCPW_COLD void mcpw_error_text(mcpw_error *error, mcpw_status code, size_t offset, const char *text);
#endif

/* The same with the status's own text and offset 0. Returns the status. */
MCPW_COLD mcpw_status mcpw_error_status(mcpw_error *error, mcpw_status status);

/* vsnprintf. Where there is no stdio: for %s with or without a precision, %ld, %u and %zu, which is all that
 * messages need. */
MCPW_COLD int mcpw_vprint(char *out, size_t size, const char *fmt, va_list args);

/* A part of a message; nothing where messages are left out. */
#if defined(MCPW_NO_ERROR_TEXT)
#define MCPW_TEXT(text) ""
#define MCPW_TEXT_ARRAY(text) ""
#else
#define MCPW_TEXT(text) (text)
#define MCPW_TEXT_ARRAY(text) text
#endif

/* The path is built from the inside out while the stack unwinds: each call puts one segment before what is
 * there. Once the left was cut, marked by "...", further calls change nothing. */
MCPW_COLD MCPW_API void mcpw_error_prepend_key(mcpw_error *error, const char *key, size_t len);
MCPW_COLD void mcpw_error_prepend_index(mcpw_error *error, size_t index);

/* Bytes that an excerpt takes at most, its NUL included. */
enum { MCPW_EXCERPT_SIZE = 48 };

/* Writes as much of text to out, NUL-terminated, as fits in size bytes, in a form that a terminal can show:
 * control characters, what turns the direction of writing and bytes that are not UTF-8 as \xNN. Returns
 * how many bytes of text that took. */
MCPW_COLD MCPW_API size_t mcpw_put_printable(char *out, size_t size, const char *text, size_t len);

/* Writes the beginning of text to out so that it can stand in a message: printable as above, cut between
 * characters and marked with "...". Returns out. */
MCPW_COLD MCPW_API const char *mcpw_excerpt(char out[MCPW_EXCERPT_SIZE], const char *text, size_t len);

#endif
