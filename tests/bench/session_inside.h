/* SPDX-License-Identifier: MIT */
/* The load of the session bench without a process around it: calls go into a session, answers come out. */
#ifndef BENCH_SESSION_INSIDE_H
#define BENCH_SESSION_INSIDE_H

#include "session_load.h"

#include <mcpw/session.h>

enum { BENCH_BATCH = 64 /* calls of a pass */ };

/* How the echo tool is served, and whom. */
typedef struct bench_case {
    const char *name;
    bool typed; /* by a slot; else by the registry */
    const bench_dialect *dialect;
} bench_case;

typedef struct bench_inside {
    const bench_case *about;
    mcpw_server *server; /* NULL: typed */
    mcpw_endpoint *endpoint;
    mcpw_session *session;
    char *calls; /* of one pass */
    size_t len;
} bench_inside;

size_t bench_case_count(void);
bench_case bench_case_at(size_t index);

/* Makes so many sessions of one endpoint, and frees each. */
bool bench_inside_make(const bench_case *about, mcpw_allocator allocator, unsigned long count);

/* Opens a session as its client does. Says on stderr what is wrong and returns false then. */
MCPW_NODISCARD bool bench_inside_open(bench_inside *inside, const bench_case *about,
                                      mcpw_allocator allocator);
/* One batch: fed at once, its answers taken at once. */
MCPW_NODISCARD bool bench_inside_pass(const bench_inside *inside);
/* Whether what waits to be sent answers the calls of a pass. It is taken. */
MCPW_NODISCARD bool bench_inside_check(const bench_inside *inside);
void bench_inside_close(bench_inside *inside);

#endif
