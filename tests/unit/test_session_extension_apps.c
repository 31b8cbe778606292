/* SPDX-License-Identifier: MIT */
/* The apps extension of 2026-07-28: the types of what a tool and its page say in _meta, and of the messages
 * between a page and its host, which are none of a session's. */
#include <mcp/2026-07-28-ui.h>
#include <mcpw/apps.h>

#include "extension_examples.h"

#define TYPE(name) &mcp_20260728_ui_mcp_ui_##name##_table
#define INFO "{'name':'n','version':'1'}"
#define TEXT "{'type':'text','text':'t'}"
#define CSP "{'connectDomains':['https://api.example.com'],'resourceDomains':['https://*.example.com']}"
#define PERMISSIONS "{'camera':{},'clipboardWrite':{}}"
#define TOOL "{'name':'t','inputSchema':{'type':'object'}}"
#define CONTEXT                                                                                              \
    "{'toolInfo':{'id':1,'tool':" TOOL "},'theme':'dark','styles':{'variables':{'--font-sans':'Arial'},"     \
    "'css':{'fonts':'@import url(a.css)'}},'displayMode':'inline','availableDisplayModes':['inline','pip']," \
    "'containerDimensions':{'maxHeight':600,'width':400.5},'locale':'de-AT','timeZone':'Europe/Vienna',"     \
    "'userAgent':'host','platform':'desktop','deviceCapabilities':{'touch':false,'hover':true},"             \
    "'safeAreaInsets':{'top':0,'right':0,'bottom':20,'left':0},'mood':'calm'}"
#define HOST "{'openLinks':{},'serverTools':{'listChanged':true},'sandbox':{'permissions':" PERMISSIONS "}}"

static void check_all(const example *examples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        check_round_trip(&examples[i]);
    }
}

static void what_servers_and_clients_state_survives(void) {
    static const example examples[] = {
        {TYPE(client_capabilities), "{'mimeTypes':['text/html;profile=mcp-app']}"},
        {TYPE(tool_meta), "{'resourceUri':'ui://weather/page','visibility':['model','app']}"},
        {TYPE(tool_meta), "{'visibility':['app']}"},
        {TYPE(resource_meta), "{}"},
        {TYPE(resource_meta), "{'csp':" CSP ",'permissions':" PERMISSIONS ",'domain':'a.example.com',"
                              "'prefersBorder':true}"},
    };
    check_all(examples, sizeof examples / sizeof *examples);
}

static void messages_of_an_app_survive(void) {
    static const example examples[] = {
        {TYPE(initialize_request), "{'method':'ui/initialize','params':{'appInfo':" INFO
                                   ",'appCapabilities':{'availableDisplayModes':['inline']},"
                                   "'protocolVersion':'2026-01-26'},'jsonrpc':'2.0','id':1}"},
        {TYPE(initialized_notification), "{'method':'ui/notifications/initialized'}"},
        {TYPE(open_link_request), "{'method':'ui/open-link','params':{'url':'https://example.com'}}"},
        {TYPE(download_file_request),
         "{'method':'ui/download-file','params':{'contents':[{'type':'resource','resource':"
         "{'uri':'file:///a','text':'t'}},{'type':'resource_link','uri':'file:///a','name':'a'}]}}"},
        {TYPE(message_request), "{'method':'ui/message','params':{'role':'user','content':[" TEXT "]}}"},
        {TYPE(update_model_context_request),
         "{'method':'ui/update-model-context','params':{'content':[" TEXT "],'structuredContent':{'a':1}}}"},
        {TYPE(request_display_mode_request), "{'method':'ui/request-display-mode','params':{'mode':'pip'}}"},
        {TYPE(size_changed_notification),
         "{'method':'ui/notifications/size-changed','params':{'width':400,'height':600.25}}"},
        {TYPE(request_teardown_notification), "{'method':'ui/notifications/request-teardown'}"},
    };
    check_all(examples, sizeof examples / sizeof *examples);
}

static void messages_of_a_host_survive(void) {
    static const example examples[] = {
        {TYPE(initialize_result), "{'protocolVersion':'2026-01-26','hostInfo':" INFO
                                  ",'hostCapabilities':" HOST ",'hostContext':" CONTEXT "}"},
        {TYPE(host_context_changed_notification),
         "{'method':'ui/notifications/host-context-changed','params':" CONTEXT "}"},
        {TYPE(tool_input_notification),
         "{'method':'ui/notifications/tool-input','params':{'arguments':{'a':[1]}}}"},
        {TYPE(tool_result_notification),
         "{'method':'ui/notifications/tool-result','params':{'content':[" TEXT
         "],'structuredContent':{'a':1},'isError':false,'resultType':'complete'}}"},
        {TYPE(tool_cancelled_notification), "{'method':'ui/notifications/tool-cancelled','params':{}}"},
        {TYPE(resource_teardown_request), "{'method':'ui/resource-teardown','params':{}}"},
        {TYPE(open_link_result), "{'isError':true}"},
        {TYPE(request_display_mode_result), "{'mode':'fullscreen'}"},
        {TYPE(sandbox_resource_ready_notification),
         "{'method':'ui/notifications/sandbox-resource-ready','params':{'html':'<p>','csp':" CSP "}}"},
    };
    check_all(examples, sizeof examples / sizeof *examples);
}

static void other_values_are_refused(void) {
    static const example examples[] = {
        {TYPE(client_capabilities), "{'mimeTypes':'text/html'}"},
        {TYPE(tool_meta), "{'visibility':['user']}"},
        {TYPE(resource_meta), "{'csp':{'connectDomains':'*'}}"},
        {TYPE(resource_meta), "{'prefersBorder':1}"},
        {TYPE(open_link_request), "{'method':'ui/open-link','params':{}}"},
        {TYPE(open_link_request), "{'method':'ui/open','params':{'url':'https://example.com'}}"},
        {TYPE(message_request), "{'method':'ui/message','params':{'role':'assistant','content':[]}}"},
        {TYPE(request_display_mode_result), "{'mode':'huge'}"},
        {TYPE(initialize_result), "{'protocolVersion':'1','hostInfo':" INFO ",'hostContext':{}}"},
        {TYPE(host_context), "{'safeAreaInsets':{'top':1}}"},
        {TYPE(host_context), "{'styles':{'variables':{'--font-sans':1}}}"},
        {TYPE(style_variable_key), "'--none'"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        check_refused(&examples[i]);
    }
}

static void none_of_its_messages_is_a_method_of_sessions(void) {
    static const char *const methods[] = {"ui/initialize", "ui/message", "ui/notifications/tool-result"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        CHECK(mcpw_method_number(&mcp_20260728_ui_revision, methods[i], strlen(methods[i])) ==
              mcpw_method_number(mcpw_find_revision(MODERN), methods[i], strlen(methods[i])));
    }
}

static void the_descriptor_is_of_the_same_extension(void) {
    CHECK_STRING(mcp_20260728_ui_extension.id, MCPW_APPS_EXTENSION);
    CHECK(mcp_20260728_ui_extension.revision == &mcp_20260728_ui_revision);
}

static mcpw_status say_nothing(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from(""));
}

/* The `ui` in the _meta of the first item of a list in a response is of a type of the published schema. */
static void check_ui(end *e, const char *list, const mcpw_type *type) {
    const char *const line = heard(e);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_json at = mcpw_json_of(line, strlen(line));
    mcpw_error error = {0};
    options.flags = MCPW_STRICT;
    CHECK(mcpw_json_get(at, "result", &at) == MCPW_OK && mcpw_json_get(at, list, &at) == MCPW_OK &&
          mcpw_json_at(at, 0, &at) == MCPW_OK && mcpw_json_get(at, "_meta", &at) == MCPW_OK &&
          mcpw_json_get(at, "ui", &at) == MCPW_OK);
    CHECK(mcpw_validate(type, at.ptr, at.len, &arena, &options, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    mcpw_arena_free(&arena);
}

static void servers_write_it_as_the_published_schema_says(void) {
    static const mcpw_tool_ui tool_ui = {.resource_uri = "ui://a/b", .visibility = MCPW_VISIBLE_TO_APP};
    static const mcpw_page_ui page_ui = {.connect_domains = "https://a.example wss://b.example",
                                         .resource_domains = "https://*.c.example",
                                         .frame_domains = "",
                                         .base_uri_domains = "https://d.example",
                                         .permissions = MCPW_PAGE_CAMERA | MCPW_PAGE_MICROPHONE |
                                                        MCPW_PAGE_GEOLOCATION | MCPW_PAGE_CLIPBOARD_WRITE,
                                         .domain = "e.example",
                                         .prefers_border = MCPW_OFF};
    const mcpw_tool tool = {.name = "t", .call = say_nothing, .ui = &tool_ui};
    const mcpw_page page = {.uri = "ui://a/b", .name = "p", .html = MCPW_STR("<p>"), .ui = &page_ui};
    end *const e = end_make(MCPW_ROLE_SERVER, MODERN, MODERN);
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    e->config.dispatch = NULL;
    e->config.handlers = NULL;
    e->config.server = server;
    CHECK(mcpw_server_add_apps(server, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_page(server, &page, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    open_server(e);
    say_request(e, "1", "tools/list", "");
    check_ui(e, "tools", TYPE(tool_meta));
    say_request(e, "2", "resources/list", "");
    check_ui(e, "resources", TYPE(resource_meta));
    say_request(e, "3", "resources/read", "'uri':'ui://a/b'");
    check_ui(e, "contents", TYPE(resource_meta));
    mcpw_session_free(e->session);
    e->session = NULL;
    mcpw_server_free(server);
    end_free(e);
}

/* ---- Declared ---- */

static mcpw_status say_whether_pages_are_shown(end *e, mcpw_request *request, const void *params) {
    const bool shows = mcpw_request_can(request, "extensions.io.modelcontextprotocol/ui");
    (void)params;
    return answer(
        e, request,
        fmt("{'resultType':'complete','content':[{'type':'text','text':'%s'}]}", shows ? "page" : "text"));
}

static void a_server_sees_whether_a_client_shows_pages(void) {
    mcpw_library library;
    end *const e = end_make(MCPW_ROLE_SERVER, MODERN, MODERN);
    mcpw_library_init(&library);
    CHECK(mcpw_library_add(&library, &mcp_20260728_ui_revision, NULL) == MCPW_OK);
    e->config.library = &library;
    e->config.declares = "extensions.io.modelcontextprotocol/ui";
    e->dispatch.revision = e->speaks = &mcp_20260728_ui_revision;
    end_serve(e, "tools/call", say_whether_pages_are_shown);
    open_server(e);
    say_request_as(
        e, "1", "tools/call", "'name':'t'",
        "{'extensions':{'io.modelcontextprotocol/ui':{'mimeTypes':['text/html;profile=mcp-app']}}}", "");
    CHECK_HAS(heard(e), "'text':'page'");
    say_request_as(e, "2", "tools/call", "'name':'t'", "{}", "");
    CHECK_HAS(heard(e), "'text':'text'");
    say_request(e, "3", "server/discover", "");
    CHECK_HAS(heard(e), "'extensions':{'io.modelcontextprotocol/ui':{}}");
    end_free(e);
}

int main(void) {
    RUN(what_servers_and_clients_state_survives);
    RUN(messages_of_an_app_survive);
    RUN(messages_of_a_host_survive);
    RUN(other_values_are_refused);
    RUN(the_descriptor_is_of_the_same_extension);
    RUN(servers_write_it_as_the_published_schema_says);
    RUN(none_of_its_messages_is_a_method_of_sessions);
    RUN(a_server_sees_whether_a_client_shows_pages);
    return check_end();
}
