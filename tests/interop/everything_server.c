/* SPDX-License-Identifier: MIT */
/* The fixture over HTTP, for the official conformance suite and for clients of the SDKs. Usage:
 * everything_server [PORT [PAGE_SIZE]]. It prints its port. Servers with the same MCPW_STATE_KEY in their
 * environment take each other's requestState. With the name of a file in MCPW_SHARED they offer
 * the same at any time. Without a token everything is allowed. The suite has a token with all scopes, and one
 * with none. */
#define _POSIX_C_SOURCE 200809L
#include "fixture.h"

#include <mcpw/http_protect.h>
#include <mcpw/http_serve.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { TICK_NS = 10 * 1000 * 1000, BASE = 10, AWAY_MS = 300, MODE = 0600 };
enum { MORE_TOOLS = 1, MORE_PROMPTS = 2 };

typedef struct everything {
    fixture fixture;
    mcpw_http_listener *listener;
    pthread_t clock;
    atomic_bool ended;
    int shared;            /* a file of one byte: what those offer that share it; -1: none */
    unsigned char offered; /* what this one offered when it was last compared */
} everything;

static mcpw_http_listener *running; /* for the signal */

static unsigned char offered(const fixture *f) {
    return (unsigned char)((f->more_tools ? MORE_TOOLS : 0) | (f->more_prompts ? MORE_PROMPTS : 0));
}

/* Changes here are reported to the others; changes there are applied here. */
static mcpw_status share(everything *e) {
    const unsigned char own = offered(&e->fixture);
    const unsigned char changed = own ^ e->offered;
    unsigned char all = 0;
    mcpw_status status = MCPW_OK;
    if (pread(e->shared, &all, sizeof all, 0) < 0) {
        return MCPW_E_IO;
    }
    if (changed != 0) {
        all ^= changed;
        status = pwrite(e->shared, &all, sizeof all, 0) == sizeof all ? MCPW_OK : MCPW_E_IO;
    }
    if (status == MCPW_OK && ((all ^ own) & MORE_TOOLS) != 0) {
        status = fixture_change_tools(&e->fixture);
    }
    if (status == MCPW_OK && ((all ^ own) & MORE_PROMPTS) != 0) {
        status = fixture_change_prompts(&e->fixture);
    }
    e->offered = offered(&e->fixture);
    return status;
}

static void run_timers(void *user) {
    everything *const e = user;
    (void)fixture_run_timers(&e->fixture);
    if (e->shared >= 0 && share(e) != MCPW_OK) {
        (void)fprintf(stderr, "everything_server: what is shared cannot be\n");
    }
}

/* Answers that come later are due on the listener's thread. */
static void *tick(void *user) {
    everything *const e = user;
    const struct timespec pause = {0, TICK_NS};
    while (!atomic_load(&e->ended) &&
           mcpw_queue_post(mcpw_http_listener_queue(e->listener), run_timers, e) == MCPW_OK) {
        (void)nanosleep(&pause, NULL);
    }
    return NULL;
}

static void stop(int number) {
    (void)number;
    mcpw_http_listener_stop(running); // NOLINT(bugprone-signal-handler,cert-sig30-c): its header allows it
}

static mcpw_status serve(everything *e, mcpw_error *error) {
    running = e->listener;
    (void)signal(SIGTERM, stop);
    (void)signal(SIGINT, stop);
    printf("%u\n", mcpw_http_listener_port(e->listener));
    (void)fflush(stdout);
    if (pthread_create(&e->clock, NULL, tick, e) != 0) {
        return MCPW_E_MEMORY;
    }
    const mcpw_status status = mcpw_http_listener_run(e->listener, error);
    atomic_store(&e->ended, true);
    (void)pthread_join(e->clock, NULL);
    return status;
}

static mcpw_status answer_away(mcpw_request *request, unsigned turn, unsigned delay) {
    (void)turn;
    (void)delay;
    return fixture_say(request, "Reconnection test completed");
}

/* Answers a client that has no connection to it by then. If streams cannot be resumed, it is answered on
 * its own. */
static mcpw_status send_away(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    const mcpw_status status = mcpw_http_end_stream(request);
    return status == MCPW_OK || status == MCPW_E_STATE ? fixture_later(user, request, AWAY_MS, answer_away)
                                                       : status;
}

static mcpw_status add_reconnection(fixture *f, mcpw_error *error) {
    const mcpw_tool tool = {.name = "test_reconnection",
                            .description = "Ends its stream before the answer",
                            .call = send_away,
                            .user = f};
    return mcpw_server_add_tool(f->server, &tool, error);
}

static mcpw_status add_all(fixture *f, mcpw_error *error) {
    mcpw_status status = fixture_keep_tasks(f, false, error);
    status = status == MCPW_OK ? fixture_add_tools(f, error) : status;
    if (status == MCPW_OK) {
        status = fixture_add_input_requests(f, error);
    }
    if (status == MCPW_OK) {
        status = fixture_add_content(f, error);
    }
    status = status == MCPW_OK ? fixture_add_tasks(f, error) : status;
    return status == MCPW_OK ? add_reconnection(f, error) : status;
}

/* ---- Access -------------------------------------------------------------------------------------------- */

enum { URL_SIZE = 64, BACKLOG = 128 };

#define EVERYTHING FIXTURE_SCOPE "all"

static bool authorize(void *user, const mcpw_http_exchange *exchange, mcpw_str token,
                      mcpw_http_grant *grant) {
    static const struct {
        const char *token;
        mcpw_str scopes;
    } tokens[] = {{"mcp-conformance-scope-low", MCPW_STR("")},
                  {"mcp-conformance-scope-full", MCPW_STR(EVERYTHING)}};
    (void)user, (void)exchange;
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        if (mcpw_str_is(token, tokens[i].token)) {
            grant->issuer = (mcpw_str)MCPW_STR("https://login.example");
            grant->principal = (mcpw_str)MCPW_STR("suite");
            grant->scopes = tokens[i].scopes;
            return true;
        }
    }
    grant->error = "invalid_token";
    return false;
}

static const mcpw_http_method_scopes methods[] = {{"tools/call", FIXTURE_SCOPE "tools:call"},
                                                  {"resources/read", FIXTURE_SCOPE "resources:read"},
                                                  {"prompts/get", FIXTURE_SCOPE "prompts:get"}};
static const mcpw_http_scope contains[] = {{EVERYTHING, FIXTURE_SCOPE "*"}};

static void protect(mcpw_http_config *http, mcpw_http_protect *p, const char *url) {
    p->resource = url;
    p->authorization_servers = "https://login.example";
    p->methods = methods;
    p->method_count = sizeof methods / sizeof *methods;
    p->contains = contains;
    p->contain_count = sizeof contains / sizeof *contains;
    p->anonymous_scopes = EVERYTHING;
    http->protect = p;
    http->authorize = authorize;
}

/* A socket that listens at a port of this machine, which the URL names; -1: there is none. */
static int open_socket(uint16_t port, char url[URL_SIZE]) {
    const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    struct sockaddr_in name;
    socklen_t len = sizeof name;
    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    (void)setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(made, (const struct sockaddr *)&name, sizeof name) != 0 || listen(made, BACKLOG) != 0 ||
        getsockname(made, (struct sockaddr *)&name, &len) != 0) {
        (void)close(made);
        return -1;
    }
    (void)snprintf(url, URL_SIZE, "http://localhost:%u/mcp", (unsigned)ntohs(name.sin_port));
    return made;
}

int main(int argc, char **argv) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_protect access = MCPW_HTTP_PROTECT_INIT;
    char url[URL_SIZE];
    mcpw_error error = {.code = MCPW_E_MEMORY, .message = "no memory"};
    config.name = "mcpwire-everything";
    config.version = "1.0.0";
    config.instructions = "Only for tests.";
    config.page_size = argc > 2 ? (size_t)strtoul(argv[2], NULL, BASE) : 0;
    everything e = {.fixture = {.server = mcpw_server_new_with(&config, NULL)}, .shared = -1};
    const char *const shared = getenv("MCPW_SHARED");
    if (shared != NULL) {
        e.shared = open(shared, O_RDWR | O_CREAT | O_CLOEXEC, MODE);
    }
    mcpw_server_will_log(e.fixture.server);
    mcpw_status status = e.fixture.server != NULL ? add_all(&e.fixture, &error) : MCPW_E_MEMORY;
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = e.fixture.server;
    sessions.state_key = mcpw_str_from(getenv("MCPW_STATE_KEY"));
    http.endpoint = status == MCPW_OK ? mcpw_endpoint_new(&sessions, &error) : NULL;
    options.http = &http;
    options.socket = open_socket((uint16_t)(argc > 1 ? strtoul(argv[1], NULL, BASE) : 0), url);
    if (options.socket < 0) {
        perror("everything_server");
        return 1;
    }
    protect(&http, &access, url);
    e.listener = http.endpoint != NULL ? mcpw_http_listener_new(&options, &error) : NULL;
    status = e.listener != NULL ? serve(&e, &error) : error.code;
    mcpw_http_listener_free(e.listener);
    (void)fixture_run_timers(&e.fixture); /* frees those of requests that are gone */
    mcpw_endpoint_free(http.endpoint);
    mcpw_server_free(e.fixture.server);
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "everything_server: %s\n", error.message);
    }
    return status == MCPW_OK ? 0 : 1;
}
