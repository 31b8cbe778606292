/* SPDX-License-Identifier: MIT */
/*
 * A server with one tool, on standard input and output, for clients of every revision. Clients start it.
 */
#include <mcpw/json.h>
#include <mcpw/serve.h>

#include <stdio.h>

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_arena *const arena = mcpw_request_arena(request); /* lives until the request is answered */
    mcpw_str message;
    (void)user;
    /* It is there, and a string: arguments that break the schema do not come here. */
    const mcpw_status status = mcpw_json_get_string(call->arguments, "message", arena, &message);
    return status == MCPW_OK ? mcpw_respond_text(request, message) : status;
}

static const mcpw_tool echo_tool = {
    .name = "echo",
    .description = "Says what it is told",
    .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},"
                              "\"required\":[\"message\"]}"),
    .call = echo,
};

int main(int argc, char **argv) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("echo", "1.0.0", &error);
    mcpw_status status = server != NULL ? mcpw_server_add_tool(server, &echo_tool, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "echo: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
