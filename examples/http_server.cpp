// SPDX-License-Identifier: MIT
// A server in C++17 with settings of its own for HTTP: `http_server_cpp --http 8080` serves
// http://127.0.0.1:8080/mcp, and without an argument it serves standard input and output.
#include <mcpw/http_serve.hpp>
#include <mcpw/mcpw.hpp>
#include <mcpw/serve.hpp>

#include <cstdio>
#include <string>

int main(int argc, char **argv) {
    mcpw::server server("greeter", "1.0.0");
    mcpw_prompt greeting{};
    greeting.name = "greeting";
    auto status = server.tool("greet", "Greets you", mcpw_json{},
                              [](mcpw::request, const mcpw_tool_call &) { return std::string("Hello!"); });
    if (status) {
        status = server.prompt(greeting, [](mcpw::request request, const mcpw_prompt_get &) {
            return request.messages({mcpw::from_user("Hello!"), mcpw::from_assistant("Who is there?")});
        });
    }
    mcpw_http_serve_options over_http = MCPW_HTTP_SERVE_OPTIONS_INIT;
    over_http.max_per_address = 32;
    mcpw_run_options options = MCPW_RUN_OPTIONS_INIT;
    options.http = &over_http;
    if (status) {
        status = mcpw::serve(server, argc, argv, &options);
    }
    if (!status) {
        std::fprintf(stderr, "http_server: %s\n", status.error().message);
        return 1;
    }
    return 0;
}
