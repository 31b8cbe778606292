/* SPDX-License-Identifier: MIT */
/* Two extensions and a middleware over HTTP: requests at once, each with a stream of its own. */
#include "session_extending.h"

#include "http_harness.h"

enum { REQUESTS = 8 };

typedef struct world {
    site site;
    sample served[2];
    spy a;
    spy b;
    mcpw_request *kept[REQUESTS];
    int count;
} world;

static world w;

/* Says on the stream of its request what it was asked, and keeps the request. */
static mcpw_status repeat_and_keep(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    const sample *const s = user;
    mcpw_json given;
    note("h");
    CHECK(mcpw_str_is(call->method, s->request));
    CHECK(mcpw_json_get(call->params, "nonce", &given) == MCPW_OK);
    const char *const text = q(fmt("{'half':%.*s}", (int)given.len, given.ptr));
    CHECK(mcpw_request_notify_named(request, s->down, mcpw_json_of(text, strlen(text)), NULL) == MCPW_OK);
    w.kept[w.count++ % REQUESTS] = request;
    return MCPW_OK;
}

static void put_on_server(spy *s) {
    const mcpw_middleware middleware = {.name = s->name,
                                        .passes = MCPW_PASS_ALL,
                                        .before = spy_before,
                                        .after = spy_after,
                                        .ended = spy_ended,
                                        .user = s};
    CHECK(mcpw_server_add_middleware(w.site.tools, &middleware, NULL) == MCPW_OK);
}

static void begin(void) {
    memset(&w, 0, sizeof w);
    trace[0] = '\0';
    w.a.name = "A";
    w.b.name = "B";
    CHECK(site_offer(&w.site));
    put_on_server(&w.a);
    for (int i = 0; i < 2; i++) {
        make_sample(w.served + i, true);
        w.served[i].methods[0].request = repeat_and_keep;
        CHECK(mcpw_server_add_extension(w.site.tools, &w.served[i].extension, NULL) == MCPW_OK);
    }
    put_on_server(&w.b);
    CHECK(site_open(&w.site));
}

static void finish(void) {
    site_stop(&w.site);
    CHECK(w.a.entered == w.a.ended && w.b.entered == w.b.ended);
}

static mcpw_http_exchange *ask_over_http(const sample *s, unsigned value) {
    static char lines[HTTP_TEXT];
    static char body[HTTP_TEXT];
    (void)snprintf(lines, sizeof lines, "Mcp-Method: %s", s->request);
    (void)snprintf(body, sizeof body,
                   "{'jsonrpc':'2.0','id':1,'method':'%s','params':{'_meta':{"
                   "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                   "'io.modelcontextprotocol/clientCapabilities':{'extensions':{'%s':{}}}},'nonce':%u}}",
                   s->request, s->id, value);
    return site_post(&w.site, lines, body, HTTP_TEXT);
}

static void answer_kept(int at, unsigned value) {
    const char *const text = q(fmt("{'whole':%u}", value));
    CHECK(mcpw_respond_json(w.kept[at], mcpw_json_of(text, strlen(text)), NULL) == MCPW_OK);
}

static void requests_at_once_have_streams_of_their_own(void) {
    static response r[REQUESTS];
    mcpw_http_exchange *all[REQUESTS];
    unsigned values[REQUESTS];
    memset(r, 0, sizeof r);
    begin();
    for (int i = 0; i < REQUESTS; i++) {
        values[i] = nonce();
        all[i] = ask_over_http(w.served + i % 2, values[i]);
        site_take(all[i], r + i);
        CHECK(r[i].status == 200 && r[i].streams && !r[i].ended);
        CHECK_HAS(r[i].body, fmt("'method':'%s'", w.served[i % 2].down));
        CHECK_HAS(r[i].body, fmt("'half':%u}", values[i]));
    }
    CHECK(w.count == REQUESTS);
    for (int i = REQUESTS - 1; i >= 0; i--) {
        answer_kept(i, values[i]);
        site_take(all[i], r + i);
        CHECK(r[i].ended);
        CHECK_HAS(r[i].body, fmt("'whole':%u", values[i]));
    }
    for (int i = 0; i < REQUESTS; i++) {
        for (int k = 0; k < REQUESTS; k++) {
            CHECK(has(r[i].body, fmt(":%u", values[k])) == (i == k));
            CHECK(has(r[i].body, w.served[k % 2].down) == (i % 2 == k % 2));
        }
        mcpw_http_close(all[i]);
    }
    finish();
}

/* The notification passes while the request waits, before its response. */
static void each_message_of_a_stream_passes_when_it_is_made(void) {
    response r = {0};
    begin();
    mcpw_http_exchange *const e = ask_over_http(w.served, 7);
    CHECK_TRACE("A B h A B B' A'");
    site_take(e, &r);
    CHECK_HAS(r.body, "'half':7");
    answer_kept(0, 8);
    CHECK_TRACE("A B h A B B' A' B' A'");
    mcpw_http_close(e);
    finish();
}

static void a_client_that_goes_ends_the_passage(void) {
    begin();
    mcpw_http_exchange *const e = ask_over_http(w.served, 7);
    CHECK(w.a.entered == 2 && w.a.ended == 1);
    mcpw_http_close(e);
    CHECK(w.a.ended == 2 && w.b.ended == 2);
    CHECK_TRACE("A B h A B B' A'");
    finish();
}

static void a_client_without_it_is_refused_and_passes_nothing(void) {
    static char lines[HTTP_TEXT];
    static char body[HTTP_TEXT];
    begin();
    (void)snprintf(lines, sizeof lines, "Mcp-Method: %s", w.served[0].request);
    (void)snprintf(body, sizeof body, "{'jsonrpc':'2.0','id':1,'method':'%s','params':{$M,'nonce':1}}",
                   w.served[0].request);
    const response *const r = site_finish(site_post(&w.site, lines, body, HTTP_TEXT));
    CHECK_HAS(r->body, "'code':-32021");
    CHECK_TRACE("");
    CHECK(w.count == 0);
    finish();
}

int main(void) {
    RUN(requests_at_once_have_streams_of_their_own);
    RUN(each_message_of_a_stream_passes_when_it_is_made);
    RUN(a_client_that_goes_ends_the_passage);
    RUN(a_client_without_it_is_refused_and_passes_nothing);
    return check_end();
}
