// SPDX-License-Identifier: MIT
// The program of the page "C++": a client that starts a server, lists its tools and calls one.
#include <mcp/client.h>
#include <mcpw/mcpw.hpp>

#include <iostream>

static int run(const char *const *server) {
    const auto client = mcpw::client::start(server, mcpw::config("demo", "1.0.0"));
    if (!client) {
        std::cerr << client.error().message << "\n";
        return 1;
    }

    mcpw::arena arena; // keeps the results
    const mcp_paginated_request_params first{};
    const auto tools = client->call(mcp_call_tools_list, first, arena);
    if (!tools) {
        std::cerr << tools.error().message << "\n";
        return 1;
    }
    for (const auto &tool : mcpw::items(tools->tools)) {
        std::cout << mcpw::view(tool.name) << ": " << mcpw::view(tool.description) << "\n";
    }

    mcp_call_tool_request_params params{};
    params.name = mcpw::str("echo");
    params.arguments = mcpw::json(R"({"message":"hello"})");
    const auto result = client->call(mcp_call_tools_call, params, arena);
    if (result) {
        for (const auto &block : mcpw::items(result->content)) {
            if (block.kind == MCP_CONTENT_BLOCK_TEXT_CONTENT) {
                std::cout << mcpw::view(block.as.text_content.text) << "\n";
            }
        }
    }

    const mcpw_json point = mcpw::json(R"({"x":1,"y":2})");
    std::int64_t sum = 0;
    for (const auto &member : mcpw::walk(point)) {
        std::int64_t value = 0;
        if (mcpw_json_int(member.value, &value) == MCPW_OK) {
            sum += value;
        }
    }
    std::cout << sum << "\n";
    return 0;
}

int main(int argc, char **argv) {
    static const char *const echo[] = {"echo", nullptr};
    return run(argc > 1 ? argv + 1 : echo);
}
