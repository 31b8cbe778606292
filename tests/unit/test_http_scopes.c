/* SPDX-License-Identifier: MIT */
/* A protected server: scopes, principals and the end of tokens. */
#include "protect_harness.h"

#include <mcpw/ask.h>

/* ---- Scopes ---- */

static void a_request_needs_the_scopes_of_method_and_entry(void) {
    fixture f;
    begin(&f);
    const response *r = call_tool(&f, BEARER("alice/tools:call"), "guarded");
    CHECK(r->status == 403 && calls == 0);
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT
                      ", error=\"insufficient_scope\", scope=\"tools:call tools:guarded\""));
    CHECK(site_has(r->body, "'id':1"));
    r = call_tool(&f, BEARER("alice/tools:call,tools:guarded"), "guarded");
    CHECK(r->status == 200 && calls == 1 && strstr(r->body, "without extra") != NULL);
    CHECK(call_tool(&f, BEARER("alice/tools:call"), "hello")->status == 200);
    CHECK(call_tool(&f, BEARER("alice"), "hello")->status == 403);
    CHECK(list(&f, BEARER("alice"))->status == 200);
    CHECK(strstr(list(&f, BEARER("alice"))->body, "guarded") != NULL); /* lists show everything */
    site_stop(&f.site);
}

static void a_template_needs_the_scope_of_its_variable(void) {
    static const struct {
        const char *token;
        const char *uri;
        int status;
    } rows[] = {
        {BEARER("a/resources:read,resources:any,resources:template:123"), "test://template/123/data", 200},
        {BEARER("a/resources:read,resources:any,resources:template:12"), "test://template/123/data", 403},
        {BEARER("a/resources:read,resources:any,resources:template:1234"), "test://template/123/data", 403},
        {BEARER("a/resources:read,resources:any,resources:template:a%20b"), "test://template/a%20b/data",
         200},
        {BEARER("a/resources:read,resources:any,resources:template:a,b"), "test://template/a%20b/data", 403},
        {BEARER("a/resources:read,resources:any,resources:template:a%25b"), "test://template/a%25b/data",
         200},
        {BEARER("a/resources:read,resources:static"), "test://static", 200},
        {BEARER("a/resources:read,resources:any"), "test://static", 403},
        {BEARER("a/resources:static"), "test://static", 403},
        {BEARER("a"), "test://nothing", 403},
        {BEARER("a/writer"), "test://template/x/data", 200}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        begin(&f);
        const response *const r = read_uri(&f, rows[i].token, rows[i].uri);
        CHECK(check_that(r->status == rows[i].status, __FILE__, __LINE__, rows[i].token));
        site_stop(&f.site);
    }
    fixture f;
    begin(&f);
    CHECK(has_line(read_uri(&f, BEARER("a"), "test://template/123/data"),
                   "WWW-Authenticate: Bearer " AT ", error=\"insufficient_scope\", "
                   "scope=\"resources:read resources:any resources:template:123\""));
    site_stop(&f.site);
}

/* A value with the character that separates it from the next one. */
static void different_values_make_different_scopes(void) {
    static const struct {
        const char *token;
        const char *uri;
        int status;
    } rows[] = {{BEARER("a/resources:read,pair:u:v:w"), "pair://u%3Av/w", 403},
                {BEARER("a/resources:read,pair:u:v:w"), "pair://u/v%3Aw", 403},
                {BEARER("a/resources:read,pair:u%3Av:w"), "pair://u%3Av/w", 200},
                {BEARER("a/resources:read,pair:u%3Av:w"), "pair://u/v%3Aw", 403},
                {BEARER("a/resources:read,pair:-._~9:Z"), "pair://-._~9/Z", 200},
                {BEARER("a/resources:read,pair:a%40b:%2A"), "pair://a%40b/%2A", 200}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const mcpw_resource_template pair = {
            .uri_template = "pair://{a}/{b}", .name = "pair", .read = answer_read, .scopes = "pair:{a}:{b}"};
        fixture f;
        begin(&f);
        CHECK(mcpw_server_add_resource_template(f.site.tools, &pair, NULL) == MCPW_OK);
        const response *const r = read_uri(&f, rows[i].token, rows[i].uri);
        CHECK(check_that(r->status == rows[i].status, __FILE__, __LINE__, rows[i].uri));
        site_stop(&f.site);
    }
}

static void a_broader_scope_contains_others(void) {
    static const struct {
        const char *token;
        int status;
        const char *body;
    } rows[] = {{BEARER("a/admin"), 200, "with extra"},
                {BEARER("a/writer"), 200, "without extra"},
                {BEARER("a/tools:all"), 200, "without extra"},
                {BEARER("a/tools:"), 403, ""},
                {BEARER("a/tools:*"), 403, ""},
                {BEARER("a/adm"), 403, ""},
                {BEARER("a/admins"), 403, ""},
                {BEARER("a/extra"), 403, ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        begin(&f);
        const response *const r = call_tool(&f, rows[i].token, "guarded");
        CHECK(check_that(r->status == rows[i].status, __FILE__, __LINE__, rows[i].token));
        CHECK(strstr(r->body, rows[i].body) != NULL);
        site_stop(&f.site);
    }
    fixture f;
    begin(&f);
    CHECK(call_tool(&f, BEARER("a/admin"), "other")->status == 403); /* it contains "extra" alone */
    site_stop(&f.site);
}

static void prompts_completions_and_subscriptions_need_scopes_too(void) {
    static const struct {
        const char *token;
        const char *method;
        const char *params;
        int status;
    } rows[] = {{"a/prompts:get", "prompts/get\nMcp-Name: hi", "'name':'hi'", 403},
                {"a/prompts:get,prompts:hi", "prompts/get\nMcp-Name: hi", "'name':'hi'", 200},
                {"a", "completion/complete",
                 "'ref':{'type':'ref/prompt','name':'hi'},'argument':{'name':'x','value':''}", 403},
                {"a/prompts:hi", "completion/complete",
                 "'ref':{'type':'ref/prompt','name':'hi'},'argument':{'name':'x','value':''}", 200},
                {"a", "completion/complete",
                 "'ref':{'type':'ref/resource','uri':'test://template/{id}/"
                 "data'},'argument':{'name':'id','value':''}",
                 403},
                {"a/resources:any", "completion/complete",
                 "'ref':{'type':'ref/resource','uri':'test://template/{id}/"
                 "data'},'argument':{'name':'id','value':''}",
                 200},
                {"a", "subscriptions/listen",
                 "'notifications':{'resourceSubscriptions':['test://none','test://static']}", 403},
                {"a/resources:static", "subscriptions/listen",
                 "'notifications':{'resourceSubscriptions':['test://none','test://static']}", 200}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        char lines[HTTP_TEXT];
        char body[HTTP_TEXT];
        begin(&f);
        (void)snprintf(lines, sizeof lines, "Authorization: Bearer %s\nMcp-Method: %s", rows[i].token,
                       rows[i].method);
        (void)snprintf(body, sizeof body, "{'jsonrpc':'2.0','id':1,'method':'%.*s','params':{$M,%s}}",
                       (int)strcspn(rows[i].method, "\n"), rows[i].method, rows[i].params);
        const response *const r = site_finish(site_post(&f.site, lines, body, HTTP_TEXT));
        CHECK(check_that(r->status == rows[i].status, __FILE__, __LINE__, rows[i].params));
        site_stop(&f.site);
    }
}

/* A reference has its type. A member of another type must not hide what it names. */
static void a_reference_cannot_hide_its_entry(void) {
    static const char *const references[] = {
        "{'type':'ref/resource','uri':'test://template/{id}/data','name':'none'}",
        "{'name':'none','type':'ref/resource','uri':'test://template/{id}/data'}",
        "{'type':'ref/prompt','name':'hi','uri':'test://none'}",
        "{'uri':'test://none','type':'ref/prompt','name':'hi'}",
        "{'type':'ref/none','type':'ref/prompt','name':'hi','uri':'test://none'}",
        "{'type':'ref/prompt','name':'none','name':'hi'}",
        "{'type':'ref/prompt','name':'hi','name':'none'}",
        "{'type':'ref/prompt','n\\u0061me':'hi'}",
        "{'type':'ref/prompt','name':'none'},'ref':{'type':'ref/prompt','name':'hi'}",
        "{'type':'ref/prompt','name':'hi'},'ref':{'type':'ref/prompt','name':'none'}"};
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        fixture f;
        char body[HTTP_TEXT];
        begin(&f);
        (void)snprintf(body, sizeof body,
                       "{'jsonrpc':'2.0','id':1,'method':'completion/complete','params':{$M,'ref':%s,"
                       "'argument':{'name':'x','value':''}}}",
                       references[i]);
        (void)say(&f, BEARER("a"), "Mcp-Method: completion/complete", body);
        CHECK(check_that(calls == 0, __FILE__, __LINE__, references[i]));
        site_stop(&f.site);
    }
}

/* A client ignores a challenge that is too long. */
static void a_challenge_leaves_out_long_scopes(void) {
    enum { LONG = 5000 };
    fixture f;
    char uri[LONG + 64];
    begin(&f);
    (void)snprintf(uri, sizeof uri, "test://template/%0*d/data", LONG, 7);
    const response *const r = read_uri(&f, BEARER("a/resources:read,resources:any"), uri);
    CHECK(r->status == 403 && calls == 0);
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT
                      ", error=\"insufficient_scope\", scope=\"resources:read resources:any\""));
    site_stop(&f.site);
}

/* The memory for a resource serves the next one, too. */
static void many_resources_take_little_memory(void) {
    enum { MANY = 500, FEW = 50 };
    static const char one[] = "'test://template/12/data',";
    char body[HTTP_TEXT] = "{'jsonrpc':'2.0','id':1,'method':'subscriptions/listen','params':{$M,"
                           "'notifications':{'resourceSubscriptions':[";
    fixture f;
    begin(&f);
    CHECK(list(&f, BEARER("a"))->status == 200);
    size_t len = strlen(body);
    for (int i = 0; i < MANY; i++) {
        memcpy(body + len, one, sizeof one);
        len += sizeof one - 1;
    }
    (void)snprintf(body + len - 1, sizeof body - len, "]}}}");
    const size_t before = f.site.memory.calls;
    f.site.memory.stingy = true;
    CHECK(say(&f, BEARER("a"), "Mcp-Method: subscriptions/listen", body)->status == 403);
    CHECK(f.site.memory.calls - before < FEW);
    f.site.memory.stingy = false;
    site_stop(&f.site);
}

static void scopes_of_entries_are_checked_when_they_are_added(void) {
    static const char *const wrong[] = {"a\"b", "a\\b", "a\tb", "\xc3\xa9"};
    mcpw_error error;
    fixture f;
    begin(&f);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const mcpw_tool tool = {.name = "t", .call = answer, .scopes = wrong[i]};
        CHECK(mcpw_server_add_tool(f.site.tools, &tool, &error) == MCPW_E_ARGUMENT);
        CHECK_STRING(error.path, "/scopes");
    }
    const mcpw_resource_template family = {
        .uri_template = "x://{id}", .name = "x", .read = answer_read, .scopes = "a:{name}"};
    CHECK(mcpw_server_add_resource_template(f.site.tools, &family, &error) == MCPW_E_ARGUMENT);
    site_stop(&f.site);
}

static void anonymous_requests_are_served_where_that_is_set(void) {
    fixture f;
    prepare(&f);
    f.protect.anonymous_scopes = "tools:call";
    start(&f);
    CHECK(list(&f, "")->status == 200);
    CHECK(call_tool(&f, "", "hello")->status == 200);
    const response *const r = call_tool(&f, "", "guarded");
    CHECK(r->status == 401 && calls == 0);
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT ", scope=\"tools:call tools:guarded\""));
    CHECK(call_tool(&f, BEARER("bad"), "hello")->status == 401);   /* a bad token is not "no token" */
    CHECK(call_tool(&f, BEARER("alice"), "hello")->status == 403); /* nor does it get those scopes */
    site_stop(&f.site);
}

/* ---- Principals ---- */

static void handlers_know_the_access_but_no_token(void) {
    fixture f;
    prepare(&f);
    f.stub.verifier.dpop_algorithms = "ES256";
    start(&f);
    CHECK(call_tool(&f, DPOP("alice/writer") "\nCookie: a=b", "guarded")->status == 200);
    CHECK_STRING(access_heard, ISSUER "|alice|client|writer|1800000000000|" ISSUER " alice|001");
    CHECK(call_tool(&f, DPOP("/writer"), "guarded")->status == 200);
    CHECK_STRING(access_heard, ISSUER "||client|writer|1800000000000|" ISSUER "\tclient|000");
    site_stop(&f.site);
}

static void open_in(fixture *f, visitor *v, const char *credentials, const char *initialize) {
    char lines[VISITOR_TEXT];
    static const char field[] = "Mcp-Session-Id: ";
    memset(v, 0, sizeof *v);
    v->site = &f->site;
    (void)snprintf(lines, sizeof lines, "Mcp-Method:-\nMCP-Protocol-Version:-\n%s", credentials);
    const response *const r = site_finish(site_post(&f->site, lines, initialize, HTTP_TEXT));
    const char *const at = strstr(r->fields, field);
    CHECK(r->status == 200 && at != NULL);
    if (at != NULL) {
        (void)snprintf(v->id, sizeof v->id, "%.*s", (int)strcspn(at + sizeof field - 1, "\n"),
                       at + sizeof field - 1);
    }
    visitor_lines(v->lines, v->id, credentials);
    CHECK(visitor_say(v, "{'jsonrpc':'2.0','method':'notifications/initialized'}")->status == 202);
}

static void open_as(fixture *f, visitor *v, const char *credentials) {
    open_in(f, v, credentials, INITIALIZE("2025-11-25"));
}

static void a_session_is_of_one_issuers_subject(void) {
    static const char *const others[] = {BEARER("bob"), BEARER("@alice")};
    fixture f;
    visitor v;
    mcpw_status status;
    begin(&f);
    open_as(&f, &v, BEARER("alice"));
    for (int i = 0; i < 2; i++) {
        visitor thief = v;
        visitor_lines(thief.lines, v.id, others[i]);
        CHECK(visitor_say(&thief, LIST_TOOLS)->status == 404);
        CHECK(site_finish(site_begin(&f.site, "GET", "/mcp", thief.lines, &status))->status == 404);
        CHECK(site_finish(site_begin(&f.site, "DELETE", "/mcp", thief.lines, &status))->status == 404);
    }
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    visitor_lines(v.lines, v.id, "");
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 401);
    CHECK(site_finish(site_begin(&f.site, "GET", "/mcp", v.lines, &status))->status == 401);
    CHECK(site_finish(site_begin(&f.site, "DELETE", "/mcp", v.lines, &status))->status == 401);
    site_stop(&f.site);
}

/* Asks for the roots twice, so that the first ones are kept in a state, and then answers. */
static mcpw_status ask_roots(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    mcpw_status status = mcpw_ask_json(request, "r", "roots/list", (mcpw_json){NULL, 0, 0}, &answer);
    (void)call, (void)user;
    if (status == MCPW_OK) {
        status = mcpw_ask_json(request, "s", "roots/list", (mcpw_json){NULL, 0, 0}, &answer);
    }
    return status == MCPW_OK ? mcpw_respond_text(request, MCPW_STR_VALUE("asked")) : status;
}

/* The response to a call of the tool, with more members of its params. */
static const response *call_asking(fixture *f, const char *token, const char *more) {
    static const char meta[] = "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                               "'io.modelcontextprotocol/clientCapabilities':{'roots':{}}}";
    char lines[VISITOR_LINE];
    char body[HTTP_TEXT];
    (void)snprintf(lines, sizeof lines, "Mcp-Method: tools/call\nMcp-Name: asks\nAuthorization: Bearer %s",
                   token);
    (void)snprintf(body, sizeof body,
                   "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{%s,'name':'asks'%s}}", meta,
                   more);
    return site_finish(site_post(&f->site, lines, body, HTTP_TEXT));
}

static void a_request_state_is_of_one_issuers_subject(void) {
    static const struct {
        const char *token;
        bool is_taken;
    } rows[] = {{"alice/writer", true}, {"@alice/writer", false}, {"bob/writer", false}};
    static const char member[] = "\"requestState\":\"";
    fixture f;
    char more[VISITOR_TEXT];
    begin(&f);
    CHECK(site_add(&f.site, "asks", ask_roots, NULL));
    const response *r = call_asking(&f, "alice/writer", ",'inputResponses':{'r':{'roots':[]}}");
    const char *const at = strstr(r->body, member);
    CHECK(r->status == 200 && at != NULL);
    const char *const state = at != NULL ? at + sizeof member - 1 : "";
    (void)snprintf(more, sizeof more, ",'requestState':'%.*s','inputResponses':{'s':{'roots':[]}}",
                   (int)strcspn(state, "\""), state);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        r = call_asking(&f, rows[i].token, more);
        CHECK(
            check_that((strstr(r->body, "asked") != NULL) == rows[i].is_taken, __FILE__, __LINE__, r->body));
        CHECK(rows[i].is_taken || strstr(r->body, "-32602") != NULL);
    }
    site_stop(&f.site);
}

static void scopes_hold_in_sessions_and_batches(void) {
    static const char batch[] = "[{'jsonrpc':'2.0','id':1,'method':'tools/list'},"
                                "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'guarded'}}]";
    fixture f;
    visitor v;
    begin(&f);
    open_as(&f, &v, BEARER("alice"));
    const response *r = visitor_say(&v, CALL_TOOL("guarded"));
    CHECK(r->status == 403 && calls == 0);
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT
                      ", error=\"insufficient_scope\", scope=\"tools:call tools:guarded\""));
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    visitor_lines(v.lines, v.id, BEARER("alice/tools:call,tools:guarded")); /* the same principal */
    CHECK(visitor_say(&v, CALL_TOOL("guarded"))->status == 200 && calls == 1);
    visitor_lines(v.lines, v.id, BEARER("alice"));
    r = visitor_say(&v, batch);
    CHECK(r->status == 403 && calls == 1);
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT
                      ", error=\"insufficient_scope\", scope=\"tools:call tools:guarded\""));
    site_stop(&f.site);
}

/* The scopes are those of the entry that is called, whatever else the message names. */
static void a_member_that_occurs_twice_hides_no_scope(void) {
    static const char *const messages[] = {
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'hello','name':'guarded'}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'guarded','name':'hello'}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/"
        "call','params':{'name':'hello'},'params':{'name':'guarded'}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/"
        "call','params':{'name':'guarded'},'params':{'name':'hello'}}",
        "{'jsonrpc':'2.0','id':1,'method':'ping','method':'tools/call','params':{'name':'guarded'}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','method':'ping','params':{'name':'guarded'}}",
        "{'jsonrpc':'2.0','id':1,'m\\u0065thod':'tools/call','params':{'n\\u0061me':'guarded'}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools\\/call','params':{'name':'gu\\u0061rded'}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'guarded'},'result':{}}"};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        fixture f;
        visitor v;
        char batch[HTTP_TEXT];
        begin(&f);
        open_in(&f, &v, BEARER("alice/tools:call"), INITIALIZE("2025-03-26"));
        (void)visitor_say(&v, messages[i]);
        (void)snprintf(batch, sizeof batch, "[%s]", messages[i]);
        (void)visitor_say(&v, batch);
        CHECK(check_that(calls == 0, __FILE__, __LINE__, messages[i]));
        site_stop(&f.site);
    }
}

static void base_scopes_hold_for_get_and_delete(void) {
    fixture f;
    visitor v;
    mcpw_status status;
    prepare(&f);
    f.protect.scopes = "mcp";
    start(&f);
    open_as(&f, &v, BEARER("alice/mcp"));
    visitor_lines(v.lines, v.id, BEARER("alice"));
    CHECK(site_finish(site_begin(&f.site, "GET", "/mcp", v.lines, &status))->status == 403);
    CHECK(site_finish(site_begin(&f.site, "DELETE", "/mcp", v.lines, &status))->status == 403);
    visitor_lines(v.lines, v.id, BEARER("alice/mcp"));
    CHECK(site_finish(site_begin(&f.site, "DELETE", "/mcp", v.lines, &status))->status == 204);
    site_stop(&f.site);
}

static void a_get_may_wait_for_its_verdict(void) {
    fixture f;
    visitor v;
    response r = {0};
    mcpw_status status;
    begin(&f);
    open_as(&f, &v, BEARER("alice"));
    visitor_lines(v.lines, v.id, BEARER("~alice"));
    mcpw_http_exchange *const e = site_begin(&f.site, "GET", "/mcp", v.lines, &status);
    mcpw_http_body_end(e);
    site_take(e, &r);
    CHECK(r.status == 0);
    settle(&f.stub);
    site_take(e, &r);
    CHECK(r.status == 200 && r.streams && !r.ended);
    mcpw_http_close(e);
    site_stop(&f.site);
}

/* ---- The end of a token ---- */

static void a_stream_that_listens_ends_with_its_token(void) {
    static const char listen[] = "{'jsonrpc':'2.0','id':1,'method':'subscriptions/listen',"
                                 "'params':{$M,'notifications':{'toolsListChanged':true}}}";
    fixture f;
    response r = {0};
    begin(&f);
    mcpw_http_exchange *const e =
        site_post(&f.site, "Mcp-Method: subscriptions/listen\n" BEARER("!alice"), listen, HTTP_TEXT);
    site_take(e, &r);
    CHECK(r.status == 200 && r.streams && !r.ended);
    mcpw_http_advance(f.site.http, LIFETIME - 1);
    site_take(e, &r);
    CHECK(!r.ended);
    mcpw_http_advance(f.site.http, LIFETIME);
    site_take(e, &r);
    CHECK(r.ended);
    mcpw_http_close(e);
    site_stop(&f.site);
}

static void a_session_stream_ends_with_its_token(void) {
    fixture f;
    visitor v;
    response r = {0};
    mcpw_status status;
    begin(&f);
    open_as(&f, &v, BEARER("alice"));
    visitor_lines(v.lines, v.id, BEARER("!alice"));
    mcpw_http_exchange *const e = site_begin(&f.site, "GET", "/mcp", v.lines, &status);
    site_take(e, &r);
    CHECK(r.status == 200 && !r.ended);
    mcpw_http_advance(f.site.http, LIFETIME);
    site_take(e, &r);
    CHECK(r.ended);
    mcpw_http_close(e);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200); /* the session goes on */
    mcpw_http_exchange *const again = site_begin(&f.site, "GET", "/mcp", v.lines, &status);
    memset(&r, 0, sizeof r);
    site_take(again, &r);
    CHECK(r.status == 200 && !r.ended);
    mcpw_http_close(again);
    site_stop(&f.site);
}

/* A later request of the user, whose token lives longer or has fewer scopes, changes nothing about the
 * stream. */
static void a_stream_ends_with_the_token_that_opened_it(void) {
    fixture f;
    visitor v;
    response r = {0};
    mcpw_status status;
    prepare(&f);
    f.protect.scopes = "mcp";
    start(&f);
    open_as(&f, &v, BEARER("alice/mcp"));
    visitor_lines(v.lines, v.id, BEARER("!alice/mcp"));
    mcpw_http_exchange *const e = site_begin(&f.site, "GET", "/mcp", v.lines, &status);
    site_take(e, &r);
    CHECK(r.status == 200 && !r.ended);
    visitor_lines(v.lines, v.id, BEARER("alice"));
    CHECK(site_finish(site_begin(&f.site, "GET", "/mcp", v.lines, &status))->status == 403);
    site_take(e, &r);
    CHECK(!r.ended);
    visitor_lines(v.lines, v.id, BEARER("alice/mcp"));
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    mcpw_http_advance(f.site.http, LIFETIME - 1);
    site_take(e, &r);
    CHECK(!r.ended);
    mcpw_http_advance(f.site.http, LIFETIME);
    site_take(e, &r);
    CHECK(r.ended);
    mcpw_http_close(e);
    site_stop(&f.site);
}

static void a_call_under_way_outlives_its_token(void) {
    fixture f;
    response r = {0};
    begin(&f);
    mcpw_http_exchange *const e =
        site_post(&f.site, "Mcp-Method: tools/call\nMcp-Name: keep\n" BEARER("!alice/tools:call"),
                  "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'name':'keep'}}", HTTP_TEXT);
    mcpw_http_advance(f.site.http, 2 * LIFETIME);
    site_take(e, &r);
    CHECK(!r.ended && f.site.kept_count == 1);
    CHECK(mcpw_respond_text(f.site.kept[0], MCPW_STR_VALUE("late")) == MCPW_OK);
    site_take(e, &r);
    CHECK(r.ended && strstr(r.body, "late") != NULL);
    mcpw_http_close(e);
    site_stop(&f.site);
}

/* ---- The callback ---- */

static bool judge(void *user, const mcpw_http_exchange *exchange, mcpw_str token, mcpw_http_grant *grant) {
    (void)user;
    CHECK(mcpw_http_field_of(exchange, "Authorization").ptr == NULL);
    if (!mcpw_str_is(token, "good")) {
        grant->error = "invalid_token";
        return false;
    }
    grant->issuer = (mcpw_str)MCPW_STR(ISSUER);
    grant->principal = (mcpw_str)MCPW_STR("alice");
    grant->scopes = (mcpw_str)MCPW_STR("tools:call tools:guarded");
    return true;
}

/* A token is "ISSUER|CLIENT", without a user. */
static bool judge_client(void *user, const mcpw_http_exchange *exchange, mcpw_str token,
                         mcpw_http_grant *grant) {
    static char issuer[VISITOR_LINE];
    (void)user, (void)exchange;
    const size_t len = strcspn(token.ptr, "|");
    (void)snprintf(issuer, sizeof issuer, "%.*s", (int)len, token.ptr);
    for (char *c = issuer; *c != '\0'; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    grant->issuer = mcpw_str_from(issuer);
    grant->client_id = (mcpw_str){token.ptr + len + 1, token.len - len - 1};
    return true;
}

static void clients_without_a_user_are_different_principals(void) {
    static const char *const issuers[] = {"", ISSUER};
    for (int i = 0; i < 2; i++) {
        fixture f;
        visitor v;
        char lines[VISITOR_LINE];
        prepare(&f);
        f.protect.verifier = NULL;
        f.site.config.authorize = judge_client;
        start(&f);
        (void)snprintf(lines, sizeof lines, "Authorization: Bearer %s|one", issuers[i]);
        open_as(&f, &v, lines);
        CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
        (void)snprintf(lines, sizeof lines, "Authorization: Bearer %s|two", issuers[i]);
        visitor_lines(v.lines, v.id, lines);
        CHECK(visitor_say(&v, LIST_TOOLS)->status == 404);
        site_stop(&f.site);
    }
}

static void an_issuer_that_cannot_be_told_from_a_subject_is_refused(void) {
    fixture f;
    prepare(&f);
    f.protect.verifier = NULL;
    f.site.config.authorize = judge_client;
    start(&f);
    CHECK(list(&f, BEARER("https://a|one"))->status == 200);
    CHECK(list(&f, BEARER("https://a_b|one"))->status == 503);
    site_stop(&f.site);
}

static void a_callback_may_verify_instead(void) {
    fixture f;
    prepare(&f);
    f.protect.verifier = NULL;
    f.site.config.authorize = judge;
    start(&f);
    CHECK(call_tool(&f, BEARER("good"), "guarded")->status == 200);
    CHECK_STRING(access_heard, ISSUER "|alice||tools:call tools:guarded|0|" ISSUER " alice|000");
    CHECK(read_uri(&f, BEARER("good"), "test://static")->status == 403);
    CHECK(has_line(call_tool(&f, BEARER("evil"), "guarded"),
                   "WWW-Authenticate: Bearer " AT ", error=\"invalid_token\""));
    CHECK(call_tool(&f, "", "guarded")->status == 401);
    CHECK(call_tool(&f, DPOP("good"), "guarded")->status == 401);
    site_stop(&f.site);
}

static void without_protection_scopes_have_no_effect(void) {
    fixture f;
    prepare(&f);
    f.site.config.protect = NULL;
    start(&f);
    const response *const r = call_tool(&f, BEARER(SECRET) "\nDPoP: " SECRET, "guarded");
    CHECK(r->status == 200 && strstr(r->body, "with extra") != NULL);
    CHECK_STRING(access_heard, "none");
    site_stop(&f.site);
}

int main(void) {
    RUN(a_request_needs_the_scopes_of_method_and_entry);
    RUN(a_template_needs_the_scope_of_its_variable);
    RUN(different_values_make_different_scopes);
    RUN(a_broader_scope_contains_others);
    RUN(prompts_completions_and_subscriptions_need_scopes_too);
    RUN(a_reference_cannot_hide_its_entry);
    RUN(a_challenge_leaves_out_long_scopes);
    RUN(many_resources_take_little_memory);
    RUN(scopes_of_entries_are_checked_when_they_are_added);
    RUN(anonymous_requests_are_served_where_that_is_set);
    RUN(handlers_know_the_access_but_no_token);
    RUN(a_stream_that_listens_ends_with_its_token);
    RUN(a_call_under_way_outlives_its_token);
    RUN(an_issuer_that_cannot_be_told_from_a_subject_is_refused);
    RUN(a_callback_may_verify_instead);
    RUN(without_protection_scopes_have_no_effect);
    check_test = "keeps_sessions";
    if (keeps_sessions()) {
        RUN(a_session_is_of_one_issuers_subject);
        RUN(clients_without_a_user_are_different_principals);
        RUN(a_request_state_is_of_one_issuers_subject);
        RUN(scopes_hold_in_sessions_and_batches);
        RUN(a_member_that_occurs_twice_hides_no_scope);
        RUN(base_scopes_hold_for_get_and_delete);
        RUN(a_get_may_wait_for_its_verdict);
        RUN(a_session_stream_ends_with_its_token);
        RUN(a_stream_ends_with_the_token_that_opened_it);
    }
    return check_end();
}
