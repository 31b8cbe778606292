// SPDX-License-Identifier: MIT
// <mcpw/mcpw.hpp>: a server with lambdas, which this program is when it is started with a word after its
// name, and a client of it in every revision; what owns, gives back, moves, and says why it cannot.
#include <mcp/2025-11-25.h>
#include <mcp/2025-11-25/client.h>
#include <mcpw/detail/session.h>
#include <mcpw/mcpw.hpp>

#include <poll.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

static int failures = 0;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                             \
            failures++;                                                                                      \
        }                                                                                                    \
    } while (false)

/* ---- The server ---- */

static int serve() {
    std::string greeting = "hello, ";
    mcpw::server server("cpp", "1");
    auto status = server.tool("greet", "Greets", mcpw::json(R"({"type":"object"})"),
                              [greeting](mcpw::request request, const mcpw_tool_call &call) -> std::string {
                                  const auto name =
                                      mcpw::get<std::string_view>(call.arguments, "name", request.arena());
                                  return greeting + std::string(name.value_or("nobody"));
                              });
    CHECK(status);
    status = server.tool("fail", nullptr, mcpw_json{}, [](mcpw::request request, const mcpw_tool_call &) {
        request.progress(1, 2);
        request.log(MCPW_LOG_INFO, mcpw::json("1"));
        return request.tool_error(request.can("sampling") ? "sampled" : "it does that");
    });
    CHECK(status);
#if defined(MCPW_CPP_EXCEPTIONS)
    status = server.tool("throw", nullptr, mcpw_json{},
                         [](mcpw::request, const mcpw_tool_call &) -> mcpw_status { throw 5; });
    CHECK(status);
#endif
    mcpw_resource diagnostic{};
    diagnostic.uri = "cpp://note";
    diagnostic.name = "note";
    status = server.resource(diagnostic, [](mcpw::request request, const mcpw_resource_read &read) {
        return mcpw_respond_resource_text(request.get(), nullptr, read.uri);
    });
    CHECK(status);
    mcpw_prompt ask{};
    ask.name = "ask";
    status = server.prompt(ask, [](mcpw::request request, const mcpw_prompt_get &get) {
        return mcpw_respond_prompt_text(request.get(), get.name);
    });
    CHECK(status);
    const auto again =
        server.tool("greet", nullptr, mcpw_json{}, [](mcpw::request, const mcpw_tool_call &) { return "x"; });
    CHECK(!again && again.status() == MCPW_E_DUPLICATE);
    mcpw::server moved = std::move(server);
    CHECK(server.get() == nullptr && moved.get() != nullptr);
    return moved.serve_stdio() && failures == 0 ? 0 : 1;
}

/* ---- The client ---- */

static const char *self[] = {nullptr, "serve", nullptr};

static mcpw::result<mcpw::client> start(const char *revision) {
    mcpw_session_config config = mcpw::config("test", "1");
    config.revisions = revision;
    return mcpw::client::start(self, config);
}

static std::string call(const mcpw::client &client, const char *name, const char *arguments) {
    mcpw::arena arena;
    mcp_20251125_call_tool_request_params params{};
    params.name = mcpw::str(name);
    params.arguments = mcpw::json(arguments);
    const auto answer = client.call(mcp_20251125_call_tools_call, params, arena);
    if (!answer) {
        return std::string("error: ") + answer.error().message;
    }
    std::string all(answer->is_error.value ? "failed: " : "");
    for (const auto &block : mcpw::items(answer->content)) {
        all += mcpw::view(block.as.text_content.text);
    }
    return all;
}

static void a_client_calls_lambdas_in_every_revision() {
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        const char *const revision = mcpw_revision_name(revisions[i]);
        const auto client = start(revision);
        CHECK(client);
        if (!client) {
            continue;
        }
        CHECK(call(*client, "greet", R"({"name":"\u0041da"})") == "hello, Ada");
        CHECK(call(*client, "greet", "{}") == "hello, nobody");
        CHECK(call(*client, "fail", "{}") == "failed: it does that");
        CHECK(call(*client, "none", "{}").substr(0, 7) == "error: ");
        CHECK(client->remote_error() != nullptr && client->remote_error()->code == -32602);
        CHECK(client->wait(0));
        CHECK(client->ping().status() ==
              (mcpw_method_number(revisions[i], "ping", 4) == 0 ? MCPW_E_METHOD : MCPW_OK));
    }
}

static void lists_resources_and_prompts_are_ranges() {
    const auto client = start(nullptr);
    mcpw::arena arena;
    const mcp_20251125_paginated_request_params first{};
    const auto tools = client->call(mcp_20251125_call_tools_list, first, arena);
    std::string names;
    for (const auto &tool : mcpw::items(tools->tools)) {
        names += mcpw::view(tool.name);
    }
    CHECK(names.substr(0, 9) == "greetfail");
    mcp_20251125_read_resource_request_params read{};
    read.uri = mcpw::str("cpp://note");
    const auto content = client->call(mcp_20251125_call_resources_read, read, arena);
    CHECK(content && content->contents.count == 1);
    mcp_20251125_get_prompt_request_params prompt{};
    prompt.name = mcpw::str("ask");
    const auto messages = client->call(mcp_20251125_call_prompts_get, prompt, arena);
    CHECK(messages && mcpw::items(messages->messages).size() == 1);
    CHECK(mcpw_session_revision(client->session()) != nullptr);
}

static void a_loop_drives_a_client() {
    const auto client = start("2025-11-25");
    pollfd fds[MCPW_CLIENT_FDS];
    int answers = 0;
    const auto count = [](void *user, mcpw_session *, const mcpw_reply *reply) {
        *static_cast<int *>(user) += reply->status == MCPW_OK;
    };
    mcpw_session_advance(client->session(), mcpw_io_now());
    CHECK(mcpw_session_ping(client->session(), nullptr, count, &answers, nullptr, nullptr) == MCPW_OK);
    for (int steps = 0; answers == 0 && steps < 100; steps++) {
        (void)poll(fds, client->fds(fds), client->timeout());
        CHECK(client->work());
    }
    CHECK(answers == 1);
    client->cancel(); /* nobody waits */
    CHECK(client->ping());
}

static void a_server_that_is_not_there_is_an_error() {
    const char *const argv[] = {"/nonexistent/server", nullptr};
    const auto client = mcpw::client::start(argv, mcpw::config("test", "1"));
    CHECK(!client && client.status() == MCPW_E_IO);
    CHECK(std::strstr(client.error().message, "/nonexistent/server") != nullptr);
    CHECK(!mcpw::client::attach(-1, -1, mcpw::config("test", "1")));
}

#if defined(MCPW_CPP_EXCEPTIONS)
static void exceptions_are_thrown_where_they_are_asked_for() {
    auto client = start(nullptr).value();
    CHECK(call(client, "throw", "{}").substr(0, 7) == "error: ");
    CHECK(call(client, "greet", "{}") == "hello, nobody");
    mcpw::arena arena;
    bool thrown = false;
    try {
        (void)mcpw::decode(mcp_20251125_tool_decode, "{}", arena).value();
    } catch (const mcpw::exception &why) {
        thrown = why.error().code == MCPW_E_MISSING && std::string_view(why.what()) == why.error().message;
    }
    CHECK(thrown);
}
#endif

/* ---- Values ---- */

static void a_value_goes_round() {
    mcpw::arena arena;
    mcpw::buffer out;
    const auto tool =
        mcpw::decode(mcp_20251125_tool_decode, R"({"name":"t","inputSchema":{"type":"object"}})", arena);
    CHECK(tool && mcpw::view(tool->name) == "t" && mcpw::view(tool->description).empty());
    CHECK(mcpw::encode(mcp_20251125_tool_encode, *tool, out));
    CHECK(out.text() == R"({"name":"t","inputSchema":{"type":"object"}})");
    out.clear();
    CHECK(out.text().empty());
    const mcp_20251125_tool nothing{};
    const auto refused = mcpw::encode(mcp_20251125_tool_encode, nothing, out);
    CHECK(!refused && refused.status() == MCPW_E_MISSING);
    const auto broken = mcpw::decode(mcp_20251125_tool_decode, R"({"name":5})", arena);
    CHECK(!broken && broken.status() == MCPW_E_TYPE && std::string_view(broken.error().path) == "/name");
}

static void owners_move() {
    static_assert(!std::is_copy_constructible_v<mcpw::arena> &&
                  std::is_nothrow_move_constructible_v<mcpw::arena>);
    static_assert(!std::is_copy_constructible_v<mcpw::server> && !std::is_copy_constructible_v<mcpw::client>);
    static_assert(!std::is_copy_constructible_v<mcpw::session> &&
                  !std::is_copy_constructible_v<mcpw::buffer>);
    mcpw::arena one;
    const mcpw_str text = one.copy("text");
    mcpw::arena two = std::move(one);
    CHECK(mcpw::view(text) == "text" && one.get()->block == nullptr);
    one = std::move(two);
    CHECK(mcpw::view(text) == "text");
    one.reset();
    mcpw::buffer written;
    CHECK(mcpw_buffer_append(written.get(), "a", 1) == MCPW_OK);
    mcpw::buffer other = std::move(written);
    CHECK(other.text() == "a" && written.text().empty());
}

static void a_session_takes_and_gives_bytes() {
    mcpw_session_config config = mcpw::config("test", "1");
    CHECK(!mcpw::session::make(config)); /* no role */
    mcpw::server server("s", "1");
    config.role = MCPW_ROLE_SERVER;
    config.server = server.get();
    const auto session = mcpw::session::make(config);
    CHECK(session && session->output().empty());
    CHECK(session->feed("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n") == MCPW_OK);
    CHECK(session->output() == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    session->sent(session->output().size());
    CHECK(session->output().empty());
}

static const std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

static mcpw_session_config config_of(const mcpw::server &server) {
    mcpw_session_config config = mcpw::config("test", "1");
    config.role = MCPW_ROLE_SERVER;
    config.server = server.get();
    return config;
}

static void sessions_outlive_the_endpoint_that_they_share() {
    const mcpw::server server("s", "1");
    CHECK(!mcpw::endpoint::make(mcpw::config("test", "1"))); /* no role */
    auto endpoint = mcpw::endpoint::make(config_of(server));
    CHECK(endpoint && endpoint->get() != nullptr);
    static_assert(!std::is_copy_constructible_v<mcpw::endpoint>);
    const auto one = mcpw::session::from(*endpoint);
    const auto two = mcpw::session::from(*endpoint);
    { const mcpw::endpoint gone = std::move(*endpoint); }
    CHECK(endpoint->get() == nullptr);
    for (const auto *session : {&*one, &*two}) {
        CHECK(session->receive(ping) == MCPW_OK);
        const auto answer = session->next_message();
        CHECK(answer && mcpw::view(answer->text) == R"({"jsonrpc":"2.0","id":1,"result":{}})");
        CHECK(!session->next_message());
        session->trim();
        CHECK(session->receive(ping) == MCPW_OK && session->next_message());
    }
}

static void an_answer_comes_out_with_the_stream_of_its_request() {
    struct stream {
        int calls;
    };
    const std::string_view call =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    stream streams[2]{};
    mcpw::server server("s", "1");
    CHECK(server.tool("count", nullptr, mcpw_json{}, [](mcpw::request request, const mcpw_tool_call &) {
        request.context<stream>()->calls++;
        return request.text("counted");
    }));
    const auto endpoint = mcpw::endpoint::make(config_of(server));
    const auto session = mcpw::session::from(*endpoint);
    CHECK(session->receive(call, &streams[1]) == MCPW_OK);
    const auto answer = session->next_message();
    CHECK(streams[0].calls == 0 && streams[1].calls == 1);
    CHECK(answer && answer->context == &streams[1] && answer->is_last);
    CHECK(answer && mcpw::view(answer->text).find("counted") != std::string_view::npos);
}

static void an_abandoned_stream_is_not_heard_of_again() {
    const mcpw::server server("s", "1");
    int stream = 0;
    const auto session = mcpw::session::make(config_of(server));
    CHECK(session->receive(ping, &stream) == MCPW_OK);
    session->abandon(&stream);
    CHECK(!session->next_message());
}

static void json_is_walked_and_read() {
    const mcpw_json value = mcpw::json(R"({"a":[1,2,3],"b":true,"c":"x\n","d":1.5})");
    std::int64_t sum = 0;
    int members = 0;
    for (const auto &member : mcpw::walk(value)) {
        members += member.key.ptr != nullptr;
    }
    for (const auto &item : mcpw::walk(*mcpw::get<mcpw_json>(value, "a"))) {
        std::int64_t number = 0;
        CHECK(mcpw_json_int(item.value, &number) == MCPW_OK);
        sum += number;
    }
    CHECK(members == 4 && sum == 6);
    for (const auto &item : mcpw::walk(mcpw::json("5"))) {
        CHECK(item.value.ptr == nullptr); /* never */
    }
    mcpw::arena arena;
    CHECK(*mcpw::get<bool>(value, "b") && *mcpw::get<double>(value, "d") == 1.5);
    CHECK(*mcpw::get<std::string_view>(value, "c", arena.get()) == "x\n");
    CHECK(mcpw::get<std::int64_t>(value, "b").status() == MCPW_E_TYPE);
    CHECK(mcpw::get<std::int64_t>(value, "z").value_or(7) == 7);
}

static void absent_and_empty_are_apart() {
    CHECK(mcpw::view(mcpw_str{}).empty() && mcpw::str("").ptr != nullptr && mcpw::str({}).ptr != nullptr);
    const mcp_20251125_call_tool_result none{};
    CHECK(mcpw::items(none.content).empty());
    mcpw_str text = {};
    text = MCPW_STR_VALUE("t"); /* what the C macros make is a value here, too */
    CHECK(mcpw::view(text) == "t" && mcpw_json_equal(MCPW_JSON_VALUE("1"), MCPW_JSON_VALUE("1.0")));
    for (const auto &block : mcpw::items(none.content)) {
        CHECK(block.kind == 0); /* never */
    }
}

int main(int argc, char **argv) {
    if (argc > 1) {
        return serve();
    }
    self[0] = argv[0];
    a_client_calls_lambdas_in_every_revision();
    lists_resources_and_prompts_are_ranges();
    a_loop_drives_a_client();
    a_server_that_is_not_there_is_an_error();
#if defined(MCPW_CPP_EXCEPTIONS)
    exceptions_are_thrown_where_they_are_asked_for();
#endif
    a_value_goes_round();
    owners_move();
    a_session_takes_and_gives_bytes();
    sessions_outlive_the_endpoint_that_they_share();
    an_answer_comes_out_with_the_stream_of_its_request();
    an_abandoned_stream_is_not_heard_of_again();
    json_is_walked_and_read();
    absent_and_empty_are_apart();
    if (failures != 0) {
        std::fprintf(stderr, "%d checks failed\n", failures);
    }
    return failures != 0;
}
