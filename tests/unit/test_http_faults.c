/* SPDX-License-Identifier: MIT */
/* Whatever allocation fails: a request over HTTP is refused or answered, nothing leaks, and the next is
 * served. */
#include "http_harness.h"

enum { MOST = 3000 };

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

int main(void) {
    RUN(a_server_is_made_or_not);
    RUN(a_call_is_told_of_what_fails);
    RUN(a_stream_is_cut_off_where_memory_ends);
    RUN(a_refusal_needs_no_memory);
    return check_end();
}
