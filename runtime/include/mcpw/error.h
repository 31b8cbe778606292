/* SPDX-License-Identifier: MIT */
/* Status codes and the error record that every failing call fills in. A library that was built with
 * MCPW_WITH_ERROR_TEXT=OFF leaves every message empty. With MCPW_WITH_ERROR_PATH=OFF it leaves every path
 * empty. code and offset are always filled in. */
#ifndef MCPW_ERROR_H
#define MCPW_ERROR_H

#include <mcpw/base.h>

/* All statuses as X(name, number, text). The numbers are part of the ABI and never change meaning. */
#define MCPW_STATUS_LIST(X)                                                                                  \
    X(OK, 0, "success")                                                                                      \
    X(E_SYNTAX, 1, "text is not valid JSON")                                                                 \
    X(E_UTF8, 2, "text is not valid UTF-8")                                                                  \
    X(E_TYPE, 3, "value has the wrong JSON type")                                                            \
    X(E_VALUE, 4, "value is not one of those allowed")                                                       \
    X(E_RANGE, 5, "number is outside its bounds")                                                            \
    X(E_OVERFLOW, 6, "number does not fit its C type")                                                       \
    X(E_LENGTH, 7, "length is outside its bounds")                                                           \
    X(E_MISSING, 8, "required member is missing")                                                            \
    X(E_UNEXPECTED, 9, "member is not allowed here")                                                         \
    X(E_DUPLICATE, 10, "member occurs twice")                                                                \
    X(E_UNION, 11, "value matches no alternative")                                                           \
    X(E_FORMAT, 12, "text breaks the format that the specification asks for")                                \
    X(E_MESSAGE, 13, "value is not a JSON-RPC message")                                                      \
    X(E_METHOD, 14, "method is unknown to the revision")                                                     \
    X(E_DEPTH, 15, "nesting is deeper than the limit")                                                       \
    X(E_SIZE, 16, "text is longer than the limit")                                                           \
    X(E_ELEMENTS, 17, "more elements than the limit")                                                        \
    X(E_WORK, 18, "union alternatives cost more re-reading than the limit")                                  \
    X(E_ARENA, 19, "arena limit reached")                                                                    \
    X(E_MEMORY, 20, "allocation failed")                                                                     \
    X(E_ARGUMENT, 21, "argument is not usable")                                                              \
    X(E_NOT_FOUND, 22, "no such member, type or revision")                                                   \
    X(PENDING, 23, "not an error: the result comes later")                                                   \
    X(E_STATE, 24, "call is not allowed in this state")                                                      \
    X(E_CLOSED, 25, "session is closed")                                                                     \
    X(E_TIMEOUT, 26, "no response in time")                                                                  \
    X(E_CANCELLED, 27, "request was cancelled")                                                              \
    X(E_REMOTE, 28, "peer answered with an error")                                                           \
    X(E_CAPABILITY, 29, "peer has not declared the capability")                                              \
    X(E_VERSION, 30, "no protocol revision in common")                                                       \
    X(E_PROJECTION, 31, "value cannot be expressed in the peer's revision")                                  \
    X(E_IO, 32, "input or output failed")                                                                    \
    X(E_FULL, 33, "too much output waits to be sent")                                                        \
    X(E_THREAD, 34, "session belongs to another thread")                                                     \
    X(E_HTTP, 35, "the HTTP response has no message")                                                        \
    X(E_UNAUTHORIZED, 36, "the server requires credentials that this end has not given")                     \
    X(E_CONNECTION, 37, "the connection failed or broke")

/* The status of a call: MCPW_OK, or the kind of failure. mcpw_status_text() returns the sentences behind the
 * names. */
typedef enum mcpw_status {
    MCPW_OK = 0,              /* success */
    MCPW_E_SYNTAX = 1,        /* text is not valid JSON */
    MCPW_E_UTF8 = 2,          /* text is not valid UTF-8 */
    MCPW_E_TYPE = 3,          /* value has the wrong JSON type */
    MCPW_E_VALUE = 4,         /* value is not one of those allowed */
    MCPW_E_RANGE = 5,         /* number is outside its bounds */
    MCPW_E_OVERFLOW = 6,      /* number does not fit its C type */
    MCPW_E_LENGTH = 7,        /* length is outside its bounds */
    MCPW_E_MISSING = 8,       /* required member is missing */
    MCPW_E_UNEXPECTED = 9,    /* member is not allowed here */
    MCPW_E_DUPLICATE = 10,    /* member occurs twice */
    MCPW_E_UNION = 11,        /* value matches no alternative */
    MCPW_E_FORMAT = 12,       /* text breaks the format that the specification asks for */
    MCPW_E_MESSAGE = 13,      /* value is not a JSON-RPC message */
    MCPW_E_METHOD = 14,       /* method is unknown to the revision */
    MCPW_E_DEPTH = 15,        /* nesting is deeper than the limit */
    MCPW_E_SIZE = 16,         /* text is longer than the limit */
    MCPW_E_ELEMENTS = 17,     /* more elements than the limit */
    MCPW_E_WORK = 18,         /* union alternatives cost more re-reading than the limit */
    MCPW_E_ARENA = 19,        /* arena limit reached */
    MCPW_E_MEMORY = 20,       /* allocation failed */
    MCPW_E_ARGUMENT = 21,     /* argument is not usable */
    MCPW_E_NOT_FOUND = 22,    /* no such member, type or revision */
    MCPW_PENDING = 23,        /* not an error: the result comes later */
    MCPW_E_STATE = 24,        /* call is not allowed in this state */
    MCPW_E_CLOSED = 25,       /* session is closed */
    MCPW_E_TIMEOUT = 26,      /* no response in time */
    MCPW_E_CANCELLED = 27,    /* request was cancelled */
    MCPW_E_REMOTE = 28,       /* peer answered with an error */
    MCPW_E_CAPABILITY = 29,   /* peer has not declared the capability */
    MCPW_E_VERSION = 30,      /* no protocol revision in common */
    MCPW_E_PROJECTION = 31,   /* value cannot be expressed in the peer's revision */
    MCPW_E_IO = 32,           /* input or output failed */
    MCPW_E_FULL = 33,         /* too much output waits to be sent */
    MCPW_E_THREAD = 34,       /* session belongs to another thread */
    MCPW_E_HTTP = 35,         /* the HTTP response has no message */
    MCPW_E_UNAUTHORIZED = 36, /* the server requires credentials that this end has not given */
    MCPW_E_CONNECTION = 37    /* the connection failed or broke */
} mcpw_status;

/* Sizes of the texts of a mcpw_error, NUL included. */
enum {
    MCPW_ERROR_PATH_SIZE = 256,   /* of path */
    MCPW_ERROR_MESSAGE_SIZE = 192 /* of message */
};

/* The reason and the place of an error. The caller provides the record; filling it in allocates nothing. A
 * mcpw_error pointer that a call takes may be NULL. On success it has no meaning: its code may be set to
 * MCPW_OK. */
typedef struct mcpw_error {
    mcpw_status code;                /* the kind of error */
    size_t offset;                   /* bytes from the start of the text; 0 for structs */
    char path[MCPW_ERROR_PATH_SIZE]; /* JSON Pointer, unprintable bytes as \xNN; begins with "..." if cut */
    char message[MCPW_ERROR_MESSAGE_SIZE]; /* "expected object, got array" */
} mcpw_error;

/* Lets the compiler check a format against its arguments. */
#if defined(__MINGW32__) && !defined(__clang__) /* whose "printf" is an older one, without %zu */
#define MCPW_PRINTF(fmt, first) __attribute__((format(gnu_printf, fmt, first)))
#elif defined(__GNUC__) || defined(__clang__)
#define MCPW_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define MCPW_PRINTF(fmt, first)
#endif

MCPW_BEGIN_DECLS

/* The identifier of a status, such as "MCPW_E_TYPE"; never NULL. It is "" in a library without
 * MCPW_WITH_ERROR_TEXT. */
MCPW_API const char *mcpw_status_name(mcpw_status code);

/* One general sentence about a status; never NULL. */
MCPW_API const char *mcpw_status_text(mcpw_status code);

/* ---- Filling in a record of one's own ---- */

/* Fills in an error with an empty path. fmt and its arguments are those of printf, except doubles, whose
 * decimal point would depend on the locale. A library without stdio knows %s, %.*s, %ld, %u and %zu. A
 * message that is too long is cut between characters. error may be NULL, here and below. Returns the code.
 */
MCPW_API mcpw_status mcpw_error_set(mcpw_error *error, mcpw_status code, size_t offset, const char *fmt, ...)
    MCPW_PRINTF(4, 5);

/* Puts the name of a member, of len bytes, before the path. A path is made from the inside out. The code that
 * finds the fault in an item makes the error. The code that reads the array then prepends the index, and so
 * on. Once the path was too long and its left part was cut, further calls change nothing. */
MCPW_API void mcpw_error_prepend_key(mcpw_error *error, const char *key, size_t len);
/* The same for the index of an item, from 0. */
MCPW_API void mcpw_error_prepend_index(mcpw_error *error, size_t index);

/* ---- Foreign text in messages ---- */

enum {
    MCPW_EXCERPT_SIZE = 48, /* the most bytes of an excerpt, its NUL included */
};

/* Writes the beginning of a foreign text to out, in a form that is safe in a message. Control characters,
 * characters that change the direction of writing and bytes that are not UTF-8 become \xNN. The text is cut
 * between characters and marked with "...". Returns out. */
MCPW_API const char *mcpw_excerpt(char out[MCPW_EXCERPT_SIZE], const char *text, size_t len);

/* Writes as much of a foreign text to out as fits in size bytes (at least 1), NUL-terminated and in the same
 * form, so that a terminal can show it. Returns the number of bytes of text that were used. */
MCPW_API size_t mcpw_put_printable(char *out, size_t size, const char *text, size_t len);

/* The bytes of the UTF-8 character that text begins with, from 1 to 4; 0 if it is malformed or cut off, or if
 * there is no text. */
MCPW_API unsigned mcpw_utf8_length(const unsigned char *text, size_t len);

MCPW_END_DECLS

#endif
