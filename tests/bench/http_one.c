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

#include <mcpw/http.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 20, EXIT_USAGE = 2, ARGUMENTS = 4, DECIMAL = 10, MOST_FIELDS = 8, ID = 64, MS = 1 };

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

typedef struct site {
    const dialect *dialect;
    mcpw_server *tools;
    mcpw_endpoint *endpoint;
    mcpw_http_server *http;
    char session[ID + 1]; /* of the calls; empty: none */
    uint64_t now;
} site;

/* ---- Requests ---- */

static size_t put_field(mcpw_http_field *fields, size_t count, const char *name, const char *value) {
    fields[count] = (mcpw_http_field){mcpw_str_from(name), mcpw_str_from(value)};
    return count + 1;
}

static mcpw_http_exchange *send_request(site *s, const char *body, const char *method, const char *name) {
    mcpw_http_field fields[MOST_FIELDS];
    mcpw_http_exchange *exchange = NULL;
    size_t n = put_field(fields, 0, "Host", "127.0.0.1:8080");
    n = put_field(fields, n, "Accept", "application/json, text/event-stream");
    n = put_field(fields, n, "MCP-Protocol-Version", s->dialect->revision);
    n = body != NULL ? put_field(fields, n, "Content-Type", "application/json") : n;
    n = s->session[0] != '\0' ? put_field(fields, n, "Mcp-Session-Id", s->session) : n;
    if (s->dialect->listen != NULL) {
        n = put_field(fields, n, "Mcp-Method", method);
        n = name != NULL ? put_field(fields, n, "Mcp-Name", name) : n;
    }
    const mcpw_http_request request = {mcpw_str_from(body != NULL ? "POST" : "GET"),
                                       MCPW_STR_VALUE("/mcp"),
                                       fields,
                                       n,
                                       {NULL, 0},
                                       {NULL, 0}};
    if (mcpw_http_begin(s->http, &request, s, &exchange) != MCPW_OK) {
        return NULL;
    }
    if (body != NULL) {
        mcpw_http_body(exchange, body, strlen(body));
        mcpw_http_body_end(exchange);
    }
    return exchange;
}

/* Takes what there is to send; whether it is the response, of that status. */
static bool take(site *s, mcpw_http_exchange *exchange, int status) {
    mcpw_http_output output;
    bool good = false;
    while (exchange != NULL && mcpw_http_next(exchange, &output) && output.step != MCPW_HTTP_END) {
        good = good || (output.step == MCPW_HTTP_HEAD && output.status == status);
        for (size_t i = 0; output.step == MCPW_HTTP_HEAD && i < output.field_count; i++) {
            if (strncmp(output.fields[i].name.ptr, "Mcp-Session-Id", output.fields[i].name.len) == 0) {
                (void)snprintf(s->session, sizeof s->session, "%.*s", (int)output.fields[i].value.len,
                               output.fields[i].value.ptr);
            }
        }
    }
    return good;
}

/* A request and all that a loop does about it. */
static bool pass(site *s) {
    mcpw_http_exchange *const exchange = send_request(s, s->dialect->call, "tools/call", "echo");
    const bool good = take(s, exchange, 200);
    if (exchange != NULL) {
        mcpw_http_close(exchange);
    }
    s->now += MS;
    mcpw_http_advance(s->http, s->now);
    return good && mcpw_http_ready(s->http) == NULL && mcpw_http_deadline(s->http) > s->now;
}

static bool run(site *s, unsigned long times) {
    bool good = true;
    for (unsigned long i = 0; good && i < WARM_UP + times; i++) {
        good = pass(s);
    }
    return good;
}

/* ---- The site ---- */

static bool start(site *s, size_t streams) {
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    const mcpw_allocator standard = {NULL, NULL};
    mcpw_error error;
    s->tools = bench_echo_server(standard);
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = s->tools;
    s->endpoint = s->tools != NULL ? mcpw_endpoint_new(&sessions, &error) : NULL;
    config.endpoint = s->endpoint;
    config.max_sessions = config.max_exchanges = streams + 2;
    config.keep_alive_ms = config.body_timeout_ms = WARM_UP * UINT32_MAX; /* no comments meanwhile */
    s->http = s->endpoint != NULL ? mcpw_http_server_new(&config, &error) : NULL;
    return s->http != NULL;
}

/* If the revision has sessions, one is open afterwards. */
static bool open_session(site *s) {
    static const char initialize[] =
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
        "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1.0.0\"}}}";
    static const char initialized[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    if (s->dialect->listen != NULL) {
        return true;
    }
    s->session[0] = '\0';
    mcpw_http_exchange *exchange = send_request(s, initialize, NULL, NULL);
    bool good = take(s, exchange, 200);
    mcpw_http_close(exchange);
    exchange = good ? send_request(s, initialized, NULL, NULL) : NULL;
    good = take(s, exchange, 202);
    if (exchange != NULL) {
        mcpw_http_close(exchange);
    }
    return good;
}

/* Each in a session of its own where there are sessions; they stay open until the server goes. */
static bool open_streams(site *s, size_t count) {
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good = open_session(s) &&
               take(s, send_request(s, s->dialect->listen, "subscriptions/listen", NULL), 200);
    }
    return good && open_session(s) && mcpw_http_ready(s->http) == NULL;
}

int main(int argc, char **argv) {
    site s = {0};
    for (size_t i = 0; argc == ARGUMENTS && i < sizeof dialects / sizeof *dialects; i++) {
        s.dialect = strcmp(argv[1], dialects[i].revision) == 0 ? dialects + i : s.dialect;
    }
    if (s.dialect == NULL) {
        fprintf(stderr, "usage: bench_http_one REVISION STREAMS TIMES\n");
        return EXIT_USAGE;
    }
    const size_t streams = strtoul(argv[2], NULL, DECIMAL);
    const bool good =
        start(&s, streams) && open_streams(&s, streams) && run(&s, strtoul(argv[3], NULL, DECIMAL));
    if (!good) {
        fprintf(stderr, "http_one: a request was not answered as it should be\n");
    }
    mcpw_http_server_free(s.http);
    mcpw_endpoint_free(s.endpoint);
    mcpw_server_free(s.tools);
    return good ? 0 : 1;
}
