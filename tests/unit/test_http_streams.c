/* SPDX-License-Identifier: MIT */
/* Responses that take time: streams of events, subscriptions, comments, and what becomes of a request whose
 * stream is closed. */
#include <mcpw/thread.h>

#include "http_harness.h"

#define LISTEN                                                                                               \
    "{'jsonrpc':'2.0','id':'sub','method':'subscriptions/listen','params':{$M,"                              \
    "'notifications':{'toolsListChanged':true}}}"

static site *begin(void) {
    static site s;
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s));
    return &s;
}

static mcpw_http_exchange *listen_to(site *s) {
    return site_post(s, "Mcp-Method: subscriptions/listen", LISTEN, HTTP_TEXT);
}

static void an_answer_that_comes_alone_is_one_text(void) {
    site *const s = begin();
    response r = {0};
    mcpw_http_exchange *const e = site_call(s, "keep", "");
    site_take(e, &r);
    CHECK(r.status == 0 && s->kept_count == 1);
    CHECK(mcpw_respond_text(s->kept[0], MCPW_STR_VALUE("done")) == MCPW_OK);
    CHECK(mcpw_http_ready(s->http) == e && mcpw_http_ready(s->http) == NULL);
    site_take(e, &r);
    CHECK(r.status == 200 && !r.streams && r.ended && r.body[0] == '{');
    CHECK(site_has(r.fields, "Content-Type: application/json\n"));
    CHECK(site_has(r.body, "'text':'done'"));
    mcpw_http_close(e);
    site_stop(s);
}

static void what_comes_before_an_answer_makes_it_a_stream(void) {
    site *const s = begin();
    response r = {0};
    mcpw_http_exchange *const e = site_call(s, "progress", "");
    site_take(e, &r);
    CHECK(r.status == 200 && r.streams && !r.ended);
    CHECK(site_has(r.fields, "Content-Type: text/event-stream\n"));
    CHECK(site_has(r.fields, "X-Accel-Buffering: no\n"));
    CHECK(strncmp(r.body, "data: {", 7) == 0 && site_has(r.body, "'method':'notifications/progress'"));
    CHECK(strcmp(r.body + r.len - 3, "}\n\n") == 0);
    CHECK(mcpw_respond_text(s->kept[0], MCPW_STR_VALUE("done")) == MCPW_OK);
    r.len = 0;
    site_take(e, &r);
    CHECK(r.ended && strncmp(r.body, "data: {", 7) == 0 && site_has(r.body, "'text':'done'"));
    mcpw_http_close(e);
    site_stop(s);
}

static void a_subscription_is_acknowledged_told_and_ended_by_its_result(void) {
    site *const s = begin();
    response r = {0};
    mcpw_http_exchange *const e = listen_to(s);
    site_take(e, &r);
    CHECK(r.status == 200 && r.streams);
    CHECK(site_has(r.body, "'method':'notifications/subscriptions/acknowledged'"));
    CHECK(mcpw_http_ready(s->http) == NULL);
    CHECK(site_add(s, "new", site_hello, NULL));
    CHECK(mcpw_http_ready(s->http) == e);
    CHECK(mcpw_http_ready(s->http) == NULL);
    r.len = 0;
    site_take(e, &r);
    CHECK(site_has(r.body, "'method':'notifications/tools/list_changed'"));
    CHECK(site_has(r.body, "'io.modelcontextprotocol/subscriptionId':'sub'"));
    mcpw_http_server_stop(s->http);
    r.len = 0;
    CHECK(mcpw_http_ready(s->http) == e);
    site_take(e, &r);
    CHECK(r.ended && site_has(r.body, "'id':'sub','result'") && !site_has(r.body, "cancelled"));
    mcpw_http_close(e);
    site_stop(s);
}

static void a_change_reaches_every_subscription_once(void) {
    enum { COUNT = 3 };
    site *const s = begin();
    mcpw_http_exchange *all[COUNT];
    response r[COUNT] = {{0}};
    for (int i = 0; i < COUNT; i++) {
        all[i] = listen_to(s);
        site_take(all[i], r + i);
        r[i].len = 0;
        r[i].body[0] = '\0';
    }
    mcpw_http_close(all[1]);
    CHECK(site_add(s, "new", site_hello, NULL));
    for (mcpw_http_exchange *e; (e = mcpw_http_ready(s->http)) != NULL;) {
        CHECK(e == all[0] || e == all[2]);
        site_take(e, e == all[0] ? r : r + 2);
    }
    CHECK(site_has(r[0].body, "list_changed") && site_has(r[2].body, "list_changed"));
    CHECK(strstr(strstr(r[0].body, "list_changed") + 1, "list_changed") == NULL);
    mcpw_http_close(all[0]);
    mcpw_http_close(all[2]);
    site_stop(s);
}

static void requests_of_one_id_do_not_meet(void) {
    site *const s = begin();
    mcpw_http_exchange *const first = site_call(s, "keep", "");
    mcpw_http_exchange *const second = site_call(s, "keep", "");
    response r = {0};
    CHECK(s->kept_count == 2);
    CHECK(mcpw_respond_text(s->kept[1], MCPW_STR_VALUE("two")) == MCPW_OK);
    site_take(first, &r);
    CHECK(r.status == 0);
    site_take(second, &r);
    CHECK(site_has(r.body, "'two'"));
    mcpw_http_close(second);
    mcpw_http_close(first);
    site_stop(s);
}

static void a_closed_stream_cancels_its_request(void) {
    site *const s = begin();
    mcpw_http_exchange *const e = site_call(s, "progress", "");
    response r = {0};
    site_take(e, &r);
    mcpw_http_close(e);
    CHECK(s->cancels == 1);
    CHECK(mcpw_http_ready(s->http) == NULL);
    /* whoever comes next gets nothing of it */
    const response *const next = site_finish(site_call(s, "hello", ""));
    CHECK(next->status == 200 && !next->streams && site_has(next->body, "'hello'"));
    CHECK(s->sessions == 1);
    site_stop(s);
}

static void a_complete_response_cancels_nothing(void) {
    site *const s = begin();
    CHECK(site_finish(site_call(s, "hello", ""))->ended);
    CHECK(s->cancels == 0);
    CHECK(strcmp(s->heard, "localhost:8080 alice") == 0); /* the handler sees who asks, and how */
    site_stop(s);
}

static void a_silent_stream_gets_comments(void) {
    site *const s = begin();
    response r = {0};
    mcpw_http_advance(s->http, 1000);
    mcpw_http_exchange *const e = site_call(s, "keep", "");
    CHECK(mcpw_http_deadline(s->http) == 16000);
    mcpw_http_advance(s->http, 15999);
    CHECK(mcpw_http_ready(s->http) == NULL);
    mcpw_http_advance(s->http, 16000);
    CHECK(mcpw_http_ready(s->http) == e);
    site_take(e, &r);
    CHECK(r.status == 200 && r.streams && strcmp(r.body, ":\n\n") == 0);
    mcpw_http_advance(s->http, mcpw_http_deadline(s->http));
    site_take(e, &r);
    CHECK(strcmp(r.body, ":\n\n:\n\n") == 0);
    CHECK(mcpw_respond_text(s->kept[0], MCPW_STR_VALUE("late")) == MCPW_OK);
    site_take(e, &r);
    CHECK(r.ended && site_has(r.body, "data: {"));
    mcpw_http_close(e);
    site_stop(s);
}

static void comments_do_not_pile_up_before_a_slow_reader(void) {
    site *const s = begin();
    mcpw_http_output out;
    response r = {0};
    mcpw_http_exchange *const e = site_call(s, "keep", "");
    for (int i = 1; i < 9; i++) {
        mcpw_http_advance(s->http, (uint64_t)i * 20000);
    }
    CHECK(mcpw_http_next(e, &out) && out.step == MCPW_HTTP_HEAD);
    CHECK(mcpw_http_next(e, &out) && out.step == MCPW_HTTP_BODY && out.bytes.len == 3);
    mcpw_http_advance(s->http, 200000); /* while these bytes are still being sent */
    CHECK(mcpw_str_is(out.bytes, ":\n\n"));
    site_take(e, &r);
    CHECK(r.len == 0);
    mcpw_http_close(e);
    site_stop(s);
}

static void a_body_has_its_time(void) {
    site *const s = begin();
    mcpw_status status;
    mcpw_http_exchange *const e = site_begin(s, "POST", "/mcp", "", &status);
    mcpw_http_body(e, "{", 1);
    CHECK(mcpw_http_deadline(s->http) == 30000);
    mcpw_http_advance(s->http, 30000);
    CHECK(mcpw_http_ready(s->http) == e);
    mcpw_http_body(e, "}", 1);
    mcpw_http_body_end(e);
    CHECK(site_finish(e)->status == 408);
    CHECK(mcpw_http_ready(s->http) == NULL);
    site_stop(s);
}

/* Bodies that began one after the other and end in another order: each that is left is late in its own ms. */
static void each_of_many_bodies_has_its_own_time(void) {
    enum { MANY = 200, STEP = 7 /* has no divisor with MANY in common */, FIRST_LATE = 30001 };
    static mcpw_http_exchange *bodies[MANY];
    site *const s = begin();
    mcpw_status status;
    for (int i = 0; i < MANY; i++) {
        mcpw_http_advance(s->http, 1 + (uint64_t)i);
        bodies[i] = site_begin(s, "POST", "/mcp", "", &status);
    }
    for (int i = 0; i < MANY / 2; i++) {
        const int at = i * STEP % MANY;
        mcpw_http_close(bodies[at]);
        bodies[at] = NULL;
    }
    for (int i = 0; i < MANY; i++) {
        if (bodies[i] != NULL) {
            const uint64_t late = FIRST_LATE + (uint64_t)i;
            CHECK(mcpw_http_deadline(s->http) == late);
            mcpw_http_advance(s->http, late - 1);
            CHECK(mcpw_http_ready(s->http) == NULL);
            mcpw_http_advance(s->http, late);
            CHECK(mcpw_http_ready(s->http) == bodies[i]);
            CHECK(site_finish(bodies[i])->status == 408 && mcpw_http_ready(s->http) == NULL);
        }
    }
    site_stop(s);
}

static void what_has_all_the_time_is_never_too_late(void) {
    static site s;
    mcpw_status status;
    memset(&s, 0, sizeof s);
    s.config.body_timeout_ms = s.config.keep_alive_ms = UINT64_MAX;
    CHECK(site_start(&s));
    mcpw_http_advance(s.http, 1000);
    mcpw_http_exchange *const body = site_begin(&s, "POST", "/mcp", "", &status);
    mcpw_http_exchange *const stream = listen_to(&s);
    CHECK(mcpw_http_deadline(s.http) == UINT64_MAX);
    mcpw_http_advance(s.http, 100000000);
    response r = {0};
    site_take(body, &r);
    CHECK(r.status == 0);
    site_take(stream, &r);
    CHECK(r.status == 200 && !r.ended && !site_has(r.body, ":\n\n"));
    mcpw_http_close(body);
    mcpw_http_close(stream);
    site_stop(&s);
}

static void there_is_an_end_to_exchanges(void) {
    static site s;
    mcpw_status status;
    memset(&s, 0, sizeof s);
    s.config.max_exchanges = 2;
    s.config.max_idle = 1;
    CHECK(site_start(&s));
    mcpw_http_exchange *const first = site_begin(&s, "POST", "/mcp", "", &status);
    mcpw_http_exchange *const second = listen_to(&s);
    CHECK(site_begin(&s, "POST", "/mcp", "", &status) == NULL && status == MCPW_E_FULL);
    mcpw_http_close(first);
    mcpw_http_close(second);
    CHECK(site_finish(site_call(&s, "hello", ""))->status == 200);
    mcpw_http_exchange *const third = site_begin(&s, "POST", "/mcp", "", &status);
    mcpw_http_server_stop(s.http);
    CHECK(site_finish(third)->status == 503);
    CHECK(site_begin(&s, "POST", "/mcp", "", &status) == NULL && status == MCPW_E_CLOSED);
    site_stop(&s);
}

static void a_server_that_ends_answers_what_waits(void) {
    site *const s = begin();
    mcpw_http_exchange *const e = site_call(s, "keep", "");
    mcpw_http_server_stop(s->http);
    const response *const r = site_finish(e);
    CHECK(r->status == 200 && r->ended && site_has(r->body, "'code':-32603") && s->cancels == 1);
    site_stop(s);
}

static void a_server_may_go_with_its_exchanges(void) {
    site *const s = begin();
    CHECK(site_call(s, "keep", "") != NULL && listen_to(s) != NULL);
    site_stop(s);
    CHECK(s->cancels == 1);
}

static void a_large_request_leaves_no_memory_behind(void) {
    enum { LARGE = 100000 };
    site *const s = begin();
    mcpw_status status;
    CHECK(site_finish(site_call(s, "hello", ""))->status == 200);
    const size_t rests = s->memory.in_use;
    mcpw_http_exchange *const e = site_begin(s, "POST", "/mcp", "", &status);
    for (int i = 0; i < LARGE; i++) {
        mcpw_http_body(e, " ", 1);
    }
    CHECK(s->memory.in_use > rests + LARGE / 2);
    mcpw_http_body(e, "{", 1);
    mcpw_http_body_end(e);
    CHECK(site_finish(e)->status == 400);
    CHECK(s->memory.in_use <= rests);
    site_stop(s);
}

static void an_exchange_may_be_closed_while_others_are_asked_for(void) {
    site *const s = begin();
    mcpw_http_exchange *const first = listen_to(s);
    mcpw_http_exchange *const second = listen_to(s);
    mcpw_http_exchange *const ready = mcpw_http_ready(s->http);
    CHECK(ready == first || ready == second);
    mcpw_http_close(ready == first ? second : first); /* which would have come next */
    CHECK(mcpw_http_ready(s->http) == NULL);
    CHECK(mcpw_http_user(ready) == s);
    mcpw_http_close(ready);
    site_stop(s);
}

static void each_stream_has_its_own_time(void) {
    site *const s = begin();
    mcpw_http_exchange *const first = site_call(s, "keep", "");
    mcpw_http_advance(s->http, 5000);
    mcpw_http_exchange *const second = site_call(s, "keep", "");
    mcpw_http_advance(s->http, 15000);
    CHECK(mcpw_http_ready(s->http) == first && mcpw_http_ready(s->http) == NULL);
    mcpw_http_close(first);
    mcpw_http_close(second);
    site_stop(s);
}

static mcpw_status give_away(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    ((site *)user)->kept[0] = request;
    return mcpw_request_detach(request);
}

static void give_queue(void *user, mcpw_session *session) {
    CHECK(mcpw_session_set_queue(session, user) == MCPW_OK);
}

/* Its request is cancelled; its memory waits for the thread that has it. */
static void a_closed_exchange_waits_for_the_thread_that_has_its_request(void) {
    static site s;
    mcpw_queue *const queue = mcpw_queue_new(NULL);
    for (int by_time = 0; by_time < 2; by_time++) {
        memset(&s, 0, sizeof s);
        CHECK(site_start(&s) && site_add(&s, "away", give_away, NULL));
        mcpw_http_server_free(s.http);
        s.config.on_session = give_queue;
        s.config.user = queue;
        s.http = mcpw_http_server_new(&s.config, NULL);
        mcpw_http_exchange *const away = site_call(&s, "away", "");
        mcpw_http_close(away);
        CHECK(mcpw_request_is_cancelled(s.kept[0]));
        CHECK(mcpw_http_ready(s.http) == NULL);
        mcpw_http_exchange *const next = site_call(&s, "hello", "");
        CHECK(next != away && site_finish(next)->status == 200);
        CHECK(mcpw_request_return(s.kept[0], MCPW_OK) != MCPW_E_ARGUMENT);
        mcpw_queue_run(queue);
        mcpw_http_advance(s.http, by_time != 0 ? UINT64_MAX - 1 : 0);
        CHECK(mcpw_http_ready(s.http) == NULL);
        CHECK(site_finish(site_call(&s, "hello", ""))->status == 200);
        site_stop(&s);
    }
    mcpw_queue_free(queue);
}

static void a_session_that_is_closed_while_nobody_uses_it_is_replaced(void) {
    site *const s = begin();
    CHECK(site_finish(site_call(s, "hello", ""))->status == 200);
    mcpw_session_close(s->session);
    CHECK(mcpw_http_ready(s->http) == NULL && mcpw_http_deadline(s->http) == UINT64_MAX);
    CHECK(site_finish(site_call(s, "hello", ""))->status == 200 && s->sessions == 2);
    mcpw_http_advance(s->http, 100000);
    site_stop(s);
}

/* One after the other they use the same memory. */
static void a_steady_load_allocates_nothing(void) {
    enum { TURNS = 50, WARM = 20 };
    site *const s = begin();
    size_t calls = 0;
    size_t in_use = 0;
    for (int i = 0; i < TURNS; i++) {
        CHECK(site_finish(site_call(s, "hello", ""))->status == 200);
        if (i == WARM) {
            calls = s->memory.calls;
            in_use = s->memory.in_use;
        }
    }
    CHECK(s->memory.calls == calls && s->memory.in_use == in_use && s->sessions == 1);
    site_stop(s);
}

/* ---- Memory ---- */

static mcpw_status say_long(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    enum { LONG = 1 << 20 };
    static char text[LONG];
    const mcpw_str said = {text, sizeof text};
    (void)call;
    (void)user;
    memset(text, 'x', sizeof text);
    return mcpw_respond_text(request, said);
}

/* Whoever has sent a whole response is not obliged to ask for its end. */
static void a_long_answer_leaves_no_memory_behind(void) {
    enum { ROUNDS = 4, LITTLE = 1 << 14 };
    mcpw_http_output out;
    site s = {0};
    CHECK(site_start(&s) && site_add(&s, "long", say_long, NULL));
    (void)site_finish(site_call(&s, "hello", ""));
    const size_t before = s.memory.in_use;
    for (int i = 0; i < ROUNDS; i++) {
        mcpw_http_exchange *const e = site_call(&s, "long", "");
        CHECK(mcpw_http_next(e, &out) && out.status == 200 && !out.streams && out.bytes.len > 1 << 20);
        mcpw_http_close(e);
        CHECK(s.memory.in_use < before + LITTLE);
    }
    site_stop(&s);
}

int main(void) {
    RUN(an_answer_that_comes_alone_is_one_text);
    RUN(what_comes_before_an_answer_makes_it_a_stream);
    RUN(a_subscription_is_acknowledged_told_and_ended_by_its_result);
    RUN(a_change_reaches_every_subscription_once);
    RUN(requests_of_one_id_do_not_meet);
    RUN(a_closed_stream_cancels_its_request);
    RUN(a_complete_response_cancels_nothing);
    RUN(a_silent_stream_gets_comments);
    RUN(comments_do_not_pile_up_before_a_slow_reader);
    RUN(a_large_request_leaves_no_memory_behind);
    RUN(an_exchange_may_be_closed_while_others_are_asked_for);
    RUN(each_stream_has_its_own_time);
    RUN(a_closed_exchange_waits_for_the_thread_that_has_its_request);
    RUN(a_body_has_its_time);
    RUN(each_of_many_bodies_has_its_own_time);
    RUN(what_has_all_the_time_is_never_too_late);
    RUN(there_is_an_end_to_exchanges);
    RUN(a_server_that_ends_answers_what_waits);
    RUN(a_server_may_go_with_its_exchanges);
    RUN(a_session_that_is_closed_while_nobody_uses_it_is_replaced);
    RUN(a_steady_load_allocates_nothing);
    RUN(a_long_answer_leaves_no_memory_behind);
    return check_end();
}
