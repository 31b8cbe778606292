/* SPDX-License-Identifier: MIT */
/*
 * Many clients of one server over HTTP, without sockets: each opens a session, calls a tool, reads a stream,
 * and leaves, in order or not. Memory stays what it was after the first of them. A client takes one ms, so
 * that those who do not say that they leave are a good while there.
 *
 *     soak_http N      N sessions opened and left
 */
#include <mcpw/http.h>
#include <mcpw/json.h>
#include <mcpw/server.h>

#include "steady.h"

enum { DECIMAL = 10, SKIPPED = 77, USAGE = 2, ID = 64, FIELDS = 8, TIMEOUT = 1000 /* ms */ };
enum { OK = 200, ACCEPTED = 202, NO_CONTENT = 204 };

#define CLIENT "{\"name\":\"soak\",\"version\":\"1\"}"

static const char initialize[] =
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},\"clientInfo\":" CLIENT "}}";
static const char initialized[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                           "\"name\":\"greet\",\"arguments\":{},\"_meta\":{\"progressToken\":1}}}";
static const char subscribe[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
    "\"toolsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
    "\"io.modelcontextprotocol/clientInfo\":" CLIENT ",\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

typedef struct site {
    counted memory;
    mcpw_server *tools;
    mcpw_endpoint *endpoint;
    mcpw_http_server *http;
    uint64_t now;
    char session[ID + 1]; /* of the client that is there; empty: none */
} site;

/* Its progress makes a stream of the answer, which the server keeps to be asked for again. */
static mcpw_status greet(mcpw_request *request, const mcpw_tool_call *about, void *user) {
    (void)about;
    (void)user;
    (void)!mcpw_request_progress(request, 1, 2, "halfway");
    return mcpw_respond_text(request, (mcpw_str)MCPW_STR("hello"));
}

/* ---- Requests ---- */

static size_t put(mcpw_http_field *fields, size_t count, const char *name, const char *value) {
    fields[count] = (mcpw_http_field){mcpw_str_from(name), mcpw_str_from(value)};
    return count + 1;
}

static mcpw_http_exchange *ask(site *s, const char *method, const char *body, bool is_modern) {
    mcpw_http_field fields[FIELDS];
    mcpw_http_exchange *exchange = NULL;
    size_t n = put(fields, 0, "Host", "localhost");
    n = put(fields, n, "Accept", "application/json, text/event-stream");
    n = put(fields, n, "MCP-Protocol-Version", is_modern ? "2026-07-28" : "2025-11-25");
    n = body != NULL ? put(fields, n, "Content-Type", "application/json") : n;
    n = is_modern ? put(fields, n, "Mcp-Method", "subscriptions/listen") : n;
    n = !is_modern && s->session[0] != '\0' ? put(fields, n, "Mcp-Session-Id", s->session) : n;
    mcpw_http_request request = {0};
    request.method = mcpw_str_from(method);
    request.path = (mcpw_str)MCPW_STR("/mcp");
    request.fields = fields;
    request.field_count = n;
    if (mcpw_http_begin(s->http, &request, s, &exchange) == MCPW_OK && body != NULL) {
        mcpw_http_body(exchange, body, strlen(body));
        mcpw_http_body_end(exchange);
    }
    return exchange;
}

static void note_session(site *s, const mcpw_http_output *head) {
    for (size_t i = 0; i < head->field_count; i++) {
        if (mcpw_str_is(head->fields[i].name, "Mcp-Session-Id")) {
            (void)snprintf(s->session, sizeof s->session, "%.*s", (int)head->fields[i].value.len,
                           head->fields[i].value.ptr);
        }
    }
}

/* Takes what there is to send; whether it has that status. */
static bool take(site *s, mcpw_http_exchange *exchange, int status) {
    mcpw_http_output output;
    bool good = false;
    while (exchange != NULL && mcpw_http_next(exchange, &output)) {
        if (output.step == MCPW_HTTP_HEAD) {
            good = output.status == status;
            note_session(s, &output);
        } else if (output.step == MCPW_HTTP_END) {
            break;
        }
    }
    return good;
}

static bool finish(site *s, mcpw_http_exchange *exchange, int status) {
    const bool good = take(s, exchange, status);
    if (exchange != NULL) {
        mcpw_http_close(exchange);
    }
    return good;
}

/* A client comes, and leaves in one of three ways. */
static bool visit(site *s, unsigned long i) {
    enum { IN_ORDER, WITH_OPEN_STREAMS, WITHOUT_A_WORD, WAYS };
    s->session[0] = '\0';
    bool good = finish(s, ask(s, "POST", initialize, false), OK) && s->session[0] != '\0' &&
                finish(s, ask(s, "POST", initialized, false), ACCEPTED) &&
                finish(s, ask(s, "POST", call, false), OK);
    mcpw_http_exchange *const stream = ask(s, "GET", NULL, false);
    mcpw_http_exchange *const modern = ask(s, "POST", subscribe, true);
    good = take(s, stream, OK) && take(s, modern, OK) && good;
    const bool is_first = i % WAYS == IN_ORDER;
    if (is_first && stream != NULL) {
        mcpw_http_close(stream);
    }
    if (i % WAYS != WITHOUT_A_WORD) {
        good = finish(s, ask(s, "DELETE", NULL, false), NO_CONTENT) && good;
    }
    if (!is_first && stream != NULL) {
        mcpw_http_close(stream);
    }
    if (modern != NULL) {
        mcpw_http_close(modern);
    }
    s->now++;
    mcpw_http_advance(s->http, s->now);
    while (mcpw_http_ready(s->http) != NULL) {
        good = false; /* nobody is there */
    }
    return good;
}

/* The time of all who have left is over. */
static void wait_for_all(site *s) {
    enum { ROUNDS = 3 };
    for (int i = 0; i < ROUNDS; i++) {
        s->now += 2 * TIMEOUT;
        mcpw_http_advance(s->http, s->now);
        (void)!mcpw_http_ready(s->http);
    }
}

/* ---- The site ---- */

static bool start(site *s) {
    const mcpw_allocator allocator = {counted_resize, &s->memory};
    const mcpw_tool tool = {
        .name = "greet", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = greet};
    mcpw_server_config server = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    server.name = "soak";
    server.version = "1";
    server.allocator = sessions.allocator = config.allocator = allocator;
    s->tools = mcpw_server_new_with(&server, NULL);
    if (s->tools == NULL || mcpw_server_add_tool(s->tools, &tool, NULL) != MCPW_OK) {
        return false;
    }
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = s->tools;
    s->endpoint = mcpw_endpoint_new(&sessions, NULL);
    config.endpoint = s->endpoint;
    config.session_timeout_ms = TIMEOUT;
    s->http = s->endpoint != NULL ? mcpw_http_server_new(&config, NULL) : NULL;
    return s->http != NULL;
}

static bool soak(site *s, unsigned long count) {
    state before = {0};
    bool good = start(s);
    for (unsigned long i = 0; i < count && good; i++) {
        if (i == STEADY_WARM_UP) {
            wait_for_all(s);
            before = look(&s->memory);
        }
        good = visit(s, i);
        if (!good) {
            (void)fprintf(stderr, "client %lu was not served as it should be\n", i);
        }
    }
    if (good) {
        wait_for_all(s);
        good = keeps_memory(&before, &s->memory, count, "sessions over HTTP");
    }
    mcpw_http_server_free(s->http);
    mcpw_endpoint_free(s->endpoint);
    mcpw_server_free(s->tools);
    return good && s->memory.in_use == 0;
}

/* Whether ids of sessions can be made. */
static bool has_sessions(void) {
    site s = {0};
    const bool good = start(&s) && finish(&s, ask(&s, "POST", initialize, false), OK) && s.session[0] != '\0';
    mcpw_http_server_free(s.http);
    mcpw_endpoint_free(s.endpoint);
    mcpw_server_free(s.tools);
    return good;
}

int main(int argc, char **argv) {
    site s = {0};
    char *end = NULL;
    const unsigned long count = argc == 2 ? strtoul(argv[1], &end, DECIMAL) : 0;
    if (count <= STEADY_WARM_UP || *end != '\0') {
        (void)fprintf(stderr, "usage: soak_http N, more than %d\n", STEADY_WARM_UP);
        return USAGE;
    }
    if (!has_sessions()) {
        printf("skipped: this build has no libsodium, which makes ids of sessions\n");
        return SKIPPED;
    }
    return soak(&s, count) ? 0 : 1;
}
