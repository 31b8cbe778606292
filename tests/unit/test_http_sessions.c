/* SPDX-License-Identifier: MIT */
/* Sessions over HTTP: which requests belong to one, how it is opened, found and ended, and what its answers
 * are. */
#include "http_sessions.h"

static site *begin(void) {
    static site s;
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s));
    CHECK(site_add(&s, "asks", site_asks, NULL));
    return &s;
}

/* ---- Eras ---- */

typedef struct row {
    const char *lines; /* of the header, besides the session's id where $ stands in them */
    const char *body;
    int status;
    const char *piece; /* of the answer */
} row;

static void check_row(const row *r, size_t piece) {
    static const char usual[] = "Mcp-Method:-\nMCP-Protocol-Version:-\n";
    site *const s = begin();
    visitor v;
    char lines[VISITOR_TEXT];
    visitor_open(s, &v, "2025-11-25");
    const size_t before = strcspn(r->lines, "$");
    const bool has_id = r->lines[before] == '$';
    (void)snprintf(lines, sizeof lines, "%s%.*s%s%s", usual, (int)before, r->lines, has_id ? v.id : "",
                   has_id ? r->lines + before + 1 : "");
    const response *const got = site_finish(site_post(s, lines, r->body, piece));
    if (got->status != r->status || !site_has(got->body, r->piece) || !got->ended) {
        (void)fprintf(stderr, "%s\n%s\n%d %s\n", r->lines, r->body, got->status, got->body);
        CHECK(false);
    }
    site_stop(s);
}

#define CHECK_ROWS(rows)                                                                                     \
    for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++) {                                             \
        check_row((rows) + i, HTTP_TEXT);                                                                    \
        check_row((rows) + i, 1);                                                                            \
    }

#define MODERN_LIST "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{$M}}"
#define MODERN_LINES "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/list\n"
#define IN "Mcp-Session-Id: $\n"
#define NO_ID "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void a_request_says_which_era_it_is_of(void) {
    static const row rows[] = {
        {"", INITIALIZE("2025-11-25"), 200, "'protocolVersion':'2025-11-25'"},
        {"MCP-Protocol-Version: 2026-07-28", INITIALIZE("2025-06-18"), 200, "'protocolVersion':'2025-06-18'"},
        {"", INITIALIZE("2026-07-28"), 200, "'protocolVersion':'2025-11-25'"},
        {"", INITIALIZE("1999-01-01"), 200, "'protocolVersion':'2025-11-25'"},
        {"", INITIALIZE("2024-11-05"), 200, "'protocolVersion':'2024-11-05'"},
        {IN, LIST_TOOLS, 200, "'hello'"},
        {IN "MCP-Protocol-Version: 2025-11-25", LIST_TOOLS, 200, "'hello'"},
        {MODERN_LINES, MODERN_LIST, 200, "'resultType'"},
        {IN MODERN_LINES, MODERN_LIST, 200, "'resultType'"},
        {"Mcp-Session-Id: " NO_ID "\n" MODERN_LINES, MODERN_LIST, 200, "'resultType'"},
        {MODERN_LINES, LIST_TOOLS, 400, "'code':-32602"},
        {"Mcp-Session-Id: " NO_ID "\n" MODERN_LINES, LIST_TOOLS, 400, "'code':-32602"},
        {"MCP-Protocol-Version: 2026-07-28\nMcp-Method: initialize",
         "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{$M}}", 404, "'code':-32601"},
        {"", LIST_TOOLS, 400, "Mcp-Session-Id"},
        {"", "{'jsonrpc':'2.0','method':'notifications/initialized'}", 400, "Mcp-Session-Id"},
        {"", "[" LIST_TOOLS "]", 400, "Mcp-Session-Id"},
        {"Mcp-Session-Id: " NO_ID, LIST_TOOLS, 404, "'code':-32600"},
        {"Mcp-Session-Id: " NO_ID, INITIALIZE("2025-11-25"), 404, "'code':-32600"},
        {"Mcp-Session-Id:", LIST_TOOLS, 404, ""},
        {"Mcp-Session-Id: $x", LIST_TOOLS, 404, ""},
        {"Mcp-Session-Id: x$", LIST_TOOLS, 404, ""},
        {"Mcp-Session-Id: \x01", LIST_TOOLS, 400, ""},
        {"Mcp-Session-Id: \xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe"
         "\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe",
         LIST_TOOLS, 404, ""},
        {IN "+Mcp-Session-Id: " NO_ID, LIST_TOOLS, 400, "Mcp-Session-Id"},
        {IN "MCP-Protocol-Version: 2026-07-28", LIST_TOOLS, 400, "MCP-Protocol-Version"},
        {IN "MCP-Protocol-Version: nonsense", LIST_TOOLS, 400, "MCP-Protocol-Version"},
        {IN "MCP-Protocol-Version:", LIST_TOOLS, 400, "MCP-Protocol-Version"},
        {IN "MCP-Protocol-Version: 2025-11-25\n+MCP-Protocol-Version: 2025-11-25", LIST_TOOLS, 400,
         "MCP-Protocol-Version"},
        {IN "MCP-Protocol-Version: 2025-03-26", LIST_TOOLS, 200, "'hello'"},
    };
    CHECK_ROWS(rows);
}

static void a_message_in_a_session_is_answered_by_its_status(void) {
    static const row rows[] = {
        {IN, CALL_TOOL("hello"), 200, "'id':2,'result'"},
        {IN, "{'jsonrpc':'2.0','id':'p','method':'ping'}", 200, "'id':'p','result':{}"},
        {IN, "{'jsonrpc':'2.0','id':1,'method':'no/such'}", 200, "'code':-32601"}, /* 404: no session */
        {IN, CALL_TOOL("none"), 200, "'code':-32602"},
        {IN, INITIALIZE("2025-11-25"), 200, "'code':-32600"},
        {IN, "{'jsonrpc':'2.0','method':'notifications/x'}", 202, ""},
        {IN, "{'jsonrpc':'2.0','id':9,'result':{}}", 202, ""}, /* which nobody has asked for */
        {IN, "{'jsonrpc':'2.0','id':9,'error':{'code':1,'message':'m'}}", 202, ""},
        {IN, "{broken", 400, "'code':-32700"},
        {IN, "", 400, "'code':-32700"},
        {IN, "7", 400, "'code':-32600"},
        {IN, "{'jsonrpc':'2.0','id':1,'method':'tools/list','method':'ping'}", 400, "'code':-32600"},
        {IN, "{'jsonrpc':'2.0','id':5,'method':'tools/list','result':{}}", 400,
         "'id':5,'error':{'code':-32600"},
        {IN, "[" LIST_TOOLS "]", 400, "batches"},
        {IN, "[broken", 400, ""},
        {IN "Content-Type: text/plain", LIST_TOOLS, 415, ""},
        {IN "Accept: application/json", LIST_TOOLS, 406, ""},
        {IN "Host: evil.example.com", LIST_TOOLS, 403, ""},
    };
    CHECK_ROWS(rows);
}

static void a_server_may_serve_one_era_alone(void) {
    static site s;
    visitor v;
    memset(&s, 0, sizeof s);
    s.config.eras = MCPW_HTTP_LEGACY;
    CHECK(site_start(&s));
    CHECK(site_finish(site_post(&s, "", MODERN_LIST, HTTP_TEXT))->status == 400);
    visitor_open(&s, &v, "2025-06-18");
    CHECK(site_has(visitor_say(&v, LIST_TOOLS)->body, "'hello'"));
    site_stop(&s);
}

static void a_server_serves_what_its_endpoint_speaks(void) {
    static const struct {
        const char *revisions;
        mcpw_http_eras eras;
        int get; /* status of a GET; 0: there is no such server */
    } cases[] = {{"2026-07-28", MCPW_HTTP_BOTH, 405},
                 {"2026-07-28", MCPW_HTTP_LEGACY, 0},
                 {"2025-11-25", MCPW_HTTP_BOTH, 400},
                 {"2025-11-25", MCPW_HTTP_MODERN, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        site *const s = begin();
        mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
        mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
        mcpw_status status;
        mcpw_error error = {0};
        config.role = MCPW_ROLE_SERVER;
        config.server = s->tools;
        config.revisions = cases[i].revisions;
        http.endpoint = mcpw_endpoint_new(&config, NULL);
        http.eras = cases[i].eras;
        mcpw_http_server_free(s->http);
        s->http = mcpw_http_server_new(&http, &error);
        CHECK((s->http != NULL) == (cases[i].get != 0) && (s->http != NULL || error.code == MCPW_E_ARGUMENT));
        if (s->http != NULL) {
            CHECK(site_finish(site_begin(s, "GET", "/mcp", "", &status))->status == cases[i].get);
            mcpw_http_advance(s->http, mcpw_http_deadline(s->http));
            mcpw_http_server_stop(s->http);
        }
        mcpw_http_server_free(s->http);
        s->http = NULL;
        mcpw_endpoint_free(http.endpoint);
        site_stop(s);
    }
}

/* ---- Opening and ending ---- */

static void an_id_is_visible_and_not_another_ones(void) {
    site *const s = begin();
    visitor a;
    visitor b;
    visitor_open(s, &a, "2025-11-25");
    visitor_open(s, &b, "2025-11-25");
    CHECK(strlen(a.id) == 32 && strcmp(a.id, b.id) != 0);
    for (const char *c = a.id; *c != '\0'; c++) {
        CHECK(*c >= 0x21 && *c <= 0x7E);
    }
    site_stop(s);
}

static void what_does_not_open_leaves_no_session(void) {
    site *const s = begin();
    visitor v;
    CHECK(visitor_open_by(s, &v, "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{}}") == 200);
    CHECK(v.id[0] == '\0');
    CHECK(visitor_open_by(s, &v, "{'jsonrpc':'2.0','method':'initialize'}") != 200);
    CHECK(v.id[0] == '\0');
    site_stop(s);
}

static void a_session_is_its_principals_alone(void) {
    site *const s = begin();
    visitor v;
    mcpw_status status;
    visitor_open(s, &v, "2025-11-25");
    (void)visitor_say(&v, CALL_TOOL("hello"));
    CHECK(strcmp(s->heard, "localhost:8080 alice") == 0);
    s->principal = "mallory";
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 404);
    CHECK(site_finish(visitor_get(&v, NULL))->status == 404);
    CHECK(visitor_leave(&v)->status == 404);
    s->principal = "";
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 404);
    s->principal = NULL;
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    CHECK(site_finish(site_begin(s, "DELETE", "/mcp", "Mcp-Session-Id:-", &status))->status == 400);
    site_stop(s);
}

static void a_session_that_was_deleted_is_not_found(void) {
    site *const s = begin();
    visitor v;
    visitor_open(s, &v, "2025-11-25");
    const response *const r = visitor_leave(&v);
    CHECK(r->status == 204 && r->ended && r->len == 0);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 404);
    CHECK(site_finish(visitor_get(&v, NULL))->status == 404);
    CHECK(visitor_leave(&v)->status == 404);
    site_stop(s);
}

static void what_waits_is_answered_when_its_session_is_deleted(void) {
    site *const s = begin();
    visitor v;
    response r = {0};
    response own = {0};
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const waits = visitor_post(&v, CALL_TOOL("keep"));
    mcpw_http_exchange *const listens = visitor_get(&v, NULL);
    site_take(listens, &own);
    CHECK(!own.ended);
    CHECK(visitor_leave(&v)->status == 204);
    CHECK(s->cancels == 1);
    site_take(waits, &r);
    site_take(listens, &own);
    CHECK(r.ended && r.status == 200 && site_has(r.body, "'code':-32603"));
    CHECK(own.ended);
    mcpw_http_close(waits);
    mcpw_http_close(listens);
    site_stop(s);
}

static void a_session_that_nobody_uses_ends(void) {
    static site s;
    visitor used;
    visitor left;
    memset(&s, 0, sizeof s);
    s.config.session_timeout_ms = 60000;
    CHECK(site_start(&s));
    visitor_open(&s, &left, "2025-11-25");
    mcpw_http_advance(s.http, 30000);
    visitor_open(&s, &used, "2025-11-25");
    for (int i = 0; i < 10 && mcpw_http_deadline(s.http) <= 60000; i++) {
        mcpw_http_advance(s.http, mcpw_http_deadline(s.http));
    }
    CHECK(visitor_say(&used, LIST_TOOLS)->status == 200);
    CHECK(visitor_say(&left, LIST_TOOLS)->status == 404);
    mcpw_http_advance(s.http, 119999);
    CHECK(visitor_say(&used, LIST_TOOLS)->status == 200);
    mcpw_http_advance(s.http, 200000);
    CHECK(visitor_say(&used, LIST_TOOLS)->status == 404);
    mcpw_http_advance(s.http, mcpw_http_deadline(s.http));
    CHECK(mcpw_http_deadline(s.http) == UINT64_MAX);
    site_stop(&s);
}

static void a_session_with_a_stream_does_not_rest(void) {
    static site s;
    visitor v;
    response r = {0};
    memset(&s, 0, sizeof s);
    s.config.session_timeout_ms = 1000;
    CHECK(site_start(&s));
    visitor_open(&s, &v, "2025-11-25");
    mcpw_http_exchange *const listens = visitor_get(&v, NULL);
    site_take(listens, &r);
    mcpw_http_advance(s.http, 100000);
    site_take(listens, &r);
    CHECK(!r.ended && site_has(r.body, ":\n\n"));
    mcpw_http_close(listens);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    mcpw_http_advance(s.http, 101000);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 404);
    site_stop(&s);
}

static mcpw_status close_it(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    mcpw_session_close(mcpw_request_session(request));
    return MCPW_OK;
}

static void a_session_that_its_handler_closes_is_not_found(void) {
    site *const s = begin();
    visitor v;
    CHECK(site_add(s, "close", close_it, NULL));
    visitor_open(s, &v, "2025-11-25");
    const response *const r = visitor_say(&v, CALL_TOOL("close"));
    CHECK(r->status == 200 && r->ended && site_has(r->body, "'code':-32603"));
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 404);
    site_stop(s);
}

static void there_is_an_end_to_sessions(void) {
    static site s;
    visitor a;
    visitor b;
    memset(&s, 0, sizeof s);
    s.config.max_sessions = 1;
    CHECK(site_start(&s));
    visitor_open(&s, &a, "2025-11-25");
    CHECK(visitor_open_by(&s, &b, INITIALIZE("2025-11-25")) == 503);
    CHECK(visitor_leave(&a)->status == 204);
    visitor_open(&s, &b, "2025-11-25");
    site_stop(&s);
}

static site *begin_with_streams(size_t most) {
    static site s;
    memset(&s, 0, sizeof s);
    s.config.max_streams = most;
    s.logs = true;
    CHECK(site_start(&s) && site_add(&s, "asks", site_asks, NULL));
    return &s;
}

static void there_is_an_end_to_the_requests_of_a_session(void) {
    site *const s = begin_with_streams(2);
    visitor v;
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_close(visitor_post(&v, CALL_TOOL("keep"))); /* goes on without its client */
    mcpw_http_close(visitor_post(&v, CALL_AS("3", "keep")));
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 503);
    CHECK(mcpw_respond_text(s->kept[0], MCPW_STR_VALUE("done")) == MCPW_OK);
    CHECK(mcpw_http_ready(s->http) == NULL);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    site_stop(s);
}

static void there_is_an_end_to_the_streams_that_a_session_reads(void) {
    site *const s = begin_with_streams(2);
    visitor v;
    response first = {0};
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const ends = visitor_get(&v, NULL);
    site_take(ends, &first);
    mcpw_http_exchange *const goes_on = visitor_get(&v, "0-0"); /* in the place of the first one */
    CHECK(site_finish(visitor_get(&v, "0-0"))->status == 503);
    site_take(ends, &first);
    CHECK(first.ended);
    mcpw_http_close(ends);
    mcpw_http_close(visitor_get(&v, "0-0"));
    mcpw_http_close(goes_on);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    site_stop(s);
}

static void a_full_session_takes_answers_cancellations_and_streams(void) {
    site *const s = begin_with_streams(2);
    visitor v;
    char message[VISITOR_TEXT];
    response asked = {0};
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const kept = visitor_post(&v, CALL_TOOL("keep"));
    mcpw_http_exchange *const asks = visitor_post(&v, CALL_AS("3", "asks"));
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 503);
    mcpw_http_exchange *const listens = visitor_get(&v, NULL);
    site_take(listens, &asked);
    CHECK(asked.status == 200 && !asked.ended);
    memset(&asked, 0, sizeof asked);
    site_take(asks, &asked);
    const char *const id = strstr(asked.body, "\"id\":");
    (void)snprintf(message, sizeof message, "{'jsonrpc':'2.0',%.*s,'result':{'roots':[]}}",
                   id != NULL ? (int)strcspn(id, ",}") : 0, id);
    CHECK(visitor_say(&v, message)->status == 202);
    site_take(asks, &asked);
    CHECK(asked.ended && site_has(asked.body, "'text':'asked'"));
    CHECK(visitor_say(&v, CANCEL_TOOL)->status == 202 && s->cancels == 1);
    mcpw_http_close(kept);
    mcpw_http_close(asks);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200);
    mcpw_http_close(listens);
    site_stop(s);
}

static void a_full_session_can_be_deleted(void) {
    site *const s = begin_with_streams(1);
    visitor v;
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const kept = visitor_post(&v, CALL_TOOL("keep"));
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 503);
    CHECK(visitor_leave(&v)->status == 204);
    CHECK(s->cancels == 1 && visitor_say(&v, LIST_TOOLS)->status == 404);
    mcpw_http_close(kept);
    site_stop(s);
}

static void messages_that_are_handled_do_not_count_and_those_that_wait_do(void) {
    enum { MOST = 2, LOGS = 100 };
    static const char diagnostic[] = "{'jsonrpc':'2.0','method':'notifications/x'}";
    site *const s = begin_with_streams(MOST);
    visitor v;
    char data[VISITOR_TEXT];
    mcpw_http_exchange *unread[3 * MOST];
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const listens = visitor_get(&v, NULL);
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) { /* whose responses nobody takes */
        unread[i] = visitor_post(&v, diagnostic);
    }
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
        CHECK(site_finish(unread[i])->status == 202);
    }
    memset(data, 'x', sizeof data);
    data[0] = data[sizeof data - 2] = '"';
    data[sizeof data - 1] = '\0';
    for (int i = 0; i < LOGS; i++) { /* more than a stream takes that nobody reads */
        mcpw_session_log(s->session, MCPW_LOG_ERROR, NULL, mcpw_json_from(data));
    }
    for (size_t i = 0; i < MOST; i++) {
        unread[i] = visitor_post(&v, diagnostic);
    }
    CHECK(visitor_say(&v, diagnostic)->status == 503);
    mcpw_http_close(listens);
    (void)!mcpw_http_ready(s->http);
    for (size_t i = 0; i < MOST; i++) {
        CHECK(site_finish(unread[i])->status == 202);
    }
    CHECK(visitor_say(&v, diagnostic)->status == 202);
    site_stop(s);
}

static void many_sessions_are_found(void) {
    enum { COUNT = 300 };
    static visitor all[COUNT];
    site *const s = begin();
    for (int i = 0; i < COUNT; i++) {
        visitor_open(s, all + i, "2025-11-25");
    }
    for (int i = 0; i < COUNT; i += 2) {
        CHECK(visitor_leave(all + i)->status == 204);
    }
    for (int i = 0; i < COUNT; i++) {
        CHECK(visitor_say(all + i, LIST_TOOLS)->status == (i % 2 == 0 ? 404 : 200));
    }
    site_stop(s);
}

/* The cost of an idle session. */
static void a_session_that_rests_is_small(void) {
    enum { COUNT = 100, MOST = 2176 };
    static visitor all[COUNT];
    site *const s = begin();
    visitor_open(s, all, "2025-11-25");
    mcpw_http_advance(s->http, 10000);
    const size_t before = s->memory.in_use;
    for (int i = 1; i < COUNT; i++) {
        visitor_open(s, all + i, "2025-11-25");
        CHECK(visitor_say(all + i, LIST_TOOLS)->status == 200);
    }
    mcpw_http_advance(s->http, 20000);
    const size_t each = (s->memory.in_use - before) / (COUNT - 1);
    if (each > MOST) {
        (void)fprintf(stderr, "%zu bytes\n", each);
        CHECK(false);
    }
    CHECK(visitor_say(all, LIST_TOOLS)->status == 200);
    site_stop(s);
}

static void a_steady_session_allocates_nothing(void) {
    enum { TURNS = 50, WARM = 20 };
    site *const s = begin();
    visitor v;
    size_t calls = 0;
    visitor_open(s, &v, "2025-11-25");
    for (int i = 0; i < TURNS; i++) {
        calls = i == WARM ? s->memory.calls : calls;
        CHECK(visitor_say(&v, CALL_TOOL("hello"))->status == 200);
    }
    CHECK(s->memory.calls == calls);
    site_stop(s);
}

/* ---- Batches ---- */

static void a_session_that_the_program_closes_is_over_at_once(void) {
    static site s;
    visitor v;
    response r = {0};
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s));
    visitor_open(&s, &v, "2025-11-25");
    mcpw_http_exchange *const listens = visitor_get(&v, NULL);
    site_take(listens, &r);
    CHECK(r.streams && !r.ended && mcpw_http_ready(s.http) == NULL);
    mcpw_session_close(s.session);
    CHECK(mcpw_http_ready(s.http) == listens && mcpw_http_ready(s.http) == NULL);
    site_take(listens, &r);
    CHECK(r.ended);
    mcpw_http_close(listens);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 404);
    site_stop(&s);
}

static void a_session_that_is_closed_is_found_no_more(void) {
    for (int i = 0; i < 3; i++) {
        static site s;
        visitor v;
        memset(&s, 0, sizeof s);
        CHECK(site_start(&s));
        visitor_open(&s, &v, "2025-11-25");
        mcpw_session_close(s.session);
        const response *const r = i == 0   ? visitor_say(&v, LIST_TOOLS)
                                  : i == 1 ? visitor_leave(&v)
                                           : site_finish(visitor_get(&v, NULL));
        CHECK(r->status == 404 && r->ended);
        site_stop(&s);
    }
}

static void close_session(void *user, mcpw_session *session) {
    (void)user;
    mcpw_session_close(session);
}

static void a_session_may_be_closed_as_soon_as_it_is_there(void) {
    static site s;
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s));
    mcpw_http_server_free(s.http);
    s.config.on_session = close_session;
    s.http = mcpw_http_server_new(&s.config, NULL);
    const response *const r = site_finish(
        site_post(&s, "Mcp-Method:-\nMCP-Protocol-Version:-", INITIALIZE("2025-11-25"), HTTP_TEXT));
    CHECK(r->ended && r->status == 503);
    CHECK(site_finish(site_post(&s, "", MODERN_LIST, HTTP_TEXT))->status == 503);
    site_stop(&s);
}

static void batches_belong_to_one_revision(void) {
    static const char *const others[] = {"2024-11-05", "2025-06-18", "2025-11-25"};
    site *const s = begin();
    visitor v;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        visitor_open(s, &v, others[i]);
        const bool has_batches = i == 0; /* as JSON-RPC has */
        const int status = visitor_say(&v, "[" LIST_TOOLS "]")->status;
        CHECK(status == 400 || has_batches);
    }
    visitor_open(s, &v, "2025-03-26");
    const response *r = visitor_say(&v, "[" LIST_TOOLS "," CALL_TOOL("hello") "]");
    CHECK(r->status == 200 && !r->streams && r->body[0] == '[' && site_has(r->body, "'id':1,'result'") &&
          site_has(r->body, "'id':2,'result'"));
    CHECK(visitor_say(&v, "[{'jsonrpc':'2.0','method':'notifications/x'}]")->status == 202);
    CHECK(visitor_say(&v, "[{'jsonrpc':'2.0','id':77,'result':{}}]")->status == 202);
    CHECK(visitor_say(&v, "[{'jsonrpc':'2.0','id':1,'method':'ping','error':{}}]")->status == 202);
    CHECK(visitor_say(&v, "[]")->status == 400);
    CHECK(visitor_say(&v, "[broken")->status == 400);
    site_stop(s);
}

static void a_batch_may_be_answered_by_a_stream(void) {
    site *const s = begin();
    visitor v;
    response r = {0};
    visitor_open(s, &v, "2025-03-26");
    mcpw_http_exchange *const e = visitor_post(&v, "[" LIST_TOOLS "," CALL_TOOL("progress") "]");
    site_take(e, &r);
    CHECK(r.streams && !r.ended && site_has(r.body, "notifications/progress"));
    CHECK(mcpw_respond_text(s->kept[0], MCPW_STR_VALUE("done")) == MCPW_OK);
    site_take(e, &r);
    CHECK(r.ended && site_has(r.body, "data: [{") && site_has(r.body, "'id':1,'result'") &&
          site_has(r.body, "'text':'done'"));
    mcpw_http_close(e);
    site_stop(s);
}

/* The input request of a handler fails after ten minutes, and so does the call. */
static void a_handler_does_not_wait_forever_for_its_client(void) {
    enum { PATIENCE = 600000 };
    site *const s = begin();
    visitor v;
    response r = {0};
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("asks"));
    site_take(e, &r);
    mcpw_http_advance(s->http, PATIENCE - 1);
    site_take(e, &r);
    CHECK(!r.ended);
    mcpw_http_advance(s->http, PATIENCE);
    CHECK(mcpw_http_ready(s->http) == e);
    site_take(e, &r);
    CHECK(r.ended && site_has(r.body, "'error'"));
    mcpw_http_close(e);
    site_stop(s);
}

int main(void) {
    check_test = "keeps_sessions";
    if (!keeps_sessions()) {
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    RUN(a_request_says_which_era_it_is_of);
    RUN(a_message_in_a_session_is_answered_by_its_status);
    RUN(a_server_may_serve_one_era_alone);
    RUN(a_server_serves_what_its_endpoint_speaks);
    RUN(an_id_is_visible_and_not_another_ones);
    RUN(what_does_not_open_leaves_no_session);
    RUN(a_session_is_its_principals_alone);
    RUN(a_session_that_was_deleted_is_not_found);
    RUN(what_waits_is_answered_when_its_session_is_deleted);
    RUN(a_session_that_nobody_uses_ends);
    RUN(a_session_with_a_stream_does_not_rest);
    RUN(a_handler_does_not_wait_forever_for_its_client);
    RUN(a_session_that_its_handler_closes_is_not_found);
    RUN(there_is_an_end_to_sessions);
    RUN(there_is_an_end_to_the_requests_of_a_session);
    RUN(there_is_an_end_to_the_streams_that_a_session_reads);
    RUN(a_full_session_takes_answers_cancellations_and_streams);
    RUN(a_full_session_can_be_deleted);
    RUN(messages_that_are_handled_do_not_count_and_those_that_wait_do);
    RUN(many_sessions_are_found);
    RUN(a_session_that_rests_is_small);
    RUN(a_steady_session_allocates_nothing);
    RUN(a_session_that_the_program_closes_is_over_at_once);
    RUN(a_session_that_is_closed_is_found_no_more);
    RUN(a_session_may_be_closed_as_soon_as_it_is_there);
    RUN(batches_belong_to_one_revision);
    RUN(a_batch_may_be_answered_by_a_stream);
    return check_end();
}
