/* SPDX-License-Identifier: MIT */
/* Finds the message in a line of a log, and the information around it. */
#ifndef MCPWIRE_UNWRAP_H
#define MCPWIRE_UNWRAP_H

#include "side.h"

#include <mcpw/arena.h>
#include <mcpw/error.h>
#include <mcpw/json.h>

#include <stdbool.h>
#include <stdint.h>

/* JSON pointers (RFC 6901) from the root of a line; NULL: not given. */
typedef struct unwrap_settings {
    const char *message;
    const char *session;
    bool records;       /* lines may be records of mcpwire tap */
    unsigned max_depth; /* of a line */
} unwrap_settings;

typedef struct unwrapped {
    bool begins;     /* the line begins a session, and contains no message */
    bool refuses;    /* the line notes that a request was refused, and contains no message */
    mcpw_json text;  /* of the message */
    size_t offset;   /* the offset of text in the line; 0 if the line contains it in another form */
    mcpw_id session; /* absent: unknown */
    bool has_side;
    side from;
    int64_t time; /* of a record: ms since 1970; 0: unknown */
} unwrapped;

/* True if text is a JSON pointer that unwrap supports. */
bool unwrap_is_pointer(const char *text);

/* The value at a pointer from root. False: there is none. */
bool unwrap_find(mcpw_json root, const char *pointer, mcpw_json *out);

/* Splits a line by the pointers. Without a pointer for the message, a record is read as such, and any other
 * line is the message itself. *out refers to the line and the arena. */
MCPW_NODISCARD mcpw_status unwrap(const unwrap_settings *set, mcpw_json line, mcpw_arena *arena,
                                  unwrapped *out, mcpw_error *error);

#endif
