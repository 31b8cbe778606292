/* SPDX-License-Identifier: MIT */
/* Whatever allocation fails: a request over HTTP is refused or answered, nothing leaks, and the next is
 * served. */
#include "http_sessions.h"

enum { MOST = 3000, CHANGES = 20 };

static bool is_told(const response *r) {
    return r->status == 0 || r->status == 503 || r->status == 500 || (r->status == 200 && r->ended);
}

static void a_server_is_made_or_not(void) {
    bool failed = true;
    for (size_t n = 1; failed && n < MOST; n++) {
        static site s;
        memset(&s, 0, sizeof s);
        s.memory.stingy = true;
        s.memory.fail_at = n;
        (void)site_start(&s);
        failed = s.memory.calls >= n;
        site_stop(&s);
    }
    CHECK(!failed);
}

static void call_at(site *s) {
    static const char lines[] = "Mcp-Method: tools/call\nMcp-Name: at\nMcp-Param-Region: =?base64?SGVsbG8=?=";
    const response *const r =
        site_finish(site_post(s, lines,
                              "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                              "'params':{$M,'name':'at','arguments':{'r\\u0065gion':'H\\u0065llo'}}}",
                              HTTP_TEXT));
    CHECK(is_told(r));
}

static void call_with_progress(site *s) {
    mcpw_http_exchange *const e = site_call(s, "progress", "");
    if (e != NULL && s->kept_count != 0 && s->cancels == 0) {
        (void)!mcpw_respond_text(s->kept[0], MCPW_STR_VALUE("done"));
    }
    response r = {0};
    if (e != NULL) {
        site_take(e, &r);
        mcpw_http_close(e);
    }
    CHECK(r.status == 0 || r.status == 200 || r.status == 503 || r.status == 500);
}

static void refuse_it(site *s) {
    const response *const r = site_finish(site_post(s, "", "{broken", HTTP_TEXT));
    CHECK(r->status == 0 || r->status == 503 || r->status == 400);
}

/* ---- Sessions ---- */

static bool is_one_of(const response *r, int status) {
    return is_told(r) || r->status == status || (r->status == 200 && r->streams);
}

/* A session opens, or is refused for want of memory. */
static bool opens(site *s, visitor *v) {
    const int status = visitor_open_by(s, v, INITIALIZE("2025-06-18"));
    CHECK(status == 0 || status == 200 || status == 500 || status == 503);
    return status == 200 && v->id[0] != '\0' &&
           visitor_say(v, "{'jsonrpc':'2.0','method':'notifications/initialized'}")->status == 202;
}

static void open_and_leave(site *s) {
    visitor v;
    if (opens(s, &v)) {
        CHECK(is_one_of(visitor_say(&v, LIST_TOOLS), 400)); /* -32603 has no status of its own */
        CHECK(is_one_of(visitor_leave(&v), 204));
    }
}

static void lose_a_stream_and_come_back(site *s) {
    visitor v;
    response r = {0};
    if (!opens(s, &v)) {
        return;
    }
    mcpw_http_exchange *e = visitor_post(&v, CALL_TOOL("progress"));
    if (e == NULL) {
        return;
    }
    site_take(e, &r);
    mcpw_http_close(e);
    if (s->kept_count != 0 && s->cancels == 0) {
        (void)!mcpw_respond_text(s->kept[0], MCPW_STR_VALUE("done"));
    }
    while (mcpw_http_ready(s->http) != NULL) {
    }
    CHECK(is_one_of(site_finish(visitor_get(&v, "1-0")), 400));
}

static void hear_what_was_said_before(site *s) {
    visitor v;
    if (opens(s, &v)) {
        for (int i = 0; i < CHANGES; i++) {
            (void)site_add(s, "new", site_hello, NULL);
            (void)!mcpw_http_ready(s->http);
            (void)!mcpw_server_remove_tool(s->tools, "new");
            (void)!mcpw_http_ready(s->http);
        }
        CHECK(is_one_of(site_finish(visitor_get(&v, NULL)), 503));
    }
}

static void listen_to_changes(site *s) {
    visitor v;
    response r = {0};
    if (!opens(s, &v)) {
        return;
    }
    mcpw_http_exchange *const e = visitor_get(&v, NULL);
    (void)site_add(s, "new", site_hello, NULL);
    while (mcpw_http_ready(s->http) != NULL && !r.ended) {
        site_take(e, &r);
    }
    CHECK(r.status == 0 || is_one_of(&r, 503));
    if (e != NULL) {
        mcpw_http_close(e);
    }
    mcpw_http_advance(s->http, 10000);
}

static void each_is_told(void (*run)(site *s)) {
    bool failed = true;
    for (size_t n = 1; failed && n < MOST; n++) {
        static site s;
        memset(&s, 0, sizeof s);
        s.memory.stingy = true;
        if (!site_start(&s)) {
            CHECK(false);
            return;
        }
        s.memory.fail_at = s.memory.calls + n;
        run(&s);
        failed = s.memory.calls >= s.memory.fail_at;
        s.memory.fail_at = 0;
        CHECK(site_finish(site_call(&s, "hello", ""))->status == 200);
        site_stop(&s);
    }
    CHECK(!failed);
}

static void a_call_is_told_of_what_fails(void) { each_is_told(call_at); }
static void a_stream_is_cut_off_where_memory_ends(void) { each_is_told(call_with_progress); }
static void a_refusal_needs_no_memory(void) { each_is_told(refuse_it); }

static void a_session_is_opened_or_not(void) { each_is_told(open_and_leave); }
static void a_stream_that_is_lost_harms_nobody(void) { each_is_told(lose_a_stream_and_come_back); }
static void a_change_that_is_not_told_harms_nobody(void) { each_is_told(listen_to_changes); }

static void what_cannot_be_told_again_is_cut_off(void) { each_is_told(hear_what_was_said_before); }

int main(void) {
    RUN(a_server_is_made_or_not);
    RUN(a_call_is_told_of_what_fails);
    RUN(a_stream_is_cut_off_where_memory_ends);
    RUN(a_refusal_needs_no_memory);
    if (!keeps_sessions()) {
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    RUN(a_session_is_opened_or_not);
    RUN(a_stream_that_is_lost_harms_nobody);
    RUN(what_cannot_be_told_again_is_cut_off);
    RUN(a_change_that_is_not_told_harms_nobody);
    return check_end();
}
