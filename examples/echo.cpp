// SPDX-License-Identifier: MIT
// The server of echo.c in C++17.
#include <mcpw/mcpw.hpp>

#include <cstdio>

int main() {
    const char schema[] =
        R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})";
    mcpw::server server("echo", "1.0.0");
    auto status = server.tool("echo", "Says what it is told", mcpw::json(schema),
                              [](mcpw::request request, const mcpw_tool_call &call) {
                                  const auto message =
                                      mcpw::get<std::string_view>(call.arguments, "message", request.arena());
                                  return message
                                             ? request.text(*message)
                                             : request.tool_error("echo needs a message, which is a string");
                              });
    if (status) {
        status = server.serve_stdio();
    }
    if (!status) {
        std::fprintf(stderr, "echo: %s\n", status.error().message);
        return 1;
    }
    return 0;
}
