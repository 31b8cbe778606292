/* SPDX-License-Identifier: MIT */
/* The `ui` of another's tools and pages as a host reads it, and the policy that a host makes of it. */
#include <mcpw/apps.h>

#include "session_harness.h"

static mcpw_arena arena = MCPW_ARENA_INIT;

static mcpw_json json(const char *text) { return mcpw_json_from(q(text)); }

/* ---- Tools ---- */

static void check_tool(const char *meta, const char *uri, unsigned visibility) {
    mcpw_tool_ui ui = MCPW_SIZED(mcpw_tool_ui);
    mcpw_error error = {0};
    CHECK(mcpw_tool_ui_read(json(meta), &arena, &ui, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK_STRING(ui.resource_uri != NULL ? ui.resource_uri : "", uri);
    CHECK(ui.visibility == visibility);
}

static void the_ui_of_a_tool_is_read(void) {
    const unsigned both = MCPW_VISIBLE_TO_MODEL | MCPW_VISIBLE_TO_APP;
    check_tool("{'ui':{'resourceUri':'ui://a/b'}}", "ui://a/b", both);
    check_tool("{'x':1,'ui':{'resourceUri':'ui:\\/\\/a','visibility':['app'],'more':[]}}", "ui://a",
               MCPW_VISIBLE_TO_APP);
    check_tool("{'ui':{'visibility':['model','model']}}", "", MCPW_VISIBLE_TO_MODEL);
    check_tool("{'ui':{'visibility':['app','model']}}", "", both);
    check_tool("{'ui':{}}", "", both);
}

static void the_deprecated_form_is_read(void) {
    const unsigned both = MCPW_VISIBLE_TO_MODEL | MCPW_VISIBLE_TO_APP;
    check_tool("{'ui/resourceUri':'ui://old'}", "ui://old", both);
    check_tool("{'ui/resourceUri':'ui://old','ui':{'resourceUri':'ui://new'}}", "ui://new", both);
    check_tool("{'ui/resourceUri':'ui://old','ui':{'visibility':['app']}}", "ui://old", MCPW_VISIBLE_TO_APP);
}

static void check_bad_tool(const char *meta, mcpw_status status, const char *path) {
    mcpw_tool_ui ui = {.resource_uri = "unchanged"};
    mcpw_error error = {0};
    const mcpw_status got = mcpw_tool_ui_read(json(meta), &arena, &ui, &error);
    if (got != status) {
        (void)fprintf(stderr, "%s: %s: %s\n", meta, mcpw_status_name(got), error.message);
    }
    CHECK(got == status && error.code == status);
    CHECK_STRING(error.path, path);
    CHECK_STRING(ui.resource_uri, "unchanged");
}

static void a_tool_of_anothers_making_that_is_wrong_is_named(void) {
    check_bad_tool("{}", MCPW_E_NOT_FOUND, "");
    check_bad_tool("1", MCPW_E_TYPE, "");
    check_bad_tool("{'ui':", MCPW_E_SYNTAX, "");
    check_bad_tool("{'ui':'ui://a'}", MCPW_E_TYPE, "/ui");
    check_bad_tool("{'ui':{'resourceUri':1}}", MCPW_E_TYPE, "/ui/resourceUri");
    check_bad_tool("{'ui':{'resourceUri':null}}", MCPW_E_TYPE, "/ui/resourceUri");
    check_bad_tool("{'ui':{'resourceUri':'https://a'}}", MCPW_E_FORMAT, "/ui/resourceUri");
    check_bad_tool("{'ui':{'resourceUri':'ui://'}}", MCPW_E_FORMAT, "/ui/resourceUri");
    check_bad_tool("{'ui':{'resourceUri':'ui://a\\u0000b'}}", MCPW_E_FORMAT, "/ui/resourceUri");
    check_bad_tool("{'ui/resourceUri':[]}", MCPW_E_TYPE, "/ui~1resourceUri");
    check_bad_tool("{'ui':{'visibility':'app'}}", MCPW_E_TYPE, "/ui/visibility");
    check_bad_tool("{'ui':{'visibility':{'app':1}}}", MCPW_E_TYPE, "/ui/visibility");
    check_bad_tool("{'ui':{'visibility':['app',1]}}", MCPW_E_TYPE, "/ui/visibility/1");
    check_bad_tool("{'ui':{'visibility':['model','user']}}", MCPW_E_VALUE, "/ui/visibility/1");
    check_bad_tool("{'ui':{'visibility':[]}}", MCPW_E_VALUE, "/ui/visibility");
}

/* ---- Pages ---- */

static void the_ui_of_a_page_is_read(void) {
    mcpw_page_ui ui = MCPW_SIZED(mcpw_page_ui);
    mcpw_error error = {0};
    CHECK(mcpw_page_ui_read(
              json("{'ui':{'csp':{'connectDomains':['https://a.example','wss://b.example:1'],"
                   "'resourceDomains':['https://*.c.example'],'frameDomains':[],'baseUriDomains':"
                   "['http://[::1]:80'],'x':1},'permissions':{'microphone':{},'geolocation':{'a':1}},"
                   "'domain':'d.example','prefersBorder':false,'later':{}}}"),
              &arena, &ui, &error) == MCPW_OK);
    CHECK_STRING(ui.connect_domains, "https://a.example wss://b.example:1");
    CHECK_STRING(ui.resource_domains, "https://*.c.example");
    CHECK(ui.frame_domains == NULL);
    CHECK_STRING(ui.base_uri_domains, "http://[::1]:80");
    CHECK(ui.permissions == (MCPW_PAGE_MICROPHONE | MCPW_PAGE_GEOLOCATION));
    CHECK_STRING(ui.domain, "d.example");
    CHECK(ui.prefers_border == MCPW_OFF);
}

static void an_empty_ui_asks_for_nothing(void) {
    mcpw_page_ui ui = {.permissions = 1, .domain = "x"};
    CHECK(mcpw_page_ui_read(json("{'ui':{}}"), &arena, &ui, NULL) == MCPW_OK);
    CHECK(ui.permissions == 0 && ui.domain == NULL && ui.prefers_border == MCPW_DEFAULT);
}

static void check_bad_page(const char *meta, mcpw_status status, const char *path) {
    mcpw_page_ui ui = {.domain = "unchanged"};
    mcpw_error error = {0};
    const mcpw_status got = mcpw_page_ui_read(json(meta), &arena, &ui, &error);
    if (got != status) {
        (void)fprintf(stderr, "%s: %s: %s\n", meta, mcpw_status_name(got), error.message);
    }
    CHECK(got == status && error.code == status);
    CHECK_STRING(error.path, path);
    CHECK_STRING(ui.domain, "unchanged");
}

static void a_page_of_anothers_making_that_is_wrong_is_named(void) {
    check_bad_page("{'a':1}", MCPW_E_NOT_FOUND, "");
    check_bad_page("[]", MCPW_E_TYPE, "");
    check_bad_page("{'ui':[]}", MCPW_E_TYPE, "/ui");
    check_bad_page("{'ui':{'csp':[]}}", MCPW_E_TYPE, "/ui/csp");
    check_bad_page("{'ui':{'csp':{'connectDomains':'https://a'}}}", MCPW_E_TYPE, "/ui/csp/connectDomains");
    check_bad_page("{'ui':{'csp':{'frameDomains':['https://a',2]}}}", MCPW_E_TYPE, "/ui/csp/frameDomains/1");
    check_bad_page("{'ui':{'csp':{'resourceDomains':['*']}}}", MCPW_E_FORMAT, "/ui/csp/resourceDomains/0");
    check_bad_page("{'ui':{'permissions':['camera']}}", MCPW_E_TYPE, "/ui/permissions");
    check_bad_page("{'ui':{'permissions':{'camera':true}}}", MCPW_E_TYPE, "/ui/permissions/camera");
    check_bad_page("{'ui':{'domain':1}}", MCPW_E_TYPE, "/ui/domain");
    check_bad_page("{'ui':{'domain':'a\\nb'}}", MCPW_E_FORMAT, "/ui/domain");
    check_bad_page("{'ui':{'domain':''}}", MCPW_E_FORMAT, "/ui/domain");
    check_bad_page("{'ui':{'prefersBorder':'yes'}}", MCPW_E_TYPE, "/ui/prefersBorder");
}

/* ---- Origins ---- */

static mcpw_status take_origin(const char *origin) {
    const mcpw_page_ui ui = {.connect_domains = origin};
    mcpw_str policy;
    return mcpw_page_policy(&ui, &arena, &policy, NULL);
}

static void origins_are_taken(void) {
    static const char *const origins[] = {
        "https://example.com",          "https://*.example.com", "http://localhost:3000",
        "wss://a-b.example:65535",      "ws://127.0.0.1:1",      "https://[2001:db8::1]:443",
        "https://xn--e1afmkfd.example", "https://EXAMPLE.com",   "  https://a.example  https://b.example "};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        if (take_origin(origins[i]) != MCPW_OK) {
            (void)check_that(false, __FILE__, __LINE__, origins[i]);
        }
    }
}

static void hostile_origins_are_refused(void) {
    static const char *const origins[] = {
        "*",
        "'unsafe-eval'",
        "'self'",
        "data:",
        "blob:",
        "https:",
        "https://",
        "https://*",
        "https://*.",
        "https://*.*.example",
        "https://a.*.example",
        "https://a;script-src",
        "https://a.example;",
        "https://a.example,",
        "https://a.example/",
        "https://a.example/path",
        "https://a.example?q",
        "https://a.example#f",
        "https://u@a.example",
        "https://a.example:",
        "https://a.example:0",
        "https://a.example:65536",
        "https://a.example:123456",
        "https://a.example:*",
        "https://a.example:80:80",
        "https://-a.example",
        "https://a.example-",
        "https://a..example",
        "https://.example",
        "https://a.example.",
        "https://[::1",
        "https://[]",
        "https://[::1]x",
        "https://[::g]",
        "https://a_b.example",
        "https://\xc3\xa9.example",
        "HTTPS://a.example",
        "javascript://a.example",
        "file://a.example",
        "https://a.example\thttps://b.example",
        "https://a.example\r\nX-Header:",
        "https://a.example https://b.example;",
    };
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        if (take_origin(origins[i]) != MCPW_E_FORMAT) {
            (void)check_that(false, __FILE__, __LINE__, origins[i]);
        }
    }
}

static void a_hostile_origin_is_told_in_a_form_that_a_terminal_can_show(void) {
    const mcpw_page_ui ui = {.frame_domains = "https://\x1b[31ma"};
    mcpw_str policy;
    mcpw_error error = {0};
    CHECK(mcpw_page_policy(&ui, &arena, &policy, &error) == MCPW_E_FORMAT);
    CHECK_STRING(error.path, "/frame_domains");
    CHECK_STRING(error.message, q("'https://\\x1b[31ma' is no origin such as https://api.example.com"));
}

/* ---- The policy ---- */

static void check_policy(const mcpw_page_ui *ui, const char *want) {
    mcpw_str policy = {NULL, 0};
    mcpw_error error = {0};
    CHECK(mcpw_page_policy(ui, &arena, &policy, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK_TEXT(policy.ptr, policy.len, want);
    CHECK(policy.ptr != NULL && policy.ptr[policy.len] == '\0');
}

static void a_page_without_wishes_reaches_nothing(void) {
    static const mcpw_page_ui empty = {0};
    static const mcpw_page_ui blanks = {.connect_domains = " ", .base_uri_domains = ""};
    static const char strictest[] =
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'none'; media-src 'self' data:; connect-src 'none'; "
        "frame-src 'none'; base-uri 'self'; object-src 'none'; form-action 'none'";
    check_policy(NULL, strictest);
    check_policy(&empty, strictest);
    check_policy(&blanks, strictest);
}

static void each_list_stands_in_its_directives(void) {
    static const mcpw_page_ui ui = {.connect_domains = "https://a.example  wss://b.example",
                                    .resource_domains = "https://*.c.example",
                                    .frame_domains = "https://d.example",
                                    .base_uri_domains = "https://e.example"};
    check_policy(
        &ui, "default-src 'none'; script-src 'self' 'unsafe-inline' https://*.c.example; style-src 'self' "
             "'unsafe-inline' https://*.c.example; img-src 'self' data: https://*.c.example; font-src "
             "https://*.c.example; media-src 'self' data: https://*.c.example; connect-src https://a.example "
             "wss://b.example; frame-src https://d.example; base-uri https://e.example; object-src 'none'; "
             "form-action 'none'");
}

static void wrong_arguments_are_refused(void) {
    mcpw_page_ui page = {.struct_size = 1};
    mcpw_tool_ui tool = {.struct_size = 1};
    mcpw_str policy;
    const mcpw_json meta = json("{'ui':{}}");
    CHECK(mcpw_page_policy(&page, &arena, &policy, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_page_policy(NULL, NULL, &policy, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_page_policy(NULL, &arena, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_page_ui_read(meta, &arena, &page, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_page_ui_read(meta, &arena, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_tool_ui_read(meta, &arena, &tool, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_tool_ui_read(meta, NULL, &tool, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_tool_ui_read((mcpw_json){NULL, 0, 0}, &arena, &(mcpw_tool_ui){0}, NULL) == MCPW_E_NOT_FOUND);
}

/* ---- Memory ---- */

static void each_allocation_may_fail(void) {
    enum { MOST = 100 };
    static const char page_meta[] =
        "{'ui':{'csp':{'connectDomains':['https://a.example','https://\\u0062.example']},"
        "'domain':'\\u0061'}}";
    static const char tool_meta[] = "{'ui':{'resourceUri':'ui://a\\u0062','visibility':['\\u0061pp']}}";
    size_t at = 1;
    for (bool failed = true; failed && at < MOST; at++) {
        counting memory = {.stingy = true, .fail_at = at, .stays_out = true};
        mcpw_arena own = MCPW_ARENA_INIT;
        mcpw_page_ui page = {0};
        mcpw_tool_ui tool = {0};
        mcpw_str policy;
        mcpw_error error = {0};
        own.allocator = counting_allocator(&memory);
        mcpw_status status = mcpw_page_ui_read(json(page_meta), &own, &page, &error);
        status = status == MCPW_OK ? mcpw_tool_ui_read(json(tool_meta), &own, &tool, &error) : status;
        status = status == MCPW_OK ? mcpw_page_policy(&page, &own, &policy, &error) : status;
        CHECK(status == MCPW_OK || (status == MCPW_E_MEMORY && error.code == status));
        failed = status != MCPW_OK;
        mcpw_arena_free(&own);
        CHECK(memory.in_use == 0);
    }
    CHECK(at > 3 && at < MOST);
}

int main(void) {
    RUN(the_ui_of_a_tool_is_read);
    RUN(the_deprecated_form_is_read);
    RUN(a_tool_of_anothers_making_that_is_wrong_is_named);
    RUN(the_ui_of_a_page_is_read);
    RUN(an_empty_ui_asks_for_nothing);
    RUN(a_page_of_anothers_making_that_is_wrong_is_named);
    RUN(origins_are_taken);
    RUN(hostile_origins_are_refused);
    RUN(a_hostile_origin_is_told_in_a_form_that_a_terminal_can_show);
    RUN(a_page_without_wishes_reaches_nothing);
    RUN(each_list_stands_in_its_directives);
    RUN(wrong_arguments_are_refused);
    RUN(each_allocation_may_fail);
    mcpw_arena_free(&arena);
    return check_end();
}
