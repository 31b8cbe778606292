/* SPDX-License-Identifier: MIT */
/* A client over HTTP and servers that ask too much: what waits has limits, and so has trying again. */
#include <mcpw/detail/session.h>

#include "http_client_harness.h"

#define PING "data: {'jsonrpc':'2.0','id':1,'method':'ping'}\n\n"

/* A session whose own stream is open. */
static mcpw_http_call *open_stream(web *w) {
    web_open_legacy(w, "s1");
    EXPECT_ORDER(w, "GET", "");
    web_head(w, w->call, 200, EVENT_TYPE);
    return w->call;
}

static void answers_that_nobody_takes_hold_the_stream(void) {
    web *const w = web_make(NULL);
    int pings = 0;
    w->config.max_queued = 8;
    mcpw_http_call *const stream = open_stream(w);
    while (!mcpw_http_call_is_held(stream) && pings < 1000) {
        CHECK(web_body(w, stream, PING));
        EXPECT_ORDER(w, "POST", "'result':{}");
        pings++;
    }
    CHECK(pings == 8);
    web_answer(w, w->call, 202, "", "");
    CHECK(!mcpw_http_call_is_held(stream));
    web_free(w);
}

static void their_bytes_count_as_well(void) {
    web *const w = web_make(NULL);
    int pings = 0;
    w->config.max_queued_bytes = 100;
    mcpw_http_call *const stream = open_stream(w);
    while (!mcpw_http_call_is_held(stream) && pings < 1000) {
        CHECK(web_body(w, stream, PING));
        EXPECT_ORDER(w, "POST", "'result':{}");
        pings++;
    }
    CHECK(pings > 1 && pings < 5);
    web_free(w);
}

static void requests_of_ours_hold_nothing(void) {
    web *const w = web_make(NULL);
    w->config.max_queued = 2;
    web_open_modern(w);
    for (int i = 0; i < 5; i++) {
        EXPECT_REQUEST(w, "tools/call", "'name':'t'");
        web_head(w, w->call, 200, EVENT_TYPE);
    }
    CHECK(!mcpw_http_call_is_held(w->call));
    web_free(w);
}

/* The answers that are not taken wait in the session, whose own limit is the last. */
static void a_program_that_reads_on_is_stopped(void) {
    mcpw_http_order order;
    mcpw_error error = {0};
    web *const w = web_make(NULL);
    int pings = 0;
    mcpw_status status = MCPW_OK;
    w->config.max_queued = 4;
    w->client->config.max_output = 1000;
    mcpw_http_call *const stream = open_stream(w);
    while (status != MCPW_E_FULL && pings < 10000) {
        (void)web_body(w, stream, PING);
        pings++;
        do {
            status = mcpw_http_client_next(w->http, &order, &error);
        } while (status == MCPW_OK);
    }
    CHECK(status == MCPW_E_FULL && pings < 100);
    web_free(w);
}

static void so_many_requests_run_at_once(void) {
    web *const w = web_make(NULL);
    w->config.max_running = 2;
    web_open_modern(w);
    for (int i = 0; i < 3; i++) {
        CHECK(call(w->client, "tools/call", "'name':'t'") == MCPW_OK);
    }
    EXPECT_ORDER(w, "POST", "'id':2,");
    mcpw_http_call *const one = w->call;
    EXPECT_ORDER(w, "POST", "'id':3,");
    EXPECT_NOTHING(w);
    web_answer(w, one, 200, JSON_TYPE,
               "{'jsonrpc':'2.0','id':2,'result':{'resultType':'complete','content':[]}}");
    EXPECT_ORDER(w, "POST", "'id':4,");
    web_free(w);
}

/* Calls tools until no more are sent, and returns the stream of the last one. */
static mcpw_http_call *fill(web *w) {
    for (size_t i = 0; i < w->config.max_running; i++) {
        EXPECT_REQUEST(w, "tools/call", "'name':'t'");
        web_head(w, w->call, 200, EVENT_TYPE);
    }
    mcpw_http_call *const last = w->call;
    CHECK(call(w->client, "tools/call", "'name':'t'") == MCPW_OK);
    EXPECT_NOTHING(w);
    return last;
}

static void answers_need_no_place_of_a_request(void) {
    web *const w = web_make(NULL);
    w->config.max_running = 2;
    w->config.open_stream = MCPW_OFF;
    web_open_legacy(w, "s1");
    mcpw_http_call *const stream = fill(w);
    CHECK(web_body(w, stream, PING));
    EXPECT_ORDER(w, "POST", "'result':{}");
    web_free(w);
}

static void so_many_answers_run_at_once(void) {
    web *const w = web_make(NULL);
    w->config.max_running = 2;
    w->config.open_stream = MCPW_OFF;
    web_open_legacy(w, "s1");
    mcpw_http_call *const stream = fill(w);
    CHECK(web_body(w, stream, PING PING PING));
    EXPECT_ORDER(w, "POST", "'result':{}");
    mcpw_http_call *const one = w->call;
    EXPECT_ORDER(w, "POST", "'result':{}");
    EXPECT_NOTHING(w);
    web_answer(w, one, 202, "", "");
    EXPECT_ORDER(w, "POST", "'result':{}");
    web_free(w);
}

static void a_stream_after_an_answer_is_closed(void) {
    web *const w = web_make(NULL);
    mcpw_http_call *const stream = open_stream(w);
    CHECK(web_body(w, stream, PING));
    EXPECT_ORDER(w, "POST", "'result':{}");
    web_head(w, w->call, 200, EVENT_TYPE);
    CHECK(!web_body(w, w->call, PING));
    mcpw_http_call_end(w->call, NULL);
    EXPECT_NOTHING(w);
    web_free(w);
}

static void words_after_an_answer_have_a_limit(void) {
    static char words[1 << 14];
    web *const w = web_make(NULL);
    mcpw_http_call *const stream = open_stream(w);
    int pieces = 0;
    memset(words, 'x', sizeof words);
    CHECK(web_body(w, stream, PING));
    EXPECT_ORDER(w, "POST", "'result':{}");
    web_head(w, w->call, 500, "Content-Type: text/plain");
    while (pieces < 100 && mcpw_http_call_body(w->call, words, sizeof words)) {
        pieces++;
    }
    CHECK(pieces <= 4);
    mcpw_http_call_end(w->call, NULL);
    CHECK_HAS(w->warning, "HTTP status 500: xxx");
    web_free(w);
}

/* ---- Calls that no request of the session stands for ---- */

enum { PATIENCE = 60000 /* ms: the default of request_timeout_ms */ };

/* Loses the session by a call of a tool, and expects the client to open another one. */
static void lose_session(web *w) {
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    EXPECT_FIELD(w, "Mcp-Session-Id: s1");
    web_answer(w, w->call, 404, "", "");
    EXPECT_ORDER(w, "POST", "'method':'initialize'");
}

static void a_session_that_is_not_opened_again_in_time_is_tried_again(void) {
    web *const w = web_make(NULL);
    w->config.open_stream = MCPW_OFF;
    web_open_legacy(w, "s1");
    lose_session(w);
    web_wait(w, 1); /* its time begins */
    CHECK(mcpw_http_client_deadline(w->http) == w->now + PATIENCE);
    web_wait(w, PATIENCE - 1);
    CHECK(w->client->out.count == 1); /* the call has timed out */
    EXPECT_NOTHING(w);
    web_wait(w, 1);
    EXPECT_GIVEN_UP(w);
    EXPECT_NOTHING(w);
    lose_session(w);
    web_answer(w, w->call, 200, JSON_TYPE "\nMcp-Session-Id: s2",
               "{'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'2025-11-25','capabilities':{},"
               "'serverInfo':{'name':'s','version':'1'}}}");
    EXPECT_ORDER(w, "POST", "notifications/initialized");
    web_answer(w, w->call, 202, "", "");
    EXPECT_ORDER(w, "POST", "'name':'t'");
    EXPECT_FIELD(w, "Mcp-Session-Id: s2");
    web_free(w);
}

/* Opens a session whose notifications/initialized has no response yet, and makes a request. */
static mcpw_http_call *open_without_response(web *w) {
    CHECK(web_start(w));
    CHECK(mcpw_session_open(w->client->session) == MCPW_OK);
    EXPECT_ORDER(w, "POST", "'method':'initialize'");
    web_answer(
        w, w->call, 200, JSON_TYPE,
        "{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-11-25','capabilities':" SERVER_CAPABILITIES
        ",'serverInfo':{'name':'s','version':'1'}}}");
    EXPECT_ORDER(w, "POST", "notifications/initialized");
    mcpw_http_call *const said = w->call;
    web_wait(w, 1);
    web_wait(w, PATIENCE - 1);
    CHECK(call(w->client, "tools/call", "'name':'t'") == MCPW_OK);
    EXPECT_NOTHING(w);
    return said;
}

static void an_opening_that_is_not_accepted_holds_requests_for_a_time(void) {
    web *const w = web_make("2025-11-25");
    (void)open_without_response(w);
    web_wait(w, 1);
    EXPECT_GIVEN_UP(w);
    CHECK_HAS(w->warning, "did not accept a message in time: notifications/initialized");
    EXPECT_ORDER(w, "POST", "tools/call");
    web_free(w);
}

static void an_opening_whose_response_does_not_end_is_accepted(void) {
    web *const w = web_make("2025-11-25");
    web_head(w, open_without_response(w), 202, "");
    web_wait(w, 1);
    EXPECT_GIVEN_UP(w);
    CHECK(w->warnings == 0);
    EXPECT_ORDER(w, "GET", "");
    web_free(w);
}

static void an_answer_that_is_not_accepted_is_given_up(void) {
    web *const w = web_make(NULL);
    w->client->config.request_timeout_ms = 500;
    mcpw_http_call *const stream = open_stream(w);
    CHECK(web_body(w, stream, PING));
    EXPECT_ORDER(w, "POST", "'result':{}");
    CHECK(mcpw_http_client_deadline(w->http) == 0); /* the client is told the time first */
    web_wait(w, 1);
    web_wait(w, 499);
    EXPECT_NOTHING(w);
    web_wait(w, 1);
    EXPECT_GIVEN_UP(w);
    CHECK_HAS(w->warning, "did not accept a message in time");
    CHECK(mcpw_http_client_deadline(w->http) == UINT64_MAX); /* the stream has no limit */
    web_free(w);
}

static void the_time_of_an_answer_begins_again_after_a_login(void) {
    web *const w = web_make(NULL);
    mcpw_http_call *const stream = open_stream(w);
    CHECK(web_body(w, stream, PING));
    EXPECT_ORDER(w, "POST", "'result':{}");
    web_wait(w, 1);
    mcpw_session_hold(w->client->session, true, w->now);
    web_wait(w, PATIENCE);
    web_wait(w, PATIENCE);
    CHECK(mcpw_http_client_deadline(w->http) == UINT64_MAX);
    mcpw_session_hold(w->client->session, false, w->now);
    web_wait(w, 1);
    web_wait(w, PATIENCE - 1);
    EXPECT_NOTHING(w);
    web_wait(w, 1);
    EXPECT_GIVEN_UP(w);
    web_free(w);
}

/* Calls a tool whose headers do not match, so that the tools are listed again. */
static mcpw_http_call *list_again(web *w) {
    web_open_modern(w);
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    web_answer(w, w->call, 400, JSON_TYPE,
               "{'jsonrpc':'2.0','id':2,'error':{'code':-32020,'message':'headers'}}");
    EXPECT_ORDER(w, "POST", "'id':'mcpwire-1','method':'tools/list'");
    web_wait(w, 1);
    return w->call;
}

static void a_list_that_does_not_come_is_given_up(void) {
    web *const w = web_make(NULL);
    (void)list_again(w);
    web_wait(w, PATIENCE);
    EXPECT_GIVEN_UP(w);
    EXPECT_NOTHING(w);
    web_free(w);
}

static void a_list_on_a_stream_that_stays_open_is_used(void) {
    web *const w = web_make(NULL);
    mcpw_http_call *const list = list_again(w);
    web_head(w, list, 200, EVENT_TYPE);
    CHECK(web_body(w, list,
                   "data: {'jsonrpc':'2.0','id':'mcpwire-1','result':{'resultType':'complete','ttlMs':0,"
                   "'cacheScope':'private','tools':[]}}\n\n"));
    web_wait(w, 1);
    web_wait(w, 2000);
    EXPECT_GIVEN_UP(w);
    EXPECT_ORDER(w, "POST", "tools/call");
    web_free(w);
}

/* ---- Trying again ---- */

/* The ms until the stream is asked for again. */
static uint64_t pause_of(web *w) {
    const uint64_t ms = mcpw_http_client_deadline(w->http) - w->now;
    EXPECT_NOTHING(w);
    web_wait(w, ms);
    return ms;
}

static void a_server_that_wants_no_pause_gets_longer_ones(void) {
    static const uint64_t wanted[] = {100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000};
    web *const w = web_make(NULL);
    web_open_legacy(w, "s1");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        EXPECT_ORDER(w, "GET", "");
        web_answer(w, w->call, 200, EVENT_TYPE, fmt("id: %s\nretry: 0\ndata:\n\n", i % 2 != 0 ? "a" : "b"));
        CHECK(pause_of(w) == wanted[i]);
    }
    web_free(w);
}

static void a_message_makes_the_pauses_short_again(void) {
    web *const w = web_make(NULL);
    w->config.retry_floor_ms = 50;
    web_open_legacy(w, "s1");
    for (int i = 0; i < 6; i++) {
        EXPECT_ORDER(w, "GET", "");
        web_answer(w, w->call, 200, EVENT_TYPE, fmt("id: %d\nretry: 1\ndata:\n\n", i));
        CHECK(pause_of(w) == 50U << i);
    }
    EXPECT_ORDER(w, "GET", "");
    web_answer(w, w->call, 200, EVENT_TYPE,
               "data: {'jsonrpc':'2.0','method':'notifications/tools/list_changed'}\n\n");
    CHECK(pause_of(w) == 50);
    web_free(w);
}

static void events_that_say_nothing_new_do_not_count(void) {
    web *const w = web_make(NULL);
    int tries = 0;
    w->config.max_retries = 3;
    web_open_legacy(w, "s1");
    while (web_next(w) && tries < 20) {
        tries++;
        web_answer(w, w->call, 200, EVENT_TYPE, "id: same\nretry: 0\ndata:\n\n");
        web_wait(w, 20000);
    }
    CHECK(tries == 4);
    CHECK_HAS(w->warning, "own stream is lost");
    web_free(w);
}

static void a_server_that_loses_each_new_session_is_given_up(void) {
    web *const w = web_make(NULL);
    int orders = 0;
    web_open_legacy(w, "s1");
    while (web_next(w) && orders < 100) {
        orders++;
        if (strstr(w->body, q("'method':'initialize'")) != NULL) {
            web_answer(w, w->call, 200, JSON_TYPE "\nMcp-Session-Id: s2",
                       "{'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'2025-11-25','capabilities':{},"
                       "'serverInfo':{'name':'s','version':'1'}}}");
        } else {
            web_answer(w, w->call, w->body[0] != '\0' ? 202 : 404, "", "");
        }
    }
    CHECK(orders < 10);
    web_free(w);
}

int main(void) {
    RUN(answers_that_nobody_takes_hold_the_stream);
    RUN(their_bytes_count_as_well);
    RUN(requests_of_ours_hold_nothing);
    RUN(a_program_that_reads_on_is_stopped);
    RUN(so_many_requests_run_at_once);
    RUN(answers_need_no_place_of_a_request);
    RUN(so_many_answers_run_at_once);
    RUN(a_stream_after_an_answer_is_closed);
    RUN(words_after_an_answer_have_a_limit);
    RUN(a_session_that_is_not_opened_again_in_time_is_tried_again);
    RUN(an_opening_that_is_not_accepted_holds_requests_for_a_time);
    RUN(an_opening_whose_response_does_not_end_is_accepted);
    RUN(an_answer_that_is_not_accepted_is_given_up);
    RUN(the_time_of_an_answer_begins_again_after_a_login);
    RUN(a_list_that_does_not_come_is_given_up);
    RUN(a_list_on_a_stream_that_stays_open_is_used);
    RUN(a_server_that_wants_no_pause_gets_longer_ones);
    RUN(a_message_makes_the_pauses_short_again);
    RUN(events_that_say_nothing_new_do_not_count);
    RUN(a_server_that_loses_each_new_session_is_given_up);
    return check_end();
}
