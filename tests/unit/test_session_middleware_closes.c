/* SPDX-License-Identifier: MIT */
/* Middleware that closes the session while a message of this end passes it. */
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

int main(void) {
    RUN(a_session_may_be_closed_when_it_tells_a_change);
    RUN(a_session_may_be_closed_when_it_tells_what_it_owes);
    RUN(a_closed_session_tells_no_change_after_the_end_of_a_subscription);
    return check_end();
}
