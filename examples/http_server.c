/* SPDX-License-Identifier: MIT */
/* The same tool on standard input and output, or over HTTP: `http_server 8080` serves
 * http://localhost:8080/mcp, `http_server 0` any free port, which it prints. */
#include <mcpw/http_serve.h>
#include <mcpw/io.h>
#include <mcpw/json.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static mcpw_http_listener *running; /* for the signal */

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message);
    return status == MCPW_OK ? mcpw_respond_text(request, message) : status;
}

static const mcpw_tool echo_tool = {
    .name = "echo",
    .description = "Says what it is told",
    .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},"
                              "\"required\":[\"message\"]}"),
    .call = echo,
};

static void stop(int number) {
    (void)number;
    mcpw_http_listener_stop(running); // NOLINT(bugprone-signal-handler,cert-sig30-c): its header allows it
}

static void on_start(void *user, mcpw_http_listener *listener) {
    (void)user;
    running = listener;
    (void)signal(SIGINT, stop);
    (void)signal(SIGTERM, stop);
    printf("%u\n", mcpw_http_listener_port(listener));
    (void)fflush(stdout);
}

int main(int argc, char **argv) {
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_server *const server = mcpw_server_new("echo", "1.0.0");
    mcpw_error error;
    options.port = (uint16_t)(argc > 1 ? strtoul(argv[1], NULL, 10) : 0);
    options.on_start = on_start;
    mcpw_status status = mcpw_server_add_tool(server, &echo_tool, &error);
    if (status == MCPW_OK) {
        status = argc > 1 ? mcpw_serve_http(server, &options, &error) : mcpw_serve_stdio(server, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "http_server: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
