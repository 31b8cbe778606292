/* SPDX-License-Identifier: MIT */
/* A protected server with an extension: its requests, notifications and subscriptions need scopes, in every
 * revision, before its middleware and its handlers get them. */
#include "protect_harness.h"

#include <mcpw/extension.h>
#include <mcpw/tasks.h>

#define ID "org.example/clock"
#define SETTINGS "'io.modelcontextprotocol/clientCapabilities':{'extensions':{'" ID "':{}}}"
#define DECLARED_META                                                                                        \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'," SETTINGS                              \
    ",'io.modelcontextprotocol/clientInfo':{'name':'c','version':'1'}}"

static int answered;
static int told;
static int passed;

static mcpw_status answer_it(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    static const mcpw_json result = MCPW_JSON("{\"ok\":true}");
    (void)call, (void)user;
    answered++;
    return mcpw_respond_json(request, result, NULL);
}

static void hear_it(mcpw_session *session, const mcpw_extension_call *call, void *user) {
    (void)session, (void)call, (void)user;
    told++;
}

static mcpw_status pass(mcpw_passage *passage, void *user) {
    (void)passage, (void)user;
    passed++;
    return MCPW_OK;
}

static const mcpw_extension_method methods[] = {
    {.struct_size = sizeof(mcpw_extension_method),
     .name = "clock/get",
     .request = answer_it,
     .scopes = "clock:get"},
    {.struct_size = sizeof(mcpw_extension_method), .name = "clock/list", .request = answer_it},
    {.struct_size = sizeof(mcpw_extension_method),
     .name = "notifications/clock/set",
     .is_notification = true,
     .from = MCPW_ROLE_CLIENT,
     .notification = hear_it,
     .scopes = "clock:set"},
    {.struct_size = sizeof(mcpw_extension_method),
     .name = "notifications/clock/tick",
     .is_notification = true}};
static const mcpw_extension_topic topics[] = {
    {.struct_size = sizeof(mcpw_extension_topic), .filter = "clocks", .scopes = "clock:hear"}};
static const mcpw_middleware middleware[] = {
    {.name = "pass",
     .passes = MCPW_PASS_RECEIVED_REQUESTS | MCPW_PASS_RECEIVED_NOTIFICATIONS,
     .before = pass}};

static mcpw_extension clock_extension(void) {
    mcpw_extension e = MCPW_EXTENSION_INIT;
    e.id = ID;
    e.methods = methods;
    e.method_count = sizeof methods / sizeof *methods;
    e.topics = topics;
    e.topic_count = 1;
    e.middleware = middleware;
    e.middleware_count = 1;
    e.scopes = "clock";
    return e;
}

static void begin_with_clock(fixture *f) {
    const mcpw_extension e = clock_extension();
    prepare(f);
    CHECK(site_offer(&f->site));
    CHECK(mcpw_server_add_extension(f->site.tools, &e, NULL) == MCPW_OK);
    CHECK(site_open(&f->site));
    offer(&f->site);
    answered = told = passed = 0;
}

static const response *ask(fixture *f, const char *token, const char *method, const char *more) {
    char lines[VISITOR_LINE];
    char body[HTTP_TEXT];
    (void)snprintf(lines, sizeof lines, "Authorization: Bearer %s\nMcp-Method: %s", token, method);
    (void)snprintf(body, sizeof body, "{'jsonrpc':'2.0','id':7,'method':'%s','params':{" DECLARED_META "%s}}",
                   method, more);
    return say(f, lines, "", body);
}

static void a_request_of_an_extension_needs_all_its_scopes(void) {
    static const struct {
        const char *token;
        const char *method;
        int status;
    } rows[] = {{"a", "clock/get", 403},
                {"a/clock", "clock/get", 403},
                {"a/clock:get", "clock/get", 403},
                {"a/clock,clock:set", "clock/get", 403},
                {"a/clock,clock:get", "clock/get", 200},
                {"a", "clock/list", 403},
                {"a/clock", "clock/list", 200}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        begin_with_clock(&f);
        const response *const r = ask(&f, rows[i].token, rows[i].method, "");
        const bool is_served = rows[i].status == 200;
        CHECK(check_that(r->status == rows[i].status, __FILE__, __LINE__, r->body));
        CHECK(answered == is_served && passed == is_served);
        site_stop(&f.site);
    }
}

static void the_challenge_names_every_scope(void) {
    fixture f;
    begin_with_clock(&f);
    const response *const r = ask(&f, "a/clock", "clock/get", "");
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT
                      ", error=\"insufficient_scope\", scope=\"clock clock:get\""));
    CHECK(site_has(r->body, "'id':7"));
    site_stop(&f.site);
}

static void a_notification_of_an_extension_needs_scopes(void) {
    static const char body[] =
        "{'jsonrpc':'2.0','method':'notifications/clock/set','params':{" DECLARED_META "}}";
    fixture f;
    begin_with_clock(&f);
    CHECK(say(&f, BEARER("a/clock"), "Mcp-Method: notifications/clock/set", body)->status == 403);
    CHECK(told == 0 && passed == 0);
    CHECK(say(&f, BEARER("a/clock,clock:set"), "Mcp-Method: notifications/clock/set", body)->status == 202);
    CHECK(told == 1);
    site_stop(&f.site);
}

static void a_subscription_with_its_filter_needs_scopes(void) {
    static const struct {
        const char *token;
        const char *filter;
        int status;
    } rows[] = {{"a", "'notifications':{'clocks':['x']}", 403},
                {"a/clock", "'notifications':{'clocks':['x']}", 403},
                {"a/clock,clock:hear", "'notifications':{'clocks':['x']}", 200},
                {"a/clock", "'notifications':{'cl\\u006fcks':['x']}", 403},
                {"a", "'notifications':{'toolsListChanged':true}", 200}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char more[VISITOR_LINE];
        fixture f;
        begin_with_clock(&f);
        (void)snprintf(more, sizeof more, ",%s", rows[i].filter);
        const response *const r = ask(&f, rows[i].token, "subscriptions/listen", more);
        CHECK(check_that(r->status == rows[i].status, __FILE__, __LINE__, rows[i].filter));
        site_stop(&f.site);
    }
}

/* ---- Revisions with a handshake, where a core has a method of an extension ---- */

static void open_session(fixture *f, visitor *v, const char *revision) {
    static const char field[] = "Mcp-Session-Id: ";
    char initialize[HTTP_TEXT];
    memset(v, 0, sizeof *v);
    v->site = &f->site;
    (void)snprintf(initialize, sizeof initialize,
                   "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'%s',"
                   "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}",
                   revision);
    const response *const r = site_finish(
        site_post(&f->site, "Mcp-Method:-\nMCP-Protocol-Version:-\n" BEARER("a"), initialize, HTTP_TEXT));
    const char *const at = strstr(r->fields, field);
    CHECK(r->status == 200 && at != NULL);
    if (at != NULL) {
        (void)snprintf(v->id, sizeof v->id, "%.*s", (int)strcspn(at + sizeof field - 1, "\n"),
                       at + sizeof field - 1);
    }
}

static const response *say_in(visitor *v, const char *token, const char *body) {
    char credentials[VISITOR_LINE];
    (void)snprintf(credentials, sizeof credentials, "Authorization: Bearer %s", token);
    visitor_lines(v->lines, v->id, credentials);
    return visitor_say(v, body);
}

static void tasks_need_scopes_in_the_core_and_in_the_extension(void) {
    static const char get[] = "{'jsonrpc':'2.0','id':1,'method':'tasks/get','params':{'taskId':'x'}}";
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    fixture f;
    visitor v;
    config.scopes = "tasks:use";
    prepare(&f);
    CHECK(site_offer(&f.site));
    CHECK(mcpw_server_add_tasks(f.site.tools, &config, NULL) == MCPW_OK);
    CHECK(site_open(&f.site));
    offer(&f.site);
    open_session(&f, &v, "2025-11-25");
    const response *r = say_in(&v, "a", get);
    CHECK(r->status == 403);
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT ", error=\"insufficient_scope\", scope=\"tasks:use\""));
    r = say_in(&v, "a/tasks:use", get);
    CHECK(r->status == 200 && strstr(r->body, "there is no such task") != NULL);
    CHECK(ask(&f, "a", "tasks/get", ",'taskId':'x'")->status == 403);
    CHECK(ask(&f, "a", "tasks/cancel", ",'taskId':'x'")->status == 403);
    CHECK(ask(&f, "a", "subscriptions/listen", ",'notifications':{'taskIds':['x']}")->status == 403);
    site_stop(&f.site);
}

static void a_batch_needs_the_scopes_of_each_message(void) {
    static const char batch[] = "[{'jsonrpc':'2.0','id':1,'method':'tools/list'},"
                                "{'jsonrpc':'2.0','id':2,'method':'clock/get'}]";
    fixture f;
    visitor v;
    begin_with_clock(&f);
    open_session(&f, &v, "2025-03-26");
    const response *r = say_in(&v, "a", batch);
    CHECK(r->status == 403 && answered == 0);
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT
                      ", error=\"insufficient_scope\", scope=\"clock clock:get\""));
    r = say_in(&v, "a/clock,clock:get", batch); /* this revision has no such method */
    CHECK(r->status == 200 && answered == 0 && strstr(r->body, "-32601") != NULL);
    site_stop(&f.site);
}

/* ---- Registration ---- */

static void malformed_scopes_are_refused(void) {
    static const char *const wrong[] = {"a\"b", "a\\b", "a\tb", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mcpw_extension_method method = methods[0];
        mcpw_extension_topic topic = topics[0];
        mcpw_extension e = clock_extension();
        mcpw_error error = {0};
        fixture f;
        prepare(&f);
        CHECK(site_offer(&f.site));
        e.scopes = wrong[i];
        CHECK(mcpw_server_add_extension(f.site.tools, &e, &error) == MCPW_E_ARGUMENT);
        CHECK(strstr(error.message, ID ": the scopes of the extension") != NULL);
        e = clock_extension();
        method.scopes = topic.scopes = wrong[i];
        e.methods = &method;
        e.method_count = 1;
        CHECK(mcpw_server_add_extension(f.site.tools, &e, &error) == MCPW_E_ARGUMENT);
        CHECK(strstr(error.message, ID ": the scopes of clock/get") != NULL);
        e.method_count = 0;
        e.topics = &topic;
        CHECK(mcpw_server_add_extension(f.site.tools, &e, &error) == MCPW_E_ARGUMENT);
        CHECK(strstr(error.message, ID ": the scopes of clocks") != NULL);
        e = clock_extension();
        CHECK(mcpw_server_add_extension(f.site.tools, &e, &error) == MCPW_OK); /* nothing was kept */
        CHECK(site_open(&f.site));
        site_stop(&f.site);
    }
}

int main(void) {
    RUN(a_request_of_an_extension_needs_all_its_scopes);
    RUN(the_challenge_names_every_scope);
    RUN(a_notification_of_an_extension_needs_scopes);
    RUN(a_subscription_with_its_filter_needs_scopes);
    RUN(malformed_scopes_are_refused);
    check_test = "keeps_sessions";
    if (keeps_sessions()) {
        RUN(tasks_need_scopes_in_the_core_and_in_the_extension);
        RUN(a_batch_needs_the_scopes_of_each_message);
    }
    return check_end();
}
