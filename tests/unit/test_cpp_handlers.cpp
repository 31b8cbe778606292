// SPDX-License-Identifier: MIT
// Handlers as lambdas: what each kind may return, and what a mcpw::request answers and asks.
#include <mcpw/mcpw.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

static int failures = 0;

static void check(bool holds, int line, const char *what, const std::string &heard = "") {
    if (!holds) {
        std::fprintf(stderr, "%s:%d: %s %s\n", __FILE__, line, what, heard.c_str());
        failures++;
    }
}
#define CHECK(condition) check(static_cast<bool>(condition), __LINE__, #condition)
static void check_has(const std::string &heard, const char *part, int line) {
    check(heard.find(part) != std::string::npos, line, part, heard);
}
#define CHECK_HAS(text, part) check_has((text), (part), __LINE__)

// A server with one client, as text. In what is said ' stands for ".
class stage {
  public:
    mcpw::server server{"cpp", "1"};

    void open() {
        mcpw_session_config config = mcpw::config("cpp", "1");
        config.role = MCPW_ROLE_SERVER;
        config.server = server.get();
        config.logs = true;
        auto made = mcpw::session::make(config);
        CHECK(made.has_value());
        session_.emplace(std::move(*made));
        (void)say("{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
                  "'capabilities':{'elicitation':{'form':{},'url':{}},'sampling':{},'roots':{}},"
                  "'clientInfo':{'name':'c','version':'1'}}}");
        (void)say("{'jsonrpc':'2.0','method':'notifications/initialized'}");
    }

    // Says a line, and returns what was said to it.
    std::string say(std::string line) {
        for (char &c : line) {
            c = c == '\'' ? '"' : c;
        }
        CHECK(session_->feed(line + "\n") == MCPW_OK);
        std::string heard(session_->output());
        session_->sent(heard.size());
        return heard;
    }
    std::string ask(const std::string &method, const std::string &params) {
        return say("{'jsonrpc':'2.0','id':" + std::to_string(++id_) + ",'method':'" + method +
                   "','params':" + params + "}");
    }
    std::string call(const std::string &tool) { return ask("tools/call", "{'name':'" + tool + "'}"); }
    std::string read(const std::string &uri) { return ask("resources/read", "{'uri':'" + uri + "'}"); }
    std::string get(const std::string &prompt) { return ask("prompts/get", "{'name':'" + prompt + "'}"); }

  private:
    std::optional<mcpw::session> session_;
    int id_ = 0;
};

static mcpw_prompt prompt_of(const char *name) {
    mcpw_prompt about{};
    about.name = name;
    return about;
}

static mcpw_resource_template family_of(const char *uri) {
    mcpw_resource_template about{};
    about.uri_template = uri;
    about.name = "family";
    return about;
}

static void a_text_is_the_answer_of_a_tool_a_resource_and_a_prompt() {
    stage s;
    CHECK(s.server.tool("t", nullptr, mcpw_json{},
                        [](mcpw::request, const mcpw_tool_call &) { return "from a tool"; }));
    CHECK(s.server.resource("x:1", "one", "text/plain", [](mcpw::request, const mcpw_resource_read &) {
        return std::string("from a resource");
    }));
    CHECK(s.server.prompt(prompt_of("p"), [](mcpw::request, const mcpw_prompt_get &) {
        return std::string_view("from a prompt");
    }));
    s.open();
    CHECK_HAS(s.call("t"), R"("text":"from a tool")");
    const std::string resource = s.read("x:1");
    CHECK_HAS(resource, R"("text":"from a resource")");
    CHECK_HAS(resource, R"("mimeType":"text/plain")");
    CHECK_HAS(s.get("p"), R"("text":"from a prompt")");
}

static void a_json_value_is_structured_content_or_the_text_of_a_resource() {
    stage s;
    CHECK(s.server.tool("t", nullptr, mcpw_json{},
                        [](mcpw::request, const mcpw_tool_call &) { return mcpw::json(R"({"n":1})"); }));
    CHECK(s.server.resource("x:1", "one", "application/json", [](mcpw::request, const mcpw_resource_read &) {
        return mcpw::json(R"({"n":2})");
    }));
    s.open();
    CHECK_HAS(s.call("t"), R"("structuredContent":{"n":1})");
    CHECK_HAS(s.read("x:1"), R"("text":"{\"n\":2}")");
}

static void a_result_is_its_value_or_its_status() {
    stage s;
    CHECK(s.server.tool("t", nullptr, mcpw_json{},
                        [](mcpw::request, const mcpw_tool_call &call) -> mcpw::result<std::string> {
                            const auto n = mcpw::get<std::int64_t>(call.arguments, "n");
                            return n ? mcpw::result<std::string>("n is " + std::to_string(*n))
                                     : mcpw::result<std::string>(mcpw::error_of(MCPW_E_IO));
                        }));
    s.open();
    CHECK_HAS(s.ask("tools/call", "{'name':'t','arguments':{'n':3}}"), R"("text":"n is 3")");
    CHECK_HAS(s.call("t"), "-32603");
}

static void a_resource_answers_with_bytes_and_with_several_parts() {
    stage s;
    CHECK(s.server.resource("x:1", "one", nullptr, [](mcpw::request request, const mcpw_resource_read &) {
        return request.resource_bytes(std::string_view("\0\1", 2), "image/png");
    }));
    CHECK(s.server.resource("x:2", "two", nullptr, [](mcpw::request request, const mcpw_resource_read &) {
        return request.contents({mcpw::text_content("x:2/a", "A", "text/plain"),
                                 mcpw::byte_content("x:2/b", std::string_view("\0\1", 2))});
    }));
    CHECK(s.server.resource("x:3", "three", nullptr, [](mcpw::request request, const mcpw_resource_read &) {
        std::vector<mcpw::content> parts(2, mcpw::text_content("x:3", "again"));
        return request.contents(parts);
    }));
    CHECK(s.server.resource("x:4", "four", nullptr, [](mcpw::request request, const mcpw_resource_read &) {
        return request.resource_not_found();
    }));
    s.open();
    const std::string bytes = s.read("x:1");
    CHECK_HAS(bytes, R"("blob":"AAE=")");
    CHECK_HAS(bytes, R"("mimeType":"image/png")");
    CHECK_HAS(
        s.read("x:2"),
        R"("contents":[{"uri":"x:2/a","mimeType":"text/plain","text":"A"},{"uri":"x:2/b","blob":"AAE="}])");
    CHECK_HAS(s.read("x:3"), R"([{"uri":"x:3","text":"again"},{"uri":"x:3","text":"again"}])");
    CHECK_HAS(s.read("x:4"), "-32002");
}

static void a_template_gives_its_variables_and_suggests_values() {
    stage s;
    const std::vector<std::string> names{"anna", "anton", "bert"};
    CHECK(s.server.resource_template(
        family_of("x:{name}"),
        [](mcpw::request, const mcpw_resource_read &read) {
            return std::string("about ") + std::string(mcpw::variable(read, "name"));
        },
        [names](mcpw::request, const mcpw_completion &about) {
            std::vector<std::string> found;
            for (const auto &name : names) {
                if (name.compare(0, about.value.len, mcpw::view(about.value)) == 0) {
                    found.push_back(name);
                }
            }
            return found;
        }));
    CHECK(s.server.resource_template(family_of("y:{name}"), [](mcpw::request, const mcpw_resource_read &) {
        return "without suggestions";
    }));
    s.open();
    CHECK_HAS(s.read("x:anna"), R"("text":"about anna")");
    CHECK_HAS(s.read("y:1"), R"("text":"without suggestions")");
    CHECK_HAS(s.ask("completion/complete", "{'ref':{'type':'ref/resource','uri':'x:{name}'},"
                                           "'argument':{'name':'name','value':'an'}}"),
              R"("values":["anna","anton"])");
}

static void a_prompt_has_messages_arguments_and_suggestions() {
    stage s;
    const mcpw_prompt_argument arguments[] = {{"topic", nullptr, true}};
    mcpw_prompt about = prompt_of("p");
    about.arguments = arguments;
    about.argument_count = 1;
    CHECK(s.server.prompt(
        about,
        [](mcpw::request request, const mcpw_prompt_get &get) {
            return request.messages(
                {mcpw::from_user(request.argument(get, "topic")), mcpw::from_assistant("Yes?")}, "A talk");
        },
        [](mcpw::request request, const mcpw_completion &) {
            const std::vector<const char *> values{"tides"};
            return request.completion(values);
        }));
    s.open();
    const std::string talk = s.ask("prompts/get", "{'name':'p','arguments':{'topic':'tides'}}");
    CHECK_HAS(talk, R"("description":"A talk")");
    CHECK_HAS(talk, R"({"role":"user","content":{"type":"text","text":"tides"}})");
    CHECK_HAS(talk, R"({"role":"assistant","content":{"type":"text","text":"Yes?"}})");
    CHECK_HAS(s.ask("completion/complete", "{'ref':{'type':'ref/prompt','name':'p'},"
                                           "'argument':{'name':'topic','value':''}}"),
              R"("values":["tides"])");
}

static const std::string_view form = R"({"type":"object","properties":{"size":{"type":"integer"}}})";

static void a_handler_asks_for_a_form() {
    stage s;
    CHECK(s.server.tool("t", nullptr, mcpw_json{},
                        [](mcpw::request request, const mcpw_tool_call &) -> mcpw_status {
                            const auto asked = request.ask_form("size", "How large?", mcpw::json(form));
                            if (!asked) {
                                return asked.status();
                            }
                            if (!asked->accepted()) {
                                return request.text("declined");
                            }
                            return request.text(std::to_string(asked->get<std::int64_t>("size").value_or(0)));
                        }));
    s.open();
    CHECK_HAS(s.call("t"), R"("message":"How large?")");
    CHECK_HAS(s.say("{'jsonrpc':'2.0','id':1,'result':{'action':'accept','content':{'size':4}}}"),
              R"("text":"4")");
    CHECK_HAS(s.call("t"), R"("message":"How large?")");
    CHECK_HAS(s.say("{'jsonrpc':'2.0','id':2,'result':{'action':'decline'}}"), R"("text":"declined")");
}

static void a_handler_asks_for_a_url_a_text_and_anything() {
    stage s;
    CHECK(s.server.tool("t", nullptr, mcpw_json{},
                        [](mcpw::request request, const mcpw_tool_call &) -> mcpw_status {
                            const auto url = request.ask_url("url", "Log in", "https://a.example/");
                            const auto text = request.ask_text("text", "Say it");
                            const auto roots = request.ask_json("roots", "roots/list");
                            if (!url || !text || !roots) {
                                return !url ? url.status() : !text ? text.status() : roots.status();
                            }
                            CHECK(url->action() == MCPW_ASK_ACCEPT && roots->whole().ptr != nullptr);
                            return request.text(text->text());
                        }));
    s.open();
    const std::string input_requests = s.call("t");
    CHECK_HAS(input_requests, R"("url":"https://a.example/")");
    CHECK_HAS(input_requests, R"("text":"Say it")");
    CHECK_HAS(input_requests, "roots/list");
    (void)s.say("{'jsonrpc':'2.0','id':1,'result':{'action':'accept'}}");
    (void)s.say("{'jsonrpc':'2.0','id':2,'result':{'role':'assistant','model':'m',"
                "'content':{'type':'text','text':'said'}}}");
    CHECK_HAS(s.say("{'jsonrpc':'2.0','id':3,'result':{'roots':[]}}"), R"("text":"said")");
}

#if defined(MCPW_CPP_EXCEPTIONS)
static void with_exceptions_a_input_request_is_one_line() {
    stage s;
    CHECK(s.server.tool("t", nullptr, mcpw_json{}, [](mcpw::request request, const mcpw_tool_call &) {
        const auto size = request.ask_form("size", "How large?", mcpw::json(form)).value();
        return std::to_string(size.get<std::int64_t>("size").value());
    }));
    s.open();
    CHECK_HAS(s.call("t"), R"("message":"How large?")");
    CHECK_HAS(s.say("{'jsonrpc':'2.0','id':1,'result':{'action':'accept','content':{'size':4}}}"),
              R"("text":"4")");
}
#endif

static void an_error_and_a_result_of_ones_own_are_answers() {
    stage s;
    CHECK(s.server.tool("error", nullptr, mcpw_json{}, [](mcpw::request request, const mcpw_tool_call &) {
        return request.error(-32000, "no", mcpw::json("7"));
    }));
    CHECK(s.server.tool("json", nullptr, mcpw_json{}, [](mcpw::request request, const mcpw_tool_call &) {
        return request.json(mcpw::json(R"({"content":[{"type":"text","text":"own"}]})"));
    }));
    s.open();
    CHECK_HAS(s.call("error"), R"("error":{"code":-32000,"message":"no","data":7})");
    CHECK_HAS(s.call("json"), R"("text":"own")");
}

static void changes_are_told_by_the_server_and_by_a_request() {
    stage s;
    CHECK(s.server.tool("t", nullptr, mcpw_json{}, [](mcpw::request request, const mcpw_tool_call &) {
        request.resource_updated("x:1");
        return "told";
    }));
    s.open();
    CHECK_HAS(s.call("t"), "told");
    s.server.resource_updated("x:1");
    s.server.prompts_changed();
    s.server.resources_changed();
    s.server.tools_changed();
    CHECK_HAS(s.ask("ping", "{}"), "notifications/tools/list_changed");
}

int main() {
    a_text_is_the_answer_of_a_tool_a_resource_and_a_prompt();
    a_json_value_is_structured_content_or_the_text_of_a_resource();
    a_result_is_its_value_or_its_status();
    a_resource_answers_with_bytes_and_with_several_parts();
    a_template_gives_its_variables_and_suggests_values();
    a_prompt_has_messages_arguments_and_suggestions();
    a_handler_asks_for_a_form();
    a_handler_asks_for_a_url_a_text_and_anything();
#if defined(MCPW_CPP_EXCEPTIONS)
    with_exceptions_a_input_request_is_one_line();
#endif
    an_error_and_a_result_of_ones_own_are_answers();
    changes_are_told_by_the_server_and_by_a_request();
    if (failures != 0) {
        std::fprintf(stderr, "%d checks failed\n", failures);
    }
    return failures != 0;
}
