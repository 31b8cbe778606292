/* SPDX-License-Identifier: MIT */
/* The middleware that comes with the library: <mcpw/middleware.h>. */
#include <mcpw/middleware.h>

#include "session_harness.h"

#define PARENT "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

static uint64_t now = 1000;

static uint64_t tell_time(void *user) {
    (void)user;
    return now;
}

static char lines[HARNESS_TEXT];

static void write_line(void *user, mcpw_str line) {
    const size_t len = strlen(lines);
    CHECK(user == lines);
    (void)snprintf(lines + len, sizeof lines - len, "%.*s\n", (int)line.len, line.ptr);
}

static mcpw_status fail_tool(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'content':[],'isError':true}");
}

static mcpw_status take_a_while(end *e, mcpw_request *request, const void *params) {
    now += 25;
    return say_hello(e, request, params);
}

static mcpw_status show_trace(end *e, mcpw_request *request, const void *params) {
    mcpw_trace trace;
    const bool found = mcpw_request_trace(request, &trace);
    (void)snprintf(e->text, sizeof e->text, "%d %.*s %.*s", found, (int)trace.traceparent.len,
                   found ? trace.traceparent.ptr : "", (int)trace.tracestate.len,
                   trace.tracestate.ptr != NULL ? trace.tracestate.ptr : "");
    return say_hello(e, request, params);
}

static void put(end *e, mcpw_middleware middleware) {
    CHECK(mcpw_client_add_middleware(&e->config, &middleware, NULL) == MCPW_OK);
}

typedef struct pair {
    end *client;
    end *server;
} pair;

static pair make(end_handler run) {
    const pair p = {client_of(MODERN, MODERN), server_of(MODERN, MODERN)};
    end_serve(p.server, "tools/call", run);
    end_serve(p.server, "tools/list", list_one_tool);
    return p;
}

static void call_tool(pair p, const char *members) {
    CHECK(call(p.client, "tools/call", members) == MCPW_OK);
    pump(p.client, p.server, NULL);
}

static void finish(pair p) {
    end_free(p.client);
    end_free(p.server);
}

/* ---- Access log ---- */

static void a_request_is_one_line_without_its_contents(void) {
    mcpw_access_log log = {.write = write_line, .now = tell_time, .user = lines};
    const pair p = make(take_a_while);
    lines[0] = '\0';
    put(p.server, mcpw_access_log_middleware(&log));
    open_pair(p.client, p.server, MODERN);
    CHECK(mcpw_session_set_principal(p.server->session, (mcpw_str)MCPW_STR("issuer \"7\"")) == MCPW_OK);
    call_tool(p, "'name':'t','arguments':{'secret':'xyzzy'}");
    CHECK(
        strcmp(
            lines,
            q("{'method':'tools/call','tool':'t','ms':25,'outcome':'ok','principal':'issuer \\'7\\''}\n")) ==
        0);
    CHECK(!has(lines, "xyzzy") && !has(lines, "hello"));
    finish(p);
}

/* Texts of a peer cannot end the line, end the object or reach a terminal as they are. */
static void hostile_names_stay_inside_their_string(void) {
    static const struct {
        const char *name; /* as JSON, in the message */
        const char *logged;
    } cases[] = {
        {"t\\',\\'outcome\\':\\'ok", "t\\',\\'outcome\\':\\'ok"},
        {"a\\nb\\rc", "a\\nb\\rc"},
        {"\\u001b[31mred\\u0007", "\\u001b[31mred\\u0007"},
        {"nul\\u0000byte", "nul\\u0000byte"},
        {"\\\\", "\\\\"},
    };
    mcpw_access_log log = {.write = write_line, .user = lines};
    const pair p = make(fail_tool);
    char expected[HARNESS_ERROR];
    char longer[256];
    put(p.server, mcpw_access_log_middleware(&log));
    open_pair(p.client, p.server, MODERN);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lines[0] = '\0';
        call_tool(p, fmt("'name':'%s'", cases[i].name));
        (void)snprintf(expected, sizeof expected,
                       "{'method':'tools/call','tool':'%s','outcome':'tool_error'}\n", cases[i].logged);
        CHECK_STRING(lines, q(expected));
        const mcpw_json line = mcpw_json_of(lines, strlen(lines) - 1);
        CHECK(mcpw_json_check(line, 0, NULL) == MCPW_OK && mcpw_json_count(line) == 3);
        CHECK(strchr(lines, '\n') == lines + line.len && strchr(lines, '\033') == NULL);
    }
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    lines[0] = '\0';
    call_tool(p, fmt("'name':'%s'", longer));
    CHECK_STRING(lines, q("{'method':'tools/call','outcome':'tool_error'}\n"));
    finish(p);
}

static void the_outcome_tells_errors_apart(void) {
    mcpw_access_log log = {.write = write_line, .user = lines};
    pair p = make(fail_tool);
    put(p.server, mcpw_access_log_middleware(&log));
    open_pair(p.client, p.server, MODERN);
    lines[0] = '\0';
    call_tool(p, "'name':'t'");
    CHECK(strcmp(lines, q("{'method':'tools/call','tool':'t','outcome':'tool_error'}\n")) == 0);
    p.server->slots[0].run = keep;
    lines[0] = '\0';
    call_tool(p, "'name':'t'");
    CHECK(mcpw_respond_error(p.server->kept, -5, "no", (mcpw_json){NULL, 0, 0}) == MCPW_OK);
    CHECK_HAS(lines, "'outcome':'error','code':-5}");
    lines[0] = '\0';
    call_tool(p, "'name':'t'");
    CHECK(mcpw_session_cancel(p.client->session, p.client->number, NULL) == MCPW_OK);
    pump(p.client, p.server, NULL);
    CHECK_HAS(lines, "'outcome':'cancelled'");
    finish(p);
}

/* ---- Rate limit ---- */

static int allowed(pair p, const char *principal, int calls) {
    int count = 0;
    const mcpw_str who = {principal, principal != NULL ? strlen(principal) : 0};
    CHECK(mcpw_session_set_principal(p.server->session, who) == MCPW_OK);
    for (int i = 0; i < calls; i++) {
        call_tool(p, "'name':'t'");
        count += p.client->out.status == MCPW_OK;
    }
    return count;
}

static void a_principal_has_its_burst_and_what_comes_back(void) {
    const mcpw_rate_limit_config config = {.burst = 3, .period_ms = 100, .now = tell_time};
    mcpw_rate_limit *const limit = mcpw_rate_limit_new(&config, NULL);
    const pair p = make(say_hello);
    put(p.server, mcpw_rate_limit_middleware(limit));
    open_pair(p.client, p.server, MODERN);
    CHECK(allowed(p, "a", 5) == 3);
    CHECK(p.client->out.code == 429);
    CHECK_HAS(p.client->out.text, "'retryAfterMs':100");
    CHECK(allowed(p, "b", 5) == 3);
    CHECK(allowed(p, NULL, 5) == 3);
    now += 200;
    CHECK(allowed(p, "a", 5) == 2);
    now += 100000;
    CHECK(allowed(p, "a", 5) == 3);
    finish(p);
    mcpw_rate_limit_free(limit);
}

static void many_names_gain_nothing(void) {
    const mcpw_rate_limit_config config = {
        .burst = 2, .period_ms = 100, .max_principals = 8, .now = tell_time};
    mcpw_rate_limit *const limit = mcpw_rate_limit_new(&config, NULL);
    const pair p = make(say_hello);
    int count = 0;
    put(p.server, mcpw_rate_limit_middleware(limit));
    open_pair(p.client, p.server, MODERN);
    for (int i = 0; i < 200; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "user %d", i);
        count += allowed(p, name, 1);
    }
    CHECK(count <= 8 + 2); /* a bucket each, then one for all others */
    finish(p);
    mcpw_rate_limit_free(limit);
    CHECK(mcpw_rate_limit_new(&(mcpw_rate_limit_config){.burst = 1}, NULL) == NULL);
}

/* How many of so many principals are told apart, each of which uses up its burst of one request. */
static int told_apart(pair p, int count) {
    int first = 0;
    for (int i = 0; i < count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "user %d", i);
        first += allowed(p, name, 1);
    }
    return first;
}

static void a_table_of_principals_does_not_grow(void) {
    enum { NAMES = 3000, LEAST = 512, MOST = 1024 + 1 /* those that share */ };
    counting memory = {0};
    const mcpw_rate_limit_config config = {
        .burst = 1, .period_ms = 1U << 30, .now = tell_time, .allocator = counting_allocator(&memory)};
    mcpw_rate_limit *const limit = mcpw_rate_limit_new(&config, NULL);
    const pair p = make(say_hello);
    put(p.server, mcpw_rate_limit_middleware(limit));
    open_pair(p.client, p.server, MODERN);
    const size_t before = memory.in_use;
    const int first = told_apart(p, NAMES);
    CHECK(first >= LEAST && first <= MOST); /* of the default */
    CHECK(memory.in_use == before && memory.calls == 1);
    finish(p);
    mcpw_rate_limit_free(limit);
    CHECK(memory.in_use == 0);
}

/* ---- Trace context ---- */

static bool current(void *user, mcpw_passage *passage, mcpw_trace *trace) {
    CHECK(mcpw_passage_is_sent(passage));
    *trace = *(const mcpw_trace *)user;
    return true;
}

static void a_trace_goes_with_a_request(void) {
    mcpw_trace trace = {MCPW_STR(PARENT), MCPW_STR("vendor=1")};
    mcpw_tracing tracing = {.current = current, .user = &trace};
    const pair p = make(show_trace);
    put(p.client, mcpw_tracing_middleware(&tracing));
    open_pair(p.client, p.server, MODERN);
    call_tool(p, "'name':'t'");
    CHECK(p.client->out.status == MCPW_OK);
    CHECK(strcmp(p.server->text, "1 " PARENT " vendor=1") == 0);
    trace = (mcpw_trace){MCPW_STR("00-0-0-0"), {NULL, 0}};
    call_tool(p, "'name':'t'");
    CHECK(p.server->text[0] == '0');
    finish(p);
}

static void a_malformed_trace_is_none(void) {
    static const char *const bad[] = {"00-00000000000000000000000000000000-b7ad6b7169203331-01",
                                      "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                                      "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                      "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
                                      "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                      ""};
    const pair p = make(show_trace);
    open_pair(p.client, p.server, MODERN);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        say_request(p.server, "77", "tools/call", "'name':'t'");
        (void)heard(p.server);
        CHECK(p.server->text[0] == '0');
        char line[HARNESS_ERROR * 2];
        (void)snprintf(line, sizeof line,
                       "{'jsonrpc':'2.0','id':78,'method':'tools/call','params':{'name':'t','_meta':{"
                       "'io.modelcontextprotocol/protocolVersion':'" MODERN "',"
                       "'io.modelcontextprotocol/clientCapabilities':{},'traceparent':'%s'}}}",
                       bad[i]);
        p.server->text[0] = '\0';
        say(p.server, line);
        (void)heard(p.server);
        CHECK(p.server->text[0] == '0');
    }
    finish(p);
}

int main(void) {
    RUN(a_request_is_one_line_without_its_contents);
    RUN(hostile_names_stay_inside_their_string);
    RUN(the_outcome_tells_errors_apart);
    RUN(a_principal_has_its_burst_and_what_comes_back);
    RUN(many_names_gain_nothing);
    RUN(a_table_of_principals_does_not_grow);
    RUN(a_trace_goes_with_a_request);
    RUN(a_malformed_trace_is_none);
    return check_end();
}
