/* SPDX-License-Identifier: MIT */
/* A server with pages: what it lists, reads and refuses, and what it leaves alone. */
#include <mcpw/apps.h>

#include "session_harness.h"

#define PAGE_URI "ui://moon/page"
#define HTML "<!doctype html><p title=\"a\">\xc3\xa9</p>"
#define SHOWS_PAGES                                                                                          \
    "{'extensions':{'io.modelcontextprotocol/ui':{'mimeTypes':['text/x','text/html;profile=mcp-app']}}}"

static mcpw_status tell(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from(mcpw_request_takes_pages(request) ? "page" : "text"));
}

static mcpw_status make_page(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    CHECK(mcpw_str_is(read->uri, PAGE_URI));
    return mcpw_respond_page(request, mcpw_str_from(user));
}

static mcpw_status answer_no_page(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    *(mcpw_status *)user = mcpw_respond_page(request, mcpw_str_from(HTML));
    return mcpw_respond_resource_text(request, NULL, mcpw_str_from("x"));
}

static const mcpw_tool_ui tool_ui = {.resource_uri = PAGE_URI};
static const mcpw_page_ui page_ui = {.connect_domains = "https://api.example.com wss://live.example.com:8443",
                                     .resource_domains = "https://*.example.com",
                                     .permissions = MCPW_PAGE_CAMERA | MCPW_PAGE_CLIPBOARD_WRITE,
                                     .domain = "a.example.com",
                                     .prefers_border = MCPW_ON};
#define PAGE_META                                                                                            \
    "'_meta':{'ui':{'csp':{'connectDomains':['https://api.example.com','wss://live.example.com:8443'],"      \
    "'resourceDomains':['https://*.example.com']},'permissions':{'camera':{},'clipboardWrite':{}},"          \
    "'domain':'a.example.com','prefersBorder':true}}"

static mcpw_page a_page(void) {
    return (mcpw_page){.uri = PAGE_URI, .name = "moon", .html = MCPW_STR(HTML), .ui = &page_ui};
}

static mcpw_tool a_tool(const char *name) { return (mcpw_tool){.name = name, .call = tell, .ui = &tool_ui}; }

/* An end whose server has apps. */
static end *with_apps(const char *speaks) {
    end *const e = end_make(MCPW_ROLE_SERVER, speaks, speaks);
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    config.name = "s";
    config.version = "1";
    config.allocator = e->config.allocator;
    e->config.dispatch = NULL;
    e->config.handlers = NULL;
    e->config.server = mcpw_server_new_with(&config, NULL);
    CHECK(mcpw_server_add_apps(e->config.server, NULL) == MCPW_OK);
    return e;
}

static void add_page(end *e, mcpw_page page) {
    CHECK(mcpw_server_add_page(e->config.server, &page, NULL) == MCPW_OK);
}

static void add_tool(end *e, mcpw_tool tool) {
    CHECK(mcpw_server_add_tool(e->config.server, &tool, NULL) == MCPW_OK);
}

static void done(end *e) {
    mcpw_session_free(e->session);
    mcpw_server_free(e->config.server);
    e->session = NULL;
    end_free(e);
}

/* ---- What is told ---- */

static void a_tool_names_its_page(void) {
    end *const e = with_apps(MODERN);
    add_tool(e, a_tool("show")); /* before its page: the order does not matter */
    add_page(e, a_page());
    open_server(e);
    say_request(e, "1", "tools/list", "");
    CHECK_HAS(heard(e), "'_meta':{'ui':{'resourceUri':'ui://moon/page'}}");
    done(e);
}

static void visibility_is_told_and_tools_of_apps_alone_are_listed(void) {
    static const mcpw_tool_ui app = {.resource_uri = PAGE_URI, .visibility = MCPW_VISIBLE_TO_APP};
    static const mcpw_tool_ui both = {.visibility = MCPW_VISIBLE_TO_MODEL | MCPW_VISIBLE_TO_APP};
    end *const e = with_apps(MODERN);
    add_page(e, a_page());
    add_tool(e, (mcpw_tool){.name = "a", .call = tell, .ui = &app});
    add_tool(e, (mcpw_tool){.name = "b", .call = tell, .ui = &both});
    open_server(e);
    say_request(e, "1", "tools/list", "");
    const char *const line = heard(e);
    CHECK_HAS(line, "'name':'a'");
    CHECK_HAS(line, "{'ui':{'resourceUri':'ui://moon/page','visibility':['app']}}");
    CHECK_HAS(line, "{'ui':{'visibility':['model','app']}}");
    done(e);
}

static void other_members_of_a_tool_stay(void) {
    end *const e = with_apps(MODERN);
    mcpw_tool tool = a_tool("show");
    tool.more = mcpw_json_from(q("{'_meta':{'com.example/k':[1]},'annotations':{'title':'T'}}"));
    add_page(e, a_page());
    add_tool(e, tool);
    open_server(e);
    say_request(e, "1", "tools/list", "");
    const char *const line = heard(e);
    CHECK_HAS(line, "'annotations':{'title':'T'}");
    CHECK_HAS(line, "'_meta':{'com.example/k':[1],'ui':{'resourceUri':'ui://moon/page'}}");
    done(e);
}

static void a_tool_with_other_members_needs_no_meta(void) {
    end *const e = with_apps(MODERN);
    mcpw_tool tool = a_tool("show");
    tool.more = mcpw_json_from(q("{'annotations':{'title':'T'}}"));
    add_page(e, a_page());
    add_tool(e, tool);
    open_server(e);
    say_request(e, "1", "tools/list", "");
    CHECK_HAS(heard(e), "'annotations':{'title':'T'},'_meta':{'ui':{'resourceUri':'ui://moon/page'}}");
    done(e);
}

static void a_page_is_listed_and_read_with_its_policy(void) {
    end *const e = with_apps(MODERN);
    add_page(e, a_page());
    open_server(e);
    say_request(e, "1", "resources/list", "");
    const char *line = heard(e);
    CHECK_HAS(line, "'uri':'ui://moon/page'");
    CHECK_HAS(line, "'mimeType':'text/html;profile=mcp-app'");
    CHECK_HAS(line, PAGE_META);
    say_request(e, "2", "resources/read", "'uri':'ui://moon/page'");
    line = heard(e);
    CHECK_HAS(line, "'contents':[{'uri':'ui://moon/page','mimeType':'text/html;profile=mcp-app','text':");
    CHECK_HAS(line, "'text':'<!doctype html><p title=\\'a\\'>\xc3\xa9</p>'," PAGE_META "}]");
    done(e);
}

static void a_page_without_wishes_has_no_meta(void) {
    end *const e = with_apps(MODERN);
    mcpw_page page = a_page();
    page.ui = NULL;
    add_page(e, page);
    open_server(e);
    say_request(e, "1", "resources/read", "'uri':'ui://moon/page'");
    CHECK(!has(heard(e), "_meta"));
    say_request(e, "2", "resources/list", "");
    CHECK(!has(heard(e), "_meta"));
    done(e);
}

static void a_border_may_be_refused(void) {
    static const mcpw_page_ui plain = {.prefers_border = MCPW_OFF};
    end *const e = with_apps(MODERN);
    mcpw_page page = a_page();
    page.ui = &plain;
    add_page(e, page);
    open_server(e);
    say_request(e, "1", "resources/read", "'uri':'ui://moon/page'");
    CHECK_HAS(heard(e), "'_meta':{'ui':{'prefersBorder':false}}");
    done(e);
}

static void bytes_that_are_no_utf8_are_sent_as_base64(void) {
    end *const e = with_apps(MODERN);
    mcpw_page page = a_page();
    page.html = (mcpw_str)MCPW_STR("<p>\xe9</p>");
    page.ui = NULL;
    add_page(e, page);
    open_server(e);
    say_request(e, "1", "resources/read", "'uri':'ui://moon/page'");
    const char *const line = heard(e);
    CHECK_HAS(line, "'mimeType':'text/html;profile=mcp-app','blob':'PHA+6TwvcD4='}");
    CHECK(!has(line, "'text':"));
    done(e);
}

static void a_program_may_make_each_page(void) {
    static char made[] = "<p>made</p>";
    end *const e = with_apps(MODERN);
    add_page(e,
             (mcpw_page){.uri = PAGE_URI, .name = "moon", .read = make_page, .user = made, .ui = &page_ui});
    open_server(e);
    say_request(e, "1", "resources/read", "'uri':'ui://moon/page'");
    CHECK_HAS(heard(e), "'text':'<p>made</p>'," PAGE_META);
    done(e);
}

static void a_page_answers_no_other_request(void) {
    mcpw_status status = MCPW_OK;
    end *const e = with_apps(MODERN);
    const mcpw_resource other = {.uri = "a:b", .name = "b", .read = answer_no_page, .user = &status};
    CHECK(mcpw_server_add_resource(e->config.server, &other, NULL) == MCPW_OK);
    open_server(e);
    say_request(e, "1", "resources/read", "'uri':'a:b'");
    CHECK_HAS(heard(e), "'text':'x'");
    CHECK(status == MCPW_E_ARGUMENT);
    CHECK_HAS(e->last_diagnostic, "the request reads no page");
    done(e);
}

/* ---- Clients ---- */

static void check_taken(end *e, const char *capabilities, const char *want) {
    say_request_as(e, "1", "tools/call", "'name':'show'", capabilities, "");
    CHECK_HAS(heard(e), fmt("'text':'%s'", want));
}

static void a_server_sees_which_clients_show_pages(void) {
    end *const e = with_apps(MODERN);
    add_page(e, a_page());
    add_tool(e, a_tool("show"));
    open_server(e);
    check_taken(e, SHOWS_PAGES, "page");
    check_taken(
        e, "{'extensions':{'io.modelcontextprotocol/ui':{'mimeTypes':['text/html;profile=mcp-app','a']}}}",
        "page");
    check_taken(e, "{}", "text");
    check_taken(e, "{'extensions':{'io.modelcontextprotocol/ui':{}}}", "text");
    check_taken(e, "{'extensions':{'io.modelcontextprotocol/ui':{'mimeTypes':['text/html']}}}", "text");
    check_taken(e, "{'extensions':{'io.modelcontextprotocol/u':{'mimeTypes':['text/html;profile=mcp-app']}}}",
                "text");
    check_taken(e,
                "{'extensions':{'io.modelcontextprotocol/ui':{'mimeTypes':['text\\/html;profile=mcp-app']}}}",
                "page");
    done(e);
}

static void hosts_of_a_revision_with_a_handshake_declare_pages_there(void) {
    end *const e = with_apps(HANDSHAKE);
    add_page(e, a_page());
    add_tool(e, a_tool("show"));
    open_server_as(e, SHOWS_PAGES);
    say_request(e, "1", "tools/call", "'name':'show'");
    CHECK_HAS(heard(e), "'text':'page'");
    done(e);
}

static void malformed_settings_are_refused(void) {
    static const char *const settings[] = {"{'mimeTypes':'text/html;profile=mcp-app'}", "{'mimeTypes':{}}",
                                           "{'mimeTypes':null}",
                                           "{'mimeTypes':['text/html;profile=mcp-app',1]}"};
    end *const e = with_apps(MODERN);
    add_page(e, a_page());
    add_tool(e, a_tool("show"));
    open_server(e);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        say_request_as(e, "1", "tools/call", "'name':'show'",
                       fmt("{'extensions':{'io.modelcontextprotocol/ui':%s}}", settings[i]), "");
        const char *const line = heard(e);
        CHECK_HAS(line, "'code':-32602");
        CHECK_HAS(line, "io.modelcontextprotocol/ui: /mimeTypes: expected");
    }
    check_taken(e, SHOWS_PAGES, "page"); /* the server goes on */
    done(e);
}

/* There the protocol leaves open what an extension's settings are. */
static void settings_of_a_handshake_that_are_no_object_are_refused(void) {
    end *const e = with_apps(HANDSHAKE);
    add_page(e, a_page());
    add_tool(e, a_tool("show"));
    open_server_as(e, "{'extensions':{'io.modelcontextprotocol/ui':[]}}");
    say_request(e, "1", "tools/call", "'name':'show'");
    CHECK_HAS(heard(e), "'code':-32602,'message':'io.modelcontextprotocol/ui: expected object'");
    done(e);
}

static void every_revision_lists_and_reads(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = with_apps(revision_at(i));
        add_page(e, a_page());
        add_tool(e, a_tool("show"));
        open_server(e);
        say_request(e, "1", "tools/list", "");
        const bool has_meta = strcmp(revision_at(i), ELICITING) >= 0;
        CHECK(has(heard(e), "resourceUri") == has_meta);
        say_request(e, "2", "resources/read", "'uri':'ui://moon/page'");
        const char *const line = heard(e);
        CHECK_HAS(line, "'text':'<!doctype html>");
        CHECK(has(line, PAGE_META) == has_meta);
        done(e);
    }
}

/* ---- Off until it is added ---- */

static void a_server_without_apps_has_no_trace_of_them(void) {
    const mcpw_tool with = a_tool("a");
    const mcpw_tool without = {.name = "b", .call = tell};
    const mcpw_page page = a_page();
    end *const e = end_make(MCPW_ROLE_SERVER, MODERN, MODERN);
    mcpw_error error = {0};
    e->config.dispatch = NULL;
    e->config.handlers = NULL;
    e->config.server = mcpw_server_new("s", "1", NULL);
    CHECK(mcpw_server_add_tool(e->config.server, &with, &error) == MCPW_E_STATE);
    CHECK_STRING(error.path, "/ui");
    CHECK_STRING(error.message, "mcpw_server_add_apps was not called");
    CHECK(mcpw_server_add_page(e->config.server, &page, &error) == MCPW_E_STATE);
    CHECK_STRING(error.message, "mcpw_server_add_apps was not called");
    CHECK(mcpw_server_add_tool(e->config.server, &without, NULL) == MCPW_OK);
    open_server(e);
    say_request(e, "1", "server/discover", "");
    CHECK(!has(heard(e), "extensions"));
    say_request_as(e, "2", "tools/list", "", "{'extensions':{'io.modelcontextprotocol/ui':{'mimeTypes':1}}}",
                   "");
    CHECK_HAS(heard(e), "'tools':[{'name':'b','inputSchema':{'type':'object'}}]");
    done(e);
}

static void the_extension_is_declared_once(void) {
    end *const e = with_apps(MODERN);
    mcpw_error error = {0};
    CHECK(mcpw_server_add_apps(e->config.server, &error) == MCPW_E_DUPLICATE);
    CHECK_HAS(error.message, "io.modelcontextprotocol/ui");
    add_page(e, a_page());
    open_server(e);
    say_request(e, "1", "server/discover", "");
    CHECK_HAS(heard(e), "'extensions':{'io.modelcontextprotocol/ui':{}}");
    done(e);
}

/* ---- What is refused ---- */

/* No session is made, and the error says why. */
static void check_unusable(end *e, mcpw_status status, const char *why) {
    mcpw_error error = {0};
    CHECK(mcpw_session_new(&e->config, &error) == NULL && error.code == status);
    CHECK_HAS(error.message, why);
    done(e);
}

static void a_page_that_is_missing_is_an_error_before_serving(void) {
    end *const e = with_apps(MODERN);
    add_tool(e, a_tool("show"));
    check_unusable(e, MCPW_E_CAPABILITY, "tool show: there is no resource ui://moon/page for its page");
}

static void a_page_of_another_type_is_an_error_before_serving(void) {
    static mcpw_status status;
    end *const e = with_apps(MODERN);
    const mcpw_resource resource = {
        .uri = PAGE_URI, .name = "p", .mime_type = "text/html", .read = answer_no_page, .user = &status};
    CHECK(mcpw_server_add_resource(e->config.server, &resource, NULL) == MCPW_OK);
    add_tool(e, a_tool("show"));
    check_unusable(e, MCPW_E_CAPABILITY,
                   "tool show: its page ui://moon/page has not the type text/html;profile=mcp-app");
}

static void a_malformed_ui_in_more_is_an_error_before_serving(void) {
    end *const e = with_apps(MODERN);
    add_tool(e, (mcpw_tool){.name = "show",
                            .call = tell,
                            .more = mcpw_json_from(q("{'_meta':{'ui':{'visibility':['user']}}}"))});
    check_unusable(e, MCPW_E_CAPABILITY, "tool show: /_meta/ui/visibility/0: expected 'model' or 'app'");
}

static void tools_without_a_page_are_served_beside(void) {
    end *const e = with_apps(MODERN);
    add_tool(e, (mcpw_tool){.name = "plain", .call = tell});
    add_tool(e, (mcpw_tool){.name = "other",
                            .call = tell,
                            .more = mcpw_json_from(q("{'_meta':{'com.example/ui':{'resourceUri':1}}}"))});
    open_server(e);
    say_request(e, "1", "tools/list", "");
    CHECK_HAS(heard(e), "'name':'other'");
    done(e);
}

static void a_template_may_have_the_page(void) {
    static mcpw_status status;
    end *const e = with_apps(MODERN);
    const mcpw_resource_template pages = {
        .uri_template = "ui://moon/{name}", .name = "p", .read = answer_no_page, .user = &status};
    CHECK(mcpw_server_add_resource_template(e->config.server, &pages, NULL) == MCPW_OK);
    add_tool(e, a_tool("show"));
    open_server(e);
    done(e);
}

static void a_tool_that_is_added_late_needs_its_page_at_once(void) {
    const mcpw_tool tool = a_tool("late");
    end *const e = with_apps(MODERN);
    mcpw_error error = {0};
    add_tool(e, (mcpw_tool){.name = "t", .call = tell});
    open_server(e);
    CHECK(mcpw_server_add_tool(e->config.server, &tool, &error) == MCPW_E_NOT_FOUND);
    CHECK_STRING(error.path, "/ui");
    CHECK_HAS(error.message, "tool late: there is no resource ui://moon/page");
    add_page(e, a_page());
    add_tool(e, tool);
    done(e);
}

static void a_page_in_the_members_of_a_late_tool_is_looked_for_as_well(void) {
    mcpw_tool tool = {.struct_size = sizeof tool, .name = "late", .call = tell};
    end *const e = with_apps(MODERN);
    mcpw_error error = {0};
    open_server(e);
    tool.more = mcpw_json_from(q("{'_meta':{'ui':{'resourceUri':'ui://none'}}}"));
    CHECK(mcpw_server_add_tool(e->config.server, &tool, &error) == MCPW_E_NOT_FOUND);
    CHECK_STRING(error.path, "/more");
    CHECK_HAS(error.message, "tool late: there is no resource ui://none");
    tool.more = mcpw_json_from(q("{'_meta':{'ui':{'resourceUri':1}}}"));
    CHECK(mcpw_server_add_tool(e->config.server, &tool, &error) == MCPW_E_TYPE);
    CHECK_HAS(error.message, "tool late: /_meta/ui/resourceUri");
    done(e);
}

static void check_tool_refused(mcpw_tool tool, mcpw_status status, const char *path, const char *why) {
    end *const e = with_apps(MODERN);
    mcpw_error error = {0};
    CHECK(mcpw_server_add_tool(e->config.server, &tool, &error) == status);
    CHECK_STRING(error.path, path);
    CHECK_HAS(error.message, why);
    done(e);
}

static void tools_with_a_wrong_ui_are_refused(void) {
    static const mcpw_tool_ui empty = {0};
    static const mcpw_tool_ui elsewhere = {.resource_uri = "https://example.com/page"};
    static const mcpw_tool_ui nowhere = {.resource_uri = "ui://"};
    static const mcpw_tool_ui unknown = {.visibility = 4};
    static const mcpw_tool_ui small = {.struct_size = 1};
    mcpw_tool tool = a_tool("t");
    tool.ui = &empty;
    check_tool_refused(tool, MCPW_E_ARGUMENT, "/ui", "it has neither resource_uri nor visibility");
    tool.ui = &elsewhere;
    check_tool_refused(tool, MCPW_E_ARGUMENT, "/ui", "begins with 'ui://'");
    tool.ui = &nowhere;
    check_tool_refused(tool, MCPW_E_ARGUMENT, "/ui", "begins with 'ui://'");
    tool.ui = &unknown;
    check_tool_refused(tool, MCPW_E_ARGUMENT, "/ui", "visibility has an unknown bit");
    tool.ui = &small;
    check_tool_refused(tool, MCPW_E_ARGUMENT, "/ui", "struct_size is wrong");
    tool.ui = &tool_ui;
    tool.more = mcpw_json_from("{\"_meta\":{\"ui\":{}}}");
    check_tool_refused(tool, MCPW_E_DUPLICATE, "/more", "its _meta has a ui, and the tool has one");
    tool.more = mcpw_json_from("[]");
    check_tool_refused(tool, MCPW_E_TYPE, "/more", "expected object");
    tool.more = mcpw_json_from("{\"_meta\":1}");
    check_tool_refused(tool, MCPW_E_TYPE, "/more", "its _meta is no object");
    tool.more = mcpw_json_from("{");
    check_tool_refused(tool, MCPW_E_TYPE, "/more", "expected object");
    tool.more = (mcpw_json){NULL, 0, 0};
    tool.name = NULL;
    check_tool_refused(tool, MCPW_E_ARGUMENT, "/name", "it is missing");
}

static void check_page_refused(mcpw_page page, mcpw_status status, const char *path, const char *why) {
    end *const e = with_apps(MODERN);
    mcpw_error error = {0};
    CHECK(mcpw_server_add_page(e->config.server, &page, &error) == status);
    CHECK_STRING(error.path, path);
    CHECK_HAS(error.message, why);
    done(e);
}

static void pages_that_are_wrong_are_refused(void) {
    static const mcpw_page_ui bits = {.permissions = 16};
    static const mcpw_page_ui blank = {.domain = "a b"};
    static const mcpw_page_ui nothing = {.domain = ""};
    static const mcpw_page_ui small = {.struct_size = 1};
    mcpw_page page = a_page();
    page.uri = "https://example.com";
    check_page_refused(page, MCPW_E_FORMAT, "/uri", "begins with 'ui://'");
    page.uri = "ui://a b";
    check_page_refused(page, MCPW_E_FORMAT, "/uri", "");
    page.uri = NULL;
    check_page_refused(page, MCPW_E_ARGUMENT, "/uri", "it is missing");
    page = a_page();
    page.name = NULL;
    check_page_refused(page, MCPW_E_MISSING, "", "name");
    page = a_page();
    page.read = make_page;
    check_page_refused(page, MCPW_E_ARGUMENT, "", "either html or read");
    page.read = NULL;
    page.html.ptr = NULL;
    check_page_refused(page, MCPW_E_ARGUMENT, "", "either html or read");
    page = a_page();
    page.struct_size = 1;
    check_page_refused(page, MCPW_E_ARGUMENT, "", "struct_size");
    page = a_page();
    page.ui = &bits;
    check_page_refused(page, MCPW_E_ARGUMENT, "/permissions", "unknown bit");
    page.ui = &blank;
    check_page_refused(page, MCPW_E_FORMAT, "/domain", "without blanks");
    page.ui = &nothing;
    check_page_refused(page, MCPW_E_FORMAT, "/domain", "without blanks");
    page.ui = &small;
    check_page_refused(page, MCPW_E_ARGUMENT, "", "struct_size");
    page = a_page();
    page.scopes = "\"";
    check_page_refused(page, MCPW_E_ARGUMENT, "/scopes", "");
}

static void a_page_is_there_once_and_can_be_replaced(void) {
    const mcpw_page page = a_page();
    end *const e = with_apps(MODERN);
    mcpw_error error = {0};
    add_page(e, page);
    CHECK(mcpw_server_add_page(e->config.server, &page, &error) == MCPW_E_DUPLICATE);
    CHECK(mcpw_server_remove_resource(e->config.server, PAGE_URI) == MCPW_OK);
    mcpw_page other = page;
    other.html = (mcpw_str)MCPW_STR("<p>new</p>");
    add_page(e, other);
    open_server(e);
    say_request(e, "1", "resources/read", "'uri':'ui://moon/page'");
    CHECK_HAS(heard(e), "<p>new</p>");
    done(e);
}

static void missing_arguments_are_refused(void) {
    const mcpw_page page = a_page();
    mcpw_error error = {0};
    end *const e = with_apps(MODERN);
    CHECK(mcpw_server_add_page(NULL, &page, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_page(e->config.server, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_apps(NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_client_add_apps(NULL, &error) == MCPW_E_ARGUMENT);
    done(e);
}

/* ---- Both ends ---- */

static void a_client_declares_that_it_shows_pages(void) {
    end *const server = with_apps(MODERN);
    end *const client = client_of(MODERN, MODERN);
    CHECK(mcpw_client_add_apps(&client->config, NULL) == MCPW_OK);
    add_page(server, a_page());
    add_tool(server, a_tool("show"));
    open_pair(client, server, MODERN);
    const mcpw_json settings = mcpw_session_settings(client->session, MCPW_APPS_EXTENSION);
    CHECK_TEXT(settings.ptr, settings.len, "{}");
    CHECK(call(client, "tools/call", "'name':'show'") == MCPW_OK);
    pump(client, server, NULL);
    CHECK_HAS(client->out.text, "'text':'page'");
    end_free(client);
    done(server);
}

/* ---- Memory ---- */

static void each_allocation_may_fail(void) {
    enum { MOST = 400 };
    const mcpw_page page = a_page();
    mcpw_page bytes = a_page();
    const mcpw_tool tool = a_tool("show");
    size_t at = 1;
    bytes.uri = "ui://moon/bytes";
    bytes.html = (mcpw_str)MCPW_STR("<p>\xe9</p>");
    for (bool failed = true; failed && at < MOST; at++) {
        end *const e = with_apps(MODERN);
        mcpw_error error = {0};
        e->memory.stingy = e->memory.stays_out = true;
        e->memory.fail_at = e->memory.calls + at;
        mcpw_status status = mcpw_server_add_page(e->config.server, &page, &error);
        status = status == MCPW_OK ? mcpw_server_add_page(e->config.server, &bytes, &error) : status;
        status = status == MCPW_OK ? mcpw_server_add_tool(e->config.server, &tool, &error) : status;
        CHECK(status == MCPW_OK || (status == MCPW_E_MEMORY && error.code == status));
        failed = status != MCPW_OK;
        e->memory.fail_at = 0;
        e->memory.stays_out = false;
        done(e);
    }
    CHECK(at > 10 && at < MOST);
}

/* The check of a tool that is added late needs memory, too: a template is compared with the URI. */
static void each_allocation_of_a_late_tool_may_fail(void) {
    enum { MOST = 100 };
    static mcpw_status status;
    static const mcpw_resource_template pages = {
        .uri_template = "ui://moon/{name}", .name = "p", .read = answer_no_page, .user = &status};
    const mcpw_tool tool = a_tool("late");
    size_t at = 1;
    for (bool failed = true; failed && at < MOST; at++) {
        end *const e = with_apps(MODERN);
        mcpw_error error = {0};
        CHECK(mcpw_server_add_resource_template(e->config.server, &pages, NULL) == MCPW_OK);
        open_server(e);
        e->memory.stingy = e->memory.stays_out = true;
        e->memory.fail_at = e->memory.calls + at;
        const mcpw_status added = mcpw_server_add_tool(e->config.server, &tool, &error);
        CHECK(added == MCPW_OK || (added == MCPW_E_MEMORY && error.code == added));
        failed = added != MCPW_OK;
        e->memory.fail_at = 0;
        e->memory.stays_out = false;
        done(e);
    }
    CHECK(at > 5 && at < MOST);
}

int main(void) {
    RUN(a_tool_names_its_page);
    RUN(visibility_is_told_and_tools_of_apps_alone_are_listed);
    RUN(other_members_of_a_tool_stay);
    RUN(a_tool_with_other_members_needs_no_meta);
    RUN(a_page_is_listed_and_read_with_its_policy);
    RUN(a_page_without_wishes_has_no_meta);
    RUN(a_border_may_be_refused);
    RUN(bytes_that_are_no_utf8_are_sent_as_base64);
    RUN(a_program_may_make_each_page);
    RUN(a_page_answers_no_other_request);
    RUN(a_server_sees_which_clients_show_pages);
    RUN(hosts_of_a_revision_with_a_handshake_declare_pages_there);
    RUN(malformed_settings_are_refused);
    RUN(settings_of_a_handshake_that_are_no_object_are_refused);
    RUN(every_revision_lists_and_reads);
    RUN(a_server_without_apps_has_no_trace_of_them);
    RUN(the_extension_is_declared_once);
    RUN(a_page_that_is_missing_is_an_error_before_serving);
    RUN(a_page_of_another_type_is_an_error_before_serving);
    RUN(a_malformed_ui_in_more_is_an_error_before_serving);
    RUN(tools_without_a_page_are_served_beside);
    RUN(a_template_may_have_the_page);
    RUN(a_page_in_the_members_of_a_late_tool_is_looked_for_as_well);
    RUN(a_tool_that_is_added_late_needs_its_page_at_once);
    RUN(tools_with_a_wrong_ui_are_refused);
    RUN(pages_that_are_wrong_are_refused);
    RUN(a_page_is_there_once_and_can_be_replaced);
    RUN(missing_arguments_are_refused);
    RUN(a_client_declares_that_it_shows_pages);
    RUN(each_allocation_may_fail);
    RUN(each_allocation_of_a_late_tool_may_fail);
    return check_end();
}
