/* SPDX-License-Identifier: MIT */
/* A client over HTTP: what it asks servers of both eras for, and what it makes of their responses. */
#include "http_client_harness.h"

#define ONE_TOOL                                                                                             \
    "{'jsonrpc':'2.0','id':%s,'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private','tools':["  \
    "{'name':'t','inputSchema':{'type':'object','properties':{'region':{'type':'string',"                    \
    "'x-mcp-header':'Region'},'count':{'type':'integer','x-mcp-header':'Count'}}}}]}}"
#define CALLED "{'jsonrpc':'2.0','id':%s,'result':{'resultType':'complete','content':[]}}"

static void refuse_stream(web *w) {
    EXPECT_ORDER(w, "GET", "");
    EXPECT_FIELD(w, "Accept: text/event-stream");
    web_answer(w, w->call, 405, "", "");
}

/* A client in a session of that id, without a stream of the server's own. */
static web *session_opened(const char *id) {
    web *const w = web_make(NULL);
    web_open_legacy(w, id);
    refuse_stream(w);
    return w;
}

/* Lists the tools, which are those of a text. */
static void list_tools(web *w, const char *tools) {
    EXPECT_REQUEST(w, "tools/list", "");
    web_answer(w, w->call, 200, JSON_TYPE,
               fmt("{'jsonrpc':'2.0','id':2,'result':{'resultType':'complete','ttlMs':0,"
                   "'cacheScope':'private','tools':[%s]}}",
                   tools));
    CHECK(w->client->out.status == MCPW_OK);
}

/* ---- Messages that stand for themselves ---- */

static void headers_say_what_the_body_says(void) {
    web *const w = web_opened();
    EXPECT_REQUEST(w, "resources/read", "'uri':'a://b/%C3%A4 c'");
    EXPECT_FIELD(w, "Content-Type: application/json");
    EXPECT_FIELD(w, "Accept: application/json, text/event-stream");
    EXPECT_FIELD(w, "MCP-Protocol-Version: 2026-07-28");
    EXPECT_FIELD(w, "Mcp-Method: resources/read");
    EXPECT_FIELD(w, "Mcp-Name: a://b/%C3%A4 c");
    EXPECT_NO_FIELD(w, "Mcp-Session-Id");
    web_free(w);
}

static void an_answer_may_come_as_an_event_in_any_split(void) {
    for (size_t piece = 1; piece < 40; piece++) {
        web *const w = web_opened();
        w->piece = piece;
        EXPECT_REQUEST(w, "tools/call", "'name':'t'");
        web_answer(w, w->call, 200, EVENT_TYPE "; charset=utf-8",
                   fmt(": hello\r\n\r\ndata: " CALLED "\r\n\r\n", "2"));
        EXPECT_OUTCOME(w, MCPW_OK);
        EXPECT_NOTHING(w);
        web_free(w);
    }
}

static void an_error_without_an_id_is_the_answer_all_the_same(void) {
    web *const w = web_opened();
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    web_answer(w, w->call, 400, JSON_TYPE, "{'jsonrpc':'2.0','error':{'code':-32602,'message':'no'}}");
    CHECK(w->client->out.status == MCPW_E_REMOTE && w->client->out.code == -32602);
    web_free(w);
}

static void a_response_without_an_answer_fails_the_request(void) {
    static const struct {
        int status;
        const char *fields;
        const char *body;
        const char *why;
    } cases[] = {{500, "Content-Type: text/html", "<p>oops\n</p>", "HTTP status 500: <p>oops\\x0a</p>"},
                 {403, "", "", "HTTP status 403"},
                 {302, "Location: /a\x1b[1m", "", "a redirect to /a\\x1b[1m, which is not followed"},
                 {202, "", "", "no message"},
                 {200, JSON_TYPE, "{}", "no message"},
                 {200, JSON_TYPE, "nonsense", "no message"},
                 {200, JSON_TYPE, "{'jsonrpc':'2.0','id':99,'result':{}}", "no message"},
                 {301, "Location: http://elsewhere.example/", "", "HTTP status 301"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        web *const w = web_opened();
        EXPECT_REQUEST(w, "tools/call", "'name':'t'");
        web_answer(w, w->call, cases[i].status, cases[i].fields, cases[i].body);
        EXPECT_OUTCOME(w, MCPW_E_HTTP);
        CHECK_HAS(w->client->out.why, cases[i].why);
        EXPECT_NOTHING(w);
        web_free(w);
    }
}

static void a_response_has_a_limit(void) {
    for (int events = 0; events < 2; events++) {
        web *const w = web_make(NULL);
        w->config.max_message = 512;
        web_open_modern(w);
        EXPECT_REQUEST(w, "tools/call", "'name':'t'");
        mcpw_http_call *const one = w->call;
        web_head(w, one, 200, events != 0 ? EVENT_TYPE : JSON_TYPE);
        int pieces = 0;
        while (pieces < 100 && web_body(w, one, "data: 0123456789012345678901234567890123456789")) {
            pieces++;
        }
        CHECK(pieces < 100);
        mcpw_http_call_end(one, NULL);
        CHECK(w->client->out.status == MCPW_E_SIZE);
        CHECK_HAS(w->client->out.why, "max_message");
        web_free(w);
    }
}

static void a_request_is_cancelled_by_closing_its_stream(void) {
    web *const w = web_opened();
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    mcpw_http_call *const one = w->call;
    web_head(w, one, 200, EVENT_TYPE);
    CHECK(mcpw_session_cancel(w->client->session, w->client->number, "enough") == MCPW_OK);
    CHECK(web_next(w) && w->call == one);
    CHECK_STRING(w->method, "");
    EXPECT_NOTHING(w);
    CHECK(w->client->out.status == MCPW_E_CANCELLED);
    web_free(w);
}

/* ---- Headers of arguments ---- */

static void listed(web *w) {
    EXPECT_REQUEST(w, "tools/list", "");
    web_answer(w, w->call, 200, JSON_TYPE, fmt(ONE_TOOL, "2"));
    CHECK(w->client->out.status == MCPW_OK);
}

static void arguments_stand_in_headers_as_the_list_says(void) {
    static const struct {
        const char *arguments;
        const char *line; /* NULL: none */
    } cases[] = {{"'region':'eu'", "Mcp-Param-Region: eu\n"},
                 {"'region':''", "Mcp-Param-Region: \n"},
                 {"'region':' eu'", "Mcp-Param-Region: =?base64?IGV1?=\n"},
                 {"'region':'eu\\t'", "Mcp-Param-Region: =?base64?ZXUJ?=\n"},
                 {"'region':'\xC3\xA4'", "Mcp-Param-Region: =?base64?w6Q=?=\n"},
                 {"'region':'a\\nb'", "Mcp-Param-Region: =?base64?YQpi?=\n"},
                 {"'region':'=?base64?eA==?='", "Mcp-Param-Region: =?base64?PT9iYXNlNjQ/ZUE9PT89?=\n"},
                 {"'region':null", NULL},
                 {"'other':'eu'", NULL},
                 {"'count':12", "Mcp-Param-Count: 12\n"},
                 {"'count':true", "Mcp-Param-Count: true\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        web *const w = web_opened();
        listed(w);
        EXPECT_REQUEST(w, "tools/call", fmt("'name':'t','arguments':{%s}", cases[i].arguments));
        EXPECT_FIELD(w, "Mcp-Name: t");
        if (cases[i].line != NULL) {
            CHECK(check_that(strstr(w->fields, cases[i].line) != NULL, __FILE__, __LINE__, cases[i].line));
        } else {
            EXPECT_NO_FIELD(w, "Mcp-Param-Region");
        }
        web_free(w);
    }
}

static void tools_with_headers_are_kept_within_max_tools(void) {
    static const size_t most[] = {10, 10000}; /* of bytes; 10 hold no tool on any machine */
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        web *const w = web_make(NULL);
        w->config.max_tools = most[i];
        web_open_modern(w);
        listed(w);
        CHECK(w->warnings == (i == 0));
        CHECK(i != 0 || strstr(w->warning, "max_tools") != NULL);
        EXPECT_REQUEST(w, "tools/call", "'name':'t','arguments':{'region':'eu'}");
        CHECK((strstr(w->fields, "Mcp-Param-Region: eu") != NULL) == (i != 0));
        web_free(w);
    }
}

static void tools_with_headers_that_cannot_be_sent_are_left_out(void) {
    static const char *const schemas[] = {
        "{'type':'object','properties':{'a':{'type':'string','x-mcp-header':''}}}",
        "{'type':'object','properties':{'a':{'type':'string','x-mcp-header':'a b'}}}",
        "{'type':'object','properties':{'a':{'type':'string','x-mcp-header':'a:b'}}}",
        "{'type':'object','properties':{'a':{'type':'string','x-mcp-header':'\xC3\xA4'}}}",
        "{'type':'object','properties':{'a':{'type':'string','x-mcp-header':7}}}",
        "{'type':'object','properties':{'a':{'type':'number','x-mcp-header':'A'}}}",
        "{'type':'object','properties':{'a':{'type':'object','x-mcp-header':'A'}}}",
        "{'type':'object','properties':{'a':{'x-mcp-header':'A'}}}",
        ("{'type':'object','properties':{'a':{'type':'string','x-mcp-header':'A'},"
         "'b':{'type':'string','x-mcp-header':'a'}}}"),
        "{'type':'object','x-mcp-header':'A'}",
        "{'type':'object','properties':{'a':{'type':'array','items':{'type':'string','x-mcp-header':'A'}}}}",
        "{'type':'object','anyOf':[{'properties':{'a':{'type':'string','x-mcp-header':'A'}}}]}",
        "{'type':'object','$defs':{'d':{'type':'string','x-mcp-header':'A'}}}"};
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        web *const w = web_opened();
        list_tools(w, fmt("{'name':'bad','inputSchema':%s},{'name':'good','inputSchema':{'type':'object'}}",
                          schemas[i]));
        CHECK(!has(w->client->out.text, "'bad'") && has(w->client->out.text, "'good'"));
        CHECK(w->warnings == 1 && has(w->warning, "bad"));
        web_free(w);
    }
}

static void what_only_looks_like_a_header_does_no_harm(void) {
    web *const w = web_opened();
    list_tools(w, "{'name':'t','inputSchema':{'type':'object','properties':{'x-mcp-header':"
                  "{'type':'string','default':{'x-mcp-header':1},'enum':[{'x-mcp-header':2}]}}}}");
    CHECK(has(w->client->out.text, "'name':'t'") && w->warnings == 0);
    web_free(w);
}

static void an_argument_below_an_argument_stands_in_a_header(void) {
    web *const w = web_opened();
    list_tools(w, "{'name':'t','inputSchema':{'type':'object','properties':{'a':{'type':'object',"
                  "'properties':{'b':{'type':'boolean','x-mcp-header':'Deep'}}}}}}");
    EXPECT_REQUEST(w, "tools/call", "'name':'t','arguments':{'a':{'b':true}}");
    EXPECT_FIELD(w, "Mcp-Param-Deep: true");
    web_free(w);
}

/* A server that does not know the tool's headers as this end does. */
static void mismatch(web *w, const char *id) {
    web_answer(w, w->call, 400, JSON_TYPE,
               fmt("{'jsonrpc':'2.0','id':%s,'error':{'code':-32020,'message':'headers'}}", id));
}

static void tools_are_listed_again_when_headers_do_not_fit(void) {
    web *const w = web_opened();
    EXPECT_REQUEST(w, "tools/call", "'name':'t','arguments':{'region':'eu'}");
    EXPECT_NO_FIELD(w, "Mcp-Param-Region");
    mismatch(w, "2");
    EXPECT_ORDER(w, "POST", "'id':'mcpwire-1','method':'tools/list'");
    EXPECT_FIELD(w, "Mcp-Method: tools/list");
    EXPECT_FIELD(w, "MCP-Protocol-Version: 2026-07-28");
    web_answer(w, w->call, 200, JSON_TYPE, fmt(ONE_TOOL, "'mcpwire-1'"));
    EXPECT_ORDER(w, "POST", "'id':2,'method':'tools/call'");
    EXPECT_FIELD(w, "Mcp-Param-Region: eu");
    web_answer(w, w->call, 200, JSON_TYPE, fmt(CALLED, "2"));
    EXPECT_OUTCOME(w, MCPW_OK);
    web_free(w);
}

static void a_call_is_made_again_once(void) {
    web *const w = web_opened();
    EXPECT_REQUEST(w, "tools/call", "'name':'t','arguments':{}");
    mismatch(w, "2");
    EXPECT_ORDER(w, "POST", "tools/list");
    web_answer(w, w->call, 500, "", "");
    EXPECT_ORDER(w, "POST", "tools/call");
    mismatch(w, "2");
    CHECK(w->client->out.status == MCPW_E_REMOTE && w->client->out.code == -32020);
    EXPECT_NOTHING(w);
    web_free(w);
}

static void a_call_that_waits_for_a_list_can_be_cancelled(void) {
    web *const w = web_opened();
    EXPECT_REQUEST(w, "tools/call", "'name':'t','arguments':{}");
    mismatch(w, "2");
    EXPECT_ORDER(w, "POST", "tools/list");
    mcpw_http_call *const list = w->call;
    CHECK(mcpw_session_cancel(w->client->session, w->client->number, NULL) == MCPW_OK);
    EXPECT_NOTHING(w);
    web_answer(w, list, 200, JSON_TYPE, fmt(ONE_TOOL, "'mcpwire-1'"));
    EXPECT_NOTHING(w);
    web_free(w);
}

/* ---- Streams that break ---- */

static void what_is_safe_is_asked_again_under_a_new_id(void) {
    web *const w = web_opened();
    CHECK(call(w->client, "tools/list", "") == MCPW_OK);
    EXPECT_ORDER(w, "POST", "'id':2,");
    web_head(w, w->call, 200, EVENT_TYPE);
    web_break(w->call);
    EXPECT_NOTHING(w);
    web_wait(w, 1000);
    EXPECT_ORDER(w, "POST", "'id':'mcpwire-1','method':'tools/list'");
    web_answer(w, w->call, 200, EVENT_TYPE, fmt("data: " ONE_TOOL "\n\n", "'mcpwire-1'"));
    EXPECT_OUTCOME(w, MCPW_OK);
    web_free(w);
}

static void a_call_of_a_tool_is_not(void) {
    web *const w = web_opened();
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    web_head(w, w->call, 200, EVENT_TYPE);
    web_break(w->call);
    CHECK(w->client->out.status == MCPW_E_CONNECTION);
    CHECK_HAS(w->client->out.why, "the connection broke before the response came: reset");
    EXPECT_NOTHING(w);
    web_free(w);
}

static void asking_again_has_an_end(void) {
    web *const w = web_make(NULL);
    w->config.max_retries = 3;
    web_open_modern(w);
    CHECK(call(w->client, "tools/list", "") == MCPW_OK);
    for (int i = 0; i < 4; i++) {
        EXPECT_ORDER(w, "POST", "tools/list");
        web_head(w, w->call, 200, EVENT_TYPE);
        web_break(w->call);
        web_wait(w, 1000);
    }
    CHECK(w->client->out.status == MCPW_E_CONNECTION);
    EXPECT_NOTHING(w);
    web_free(w);
}

static void a_subscription_that_breaks_goes_on(void) {
    const mcpw_interest interest = {.tools = true};
    mcpw_error error;
    web *const w = web_opened();
    CHECK(mcpw_session_listen(w->client->session, &interest, end_on_reply, w->client, &w->client->number,
                              &error) == MCPW_OK);
    EXPECT_ORDER(w, "POST", "'method':'subscriptions/listen'");
    web_head(w, w->call, 200, EVENT_TYPE);
    web_break(w->call);
    web_wait(w, 1000);
    EXPECT_ORDER(w, "POST", "'id':'mcpwire-1','method':'subscriptions/listen'");
    web_head(w, w->call, 200, EVENT_TYPE);
    CHECK(web_body(w, w->call,
                   "data: {'jsonrpc':'2.0','method':'notifications/subscriptions/acknowledged','params':{"
                   "'notifications':{'toolsListChanged':true},"
                   "'_meta':{'io.modelcontextprotocol/subscriptionId':'mcpwire-1'}}}\n\n"));
    CHECK(web_body(w, w->call,
                   "data: {'jsonrpc':'2.0','method':'notifications/tools/list_changed','params':{"
                   "'_meta':{'io.modelcontextprotocol/subscriptionId':'mcpwire-1'}}}\n\n"));
    CHECK(w->client->out.count == 0 && w->client->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER] == 0);
    CHECK(mcpw_session_cancel(w->client->session, w->client->number, NULL) == MCPW_OK);
    EXPECT_GIVEN_UP(w);
    web_free(w);
}

/* ---- Sessions ---- */

static void a_session_says_who_it_is(void) {
    web *const w = session_opened("s1");
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    EXPECT_FIELD(w, "Mcp-Session-Id: s1");
    EXPECT_FIELD(w, "MCP-Protocol-Version: 2025-11-25");
    EXPECT_NO_FIELD(w, "Mcp-Method");
    web_free(w);
}

static void an_id_that_is_none_is_not_used(void) {
    web *const w = session_opened("s 1");
    CHECK(w->warnings == 1);
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    EXPECT_NO_FIELD(w, "Mcp-Session-Id");
    web_free(w);
}

static void an_id_of_a_session_has_1024_bytes_at_most(void) {
    enum { MOST = 1024 };
    for (size_t len = MOST; len <= MOST + 1; len++) {
        web *const w = web_make(NULL);
        char id[MOST + 2];
        memset(id, 'x', len);
        id[len] = '\0';
        web_open_legacy(w, id);
        refuse_stream(w);
        CHECK(w->warnings == (len > MOST));
        EXPECT_REQUEST(w, "tools/call", "'name':'t'");
        CHECK((strstr(w->fields, "Mcp-Session-Id: xxx") != NULL) == (len <= MOST));
        web_free(w);
    }
}

static void requests_wait_until_the_session_is_open(void) {
    web *const w = web_make("2025-11-25");
    CHECK(web_start(w));
    CHECK(mcpw_session_open(w->client->session) == MCPW_OK);
    CHECK(call(w->client, "tools/call", "'name':'t'") == MCPW_OK);
    EXPECT_ORDER(w, "POST", "'method':'initialize'");
    web_answer(
        w, w->call, 200, JSON_TYPE "\nMcp-Session-Id: s",
        "{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-11-25','capabilities':" SERVER_CAPABILITIES
        ",'serverInfo':{'name':'s','version':'1'}}}");
    EXPECT_ORDER(w, "POST", "notifications/initialized");
    mcpw_http_call *const said = w->call;
    EXPECT_NOTHING(w);
    web_answer(w, said, 202, "", "");
    EXPECT_ORDER(w, "GET", "");
    EXPECT_NOTHING(w); /* what the server asks at once would be lost */
    web_wait(w, 200);  /* but some servers say nothing until there is something to say */
    EXPECT_ORDER(w, "POST", "tools/call");
    web_free(w);
}

static void a_cancelled_request_is_told_to_the_server(void) {
    web *const w = session_opened("s1");
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    CHECK(mcpw_session_cancel(w->client->session, w->client->number, NULL) == MCPW_OK);
    EXPECT_GIVEN_UP(w);
    EXPECT_ORDER(w, "POST", "notifications/cancelled");
    web_answer(w, w->call, 202, "", "");
    EXPECT_NOTHING(w);
    web_free(w);
}

static void a_stream_is_resumed_where_it_has_ended(void) {
    web *const w = session_opened("s1");
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    web_answer(w, w->call, 200, EVENT_TYPE, "id: e1\nretry: 500\ndata:\n\n");
    EXPECT_NOTHING(w);
    CHECK(mcpw_http_client_deadline(w->http) == 500);
    web_wait(w, 500);
    EXPECT_ORDER(w, "GET", "");
    EXPECT_FIELD(w, "Last-Event-ID: e1");
    EXPECT_FIELD(w, "Mcp-Session-Id: s1");
    web_answer(w, w->call, 200, EVENT_TYPE,
               "id: e2\ndata: {'jsonrpc':'2.0','id':3,'result':{'content':[]}}\n\n");
    EXPECT_OUTCOME(w, MCPW_OK);
    EXPECT_NOTHING(w);
    web_free(w);
}

static void the_servers_own_stream_is_read_on(void) {
    web *const w = web_make(NULL);
    web_open_legacy(w, "s1");
    EXPECT_ORDER(w, "GET", "");
    EXPECT_NO_FIELD(w, "Last-Event-ID");
    web_answer(w, w->call, 200, EVENT_TYPE, "id: 7\ndata: {'jsonrpc':'2.0','id':1,'method':'ping'}\n\n");
    EXPECT_ORDER(w, "POST", "'id':1,'result':{}");
    web_answer(w, w->call, 202, "", "");
    web_wait(w, 1000);
    EXPECT_ORDER(w, "GET", "");
    EXPECT_FIELD(w, "Last-Event-ID: 7");
    web_free(w);
}

static void a_session_that_is_lost_is_opened_again(void) {
    web *const w = session_opened("s1");
    CHECK(call(w->client, "tools/call", "'name':'t'") == MCPW_OK);
    CHECK(call(w->client, "tools/call", "'name':'u'") == MCPW_OK);
    EXPECT_ORDER(w, "POST", "'name':'t'");
    mcpw_http_call *const one = w->call;
    EXPECT_ORDER(w, "POST", "'name':'u'");
    mcpw_http_call *const other = w->call;
    web_answer(w, one, 404, JSON_TYPE, "{'jsonrpc':'2.0','error':{'code':-32001,'message':'no session'}}");
    web_answer(w, other, 404, "", "");
    EXPECT_ORDER(w, "POST", "'method':'initialize'");
    EXPECT_NO_FIELD(w, "Mcp-Session-Id");
    mcpw_http_call *const again = w->call;
    EXPECT_NOTHING(w);
    web_answer(w, again, 200, EVENT_TYPE "\nMcp-Session-Id: s2",
               "data: {'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'2025-11-25','capabilities':{},"
               "'serverInfo':{'name':'s','version':'1'}}}\n\n");
    EXPECT_ORDER(w, "POST", "notifications/initialized");
    EXPECT_FIELD(w, "Mcp-Session-Id: s2");
    web_answer(w, w->call, 202, "", "");
    refuse_stream(w);
    EXPECT_ORDER(w, "POST", "'name':'t'");
    EXPECT_FIELD(w, "Mcp-Session-Id: s2");
    web_answer(w, w->call, 200, JSON_TYPE, "{'jsonrpc':'2.0','id':3,'result':{'content':[]}}");
    EXPECT_ORDER(w, "POST", "'name':'u'");
    web_answer(w, w->call, 404, "", "");
    CHECK(w->client->out.count == 2 && w->client->opened == 1);
    CHECK(w->client->out.status == MCPW_E_HTTP); /* once is enough */
    EXPECT_NOTHING(w);
    web_free(w);
}

static void a_server_that_opens_no_other_session_is_given_up(void) {
    static const char *const answers[] = {
        "{'jsonrpc':'2.0','id':2,'error':{'code':-32603,'message':'no'}}",
        "{'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'2025-06-18','capabilities':{},"
        "'serverInfo':{'name':'s','version':'1'}}}"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        web *const w = session_opened("s1");
        CHECK(call(w->client, "tools/call", "'name':'t'") == MCPW_OK);
        EXPECT_ORDER(w, "POST", "'name':'t'");
        web_answer(w, w->call, 404, "", "");
        EXPECT_ORDER(w, "POST", "initialize");
        web_answer(w, w->call, 200, JSON_TYPE, answers[i]);
        CHECK(w->client->out.status == MCPW_E_HTTP);
        CHECK_HAS(w->client->out.why, "lost the session");
        EXPECT_NOTHING(w);
        web_free(w);
    }
}

static void a_session_is_ended(void) {
    web *const w = web_make(NULL);
    web_open_legacy(w, "s1");
    EXPECT_ORDER(w, "GET", "");
    web_head(w, w->call, 200, EVENT_TYPE);
    mcpw_session_close(w->client->session);
    mcpw_http_client_stop(w->http);
    EXPECT_GIVEN_UP(w);
    EXPECT_ORDER(w, "DELETE", "");
    EXPECT_FIELD(w, "Mcp-Session-Id: s1");
    CHECK(!mcpw_http_client_is_idle(w->http));
    web_answer(w, w->call, 405, "", "");
    CHECK(mcpw_http_client_is_idle(w->http));
    EXPECT_NOTHING(w);
    web_free(w);
}

/* ---- The rest ---- */

static void a_server_that_cannot_be_reached_is_told_at_once(void) {
    mcpw_http_order order;
    mcpw_error error = {0};
    web *const w = web_make(NULL);
    CHECK(web_start(w));
    CHECK(mcpw_session_open(w->client->session) == MCPW_OK);
    EXPECT_ORDER(w, "POST", "server/discover");
    web_break(w->call);
    EXPECT_ORDER(w, "POST", "initialize");
    web_break(w->call);
    CHECK(mcpw_http_client_next(w->http, &order, &error) == MCPW_E_CONNECTION);
    CHECK_STRING(error.message, "reset");
    web_free(w);
}

static mcpw_str give_token(void *user, mcpw_str challenge) {
    web *const w = user;
    if (challenge.ptr != NULL) {
        w->challenges++;
        (void)snprintf(w->challenge, sizeof w->challenge, "%.*s", (int)challenge.len, challenge.ptr);
        w->token = "new";
    }
    return mcpw_str_from(w->token);
}

static void a_token_that_is_refused_is_asked_for_again_once(void) {
    web *const w = web_make(NULL);
    w->config.token = give_token;
    w->token = "old";
    web_open_modern(w);
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    EXPECT_FIELD(w, "Authorization: Bearer old");
    web_answer(w, w->call, 401, "WWW-Authenticate: Bearer error=\"invalid_token\"", "");
    EXPECT_ORDER(w, "POST", "tools/call");
    EXPECT_FIELD(w, "Authorization: Bearer new");
    CHECK_STRING(w->challenge, "Bearer error=\"invalid_token\"");
    web_answer(w, w->call, 401, "", "");
    CHECK(w->challenges == 1 && w->client->out.status == MCPW_E_UNAUTHORIZED);
    CHECK_HAS(w->client->out.why, "HTTP status 401: the token was refused");
    web_free(w);
}

/* Asks for the server's own stream with the old token, which the server refuses, and then with the new one.
 */
static void renew_token(web *w, const char *old, const char *renewed) {
    EXPECT_ORDER(w, "GET", "");
    CHECK_HAS(w->fields, fmt("Authorization: Bearer %s\n", old));
    web_answer(w, w->call, 401, "WWW-Authenticate: Bearer error=\"invalid_token\"", "");
    EXPECT_ORDER(w, "GET", "");
    CHECK_HAS(w->fields, fmt("Authorization: Bearer %s\n", renewed));
    web_answer(w, w->call, 200, EVENT_TYPE, "id: 1\ndata:\n\n");
    web_wait(w, 1000);
}

static void each_token_of_a_stream_may_expire(void) {
    web *const w = web_make(NULL);
    w->config.token = give_token;
    w->token = "old";
    web_open_legacy(w, "s1");
    renew_token(w, "old", "new");
    w->token = "newer";
    EXPECT_ORDER(w, "GET", "");
    EXPECT_FIELD(w, "Authorization: Bearer newer");
    web_answer(w, w->call, 200, EVENT_TYPE, "id: 2\ndata:\n\n");
    web_wait(w, 1000);
    renew_token(w, "newer", "new");
    CHECK(w->challenges == 2);
    web_free(w);
}

static mcpw_str give_one_token(void *user, mcpw_str challenge) {
    (void)user;
    return challenge.ptr == NULL ? (mcpw_str)MCPW_STR("only") : (mcpw_str){NULL, 0};
}

static void without_another_token_the_request_fails(void) {
    web *const w = web_make(NULL);
    w->config.token = give_one_token;
    web_open_modern(w);
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    web_answer(w, w->call, 401, JSON_TYPE, "{'error':{'code':-32600,'message':'not you'}}");
    CHECK(w->client->out.status == MCPW_E_UNAUTHORIZED);
    CHECK_HAS(w->client->out.why, "the token was refused: not you");
    EXPECT_NOTHING(w);
    web_free(w);
}

static size_t give_fields(void *user, mcpw_str method, mcpw_http_field *fields, size_t room) {
    (void)user;
    CHECK(room >= 2);
    fields[0] = (mcpw_http_field){MCPW_STR("X-Method"), method};
    fields[1] = (mcpw_http_field){MCPW_STR("X-Bad"), MCPW_STR("a\r\nX-More: b")};
    return 2;
}

static void a_program_adds_fields_of_its_own(void) {
    const mcpw_http_field fixed = {MCPW_STR("X-Fixed"), MCPW_STR("1")};
    web *const w = web_make(NULL);
    w->config.fields = &fixed;
    w->config.field_count = 1;
    w->config.add_fields = give_fields;
    web_open_modern(w);
    w->warnings = 0;
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    EXPECT_FIELD(w, "X-Fixed: 1");
    EXPECT_FIELD(w, "X-Method: tools/call");
    EXPECT_NO_FIELD(w, "X-Bad");
    EXPECT_NO_FIELD(w, "X-More");
    CHECK(w->warnings == 1);
    web_free(w);
}

static void fields_that_cannot_be_sent_are_refused(void) {
    const mcpw_http_field bad[] = {{MCPW_STR("X Y"), MCPW_STR("1")}, {MCPW_STR("X"), MCPW_STR("a\r\nb")}};
    for (size_t i = 0; i < 2; i++) {
        web *const w = web_make(NULL);
        w->config.fields = bad + i;
        w->config.field_count = 1;
        CHECK(!web_start(w));
        web_free(w);
    }
}

int main(void) {
    RUN(headers_say_what_the_body_says);
    RUN(an_answer_may_come_as_an_event_in_any_split);
    RUN(an_error_without_an_id_is_the_answer_all_the_same);
    RUN(a_response_without_an_answer_fails_the_request);
    RUN(a_response_has_a_limit);
    RUN(a_request_is_cancelled_by_closing_its_stream);
    RUN(arguments_stand_in_headers_as_the_list_says);
    RUN(tools_with_headers_are_kept_within_max_tools);
    RUN(tools_with_headers_that_cannot_be_sent_are_left_out);
    RUN(what_only_looks_like_a_header_does_no_harm);
    RUN(an_argument_below_an_argument_stands_in_a_header);
    RUN(tools_are_listed_again_when_headers_do_not_fit);
    RUN(a_call_is_made_again_once);
    RUN(a_call_that_waits_for_a_list_can_be_cancelled);
    RUN(what_is_safe_is_asked_again_under_a_new_id);
    RUN(a_call_of_a_tool_is_not);
    RUN(asking_again_has_an_end);
    RUN(a_subscription_that_breaks_goes_on);
    RUN(a_session_says_who_it_is);
    RUN(an_id_that_is_none_is_not_used);
    RUN(an_id_of_a_session_has_1024_bytes_at_most);
    RUN(requests_wait_until_the_session_is_open);
    RUN(a_cancelled_request_is_told_to_the_server);
    RUN(a_stream_is_resumed_where_it_has_ended);
    RUN(the_servers_own_stream_is_read_on);
    RUN(a_session_that_is_lost_is_opened_again);
    RUN(a_server_that_opens_no_other_session_is_given_up);
    RUN(a_session_is_ended);
    RUN(a_server_that_cannot_be_reached_is_told_at_once);
    RUN(a_token_that_is_refused_is_asked_for_again_once);
    RUN(each_token_of_a_stream_may_expire);
    RUN(without_another_token_the_request_fails);
    RUN(a_program_adds_fields_of_its_own);
    RUN(fields_that_cannot_be_sent_are_refused);
    return check_end();
}
