/* SPDX-License-Identifier: MIT */
/* Filling in the caller's error record, without allocating. Every record may be NULL. */
#ifndef MCPW_ERROR_TEXT_H
#define MCPW_ERROR_TEXT_H

#include <mcpw/error.h>

#include "compiler.h"

#if defined(MCPW_NO_ERROR_TEXT)
/* Stands for a message that is left out: it takes what the message would be made of, and none of it is
 * evaluated. */
int mcpw_no_text(const char *fmt, ...) MCPW_PRINTF(1, 2);
#define MCPW_WITHOUT_TEXT(...) ((void)sizeof mcpw_no_text(__VA_ARGS__))
#define MCPW_UNUSED_TEXT(text) ((void)sizeof *(text))
#endif

/* mcpw_error_set as the codec calls it. */
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_error_set(error, code, offset, ...)                                                             \
    (MCPW_WITHOUT_TEXT(__VA_ARGS__), mcpw_error_place((error), (code), (offset)))
#else
MCPW_COLD MCPW_API mcpw_status mcpw_error_set(mcpw_error *error, mcpw_status code, size_t offset,
                                              const char *fmt, ...) MCPW_PRINTF(4, 5);
#endif

/* The same without a message. */
MCPW_COLD mcpw_status mcpw_error_place(mcpw_error *error, mcpw_status code, size_t offset);

/* The same with a text as it is. Most messages are one, and calls with variable arguments take more code. */
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_error_text(error, code, offset, text)                                                           \
    (MCPW_UNUSED_TEXT(text), mcpw_error_place((error), (code), (offset)))
#else
MCPW_COLD void mcpw_error_text(mcpw_error *error, mcpw_status code, size_t offset, const char *text);
#endif

/* The same with the status's own text and offset 0. Returns the status. */
MCPW_COLD mcpw_status mcpw_error_status(mcpw_error *error, mcpw_status status);

/* A part of a message; nothing where messages are left out. */
#if defined(MCPW_NO_ERROR_TEXT)
#define MCPW_TEXT(text) ""
#define MCPW_TEXT_ARRAY(text) ""
#else
#define MCPW_TEXT(text) (text)
#define MCPW_TEXT_ARRAY(text) text
#endif

/* These are called where decoding has failed. */
#if defined(MCPW_NO_ERROR_PATH)
#define mcpw_error_prepend_key(error, key, len) ((void)(error), (void)(key), (void)(len))
#define mcpw_error_prepend_index(error, index) ((void)(error), (void)(index))
#else
MCPW_COLD MCPW_API void mcpw_error_prepend_key(mcpw_error *error, const char *key, size_t len);
MCPW_COLD MCPW_API void mcpw_error_prepend_index(mcpw_error *error, size_t index);
#endif

#endif
