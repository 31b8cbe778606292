/* SPDX-License-Identifier: MIT */
/* Streams of sessions: each message goes to one of them, a client that has lost one gets what it has missed,
 * and nobody gets anything of another session's. */
#include <mcpw/thread.h>

#include "http_sessions.h"

#include <poll.h>
#include <pthread.h>

static site *begin(void) {
    static site s;
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s));
    CHECK(site_add(&s, "asks", site_asks, NULL) && site_add(&s, "parts", site_parts, NULL));
    return &s;
}

static void again(response *r) { memset(r, 0, sizeof *r); }

static void answer(const site *s, int at, const char *text) {
    CHECK(mcpw_respond_text(s->kept[at], mcpw_str_from(text)) == MCPW_OK);
}

/* The id of the last event in a text. */
static const char *last_id(const char *text) {
    static char id[VISITOR_ID];
    const char *found = "id: ";
    for (const char *at = text; (at = strstr(at, "id: ")) != NULL; at++) {
        found = at;
    }
    (void)snprintf(id, sizeof id, "%.*s", (int)strcspn(found + 4, "\n"), found + 4);
    return id;
}

/* ---- POST ---- */

static void what_comes_before_an_answer_makes_it_a_stream(void) {
    site *const s = begin();
    visitor v;
    response r = {0};
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    site_take(e, &r);
    CHECK(r.status == 200 && r.streams && !r.ended && site_has(r.fields, "text/event-stream"));
    CHECK(site_has(r.fields, "X-Accel-Buffering: no\n"));
    CHECK(count_of(r.body, "id: ") == 2 && site_has(r.body, "notifications/progress"));
    answer(s, 0, "done");
    site_take(e, &r);
    CHECK(r.ended && count_of(r.body, "id: ") == 3 && site_has(r.body, "'text':'done'"));
    mcpw_http_close(e);
    site_stop(s);
}

static void only_new_clients_get_an_event_without_data(void) {
    static const struct {
        const char *version;
        bool primes;
    } cases[] = {{"2025-03-26", false}, {"2025-06-18", false}, {"2025-11-25", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        site *const s = begin();
        visitor v;
        response r = {0};
        response own = {0};
        visitor_open(s, &v, cases[i].version);
        mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
        mcpw_http_exchange *const listens = visitor_get(&v, NULL);
        site_take(e, &r);
        site_take(listens, &own);
        CHECK(site_has(r.body, "retry: 1000\ndata: \n\n") == cases[i].primes);
        CHECK(strcmp(own.body, cases[i].primes ? "id: 0-0\nretry: 1000\ndata: \n\n" : "") == 0);
        CHECK(site_has(r.body, "id: ")); /* events have ids in any case */
        mcpw_http_close(e);
        mcpw_http_close(listens);
        site_stop(s);
    }
}

static void an_answer_that_is_posted_reaches_who_waits(void) {
    site *const s = begin();
    visitor v;
    response r = {0};
    char message[VISITOR_TEXT];
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("asks"));
    site_take(e, &r);
    CHECK(r.streams && !r.ended && site_has(r.body, "'method':'roots/list'"));
    const char *const id = strstr(r.body, "\"id\":");
    CHECK(id != NULL);
    (void)snprintf(message, sizeof message, "{'jsonrpc':'2.0',%.*s,'result':{'roots':[]}}",
                   id != NULL ? (int)strcspn(id, ",}") : 0, id);
    CHECK(visitor_say(&v, message)->status == 202);
    CHECK(mcpw_http_ready(s->http) == e);
    site_take(e, &r);
    CHECK(r.ended && site_has(r.body, "'text':'asked'"));
    mcpw_http_close(e);
    site_stop(s);
}

static void who_waits_for_long_gets_a_stream(void) {
    site *const s = begin();
    visitor v;
    response r = {0};
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("keep"));
    site_take(e, &r);
    CHECK(r.status == 0);
    mcpw_http_advance(s->http, 15000);
    site_take(e, &r);
    CHECK(r.status == 200 && r.streams && strncmp(r.body, "id: ", 4) == 0);
    r.len = 0;
    mcpw_http_advance(s->http, 30000);
    site_take(e, &r);
    CHECK(strcmp(r.body, ":\n\n") == 0);
    answer(s, 0, "late");
    site_take(e, &r);
    CHECK(r.ended && site_has(r.body, "'text':'late'"));
    mcpw_http_close(e);
    site_stop(s);
}

static void a_cancelled_request_is_not_answered(void) {
    site *const s = begin();
    visitor v;
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const quiet = visitor_post(&v, CALL_TOOL("keep"));
    CHECK(visitor_say(&v, CANCEL_TOOL)->status == 202);
    CHECK(s->cancels == 1);
    const response *r = site_finish(quiet);
    CHECK(r->ended && r->status == 200 && r->streams && r->len == 0);
    CHECK(site_has(r->fields, "Content-Type: text/event-stream\n"));
    mcpw_http_exchange *const streams = visitor_post(&v, CALL_TOOL("progress"));
    CHECK(visitor_say(&v, CANCEL_TOOL)->status == 202);
    r = site_finish(streams);
    CHECK(r->ended && r->status == 200 && !site_has(r->body, "result") && !site_has(r->body, "error"));
    site_stop(s);
}

/* ---- Coming back ---- */

static void a_disconnect_is_no_cancellation(void) {
    site *const s = begin();
    visitor v;
    response r = {0};
    char id[VISITOR_ID];
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *e = visitor_post(&v, CALL_TOOL("progress"));
    site_take(e, &r);
    (void)snprintf(id, sizeof id, "%s", last_id(r.body));
    mcpw_http_close(e);
    CHECK(s->cancels == 0);
    CHECK(mcpw_request_progress(s->kept[0], 1.5, 2, NULL) == MCPW_OK);
    CHECK(mcpw_http_ready(s->http) == NULL);
    CHECK(visitor_say(&v, LIST_TOOLS)->status == 200); /* which gets nothing of it */
    e = visitor_get(&v, id);
    again(&r);
    site_take(e, &r);
    CHECK(r.status == 200 && r.streams && !r.ended);
    CHECK(count_of(r.body, "notifications/progress") == 1 && site_has(r.body, "'progress':1.5"));
    answer(s, 0, "late");
    CHECK(mcpw_http_ready(s->http) == e);
    site_take(e, &r);
    CHECK(r.ended && count_of(r.body, "'late'") == 0 && site_has(r.body, "'text':'late'"));
    mcpw_http_close(e);
    site_stop(s);
}

static void an_answer_waits_for_who_comes_back(void) {
    site *const s = begin();
    visitor v;
    response r = {0};
    char id[VISITOR_ID];
    visitor_open(s, &v, "2025-06-18");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    site_take(e, &r);
    (void)snprintf(id, sizeof id, "%s", last_id(r.body));
    mcpw_http_close(e);
    answer(s, 0, "late");
    CHECK(mcpw_http_ready(s->http) == NULL);
    for (int i = 0; i < 2; i++) { /* as often as it asks */
        const response *const got = site_finish(visitor_get(&v, id));
        CHECK(got->status == 200 && got->ended && site_has(got->body, "'text':'late'"));
        CHECK(!site_has(got->body, "notifications/progress"));
    }
    const response *const got = site_finish(visitor_get(&v, "1-0"));
    CHECK(got->status == 400 || got->ended);
    site_stop(s);
}

static void a_server_may_end_a_stream_and_its_client_comes_back(void) {
    site *const s = begin();
    visitor v;
    visitor_open(s, &v, "2025-11-25");
    const response *r = site_finish(visitor_post(&v, CALL_TOOL("parts")));
    CHECK(strcmp(s->heard, "MCPW_OK") == 0);
    CHECK(r->status == 200 && r->streams && r->ended && s->cancels == 0);
    CHECK(strncmp(r->body, "id: ", 4) == 0 && site_has(r->body, "\nretry: 1000\ndata: \n\n"));
    CHECK(!site_has(r->body, "result"));
    mcpw_http_exchange *const e = visitor_get(&v, last_id(r->body));
    answer(s, 0, "back");
    r = site_finish(e);
    CHECK(r->ended && site_has(r->body, "notifications/progress") && site_has(r->body, "'text':'back'"));
    site_stop(s);
}

static void a_stream_is_not_ended_whose_client_would_not_come_back(void) {
    site *const s = begin();
    visitor v;
    visitor_open(s, &v, "2025-06-18");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("parts"));
    CHECK(strcmp(s->heard, "MCPW_E_STATE") == 0);
    answer(s, 0, "on");
    CHECK(site_has(site_finish(e)->body, "'text':'on'"));
    mcpw_http_exchange *const modern = site_call(s, "parts", "");
    CHECK(strcmp(s->heard, "MCPW_E_STATE") == 0);
    mcpw_http_close(modern);
    site_stop(s);
}

static void who_comes_back_takes_the_stream_over(void) {
    site *const s = begin();
    visitor v;
    response first = {0};
    response second = {0};
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    site_take(e, &first);
    mcpw_http_exchange *const resumed = visitor_get(&v, last_id(first.body));
    site_take(e, &first);
    CHECK(first.ended && !site_has(first.body, "result"));
    answer(s, 0, "once");
    site_take(resumed, &second);
    CHECK(second.ended && site_has(second.body, "'text':'once'"));
    mcpw_http_close(resumed);
    mcpw_http_close(e);
    site_stop(s);
}

static void ids_that_nobody_gave_are_refused(void) {
    static const char *const ids[] = {"x",
                                      "1",
                                      "-",
                                      "1-",
                                      "-1",
                                      "99-1",
                                      "0-1",
                                      "1-0 ; 2",
                                      "1-0x",
                                      "+1-0",
                                      "0-99999999999999999999",
                                      "18446744073709551616-0"};
    site *const s = begin();
    visitor v;
    visitor_open(s, &v, "2025-11-25");
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const response *const r = site_finish(visitor_get(&v, ids[i]));
        CHECK(r->status == 400 && r->ended);
    }
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("keep")); /* it has had no event */
    CHECK(site_finish(visitor_get(&v, "3-0"))->status == 400);
    mcpw_http_close(e);
    site_stop(s);
}

/* ---- The server's own stream ---- */

static void what_belongs_to_no_request_goes_to_the_servers_own_stream(void) {
    site *const s = begin();
    visitor v;
    response own = {0};
    response r = {0};
    visitor_open(s, &v, "2025-06-18");
    mcpw_http_exchange *const listens = visitor_get(&v, NULL);
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    CHECK(site_add(s, "new", site_hello, NULL));
    CHECK(mcpw_http_ready(s->http) != NULL);
    site_take(listens, &own);
    answer(s, 0, "done");
    site_take(e, &r);
    site_take(listens, &own);
    CHECK(own.streams && !own.ended && count_of(own.body, "list_changed") == 1);
    CHECK(!site_has(own.body, "progress") && !site_has(own.body, "result"));
    CHECK(r.ended && !site_has(r.body, "list_changed"));
    mcpw_http_close(e);
    mcpw_http_close(listens);
    site_stop(s);
}

static void a_session_has_one_stream_of_the_servers_own(void) {
    site *const s = begin();
    visitor v;
    response own = {0};
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const listens = visitor_get(&v, NULL);
    site_take(listens, &own);
    CHECK(site_finish(visitor_get(&v, NULL))->status == 409);
    mcpw_http_exchange *const back = visitor_get(&v, last_id(own.body));
    site_take(listens, &own);
    CHECK(own.ended);
    mcpw_http_close(listens);
    CHECK(site_finish(visitor_get(&v, NULL))->status == 409);
    mcpw_http_close(back);
    CHECK(site_finish(visitor_get(&v, NULL))->status == 200);
    site_stop(s);
}

static void what_was_said_while_nobody_listened_is_sent_once(void) {
    site *const s = begin();
    visitor v;
    visitor_open(s, &v, "2025-06-18");
    CHECK(site_add(s, "new", site_hello, NULL));
    CHECK(mcpw_http_ready(s->http) == NULL);
    CHECK(site_has(site_finish(visitor_get(&v, NULL))->body, "id: 0-1\ndata: {"));
    CHECK(!site_has(site_finish(visitor_get(&v, NULL))->body, "list_changed"));
    CHECK(site_has(site_finish(visitor_get(&v, "0-0"))->body, "list_changed"));
    site_stop(s);
}

static void a_get_takes_events(void) {
    site *const s = begin();
    visitor v;
    char lines[VISITOR_TEXT];
    mcpw_status status;
    visitor_open(s, &v, "2025-11-25");
    visitor_lines(lines, v.id, "Accept: application/json");
    CHECK(site_finish(site_begin(s, "GET", "/mcp", lines, &status))->status == 406);
    visitor_lines(lines, v.id, "Accept: text/event-stream");
    CHECK(site_finish(site_begin(s, "GET", "/mcp", lines, &status))->status == 200);
    visitor_lines(lines, v.id, "MCP-Protocol-Version: 2026-07-28");
    CHECK(site_finish(site_begin(s, "GET", "/mcp", lines, &status))->status == 400);
    CHECK(site_finish(site_begin(s, "GET", "/mcp", "", &status))->status == 400);
    const response *const r = site_finish(site_begin(s, "PUT", "/mcp", v.lines, &status));
    CHECK(r->status == 405 && site_has(r->fields, "Allow: GET, POST, DELETE\n"));
    site_stop(s);
}

/* ---- Sessions and streams beside each other ---- */

static void no_session_sees_anothers_events(void) {
    site *const s = begin();
    visitor a;
    visitor b;
    response r = {0};
    char id[VISITOR_ID];
    visitor_open(s, &a, "2025-11-25");
    visitor_open(s, &b, "2025-11-25");
    mcpw_http_exchange *const e = visitor_post(&a, CALL_TOOL("progress"));
    site_take(e, &r);
    (void)snprintf(id, sizeof id, "%s", last_id(r.body));
    mcpw_http_close(e);
    answer(s, 0, "secret");
    CHECK(mcpw_http_ready(s->http) == NULL);
    /* the same number may be one of its own, which had other events */
    CHECK(!site_has(site_finish(visitor_get(&b, id))->body, "secret"));
    CHECK(!site_has(visitor_say(&b, LIST_TOOLS)->body, "secret"));
    CHECK(site_has(site_finish(visitor_get(&a, id))->body, "secret"));
    site_stop(s);
}

static void a_resumed_stream_holds_nothing_of_another(void) {
    site *const s = begin();
    visitor v;
    response one = {0};
    response two = {0};
    char ids[2][VISITOR_ID];
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const first = visitor_post(&v, CALL_TOOL("progress"));
    mcpw_http_exchange *const second = visitor_post(&v, CALL_AS("3", "progress"));
    site_take(first, &one);
    site_take(second, &two);
    (void)snprintf(ids[0], VISITOR_ID, "%s", last_id(one.body));
    (void)snprintf(ids[1], VISITOR_ID, "%s", last_id(two.body));
    CHECK(strcmp(ids[0], ids[1]) != 0);
    mcpw_http_close(first);
    mcpw_http_close(second);
    answer(s, 1, "two");
    answer(s, 0, "one");
    for (int i = 0; i < 2; i++) {
        const response *const r = site_finish(visitor_get(&v, ids[i]));
        CHECK(r->ended && site_has(r->body, "'one'") == (i == 0) && site_has(r->body, "'two'") == (i == 1));
    }
    site_stop(s);
}

static void a_slow_reader_loses_nothing_and_blocks_no_other_session(void) {
    enum { MANY = 3000 };
    site *const s = begin();
    visitor slow;
    visitor other;
    mcpw_http_output out;
    static char all[1 << 20];
    size_t len = 0;
    visitor_open(s, &slow, "2025-06-18");
    visitor_open(s, &other, "2025-06-18");
    mcpw_http_exchange *const e = visitor_post(&slow, CALL_TOOL("progress"));
    CHECK(mcpw_http_next(e, &out) && mcpw_http_next(e, &out)); /* in its hands, not sent yet */
    for (int i = 0; i < MANY; i++) {
        (void)!mcpw_request_progress(s->kept[0], 2 + i, -1, NULL);
        CHECK(i % 100 != 0 || mcpw_http_ready(s->http) == NULL);
    }
    answer(s, 0, "end");
    CHECK(mcpw_http_ready(s->http) == NULL);
    CHECK(mcpw_str_is((mcpw_str){out.bytes.ptr, 4}, "id: "));
    CHECK(visitor_say(&other, LIST_TOOLS)->status == 200);
    while (mcpw_http_next(e, &out) && out.step == MCPW_HTTP_BODY) {
        if (out.bytes.len < sizeof all - len) {
            memcpy(all + len, out.bytes.ptr, out.bytes.len);
            len += out.bytes.len;
        }
    }
    all[len] = '\0';
    CHECK(out.step == MCPW_HTTP_END && count_of(all, "notifications/progress") == MANY &&
          site_has(all, "'text':'end'"));
    mcpw_http_close(e);
    site_stop(s);
}

static void a_slow_reader_that_leaves_holds_nobody_up(void) {
    enum { MANY = 1500 };
    site *const s = begin();
    visitor v;
    mcpw_http_output out;
    visitor_open(s, &v, "2025-06-18");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    CHECK(mcpw_http_next(e, &out) && mcpw_http_next(e, &out));
    for (int i = 0; i < MANY; i++) {
        (void)!mcpw_request_progress(s->kept[0], 2 + i, -1, NULL);
    }
    CHECK(mcpw_http_ready(s->http) == NULL);
    mcpw_http_exchange *const listed = visitor_post(&v, LIST_TOOLS);
    CHECK(mcpw_http_ready(s->http) == NULL); /* the session has more to say to the slow one first */
    mcpw_http_close(e);
    CHECK(mcpw_http_ready(s->http) == listed);
    CHECK(site_has(site_finish(listed)->body, "'hello'"));
    site_stop(s);
}

static void what_was_missed_may_be_long(void) {
    enum { MANY = 1500 };
    static site s;
    visitor v;
    mcpw_http_output out;
    response r = {0};
    int events = 0;
    memset(&s, 0, sizeof s);
    s.config.max_events = 2 * MANY;
    CHECK(site_start(&s));
    visitor_open(&s, &v, "2025-06-18");
    mcpw_http_exchange *const lost = visitor_post(&v, CALL_TOOL("progress"));
    site_take(lost, &r);
    mcpw_http_close(lost);
    for (int i = 0; i < MANY; i++) {
        CHECK(mcpw_request_progress(s.kept[0], 2 + i, -1, NULL) == MCPW_OK);
    }
    mcpw_http_exchange *const e = visitor_get(&v, last_id(r.body));
    answer(&s, 0, "end");
    while (mcpw_http_next(e, &out) && out.step != MCPW_HTTP_END) {
        for (size_t i = 0; i + 1 < out.bytes.len; i++) {
            events += out.bytes.ptr[i] == '\n' && out.bytes.ptr[i + 1] == '\n';
        }
    }
    CHECK(out.step == MCPW_HTTP_END && events == MANY + 1);
    mcpw_http_close(e);
    site_stop(&s);
}

/* ---- Threads ---- */

static mcpw_status give_away(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    ((site *)user)->kept[0] = request;
    return mcpw_request_detach(request);
}

static void give_queue(void *user, mcpw_session *session) {
    CHECK(mcpw_session_set_queue(session, user) == MCPW_OK);
}

/* The ways to end a session whose request another thread has. */
typedef enum ending { ENDS_BY_DELETE, ENDS_BY_CANCELLING, ENDS_NOT, ENDINGS } ending;

static void what_a_thread_has_outlives_its_session(void) {
    static site s;
    mcpw_queue *const queue = mcpw_queue_new(NULL);
    for (ending by = ENDS_BY_DELETE; by < ENDINGS; by++) {
        visitor v;
        memset(&s, 0, sizeof s);
        CHECK(site_start(&s) && site_add(&s, "away", give_away, NULL));
        mcpw_http_server_free(s.http);
        s.config.on_session = give_queue;
        s.config.user = queue;
        s.http = mcpw_http_server_new(&s.config, NULL);
        visitor_open(&s, &v, "2025-11-25");
        mcpw_http_exchange *const away = visitor_post(&v, CALL_TOOL("away"));
        if (by == ENDS_BY_DELETE) {
            CHECK(visitor_leave(&v)->status == 204);
        } else if (by == ENDS_BY_CANCELLING) {
            CHECK(visitor_say(&v, CANCEL_TOOL)->status == 202);
        }
        CHECK(mcpw_request_is_cancelled(s.kept[0]) == (by != ENDS_NOT));
        mcpw_http_close(away);
        CHECK(mcpw_http_ready(s.http) == NULL);
        CHECK(mcpw_http_exchange_of(s.kept[0]) == away && mcpw_http_user(away) == NULL);
        CHECK(mcpw_str_is(mcpw_http_field_of(away, "host"), "localhost:8080"));
        CHECK(mcpw_request_return(s.kept[0], MCPW_OK) != MCPW_E_ARGUMENT);
        mcpw_queue_run(queue);
        CHECK(mcpw_http_ready(s.http) == NULL);
        CHECK(visitor_say(&v, LIST_TOOLS)->status == (by == ENDS_BY_DELETE ? 404 : 200));
        site_stop(&s);
    }
    mcpw_queue_free(queue);
}

static void *end_from_elsewhere(void *user) {
    CHECK(mcpw_http_end_stream(((site *)user)->kept[0]) == MCPW_OK);
    CHECK(mcpw_request_return(((site *)user)->kept[0], MCPW_OK) == MCPW_OK);
    return NULL;
}

static void a_stream_that_another_thread_ends_is_ended_on_the_servers(void) {
    enum { PATIENCE = 5000 };
    static site s;
    visitor v;
    pthread_t thread;
    mcpw_queue *const queue = mcpw_queue_new(NULL);
    struct pollfd called = {mcpw_queue_fd(queue), POLLIN, 0};
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s) && site_add(&s, "away", give_away, NULL));
    mcpw_http_server_free(s.http);
    s.config.on_session = give_queue;
    s.config.user = queue;
    s.http = mcpw_http_server_new(&s.config, NULL);
    visitor_open(&s, &v, "2025-11-25");
    mcpw_http_exchange *const away = visitor_post(&v, CALL_TOOL("away"));
    CHECK(pthread_create(&thread, NULL, end_from_elsewhere, &s) == 0);
    for (int calls = 0; calls < 2; calls++) {
        CHECK(poll(&called, 1, PATIENCE) == 1);
        mcpw_queue_run(queue);
    }
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(mcpw_http_ready(s.http) == away);
    const response *const r = site_finish(away);
    CHECK(r->status == 200 && r->streams && r->ended && site_has(r->body, "\nretry: 1000\ndata: \n\n"));
    site_stop(&s);
    mcpw_queue_free(queue);
}

/* ---- The store ---- */

static void the_oldest_events_are_forgotten_first(void) {
    static site s;
    visitor v;
    response r = {0};
    memset(&s, 0, sizeof s);
    s.config.max_events = 3;
    CHECK(site_start(&s));
    visitor_open(&s, &v, "2025-06-18");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    site_take(e, &r);
    mcpw_http_close(e);
    for (int i = 2; i < 10; i++) {
        CHECK(mcpw_request_progress(s.kept[0], i, -1, NULL) == MCPW_OK);
    }
    answer(&s, 0, "end");
    CHECK(mcpw_http_ready(s.http) == NULL);
    const response *const got = site_finish(visitor_get(&v, last_id(r.body)));
    CHECK(got->ended && count_of(got->body, "id: ") == 3 && site_has(got->body, "'progress':9") &&
          !site_has(got->body, "'progress':7") && site_has(got->body, "'text':'end'"));
    site_stop(&s);
}

static void events_are_kept_within_their_bytes(void) {
    enum { SESSIONS = 20, EVENTS = 40, OF_ONE = 1000, OF_ALL = 4000, BESIDES = 20000 };
    static site s;
    static visitor all[SESSIONS];
    memset(&s, 0, sizeof s);
    s.config.max_event_bytes = OF_ONE;
    s.config.max_store_bytes = OF_ALL;
    CHECK(site_start(&s));
    for (int i = 0; i < SESSIONS; i++) {
        visitor_open(&s, all + i, "2025-06-18");
    }
    for (int i = 0; i < EVENTS; i++) {
        CHECK(site_add(&s, "new", site_hello, NULL));
        CHECK(mcpw_server_remove_tool(s.tools, "new") == MCPW_OK);
        (void)!mcpw_http_ready(s.http);
    }
    mcpw_http_advance(s.http, 10000);
    const size_t in_use = s.memory.in_use;
    for (int i = 0; i < EVENTS; i++) {
        CHECK(site_add(&s, "new", site_hello, NULL));
        CHECK(mcpw_server_remove_tool(s.tools, "new") == MCPW_OK);
        (void)!mcpw_http_ready(s.http);
    }
    CHECK(s.memory.in_use < in_use + BESIDES);
    CHECK(visitor_say(all, LIST_TOOLS)->status == 200);
    site_stop(&s);
}

static void an_event_that_is_too_large_is_sent_and_not_kept(void) {
    static site s;
    visitor v;
    response r = {0};
    memset(&s, 0, sizeof s);
    s.config.max_event_bytes = 64;
    CHECK(site_start(&s));
    visitor_open(&s, &v, "2025-06-18");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    answer(&s, 0, "done");
    site_take(e, &r);
    CHECK(r.ended && site_has(r.body, "'progress':1") && site_has(r.body, "'text':'done'"));
    char id[VISITOR_ID];
    (void)snprintf(id, sizeof id, "%.*s0", (int)strcspn(last_id(r.body), "-") + 1, last_id(r.body));
    mcpw_http_close(e);
    const response *const again = site_finish(visitor_get(&v, id));
    CHECK(again->status == 200 && again->ended && again->len == 0);
    site_stop(&s);
}

static void every_session_has_its_own_events(void) {
    enum { SESSIONS = 150, LAST = 50 };
    static visitor all[SESSIONS];
    site *const s = begin();
    for (int i = 0; i < SESSIONS; i++) {
        visitor_open(s, all + i, "2025-06-18");
        CHECK(site_add(s, "new", site_hello, NULL));
        CHECK(mcpw_http_ready(s->http) == NULL);
        CHECK(mcpw_server_remove_tool(s->tools, "new") == MCPW_OK);
        CHECK(mcpw_http_ready(s->http) == NULL);
    }
    for (int i = SESSIONS - LAST; i < SESSIONS; i++) { /* two for each change since it came */
        const response *const r = site_finish(visitor_get(all + i, "0-0"));
        CHECK(count_of(r->body, "id: 0-") == 2 * (SESSIONS - i));
    }
    site_stop(s);
}

/* A store of the program's, which counts. */
typedef struct ledger {
    int appended;
    int replayed;
    int dropped;
    char session[VISITOR_ID];
    uint64_t stream;
    uint64_t after;
} ledger;

static mcpw_status ledger_append(void *self, mcpw_str session, uint64_t stream, uint64_t event,
                                 mcpw_str text) {
    ledger *const l = self;
    l->appended++;
    l->stream = stream;
    CHECK(event == (uint64_t)l->appended && text.len != 0);
    (void)snprintf(l->session, sizeof l->session, "%.*s", (int)session.len, session.ptr);
    return MCPW_E_IO; /* it is sent all the same */
}

static mcpw_status ledger_replay(void *self, mcpw_str session, uint64_t stream, uint64_t after,
                                 mcpw_http_give *give, void *user) {
    ledger *const l = self;
    (void)session;
    l->replayed++;
    l->stream = stream;
    l->after = after;
    return give(user, after + 1, MCPW_STR_VALUE("{}"));
}

static void ledger_drop(void *self, mcpw_str session) {
    (void)session;
    ((ledger *)self)->dropped++;
}

static void a_program_may_keep_events_itself(void) {
    static site s;
    ledger kept = {0};
    const mcpw_http_store store = {
        .self = &kept, .append = ledger_append, .replay = ledger_replay, .drop = ledger_drop};
    visitor v;
    response r = {0};
    memset(&s, 0, sizeof s);
    s.config.store = &store;
    CHECK(site_start(&s));
    visitor_open(&s, &v, "2025-06-18");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    site_take(e, &r);
    CHECK(kept.appended == 1 && strcmp(kept.session, v.id) == 0 && site_has(r.body, "progress"));
    answer(&s, 0, "done");
    site_take(e, &r);
    CHECK(kept.appended == 2);
    mcpw_http_close(e);
    const uint64_t stream = kept.stream;
    char id[VISITOR_ID];
    (void)snprintf(id, sizeof id, "%d-1", (int)stream);
    const response *const got = site_finish(visitor_get(&v, id));
    CHECK(kept.replayed == 1 && kept.after == 1 && kept.stream == stream);
    CHECK(site_has(got->body, "-2\ndata: {}\n\n"));
    CHECK(visitor_leave(&v)->status == 204 && kept.dropped == 1);
    site_stop(&s);
}

/* The slow reader then decides alone. */
static void nothing_is_kept_of_a_session_that_has_ended(void) {
    enum { MANY = 1500 };
    static site s;
    ledger kept = {0};
    const mcpw_http_store store = {
        .self = &kept, .append = ledger_append, .replay = ledger_replay, .drop = ledger_drop};
    visitor v;
    mcpw_http_output out;
    memset(&s, 0, sizeof s);
    s.config.store = &store;
    CHECK(site_start(&s));
    visitor_open(&s, &v, "2025-06-18");
    mcpw_http_exchange *const e = visitor_post(&v, CALL_TOOL("progress"));
    CHECK(mcpw_http_next(e, &out) && mcpw_http_next(e, &out));
    for (int i = 0; i < MANY; i++) {
        (void)!mcpw_request_progress(s.kept[0], 2 + i, -1, NULL);
    }
    CHECK(mcpw_http_ready(s.http) == NULL);
    const int before = kept.appended;
    CHECK(visitor_leave(&v)->status == 204 && kept.dropped == 1);
    while (mcpw_http_next(e, &out) && out.step == MCPW_HTTP_BODY) {
    }
    CHECK(out.step == MCPW_HTTP_END && kept.appended == before && before < MANY);
    mcpw_http_close(e);
    site_stop(&s);
}

static void a_server_that_ends_ends_its_sessions(void) {
    site *const s = begin();
    visitor v;
    response own = {0};
    response r = {0};
    visitor_open(s, &v, "2025-11-25");
    mcpw_http_exchange *const listens = visitor_get(&v, NULL);
    mcpw_http_exchange *const waits = visitor_post(&v, CALL_TOOL("keep"));
    mcpw_http_close(visitor_post(&v, CALL_AS("3", "progress")));
    mcpw_http_server_stop(s->http);
    site_take(listens, &own);
    site_take(waits, &r);
    CHECK(own.ended && r.ended && site_has(r.body, "'code':-32603") && s->cancels == 2);
    mcpw_http_close(listens);
    mcpw_http_close(waits);
    CHECK(mcpw_http_ready(s->http) == NULL);
    site_stop(s);
}

static void a_server_may_go_with_its_sessions(void) {
    site *const s = begin();
    visitor v;
    visitor_open(s, &v, "2025-11-25");
    CHECK(visitor_get(&v, NULL) != NULL && visitor_post(&v, CALL_TOOL("keep")) != NULL);
    mcpw_http_close(visitor_post(&v, CALL_AS("3", "progress")));
    site_stop(s);
    CHECK(s->cancels == 2);
}

int main(void) {
    check_test = "keeps_sessions";
    if (!keeps_sessions()) {
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    RUN(what_comes_before_an_answer_makes_it_a_stream);
    RUN(only_new_clients_get_an_event_without_data);
    RUN(an_answer_that_is_posted_reaches_who_waits);
    RUN(who_waits_for_long_gets_a_stream);
    RUN(a_cancelled_request_is_not_answered);
    RUN(a_disconnect_is_no_cancellation);
    RUN(an_answer_waits_for_who_comes_back);
    RUN(a_server_may_end_a_stream_and_its_client_comes_back);
    RUN(a_stream_is_not_ended_whose_client_would_not_come_back);
    RUN(who_comes_back_takes_the_stream_over);
    RUN(ids_that_nobody_gave_are_refused);
    RUN(what_belongs_to_no_request_goes_to_the_servers_own_stream);
    RUN(a_session_has_one_stream_of_the_servers_own);
    RUN(what_was_said_while_nobody_listened_is_sent_once);
    RUN(a_get_takes_events);
    RUN(no_session_sees_anothers_events);
    RUN(a_resumed_stream_holds_nothing_of_another);
    RUN(a_slow_reader_loses_nothing_and_blocks_no_other_session);
    RUN(a_slow_reader_that_leaves_holds_nobody_up);
    RUN(what_was_missed_may_be_long);
    RUN(what_a_thread_has_outlives_its_session);
    RUN(a_stream_that_another_thread_ends_is_ended_on_the_servers);
    RUN(the_oldest_events_are_forgotten_first);
    RUN(events_are_kept_within_their_bytes);
    RUN(an_event_that_is_too_large_is_sent_and_not_kept);
    RUN(every_session_has_its_own_events);
    RUN(a_program_may_keep_events_itself);
    RUN(nothing_is_kept_of_a_session_that_has_ended);
    RUN(a_server_that_ends_ends_its_sessions);
    RUN(a_server_may_go_with_its_sessions);
    return check_end();
}
