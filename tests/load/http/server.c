/* SPDX-License-Identifier: MIT */
/*
 * Our server for the load over HTTP: the tool echo, and change, after which every listen stream is told that
 * the list of tools has changed. It prints its port.
 */
#include <mcpw/http_serve.h>
#include <mcpw/io.h>
#include <mcpw/json.h>

#include <signal.h>
#include <stdio.h>

typedef struct site {
    mcpw_server *server;
    mcpw_http_listener *listener;
    bool has_late;
} site;

static mcpw_http_listener *running; /* for the signal */

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message);
    return status == MCPW_OK ? mcpw_respond_text(request, message) : status;
}

static const mcpw_tool late = {
    .name = "late", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = echo};

/* Adds a tool, or takes it away. */
static void toggle(void *user) {
    site *const s = user;
    mcpw_error error;
    const mcpw_status status = s->has_late ? mcpw_server_remove_tool(s->server, late.name)
                                           : mcpw_server_add_tool(s->server, &late, &error);
    s->has_late = status == MCPW_OK ? !s->has_late : s->has_late;
}

/* The list changes on the loop, after the answer. */
static mcpw_status change(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    site *const s = user;
    (void)call;
    const mcpw_status status = mcpw_queue_post(mcpw_http_listener_queue(s->listener), toggle, s);
    return status == MCPW_OK ? mcpw_respond_text(request, (mcpw_str)MCPW_STR("done")) : status;
}

static void stop(int number) {
    (void)number;
    mcpw_http_listener_stop(running); // NOLINT(bugprone-signal-handler,cert-sig30-c): its header allows it
}

static void on_start(void *user, mcpw_http_listener *listener) {
    site *const s = user;
    s->listener = listener;
    running = listener;
    (void)signal(SIGTERM, stop);
    printf("%u\n", mcpw_http_listener_port(listener));
    (void)fflush(stdout);
}

int main(void) {
    site s = {mcpw_server_new("load", "1.0.0", NULL), NULL, false};
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    const mcpw_tool tools[] = {
        {.name = "echo",
         .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},"
                                   "\"required\":[\"message\"]}"),
         .call = echo},
        {.name = "change", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = change, .user = &s}};
    mcpw_error error;
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = mcpw_server_add_tool(s.server, tools + i, &error);
    }
    options.on_start = on_start;
    options.user = &s;
    if (status == MCPW_OK) {
        status = mcpw_serve_http(s.server, &options, &error);
    }
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "load_http_server: %s\n", error.message);
    }
    mcpw_server_free(s.server);
    return status == MCPW_OK ? 0 : 1;
}
