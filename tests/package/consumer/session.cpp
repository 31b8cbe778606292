// SPDX-License-Identifier: MIT
// The same server from C++.
#include <mcpw/io.h>

#include <iostream>

static mcpw_status greet(mcpw_request *request, const mcpw_tool_call *, void *) {
    return mcpw_respond_text(request, mcpw_str_from("hello"));
}

int main() {
    mcpw_tool greeter = {};
    greeter.name = "greet";
    greeter.description = "Says hello";
    greeter.input_schema = mcpw_json_from(R"({"type":"object"})");
    greeter.call = greet;

    mcpw_server *const server = mcpw_server_new("greeter", "1.0.0", NULL);
    mcpw_error error;
    mcpw_status status = mcpw_server_add_tool(server, &greeter, &error);
    if (status == MCPW_OK) {
        status = mcpw_serve_stdio(server, &error);
    }
    if (status != MCPW_OK) {
        std::cerr << "greeter: " << error.message << "\n";
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
