/* SPDX-License-Identifier: MIT */
/*
 * Calls the echo tool of a server over HTTP, without sockets, a given number of times after a warm-up, while
 * streams are open that nothing is said on; each time it does all that a loop does about a request. Run under
 * an instruction counter with two numbers, the difference is what the requests alone cost
 * (http_instructions.py).
 *
 *   bench_http_one REVISION STREAMS TIMES
 */
#include "echo.h"

#include "../http_site.h"

#include <stdlib.h>

enum { WARM_UP = 20, EXIT_USAGE = 2, ARGUMENTS = 4, DECIMAL = 10, MS = 1 };

/* The common part of all requests of a revision. */
typedef struct dialect {
    const char *revision;
    const char *call;   /* the body of a call */
    const char *listen; /* that of a request for a stream; NULL: it is a GET */
} dialect;

#define META                                                                                                 \
    ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1.0.0\"},"                     \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}"
#define CALL                                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":1000001,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","           \
    "\"arguments\":{\"message\":\"message number 1000001\"}"

static const dialect dialects[] = {
    {"2026-07-28", CALL META,
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":"
     "{\"toolsListChanged\":true}" META},
    {"2025-11-25", CALL "}}", NULL}};

typedef struct bench {
    const dialect *dialect;
    http_site site; /* its session is that of the calls */
    uint64_t now;
} bench;

/* ---- Requests ---- */

static mcpw_http_exchange *send_request(bench *b, const char *body, const char *method, const char *name) {
    http_site_head head = {.count = 0};
    http_site_add(&head, "Mcp-Session-Id", b->site.session);
    if (b->dialect->listen != NULL) {
        http_site_add(&head, "Mcp-Method", method);
        http_site_add(&head, "Mcp-Name", name);
    }
    return http_site_ask(&b->site, body != NULL ? "POST" : "GET", b->dialect->revision, &head, body);
}

/* A request and all that a loop does about it. */
static bool pass(bench *b) {
    mcpw_http_server *const http = b->site.http;
    const bool good =
        http_site_finish(&b->site, send_request(b, b->dialect->call, "tools/call", "echo"), 200);
    b->now += MS;
    mcpw_http_advance(http, b->now);
    return good && mcpw_http_ready(http) == NULL && mcpw_http_deadline(http) > b->now;
}

static bool run(bench *b, unsigned long times) {
    bool good = true;
    for (unsigned long i = 0; good && i < WARM_UP + times; i++) {
        good = pass(b);
    }
    return good;
}

/* ---- The server ---- */

static bool start(bench *b, size_t streams) {
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    const mcpw_allocator standard = {NULL, NULL};
    config.max_sessions = config.max_exchanges = streams + 2;
    config.keep_alive_ms = config.body_timeout_ms = WARM_UP * UINT32_MAX; /* no comments meanwhile */
    return http_site_open(&b->site, bench_echo_server(standard), &sessions, &config);
}

/* If the revision has sessions, one is open afterwards. */
static bool open_session(bench *b) {
    static const char initialize[] =
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
        "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1.0.0\"}}}";
    static const char initialized[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    http_site *const s = &b->site;
    if (b->dialect->listen != NULL) {
        return true;
    }
    s->session[0] = '\0';
    return http_site_finish(s, send_request(b, initialize, NULL, NULL), 200) &&
           http_site_finish(s, send_request(b, initialized, NULL, NULL), 202);
}

/* Each in a session of its own where there are sessions; they stay open until the server goes. */
static bool open_streams(bench *b, size_t count) {
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good =
            open_session(b) &&
            http_site_take(&b->site, send_request(b, b->dialect->listen, "subscriptions/listen", NULL), 200);
    }
    return good && open_session(b) && mcpw_http_ready(b->site.http) == NULL;
}

int main(int argc, char **argv) {
    bench b = {0};
    for (size_t i = 0; argc == ARGUMENTS && i < sizeof dialects / sizeof *dialects; i++) {
        b.dialect = strcmp(argv[1], dialects[i].revision) == 0 ? dialects + i : b.dialect;
    }
    if (b.dialect == NULL) {
        fprintf(stderr, "usage: bench_http_one REVISION STREAMS TIMES\n");
        return EXIT_USAGE;
    }
    const size_t streams = strtoul(argv[2], NULL, DECIMAL);
    const bool good =
        start(&b, streams) && open_streams(&b, streams) && run(&b, strtoul(argv[3], NULL, DECIMAL));
    if (!good) {
        fprintf(stderr, "http_one: a request was not answered as it should be\n");
    }
    http_site_close(&b.site);
    return good ? 0 : 1;
}
