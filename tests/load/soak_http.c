/* SPDX-License-Identifier: MIT */
/*
 * Many clients of one server over HTTP, without sockets: each opens a session, calls a tool, reads a stream,
 * and leaves, in order or not. Memory stays what it was after the first of them. A client takes one ms, so
 * that those who do not say that they leave are a good while there.
 *
 *     soak_http N      N sessions opened and left
 */
#include <mcpw/json.h>

#include "../http_site.h"
#include "steady.h"

enum { DECIMAL = 10, SKIPPED = 77, USAGE = 2, TIMEOUT = 1000 /* ms */ };
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

typedef struct load {
    counted memory;
    http_site site; /* its session is that of the client that is there */
    uint64_t now;
} load;

/* Its progress makes a stream of the answer, which the server keeps to be asked for again. */
static mcpw_status greet(mcpw_request *request, const mcpw_tool_call *about, void *user) {
    (void)about;
    (void)user;
    (void)!mcpw_request_progress(request, 1, 2, "halfway");
    return mcpw_respond_text(request, (mcpw_str)MCPW_STR("hello"));
}

/* ---- Requests ---- */

static mcpw_http_exchange *ask(load *l, const char *method, const char *body) {
    http_site_head head = {.count = 0};
    http_site_add(&head, "Mcp-Session-Id", l->site.session);
    return http_site_ask(&l->site, method, "2025-11-25", &head, body);
}

static mcpw_http_exchange *listen_modern(load *l) {
    http_site_head head = {.count = 0};
    http_site_add(&head, "Mcp-Method", "subscriptions/listen");
    return http_site_ask(&l->site, "POST", "2026-07-28", &head, subscribe);
}

/* Asks, and takes the whole response; whether it has that status. */
static bool is_answered(load *l, const char *method, const char *body, int status) {
    return http_site_finish(&l->site, ask(l, method, body), status);
}

/* A client comes, and leaves in one of three ways. */
static bool visit(load *l, unsigned long i) {
    enum { IN_ORDER, WITH_OPEN_STREAMS, WITHOUT_A_WORD, WAYS };
    http_site *const s = &l->site;
    s->session[0] = '\0';
    bool good = is_answered(l, "POST", initialize, OK) && s->session[0] != '\0' &&
                is_answered(l, "POST", initialized, ACCEPTED) && is_answered(l, "POST", call, OK);
    mcpw_http_exchange *const stream = ask(l, "GET", NULL);
    mcpw_http_exchange *const modern = listen_modern(l);
    good = http_site_take(s, stream, OK) && http_site_take(s, modern, OK) && good;
    const bool is_first = i % WAYS == IN_ORDER;
    if (is_first && stream != NULL) {
        mcpw_http_close(stream);
    }
    if (i % WAYS != WITHOUT_A_WORD) {
        good = is_answered(l, "DELETE", NULL, NO_CONTENT) && good;
    }
    if (!is_first && stream != NULL) {
        mcpw_http_close(stream);
    }
    if (modern != NULL) {
        mcpw_http_close(modern);
    }
    l->now++;
    mcpw_http_advance(s->http, l->now);
    while (mcpw_http_ready(s->http) != NULL) {
        good = false; /* nobody is there */
    }
    return good;
}

/* The time of all who have left is over. */
static void wait_for_all(load *l) {
    enum { ROUNDS = 3 };
    for (int i = 0; i < ROUNDS; i++) {
        l->now += 2 * TIMEOUT;
        mcpw_http_advance(l->site.http, l->now);
        (void)!mcpw_http_ready(l->site.http);
    }
}

/* ---- The server ---- */

static bool start(load *l) {
    const mcpw_allocator allocator = {counted_resize, &l->memory};
    const mcpw_tool tool = {
        .name = "greet", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = greet};
    mcpw_server_config server = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    server.name = "soak";
    server.version = "1";
    server.allocator = sessions.allocator = config.allocator = allocator;
    config.session_timeout_ms = TIMEOUT;
    return http_site_open(&l->site, mcpw_server_new_with(&server, NULL), &sessions, &config) &&
           mcpw_server_add_tool(l->site.tools, &tool, NULL) == MCPW_OK;
}

static bool soak(load *l, unsigned long count) {
    state before = {0};
    bool good = start(l);
    for (unsigned long i = 0; i < count && good; i++) {
        if (i == STEADY_WARM_UP) {
            wait_for_all(l);
            before = look(&l->memory);
        }
        good = visit(l, i);
        if (!good) {
            (void)fprintf(stderr, "client %lu was not served as it should be\n", i);
        }
    }
    if (good) {
        wait_for_all(l);
        good = keeps_memory(&before, &l->memory, count, "sessions over HTTP");
    }
    http_site_close(&l->site);
    return good && l->memory.in_use == 0;
}

/* Whether ids of sessions can be made. */
static bool has_sessions(void) {
    load l = {.now = 0};
    const bool good = start(&l) && is_answered(&l, "POST", initialize, OK) && l.site.session[0] != '\0';
    http_site_close(&l.site);
    return good;
}

int main(int argc, char **argv) {
    load l = {.now = 0};
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
    return soak(&l, count) ? 0 : 1;
}
