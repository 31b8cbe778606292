/* SPDX-License-Identifier: MIT */
/* A server with settings of its own for HTTP: `http_server --http 8080` serves http://127.0.0.1:8080/mcp. Its
 * tool says where the client is. */
#include <mcpw/http_serve.h>
#include <mcpw/json.h>
#include <mcpw/serve.h>

#include <stdio.h>

static mcpw_status whereabouts(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_str by_pipe = MCPW_STR("at the other end of a pipe");
    (void)call;
    (void)user;
    if (mcpw_request_context(request) == NULL) { /* it came by standard input */
        return mcpw_respond_text(request, by_pipe);
    }
    return mcpw_respond_text(request, mcpw_http_peer(mcpw_http_exchange_of(request)));
}

static const mcpw_tool tool = {
    .name = "whereabouts",
    .description = "Says where you are",
    .call = whereabouts,
};

int main(int argc, char **argv) {
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options over_http = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_run_options options = MCPW_RUN_OPTIONS_INIT;
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("whereabouts", "1.0.0", &error);
    http.max_sessions = 1000;
    http.session_timeout_ms = 600000; /* ms */
    over_http.http = &http;
    over_http.max_per_address = 32;
    options.http = &over_http;
    mcpw_status status = server != NULL ? mcpw_server_add_tool(server, &tool, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, &options, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "http_server: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
