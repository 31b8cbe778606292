// SPDX-License-Identifier: MIT
// A server and a client of HTTP from C++: the listener runs on a thread of its own, in every revision that
// HTTP has.
#include <mcp/2025-11-25/client.h>
#include <mcpw/http_connect.hpp>
#include <mcpw/http_protect.hpp>
#include <mcpw/http_serve.hpp>
#include <mcpw/mcpw.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

static int failures = 0;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!static_cast<bool>(condition)) {                                                                 \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                             \
            failures++;                                                                                      \
        }                                                                                                    \
    } while (false)

static void greet_by(const mcpw::http_listener &listener, const char *revision) {
    mcpw_session_config config = mcpw::config("test", "1");
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    const std::string url = "http://127.0.0.1:" + std::to_string(listener.port()) + "/mcp";
    config.revisions = revision;
    options.url = url.c_str();
    options.proxy = "";
    const auto client = mcpw::connect(options, config);
    CHECK(client);
    if (!client) {
        return;
    }
    mcpw::arena arena;
    mcp_20251125_call_tool_request_params params{};
    params.name = mcpw::str("greet");
    const auto result = client->call(mcp_20251125_call_tools_call, params, arena);
    CHECK(result && mcpw::items(result->content).size() == 1);
    if (result) {
        CHECK(mcpw::view(result->content.items[0].as.text_content.text) == "hello");
    }
}

static void a_client_calls_a_listener() {
    mcpw::server server("cpp", "1");
    CHECK(server.tool("greet", nullptr, mcpw_json{},
                      [](mcpw::request, const mcpw_tool_call &) { return "hello"; }));
    mcpw_session_config sessions = mcpw::config("cpp", "1");
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = server.get();
    const auto endpoint = mcpw::endpoint::make(sessions);
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    http.endpoint = endpoint->get();
    options.http = &http;
    options.workers = 2;
    const auto listener = mcpw::http_listener::make(options);
    CHECK(listener && listener->port() != 0);
    if (!listener) {
        return;
    }
    std::thread thread([&listener] { CHECK(listener->run()); });
    greet_by(*listener, "2025-06-18");
    greet_by(*listener, "2026-07-28");
    listener->stop();
    thread.join();
}

extern "C" {
static bool grant(void *, const mcpw_http_exchange *, mcpw_str token, mcpw_http_grant *given) {
    given->issuer = mcpw::str("https://login.example");
    given->principal = mcpw::str("ann");
    given->client_id = mcpw::str("the-client");
    given->scopes = mcpw::str("read write");
    given->expires_at = 1800000000000;
    return mcpw::view(token) == "ticket";
}
static mcpw_str ticket(void *, mcpw_str) { return mcpw::str("ticket"); }
}

/* The access of a request in words, as its handler sees it. */
static std::string describe(const mcpw::request &request) {
    const std::optional<mcpw::access> access = mcpw::access_of(request);
    if (!access) {
        return "none";
    }
    std::string words;
    for (const std::string_view part :
         {access->issuer(), access->subject(), access->client_id(), access->scopes()}) {
        words += std::string(part) + "|";
    }
    return words + std::to_string(access->expires_at()) + "|" +
           (mcpw::has_scope(request, "write") ? "w" : "") + (mcpw::has_scope(request, "admin") ? "a" : "");
}

/* Calls a tool that describes its access. */
static std::string described_by(const mcpw::http_listener &listener) {
    mcpw_http_client_config http = MCPW_HTTP_CLIENT_CONFIG_INIT;
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    const std::string url = "http://127.0.0.1:" + std::to_string(listener.port()) + "/mcp";
    http.token = ticket;
    options.http = &http;
    options.url = url.c_str();
    options.proxy = "";
    const auto client = mcpw::connect(options, mcpw::config("test", "1"));
    mcpw::arena arena;
    mcp_20251125_call_tool_request_params params{};
    params.name = mcpw::str("describe");
    CHECK(client);
    const auto result = client->call(mcp_20251125_call_tools_call, params, arena);
    CHECK(result && mcpw::items(result->content).size() == 1);
    return result ? std::string(mcpw::view(result->content.items[0].as.text_content.text)) : "";
}

static void a_handler_sees_the_access_of_its_request() {
    mcpw::server server("cpp", "1");
    CHECK(server.tool("describe", nullptr, mcpw_json{},
                      [](mcpw::request request, const mcpw_tool_call &) { return describe(request); }));
    mcpw_session_config sessions = mcpw::config("cpp", "1");
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = server.get();
    const auto endpoint = mcpw::endpoint::make(sessions);
    for (const bool is_protected : {true, false}) {
        mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
        mcpw_http_protect protect = MCPW_HTTP_PROTECT_INIT;
        mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
        protect.resource = "https://api.example/mcp";
        protect.authorization_servers = "https://login.example";
        http.endpoint = endpoint->get();
        http.authorize = is_protected ? grant : nullptr;
        http.protect = is_protected ? &protect : nullptr;
        options.http = &http;
        const auto listener = mcpw::http_listener::make(options);
        CHECK(listener);
        if (!listener) {
            return;
        }
        std::thread thread([&listener] { CHECK(listener->run()); });
        const std::string words = described_by(*listener);
        CHECK(words ==
              (is_protected ? "https://login.example|ann|the-client|read write|1800000000000|w" : "none"));
        listener->stop();
        thread.join();
    }
}

static void what_cannot_be_is_an_error() {
    mcpw::server server("cpp", "1");
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    CHECK(mcpw::http_listener::make(options).status() == MCPW_E_ARGUMENT); // no config
    options.address = "example.com";
    CHECK(mcpw::serve_http(server, options).status() == MCPW_E_ARGUMENT);
    const auto client = mcpw::connect("no url", mcpw::config("test", "1"));
    CHECK(!client);
}

int main() {
    a_client_calls_a_listener();
    a_handler_sees_the_access_of_its_request();
    what_cannot_be_is_an_error();
    return failures != 0;
}
