/* SPDX-License-Identifier: MIT */
/* The requests that an end was sent, by which what it says is held against its revision. */
#ifndef MCPW_FUZZ_SIDE_KNOWN_H
#define MCPW_FUZZ_SIDE_KNOWN_H

#include "fuzz.h"

enum { KNOWN_REQUESTS = 128, KNOWN_METHOD = 64, KNOWN_ID = 32 };

typedef struct known_request {
    char id[KNOWN_ID]; /* as JSON text */
    char method[KNOWN_METHOD];
    bool task;
    const mcpw_revision *revision;
} known_request;

typedef struct known_requests {
    known_request list[KNOWN_REQUESTS]; /* the newest take the place of the oldest */
    size_t count;                       /* that came, more than there is room for among them */
} known_requests;

/* Remembers a message that is sent, if it is a request; false: it is no message of the revision. */
bool known_expect(known_requests *known, const mcpw_revision *revision, const char *text, size_t len);
/* Whether a request of that revision came. */
bool known_has(const known_requests *known, const mcpw_revision *revision);
/* Whether a text is a message of the revision, and fits the request that it answers. */
bool known_is_message(const known_requests *known, const mcpw_revision *revision, unsigned flags,
                      const char *text, size_t len, mcpw_error *error);

#endif
