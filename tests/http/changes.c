/* SPDX-License-Identifier: MIT */
/*
 * Threads tell of changes of a server of HTTP while its clients come and go: each client that watches hears
 * of one, in revisions with sessions and without, and nothing is touched that has gone.
 */
#define _POSIX_C_SOURCE 200809L
#include <mcp/2025-11-25.h>
#include <mcp/2025-11-25/client.h>
#include <mcp/2025-11-25/handlers.h>
#include <mcpw/http_connect.h>
#include <mcpw/http_serve.h>

#include "check.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPORTERS = 3, ROUNDS = 6, PATIENCE = 10000, WAIT = 20, URL_SIZE = 64 };

static mcpw_status read_it(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)user;
    return mcpw_respond_resource_text(request, NULL, read->uri);
}

static mcpw_status change_it(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    mcpw_request_resource_updated(request, "x:2");
    return mcpw_respond_text(request, mcpw_str_from("changed"));
}

/* Clients are told of changes of resources where somebody hears what they watch. */
static void ignore_watch(void *user, mcpw_server *server, mcpw_str uri, bool watched) {
    (void)user;
    (void)server;
    (void)uri;
    (void)watched;
}

static mcpw_server *make_server(void) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    const mcpw_resource_template family = {.uri_template = "x:{n}", .name = "x", .read = read_it};
    const mcpw_tool tool = {.name = "change", .call = change_it};
    config.name = "changes";
    config.version = "1";
    config.on_watch = ignore_watch;
    mcpw_server *const server = mcpw_server_new_with(&config, NULL);
    CHECK(mcpw_server_add_resource_template(server, &family, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    return server;
}

/* ---- The threads that tell ---- */

typedef struct reporter {
    mcpw_server *server;
    atomic_bool stop;
    pthread_t threads[REPORTERS];
} reporter;

static void *tell(void *argument) {
    reporter *const t = argument;
    while (!atomic_load(&t->stop)) {
        mcpw_server_resource_updated(t->server, "x:1");
        mcpw_server_tools_changed(t->server);
        mcpw_server_resources_changed(t->server);
    }
    return NULL;
}

static void start(reporter *t, mcpw_server *server) {
    t->server = server;
    atomic_init(&t->stop, false);
    for (int i = 0; i < REPORTERS; i++) {
        CHECK(pthread_create(&t->threads[i], NULL, tell, t) == 0);
    }
}

static void stop(reporter *t) {
    atomic_store(&t->stop, true);
    for (int i = 0; i < REPORTERS; i++) {
        CHECK(pthread_join(t->threads[i], NULL) == 0);
    }
}

/* ---- The server's thread ---- */

typedef struct site {
    mcpw_http_listener *listener;
    mcpw_endpoint *endpoint;
    pthread_t thread;
} site;

static void *serve(void *argument) {
    mcpw_error error = {.message = ""};
    const site *const s = argument;
    CHECK(mcpw_http_listener_run(s->listener, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    return NULL;
}

static bool begin(site *s, mcpw_server *server, unsigned workers) {
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {.message = ""};
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = server;
    s->endpoint = mcpw_endpoint_new(&sessions, &error);
    http.endpoint = s->endpoint;
    options.http = &http;
    options.workers = workers;
    s->listener = mcpw_http_listener_new(&options, &error);
    CHECK_STRING(error.message, "");
    if (s->listener == NULL) {
        return false;
    }
    CHECK(pthread_create(&s->thread, NULL, serve, s) == 0);
    return true;
}

static void end(const site *s) {
    mcpw_http_listener_stop(s->listener);
    CHECK(pthread_join(s->thread, NULL) == 0);
    mcpw_http_listener_free(s->listener);
    mcpw_endpoint_free(s->endpoint);
}

/* ---- A client ---- */

static void on_updated(mcpw_session *session, const mcp_20251125_resource_updated_notification_params *params,
                       void *user) {
    (void)session;
    (void)params;
    ++*(int *)user;
}

/* Connects, watches a resource, waits until it has heard of a change, and goes. */
static void hear_of(const site *s, const char *revision, const char *uri, bool asks) {
    const mcp_20251125_client_handlers handlers = {.notifications_resources_updated = on_updated};
    const mcp_20251125_call_tool_request_params call = {.name = MCPW_STR("change")};
    const mcpw_interest interest = {.uris = &uri, .uri_count = 1};
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {.message = ""};
    mcpw_arena arena = MCPW_ARENA_INIT;
    char url[URL_SIZE];
    int heard = 0;
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%u/mcp", mcpw_http_listener_port(s->listener));
    options.url = url;
    options.proxy = "";
    config.name = "c";
    config.version = "1";
    config.revisions = revision;
    config.dispatch = &mcp_20251125_client_dispatch;
    config.handlers = &handlers;
    config.user = &heard;
    mcpw_client *const client = mcpw_client_connect(&options, &config, &error);
    CHECK_STRING(error.message, "");
    if (client == NULL) {
        return;
    }
    CHECK(mcpw_session_listen(mcpw_client_session(client), &interest, NULL, NULL, NULL, &error) == MCPW_OK);
    for (int waited = 0; heard == 0 && waited < PATIENCE; waited += WAIT) {
        const mcp_20251125_call_tool_result *result = NULL;
        if (asks) {
            CHECK(mcp_20251125_call_tools_call(client, &call, NULL, &arena, &result, &error) == MCPW_OK);
            mcpw_arena_reset(&arena);
        }
        CHECK(mcpw_client_wait(client, WAIT, &error) == MCPW_OK);
    }
    CHECK(heard > 0);
    mcpw_arena_free(&arena);
    mcpw_client_free(client);
}

static const char *const revisions[] = {"2025-06-18", "2026-07-28"};

static void clients_may_come_and_go_while_threads_tell(void) {
    mcpw_server *const server = make_server();
    for (int round = 0; round < ROUNDS; round++) { /* the server's loop comes and goes as well */
        reporter t;
        site s;
        start(&t, server);
        if (begin(&s, server, 0)) {
            hear_of(&s, revisions[round % 2], "x:1", false);
            hear_of(&s, revisions[(round + 1) % 2], "x:1", false);
            end(&s);
        }
        stop(&t);
    }
    mcpw_server_free(server);
}

static void a_handler_tells_by_its_request(void) {
    for (unsigned workers = 0; workers < 2; workers++) {
        mcpw_server *const server = make_server();
        site s;
        if (begin(&s, server, workers)) {
            hear_of(&s, revisions[0], "x:2", true);
            hear_of(&s, revisions[1], "x:2", true);
            end(&s);
        }
        mcpw_server_free(server);
    }
}

int main(void) {
    CHECK(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    RUN(clients_may_come_and_go_while_threads_tell);
    RUN(a_handler_tells_by_its_request);
    curl_global_cleanup();
    return check_end();
}
