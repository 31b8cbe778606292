/* SPDX-License-Identifier: MIT */
/* Ids: their kind and value come back as they were sent, and no two requests share one. */

#include "session_harness.h"

static end *server_speaking(const char *speaks) {
    end *const e = server_of(speaks, MODERN);
    end_serve(e, "tools/call", keep);
    end_serve(e, "tools/list", list_one_tool);
    open_server(e);
    return e;
}

static void every_id_is_echoed_as_it_was(void) {
    static const char *const ids[] = {"0",
                                      "-1",
                                      "1",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "'1'",
                                      "''",
                                      "'a b'",
                                      "'\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80'",
                                      "'\\\\ \\n'"};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
            say_request(e, ids[k], "tools/list", "");
            CHECK_HAS(heard(e), fmt("{'jsonrpc':'2.0','id':%s,'result':{", ids[k]));
        }
        end_free(e);
    }
}

static void an_escaped_id_comes_back_as_the_same_text(void) {
    end *const e = server_speaking(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','id':'\\u0061\\u0000\\/','method':'ping'}");
    EXPECT(e, "{'jsonrpc':'2.0','id':'a\\u0000/','result':{}}");
    end_free(e);
}

static void a_string_and_an_integer_of_the_same_digits_are_two_ids(void) {
    end *const e = server_speaking(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'}}");
    mcpw_request *const first = e->kept;
    say(e, "{'jsonrpc':'2.0','id':'1','method':'tools/call','params':{'name':'t'}}");
    mcpw_request *const second = e->kept;
    EXPECT(e, "");
    CHECK(first != second);
    CHECK(answer(e, second, "{'content':[]}") == MCPW_OK);
    EXPECT(e, "{'jsonrpc':'2.0','id':'1','result':{'content':[]}}");
    CHECK(answer(e, first, "{'content':[]}") == MCPW_OK);
    EXPECT(e, "{'jsonrpc':'2.0','id':1,'result':{'content':[]}}");
    end_free(e);
}

static void an_integral_fraction_is_an_integer(void) {
    end *const e = server_speaking(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','id':1.0,'method':'ping'}");
    EXPECT(e, "{'jsonrpc':'2.0','id':1,'result':{}}");
    end_free(e);
}

static void ids_of_other_kinds_are_refused(void) {
    static const char *const ids[] = {"null", "1.5", "true", "{}", "[1]", "9223372036854775808"};
    for (int i = 0; i < revision_count(); i++) {
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
            end *const e = server_speaking(revision_at(i));
            const bool names_null = i < 3; /* where an error without an id is no message */
            say_request(e, ids[k], "tools/list", "");
            CHECK_HAS(heard(e), names_null ? "{'jsonrpc':'2.0','id':null,'error':{'code':-32600"
                                           : "{'jsonrpc':'2.0','error':{'code':-32600");
            CHECK(e->runs == 0 && e->diagnostics[MCPW_DIAGNOSTIC_BAD_MESSAGE] == 1);
            end_free(e);
        }
    }
}

static void an_id_in_flight_cannot_be_used_again(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        say_request(e, "7", "tools/call", "'name':'t'");
        mcpw_request *const first = e->kept;
        say_request(e, "7", "tools/call", "'name':'t'");
        CHECK(e->kept == first);
        CHECK_HAS(heard(e), "'id':7,'error':{'code':-32600");
        CHECK(e->runs == 1 && e->kept != NULL && e->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER] == 1);
        CHECK(answer(e, e->kept, "{'content':[]}") == MCPW_OK);
        CHECK_HAS(heard(e), "'id':7,'result'");
        end_free(e);
    }
}

static void an_id_may_come_again_after_its_answer(void) {
    end *const e = server_speaking(HANDSHAKE);
    for (int i = 0; i < 3; i++) {
        say(e, "{'jsonrpc':'2.0','id':7,'method':'ping'}");
        EXPECT(e, "{'jsonrpc':'2.0','id':7,'result':{}}");
    }
    end_free(e);
}

static void ids_of_the_two_directions_do_not_meet(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "tools/call", keep);
    open_server(e);
    CHECK(call(e, "ping", NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "{'jsonrpc':'2.0','id':1,'method':'ping'");
    say(e, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'}}");
    CHECK(e->kept != NULL);
    say(e, "{'jsonrpc':'2.0','id':1,'result':{}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK && e->kept != NULL);
    CHECK(answer(e, e->kept, "{'content':[]}") == MCPW_OK);
    CHECK_HAS(heard(e), "{'jsonrpc':'2.0','id':1,'result'");
    end_free(e);
}

static void many_requests_in_flight_are_each_answered(void) {
    enum { MANY = 1000 };
    end *const e = server_speaking(HANDSHAKE);
    mcpw_request *kept[MANY];
    for (int i = 0; i < MANY; i++) {
        say(e, fmt("{'jsonrpc':'2.0','id':%s%d%s,'method':'tools/call','params':{'name':'t'}}",
                   i % 2 ? "'x" : "", i, i % 2 ? "'" : ""));
        kept[i] = e->kept;
    }
    for (int i = 0; i < MANY; i++) {
        const int k = i * 7 % MANY;
        CHECK(answer(e, kept[k], "{'content':[]}") == MCPW_OK);
        CHECK_HAS(heard(e), fmt("'id':%s%d%s,'result'", k % 2 ? "'x" : "", k, k % 2 ? "'" : ""));
    }
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static void more_requests_than_allowed_are_refused(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    e->config.max_requests = 2;
    end_serve(e, "tools/call", keep);
    open_server(e);
    for (int i = 0; i < 2; i++) {
        say(e, fmt("{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{'name':'t'}}", i));
        EXPECT(e, "");
    }
    say(e, "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'t'}}");
    CHECK_HAS(heard(e), "'id':2,'error':{'code':-32600");
    CHECK(e->runs == 2);
    end_free(e);
}

int main(void) {
    RUN(every_id_is_echoed_as_it_was);
    RUN(an_escaped_id_comes_back_as_the_same_text);
    RUN(a_string_and_an_integer_of_the_same_digits_are_two_ids);
    RUN(an_integral_fraction_is_an_integer);
    RUN(ids_of_other_kinds_are_refused);
    RUN(an_id_in_flight_cannot_be_used_again);
    RUN(an_id_may_come_again_after_its_answer);
    RUN(ids_of_the_two_directions_do_not_meet);
    RUN(many_requests_in_flight_are_each_answered);
    RUN(more_requests_than_allowed_are_refused);
    return check_end();
}
