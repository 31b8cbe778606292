/* SPDX-License-Identifier: MIT */
/* A server over standard input and output, with one tool. */
#include <mcpw/io.h>

#include <stdio.h>

static mcpw_status greet(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("hello"));
}

static const mcpw_tool greeter = {
    .name = "greet",
    .description = "Says hello",
    .input_schema = MCPW_JSON("{\"type\":\"object\"}"),
    .call = greet,
};

int main(void) {
    mcpw_server *const server = mcpw_server_new("greeter", "1.0.0", NULL);
    mcpw_error error;
    mcpw_status status = mcpw_server_add_tool(server, &greeter, &error);
    if (status == MCPW_OK) {
        status = mcpw_serve_stdio(server, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "greeter: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
