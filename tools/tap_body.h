/* SPDX-License-Identifier: MIT */
/* The body of a request that a tap passes on: it is read as a whole, in memory or in a file. */
#ifndef MCPWIRE_TAP_BODY_H
#define MCPWIRE_TAP_BODY_H

#include <mcpw/arena.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    BODY_MOST = 1 << 27,    /* bytes of a body */
    BODY_MOST_ALL = 1 << 28 /* bytes of all bodies at once */
};

typedef enum body_verdict {
    BODY_TAKEN,
    BODY_TOO_LONG, /* and nothing of it is kept */
    BODY_NO_ROOM,  /* for all bodies; nothing of it is kept */
    BODY_FAILED    /* no memory, or no file */
} body_verdict;

/* Initialise by BODY_INIT, then body_free. */
typedef struct tap_body {
    atomic_size_t *all; /* bytes of all bodies */
    size_t len;
    FILE *file; /* a long body; NULL: it is in memory */
    mcpw_buffer bytes;
    size_t read;
    body_verdict verdict;
} tap_body;

#define BODY_INIT(count)                                                                                     \
    { .all = (count), .bytes = MCPW_BUFFER_INIT }

/* Takes more bytes, unless an earlier call did not. */
body_verdict body_take(tap_body *body, const char *bytes, size_t len);
/* Goes to the beginning, and returns the length. */
size_t body_rewind(tap_body *body);
/* Reads on. 0: there is no more. */
size_t body_read(tap_body *body, char *to, size_t room);
void body_free(tap_body *body);

#endif
