// SPDX-License-Identifier: MIT
// A server in C++17 whose tools ask in the middle of a call: the user by a form, and the client's model for a
// text. Handlers run on workers, so a long one keeps nobody waiting.
#include <mcpw/mcpw.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

static const char order_form[] =
    R"({"type":"object","properties":{"size":{"type":"integer","minimum":1,"maximum":12},)"
    R"("gift":{"type":"boolean"}},"required":["size"]})";

// Runs again, from its beginning, when the answer is there: until then the status is MCPW_PENDING.
static mcpw_status order(mcpw::request request, const mcpw_tool_call &) {
    const auto asked = request.ask_form("order", "How many eggs?", mcpw::json(order_form));
    if (!asked) {
        return asked.status();
    }
    if (!asked->accepted()) {
        return request.text("nothing was ordered");
    }
    const std::int64_t size = asked->get<std::int64_t>("size").value_or(0);
    const bool gift = asked->get<bool>("gift").value_or(false);
    return request.text(std::to_string(size) + (gift ? " eggs in gift wrap" : " eggs"));
}

// The text that the model wrote is the answer; an error is answered as its status says.
static mcpw::result<std::string> name_it(mcpw::request request, const mcpw_tool_call &call) {
    const auto thing = mcpw::get<std::string_view>(call.arguments, "thing", request.arena());
    if (!thing) {
        return thing.error();
    }
    const auto written = request.ask_text("name", "Find a name for this: " + std::string(*thing));
    if (!written) {
        return written.error();
    }
    return std::string(written->text());
}

int main() {
    const char thing[] = R"({"type":"object","properties":{"thing":{"type":"string"}},"required":["thing"]})";
    mcpw::server server("ask", "1.0.0");
    auto status = server.tool("order", "Orders eggs", mcpw_json{}, order);
    if (status) {
        status = server.tool("name", "Finds a name for a thing", mcpw::json(thing), name_it);
    }
    if (status) {
        status = server.serve_stdio(2); // workers
    }
    if (!status) {
        std::fprintf(stderr, "ask: %s\n", status.error().message);
        return 1;
    }
    return 0;
}
