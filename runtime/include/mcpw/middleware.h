/* SPDX-License-Identifier: MIT */
/*
 * Middleware that comes with the library: an access log, a rate limit, and trace context. They use only
 * the public functions of <mcpw/extension.h>, so they are examples as well.
 *
 *     mcpw_access_log log = {.write = write_line, .now = tell_time};
 *     const mcpw_middleware middleware = mcpw_access_log_middleware(&log);
 *     status = mcpw_server_add_middleware(server, &middleware, &error);
 *
 * Each function makes a mcpw_middleware that refers to the program's struct. The struct must outlive the
 * sessions. Times come from the program, by a clock that does not go back.
 */
#ifndef MCPW_MIDDLEWARE_H
#define MCPW_MIDDLEWARE_H

#include <mcpw/extension.h>

MCPW_BEGIN_DECLS

/* ---- Access log ---------------------------------------------------------------------------------------- */

/* Writes one JSON object for each request of the peer, when the request ends. Its members are method; tool
 * (the name in the params of tools/call, if it is a string of at most 128 bytes); ms; outcome ("ok",
 * "tool_error", "error" or "cancelled"); code (of an error); principal (if there is one). No line contains
 * arguments, results or tokens. */
typedef struct mcpw_access_log {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    /* Required. Gets a line without its line end. The line lives during the call. */
    void (*write)(void *user, mcpw_str line);
    uint64_t (*now)(void *user); /* the time in ms, by any clock that does not go back; NULL: no ms */
    void *user;                  /* passed to both */
} mcpw_access_log;

/* The middleware of an access log. */
MCPW_SESSION_API mcpw_middleware mcpw_access_log_middleware(mcpw_access_log *log);

/* ---- Rate limit ---------------------------------------------------------------------------------------- */

/* The limits. 0 means the default. */
typedef struct mcpw_rate_limit_config {
    size_t struct_size;    /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    unsigned burst;        /* requests that a principal may make at once; default 60 */
    uint64_t period_ms;    /* ms after which one more request is allowed; default 1000 */
    size_t max_principals; /* principals that are told apart at once; default 1024 */
    /* The code of the error for a refused request; default 429. Its data has retryAfterMs, in ms. */
    int64_t code;
    uint64_t (*now)(void *user); /* the time in ms, as above; required */
    void *user;                  /* passed to now */
    mcpw_allocator allocator;    /* for the table */
} mcpw_rate_limit_config;

/* A table of principals. Sessions of one thread may share it. */
typedef struct mcpw_rate_limit mcpw_rate_limit;

/* Makes a table. Free it with mcpw_rate_limit_free. NULL, with error filled in, if the config has no clock,
 * its limits are too large, or memory runs out. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_rate_limit *mcpw_rate_limit_new(const mcpw_rate_limit_config *config,
                                                                     mcpw_error *error);
/* Frees a table, after the sessions that use it. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_rate_limit_free(mcpw_rate_limit *limit);
/* Refuses requests of a principal beyond the limit. All requests without a principal count together. The
 * table does not grow. A principal for which it has no room counts together with these. A place becomes free
 * when its principal may make a whole burst again. So nobody gets more requests by using many names. */
MCPW_SESSION_API mcpw_middleware mcpw_rate_limit_middleware(mcpw_rate_limit *limit);

/* ---- Trace context ------------------------------------------------------------------------------------- */

/* The trace that a message belongs to. (SEP-414; W3C Trace Context.) */
typedef struct mcpw_trace {
    mcpw_str traceparent; /* "00-<32 hex>-<16 hex>-<2 hex>"; absent: none */
    mcpw_str tracestate;  /* at most 512 bytes, a longer one is left out; absent: none */
} mcpw_trace;

/* The trace in the _meta of a request of the peer. It lives as long as the request. False: there is none, or
 * its traceparent is malformed. */
MCPW_SESSION_API bool mcpw_request_trace(mcpw_request *request, mcpw_trace *trace);

/* The source of traces for messages of this end, such as OpenTelemetry's current span. */
typedef struct mcpw_tracing {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    /* Required. Sets the trace of the message that is sent; its texts are copied. False: it has none. */
    bool (*current)(void *user, mcpw_passage *passage, mcpw_trace *trace);
    void *user; /* passed to current */
} mcpw_tracing;

/* Puts traceparent and tracestate into the _meta of requests of this end. A request that has a traceparent
 * keeps it. */
MCPW_SESSION_API mcpw_middleware mcpw_tracing_middleware(mcpw_tracing *tracing);

MCPW_END_DECLS

#endif
