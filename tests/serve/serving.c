/* SPDX-License-Identifier: MIT */
/* A server that mcpw_serve serves, with tools that wait, fail or break their word. The environment says what
 * its program wants of mcpw_serve. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/json.h>
#include <mcpw/serve.h>
#include <mcpw/thread.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message);
    return status == MCPW_OK ? mcpw_respond_text(request, message) : status;
}

static mcpw_status who(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_str nobody = MCPW_STR("nobody");
    const mcpw_str principal = mcpw_request_principal(request);
    (void)call;
    (void)user;
    return mcpw_respond_text(request, principal.ptr != NULL ? principal : nobody);
}

static void cancelled(void *user, mcpw_request *request) {
    (void)user;
    (void)request;
    (void)fputs("cancelled\n", stderr);
}

/* Is never answered. */
static mcpw_status keep(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    mcpw_request_on_cancel(request, cancelled, NULL);
    return MCPW_OK;
}

static mcpw_status break_word(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_json wrong = MCPW_JSON("{\"temp\":\"warm\"}");
    (void)call;
    (void)user;
    return mcpw_respond_structured(request, wrong);
}

/* On a worker: changes the server from a wrong thread. */
static mcpw_status meddle(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_str done = MCPW_STR("done");
    (void)call;
    const mcpw_status status = mcpw_server_remove_tool(user, "nothing");
    return status == MCPW_E_THREAD ? mcpw_respond_text(request, done) : MCPW_E_STATE;
}

static mcpw_server *new_server(void) {
    mcpw_server *const server = mcpw_server_new("serving", "1.2.3", NULL);
    const mcpw_tool tools[] = {
        {.name = "echo", .call = echo},
        {.name = "who", .call = who},
        {.name = "keep", .call = keep},
        {.name = "meddle", .call = meddle, .user = server},
        {.name = "break",
         .output_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"temp\":{\"type\":\"number\"}}}"),
         .call = break_word},
    };
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (mcpw_server_add_tool(server, tools + i, NULL) != MCPW_OK) {
            abort();
        }
    }
    return server;
}

static void own_handler(int number) { (void)number; }

/* Whether both signals are the program's own again. */
static bool signals_are_back(void) {
    struct sigaction now;
    bool are = true;
    for (int i = 0; i < 2; i++) {
        are = sigaction(i == 0 ? SIGINT : SIGTERM, NULL, &now) == 0 && now.sa_handler == own_handler && are;
    }
    return are;
}

int main(int argc, char **argv) {
    mcpw_run_options options = MCPW_RUN_OPTIONS_INIT;
    mcpw_server *const server = new_server();
    mcpw_error error = {0};
    if (getenv("SERVING_LETS_SIGNALS_BE") == NULL) {
        (void)signal(SIGINT, own_handler);
        (void)signal(SIGTERM, own_handler);
    }
    options.name = getenv("SERVING_NAME");
    options.usage = getenv("SERVING_USAGE");
    options.ignore_unknown = getenv("SERVING_IGNORES") != NULL;
    options.keep_signals = getenv("SERVING_KEEPS_SIGNALS") != NULL;
    options.workers = getenv("SERVING_WORKERS") != NULL ? 2 : 0;
    const char *const size = getenv("SERVING_SIZE");
    if (size != NULL) {
        options.struct_size = strtoul(size, NULL, 10);
    }
    const mcpw_status status = mcpw_serve(server, argc, argv, &options, &error);
    fprintf(stderr, "ended: %s%s%s; signals %s\n", mcpw_status_name(status), status == MCPW_OK ? "" : ": ",
            error.message, signals_are_back() ? "are back" : "are lost");
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
