/* SPDX-License-Identifier: MIT */
/* Middleware that closes the session, or ends a subscription, while a message of this end passes it. */
#include "core/core.h"
#include "core/registry.h"
#include "session_extending.h"

static int closes_at; /* the message, counted from 1, that is the last */
static int passed;

static mcpw_status close_now(mcpw_passage *passage) {
    if (++passed == closes_at) {
        mcpw_session_close(mcpw_passage_session(passage));
    }
    return MCPW_OK;
}

/* A spy that closes the session of the message with this count. */
static spy closing_at(int message) {
    closes_at = message;
    passed = 0;
    trace[0] = '\0';
    return (spy){.name = "C", .before = close_now};
}

/* ---- Changes ---- */

static mcpw_status list_resources(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'resources':[]"));
}

/* A server whose client watches two resources, and reads one message at a time. */
static end *watched_server(const char *speaks, spy *s) {
    end *const e = server_of(speaks, MODERN);
    e->config.capabilities = (mcpw_json)MCPW_JSON("{\"resources\":{\"subscribe\":true}}");
    e->config.max_output = 1;
    end_serve(e, "resources/list", list_resources);
    put_spy(e, s, MCPW_PASS_SENT_NOTIFICATIONS);
    open_server(e);
    if (is_modern(e->speaks)) {
        say_request(e, "1", "subscriptions/listen",
                    "'notifications':{'resourceSubscriptions':['a:b','c:d']}");
    } else {
        say_request(e, "1", "resources/subscribe", "'uri':'a:b'");
        run_to_idle(e);
        say_request(e, "2", "resources/subscribe", "'uri':'c:d'");
    }
    run_to_idle(e);
    return e;
}

static void change_both(end *e) {
    mcpw_session_changed(e->session, MCPW_CHANGE_RESOURCE, mcpw_str_from("a:b"));
    mcpw_session_changed(e->session, MCPW_CHANGE_RESOURCE, mcpw_str_from("c:d"));
}

static void a_session_may_be_closed_when_it_tells_a_change(void) {
    for (int i = 0; i < revision_count(); i++) {
        spy s = closing_at(1);
        end *const e = watched_server(revision_at(i), &s);
        change_both(e);
        CHECK(mcpw_session_is_closed(e->session) && passed == 1);
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 0);
        end_free(e);
    }
}

static void a_session_may_be_closed_when_it_tells_what_it_owes(void) {
    for (int i = 0; i < revision_count(); i++) {
        spy s = closing_at(2);
        end *const e = watched_server(revision_at(i), &s);
        change_both(e);
        change_both(e);
        CHECK(!mcpw_session_is_closed(e->session) && passed == 1);
        run_to_idle(e);
        CHECK(mcpw_session_is_closed(e->session) && passed == 2);
        end_free(e);
    }
}

/* The last message about the subscription is its result. */
static void a_closed_session_tells_no_change_after_the_end_of_a_subscription(void) {
    spy s = closing_at(1);
    end *const e = watched_server(MODERN, &s);
    change_both(e);
    CHECK_HAS(heard(e), "{'jsonrpc':'2.0','id':1,'result':{");
    EXPECT(e, "");
    end_free(e);
}

/* The newest subscription, which is told first, ends when it is told. */
static end *cancels;

static mcpw_status cancel_newest(mcpw_passage *passage) {
    (void)passage;
    if (++passed == 1) {
        say(cancels, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2}}");
    }
    return MCPW_OK;
}

static spy cancelling(void) {
    passed = 0;
    trace[0] = '\0';
    return (spy){.name = "C", .before = cancel_newest};
}

#define OF_FIRST "'io.modelcontextprotocol/subscriptionId':1}"

static void a_change_is_told_to_the_others_when_a_subscription_ends(void) {
    spy s = cancelling();
    end *const e = cancels = watched_server(MODERN, &s);
    say_request(e, "2", "subscriptions/listen", "'notifications':{'resourceSubscriptions':['a:b']}");
    run_to_idle(e);
    ((mcpw_session_config *)e->session->config)->max_output = HARNESS_TEXT;
    mcpw_session_changed(e->session, MCPW_CHANGE_RESOURCE, mcpw_str_from("a:b"));
    CHECK(passed == 2);
    (void)heard(e);
    CHECK_HAS(heard(e), OF_FIRST);
    EXPECT(e, "");
    end_free(e);
}

/* ---- Names of an extension ---- */

#define SEATS "org.x/seats"

/* A registry with an extension whose notifications belong to names. */
static mcpw_server *server_of_seats(spy *s) {
    static const mcpw_extension_method methods[] = {{.name = "notifications/seats", .is_notification = true}};
    static const mcpw_extension_topic topics[] = {{.filter = "seatIds"}};
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    extension.id = SEATS;
    extension.methods = methods;
    extension.method_count = 1;
    extension.topics = topics;
    extension.topic_count = 1;
    const mcpw_middleware middleware = {.name = s->name,
                                        .passes = MCPW_PASS_SENT_NOTIFICATIONS,
                                        .before = spy_before,
                                        .after = spy_after,
                                        .ended = spy_ended,
                                        .user = s};
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    CHECK(mcpw_server_add_extension(server, &extension, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_middleware(server, &middleware, NULL) == MCPW_OK);
    return server;
}

static end *end_of_seats(mcpw_server *server, int subscriptions) {
    end *const e = server_of(MODERN, MODERN);
    e->config.server = server;
    e->unchecked = true; /* the revision does not know the method */
    open_server(e);
    for (int id = 1; id <= subscriptions; id++) {
        say_request_as(e, fmt("%d", id), "subscriptions/listen", "'notifications':{'seatIds':['7']}",
                       "{'extensions':{'" SEATS "':{}}}", "");
        CHECK_HAS(heard(e), "'notifications':{'seatIds':['7']}");
    }
    return e;
}

static mcpw_status tell_of_seat(mcpw_server *server) {
    mcpw_error error = {0};
    return mcpw_server_notify_named(server, "notifications/seats", "seatIds", mcpw_str_from("7"),
                                    mcpw_json_of("{}", 2), &error);
}

static void a_session_may_be_closed_when_it_tells_of_a_name(void) {
    spy s = closing_at(1);
    mcpw_server *const server = server_of_seats(&s);
    end *const e = end_of_seats(server, 2);
    CHECK(tell_of_seat(server) == MCPW_E_CLOSED);
    CHECK(mcpw_session_is_closed(e->session) && passed == 1);
    end_free(e);
    mcpw_server_free(server);
}

static void a_name_is_told_to_the_others_when_a_subscription_ends(void) {
    spy s = cancelling();
    mcpw_server *const server = server_of_seats(&s);
    end *const e = cancels = end_of_seats(server, 2);
    CHECK(tell_of_seat(server) == MCPW_OK && passed == 2);
    (void)heard(e);
    CHECK_HAS(heard(e), OF_FIRST);
    EXPECT(e, "");
    end_free(e);
    mcpw_server_free(server);
}

/* Subscriptions end when a message passes. They are told in the order 3, 2, 1. */
static int ends_at; /* the message, counted from 1 */
static const char *ending;

static mcpw_status cancel_those(mcpw_passage *passage) {
    (void)passage;
    for (const char *id = ++passed == ends_at ? ending : ""; *id != '\0'; id++) {
        say(cancels,
            fmt("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%c}}", *id));
    }
    return MCPW_OK;
}

static void each_subscription_is_told_once_whichever_others_end(void) {
    static const struct {
        int at;
        const char *ends;
        int told;
    } cases[] = {{1, "3", 3}, {1, "2", 2}, {1, "1", 2},  {1, "21", 1},  {1, "12", 1},
                 {2, "2", 3}, {2, "3", 3}, {2, "32", 3}, {2, "321", 2}, {3, "1", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spy s = {.name = "C", .before = cancel_those};
        ends_at = cases[i].at;
        ending = cases[i].ends;
        passed = 0;
        trace[0] = '\0';
        mcpw_server *const server = server_of_seats(&s);
        end *const e = cancels = end_of_seats(server, 3);
        CHECK(tell_of_seat(server) == MCPW_OK);
        CHECK(passed == cases[i].told);
        end_free(e);
        mcpw_server_free(server);
    }
}

/* ---- Contexts ---- */

/* A transport's streams, by the number of the request that opened them. */
static int texts[3];
static int lasts[3];

static void hear_streams(end *e) {
    mcpw_outgoing out;
    while (mcpw_session_next_message(e->session, &out)) {
        CHECK(out.context != NULL);
        const int *const stream = out.context;
        texts[stream - texts] += out.text.ptr != NULL;
        lasts[stream - texts] += out.is_last;
    }
}

static void receive(end *e, const char *text, int *context) {
    const char *const json = q(text);
    CHECK(mcpw_session_receive(e->session, json, strlen(json), context) == MCPW_OK);
}

static mcpw_status abandon_newest(mcpw_passage *passage) {
    if (++passed == 1) {
        mcpw_session_abandon(mcpw_passage_session(passage), texts + 2);
    }
    return MCPW_OK;
}

static mcpw_status cancel_stream(mcpw_passage *passage) {
    (void)passage;
    if (++passed == 1) {
        receive(cancels, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2}}",
                NULL);
    }
    return MCPW_OK;
}

/* The newest of two subscriptions ends when it is told. */
static void tell_streams(mcpw_status (*ends)(mcpw_passage *)) {
    spy s = {.name = "C", .before = ends};
    mcpw_server *const server = server_of_seats(&s);
    end *const e = cancels = server_of(MODERN, MODERN);
    memset(texts, 0, sizeof texts);
    memset(lasts, 0, sizeof lasts);
    e->config.server = server;
    e->unchecked = true;
    end_start(e);
    for (int id = 1; id <= 2; id++) {
        receive(e,
                fmt("{'jsonrpc':'2.0','id':%d,'method':'subscriptions/listen','params':{%s,"
                    "'notifications':{'seatIds':['7']}}}",
                    id, meta_of(e, "{'extensions':{'" SEATS "':{}}}", "")),
                texts + id);
    }
    hear_streams(e);
    CHECK(texts[1] == 1 && texts[2] == 1); /* that they are subscribed */
    memset(texts, 0, sizeof texts);
    passed = 0;
    trace[0] = '\0';
    CHECK(tell_of_seat(server) == MCPW_OK && passed == 2);
    hear_streams(e);
    CHECK(texts[1] == 1 && lasts[1] == 0);
    end_free(e);
    mcpw_server_free(server);
}

static void nothing_comes_for_a_stream_that_a_middleware_abandons(void) {
    tell_streams(abandon_newest);
    CHECK(texts[2] == 0 && lasts[2] == 0);
}

static void nothing_follows_the_end_of_a_stream_that_a_middleware_cancels(void) {
    tell_streams(cancel_stream);
    CHECK(texts[2] == 0 && lasts[2] == 1);
}

/* ---- Requests of a client ---- */

enum { MANY = 200 /* more than the requests whose memory is kept for the next ones */ };

static void call_often(end *e) {
    for (int i = 0; i < MANY; i++) {
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    }
}

static void a_client_may_be_closed_when_it_sends_a_request(void) {
    spy s = closing_at(MANY + 1);
    end *const e = client_of(MODERN, MODERN);
    put_spy(e, &s, MCPW_PASS_SENT_REQUESTS);
    open_client(e);
    call_often(e);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_E_CLOSED);
    CHECK(e->out.count == MANY && e->out.status == MCPW_E_CLOSED);
    CHECK(s.entered == MANY + 1 && s.ended == MANY + 1);
    end_free(e);
}

static void a_client_may_be_closed_when_it_gets_a_response(void) {
    spy s = closing_at(1);
    s.after = s.before;
    s.before = NULL;
    end *const e = client_of(MODERN, MODERN);
    put_spy(e, &s, MCPW_PASS_SENT_REQUESTS);
    open_client(e);
    call_often(e);
    trace[0] = '\0';
    say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{'resultType':'complete','content':[]}}", (int)e->number));
    CHECK(e->out.count == MANY && e->out.status == MCPW_E_CLOSED);
    CHECK(s.entered == MANY && s.ended == MANY);
    end_free(e);
}

/* ---- Listeners of a client ---- */

/* A client that subscribes to each resource by a request of its own. */
static end *listening_client(spy *s) {
    end *const e = client_of(HANDSHAKE, MODERN);
    put_spy(e, s, MCPW_PASS_SENT_REQUESTS);
    open_client(e);
    return e;
}

static mcpw_status listen_to_two(end *e) {
    static const char *const uris[] = {"a:b", "c:d"};
    static const mcpw_interest interest = {.uris = uris, .uri_count = 2};
    mcpw_error error = {0};
    const mcpw_status status =
        mcpw_session_listen(e->session, &interest, end_on_reply, e, &e->number, &error);
    CHECK(error.code == status);
    return status;
}

static void a_client_may_be_closed_when_it_subscribes(void) {
    for (int at = 1; at <= 2; at++) {
        spy s = closing_at(at);
        end *const e = listening_client(&s);
        CHECK(listen_to_two(e) == MCPW_E_CLOSED);
        CHECK(mcpw_session_is_closed(e->session) && e->out.count == 0 && !mcpw_session_is_busy(e->session));
        end_free(e);
    }
}

static void a_client_may_be_closed_when_it_gives_up_listening(void) {
    for (int at = 3; at <= 4; at++) {
        spy s = closing_at(at);
        end *const e = listening_client(&s);
        CHECK(listen_to_two(e) == MCPW_OK);
        CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
        CHECK(mcpw_session_is_closed(e->session) && passed == at);
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_CLOSED);
        end_free(e);
    }
}

static void a_client_may_be_closed_when_a_refusal_ends_its_listening(void) {
    spy s = closing_at(3);
    end *const e = listening_client(&s);
    CHECK(listen_to_two(e) == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':4,'error':{'code':-32602,'message':'no'}}");
    CHECK(mcpw_session_is_closed(e->session) && passed == 3);
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CLOSED);
    end_free(e);
}

int main(void) {
    RUN(a_session_may_be_closed_when_it_tells_a_change);
    RUN(a_session_may_be_closed_when_it_tells_what_it_owes);
    RUN(a_closed_session_tells_no_change_after_the_end_of_a_subscription);
    RUN(a_change_is_told_to_the_others_when_a_subscription_ends);
    RUN(a_session_may_be_closed_when_it_tells_of_a_name);
    RUN(a_name_is_told_to_the_others_when_a_subscription_ends);
    RUN(each_subscription_is_told_once_whichever_others_end);
    RUN(nothing_comes_for_a_stream_that_a_middleware_abandons);
    RUN(nothing_follows_the_end_of_a_stream_that_a_middleware_cancels);
    RUN(a_client_may_be_closed_when_it_sends_a_request);
    RUN(a_client_may_be_closed_when_it_gets_a_response);
    RUN(a_client_may_be_closed_when_it_subscribes);
    RUN(a_client_may_be_closed_when_it_gives_up_listening);
    RUN(a_client_may_be_closed_when_a_refusal_ends_its_listening);
    return check_end();
}
