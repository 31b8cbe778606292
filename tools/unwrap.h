/* SPDX-License-Identifier: MIT */
/* Where the message stands in a line of a log, and what the line says about it. */
#ifndef MCPWIRE_UNWRAP_H
#define MCPWIRE_UNWRAP_H

#include "side.h"

#include <mcpw/arena.h>
#include <mcpw/error.h>
#include <mcpw/json.h>

#include <stdbool.h>

/* JSON pointers (RFC 6901) from the root of a line; NULL: not given. */
typedef struct unwrap_settings {
    const char *message;
    const char *session;
    bool records;       /* lines may be what mcpwire tap recorded */
    unsigned max_depth; /* of a line */
} unwrap_settings;

typedef struct unwrapped {
    bool begins;     /* the line tells that a session begins, and holds no message */
    mcpw_json text;  /* of the message */
    size_t offset;   /* where that begins in the line; 0 if it does not stand in it as it is */
    mcpw_id session; /* absent: not told */
    bool has_side;
    side from;
} unwrapped;

/* Whether text is a JSON pointer that unwrap can follow. */
bool unwrap_is_pointer(const char *text);

/* The value at a pointer from root. False: there is none. */
bool unwrap_find(mcpw_json root, const char *pointer, mcpw_json *out);

/* Takes a line apart: by the pointers, and without one for the message as a record, where it is one. Else the
 * line is the message itself. What *out refers to lies in the line or the arena. */
MCPW_NODISCARD mcpw_status unwrap(const unwrap_settings *set, mcpw_json line, mcpw_arena *arena,
                                  unwrapped *out, mcpw_error *error);

#endif
