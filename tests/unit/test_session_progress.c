/* SPDX-License-Identifier: MIT */
/* Progress and log messages from inside a handler: only where the peer asked for them. */

#include <mcpw/server.h>

#include "session_harness.h"

static mcpw_status tell_progress(end *e, mcpw_request *request, const void *params) {
    static const double values[] = {0, 1, 1, 0.5, 2.25};
    (void)params;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        CHECK(mcpw_request_progress(request, values[i], i == 4 ? -1 : 10, i == 1 ? "half \"way\"" : NULL) ==
              MCPW_OK);
    }
    return answer(e, request, "{'content':[]}");
}

static end *server_calling(const char *speaks, end_handler call) {
    end *const e = server_of(speaks, MODERN);
    end_serve(e, "tools/call", call);
    open_server(e);
    return e;
}

static void say_call(end *e, const char *token) {
    if (is_modern(e->speaks)) {
        say_request_as(e, "1", "tools/call", "'name':'t'", "{}",
                       *token != '\0' ? fmt(",'progressToken':%s", token) : "");
    } else {
        say(e, fmt("{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'%s}}",
                   *token != '\0' ? fmt(",'_meta':{'progressToken':%s}", token) : ""));
    }
}

static void growing_values_are_told_under_the_token_as_it_was(void) {
    static const char *const tokens[] = {"0", "-5", "7", "'7'", "''", "'\xc3\xa9'"};
    for (int i = 0; i < revision_count(); i++) {
        for (size_t k = 0; k < sizeof tokens / sizeof *tokens; k++) {
            end *const e = server_calling(revision_at(i), tell_progress);
            const char *const start = "{'jsonrpc':'2.0','method':'notifications/progress','params':";
            say_call(e, tokens[k]);
            EXPECT(e, fmt("%s{'progressToken':%s,'progress':0,'total':10}}", start, tokens[k]));
            EXPECT(e, fmt("%s{'progressToken':%s,'progress':1,'total':10%s}}", start, tokens[k],
                          i >= 1 ? ",'message':'half \\'way\\''" : ""));
            EXPECT(e, fmt("%s{'progressToken':%s,'progress':2.25}}", start, tokens[k]));
            CHECK_HAS(heard(e), "'id':1,'result'");
            EXPECT(e, "");
            end_free(e);
        }
    }
}

static void without_a_token_nothing_is_told(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), tell_progress);
        say_call(e, "");
        CHECK_HAS(heard(e), "'id':1,'result'");
        EXPECT(e, "");
        end_free(e);
    }
}

static mcpw_status tell_nonsense(end *e, mcpw_request *request, const void *params) {
    const double zero = 0;
    (void)params;
    CHECK(mcpw_request_progress(request, zero / zero, 1, NULL) != MCPW_OK);
    CHECK(mcpw_request_progress(request, 1, 1, "\xff") != MCPW_OK);
    return answer(e, request, "{'content':[]}");
}

static void progress_that_is_no_json_is_refused(void) {
    end *const e = server_calling(HANDSHAKE, tell_nonsense);
    say_call(e, "1");
    CHECK_HAS(heard(e), "'id':1,'result'");
    EXPECT(e, "");
    end_free(e);
}

static void a_later_answer_may_tell_progress_until_it_is_given(void) {
    end *const e = server_calling(HANDSHAKE, keep);
    say_call(e, "'t'");
    CHECK(mcpw_request_progress(e->kept, 1, 2, NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'progressToken':'t'");
    CHECK(answer(e, e->kept, "{'content':[]}") == MCPW_OK);
    CHECK_HAS(heard(e), "'result'");
    end_free(e);
}

static void a_client_s_handler_may_tell_progress_too(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "roots/list", keep);
    open_client(e);
    say(e, "{'jsonrpc':'2.0','id':9,'method':'roots/list','params':{'_meta':{'progressToken':2}}}");
    CHECK(mcpw_request_progress(e->kept, 1, -1, NULL) == MCPW_OK);
    EXPECT(e,
           "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':2,'progress':1}}");
    end_free(e);
}

/* A call without consequences needs one word, without a warning. */
static void who_tells_progress_and_logs_need_not_look(void) {
    static const mcpw_json data = MCPW_JSON("1");
    end *const e = server_calling(HANDSHAKE, keep);
    say_call(e, "'t'");
    mcpw_request_progress(e->kept, 1, 2, NULL);
    CHECK_HAS(heard(e), "'progress':1");
    mcpw_request_log(e->kept, MCPW_LOG_ERROR, NULL, data);
    CHECK_HAS(heard(e), "'data':1");
    mcpw_session_log(e->session, MCPW_LOG_ERROR, NULL, data);
    CHECK_HAS(heard(e), "'data':1");
    end_free(e);
}

/* ---- Log messages ---- */

static mcpw_status log_all(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json data = MCPW_JSON("{\"a\":[1]}");
    (void)params;
    for (int level = MCPW_LOG_DEBUG; level <= MCPW_LOG_EMERGENCY; level++) {
        CHECK(mcpw_request_log(request, (mcpw_log_level)level, level % 2 ? "log" : NULL, data) == MCPW_OK);
    }
    return answer(e, request, "{'content':[]}");
}

static const char *const levels[] = {"debug", "info",     "notice", "warning",
                                     "error", "critical", "alert",  "emergency"};
enum { LEVELS = 8 };

static void expect_from(end *e, int lowest) {
    for (int level = lowest; level < LEVELS; level++) {
        EXPECT(e, fmt("{'jsonrpc':'2.0','method':'notifications/"
                      "message','params':{'level':'%s',%s'data':{'a':[1]}}}",
                      levels[level], level % 2 ? "" : "'logger':'log',"));
    }
    CHECK_HAS(heard(e), "'result'");
    EXPECT(e, "");
}

static void setLevel_says_from_where_on_in_revisions_with_a_handshake(void) {
    for (int i = 0; i < legacy_count(); i++) {
        for (int level = 0; level < LEVELS; level++) {
            end *const e = server_calling(revision_at(i), log_all);
            say(e, fmt("{'jsonrpc':'2.0','id':2,'method':'logging/setLevel','params':{'level':'%s'}}",
                       levels[level]));
            EXPECT(e, "{'jsonrpc':'2.0','id':2,'result':{}}");
            say_call(e, "");
            expect_from(e, level);
            end_free(e);
        }
    }
}

static void an_unknown_level_is_refused_and_changes_nothing(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_calling(revision_at(i), log_all);
        say(e, "{'jsonrpc':'2.0','id':2,'method':'logging/setLevel','params':{'level':'alert'}}");
        EXPECT(e, "{'jsonrpc':'2.0','id':2,'result':{}}");
        say(e, "{'jsonrpc':'2.0','id':3,'method':'logging/setLevel','params':{'level':'loud'}}");
        CHECK_HAS(heard(e), "'id':3,'error':{'code':-32602");
        say_call(e, "");
        expect_from(e, 6);
        end_free(e);
    }
}

static void a_request_names_its_level_where_there_is_no_handshake(void) {
    for (int level = 0; level < LEVELS; level++) {
        end *const e = server_calling(MODERN, log_all);
        say_request_as(e, "1", "tools/call", "'name':'t'", "{}",
                       fmt(",'io.modelcontextprotocol/logLevel':'%s'", levels[level]));
        expect_from(e, level);
        say_request(e, "2", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'id':2,'result'");
        EXPECT(e, "");
        end_free(e);
    }
}

static void a_session_logs_outside_of_requests_only_with_a_handshake(void) {
    static const mcpw_json data = MCPW_JSON("\"d\"");
    end *const e = server_calling(HANDSHAKE, log_all);
    CHECK(mcpw_session_log(e->session, MCPW_LOG_INFO, NULL, data) == MCPW_OK);
    EXPECT(e, "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':'info','data':'d'}}");
    end_free(e);
    end *const modern = server_calling(MODERN, log_all);
    CHECK(mcpw_session_log(modern->session, MCPW_LOG_INFO, NULL, data) == MCPW_E_STATE);
    say_request(modern, "1", "tools/list", "");
    run_to_idle(modern);
    CHECK(mcpw_session_log(modern->session, MCPW_LOG_INFO, NULL, data) == MCPW_E_METHOD);
    EXPECT(modern, "");
    end_free(modern);
}

/* Opens a server that says in one of several ways, or in none, that it logs; its capabilities. */
static const char *open_logging(end *e) {
    end_serve(e, "tools/call", log_all);
    end_start(e);
    if (is_modern(e->speaks)) {
        say_request(e, "0", "server/discover", "");
    } else {
        say_initialize_as(e, "{}");
    }
    return heard(e);
}

static void a_server_that_does_not_log_does_not_say_so(void) {
    static const mcpw_json data = MCPW_JSON("\"d\"");
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), revision_at(i));
        e->config.logs = false;
        CHECK(!has(open_logging(e), "'logging'"));
        if (!is_modern(e->speaks)) {
            say(e, "{'jsonrpc':'2.0','id':2,'method':'logging/setLevel','params':{'level':'alert'}}");
            CHECK_HAS(heard(e), "'id':2,'error':{'code':-32601");
            CHECK(mcpw_session_log(e->session, MCPW_LOG_ERROR, NULL, data) == MCPW_E_CAPABILITY);
            CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
            CHECK_HAS(e->last_diagnostic, "does not say that it logs");
        }
        end_free(e);
    }
}

static mcpw_status take_level(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{}");
}

static void each_way_to_say_that_a_server_logs_declares_it(void) {
    enum { BY_CONFIG, BY_SERVER, BY_SLOT, BY_CAPABILITIES, WAYS };
    for (int i = 0; i < revision_count(); i++) {
        for (int way = 0; way < WAYS; way++) {
            mcpw_server *const server = mcpw_server_new("s", "1", NULL);
            end *const e = server_of(revision_at(i), HANDSHAKE);
            e->config.logs = way == BY_CONFIG;
            if (way == BY_SERVER) {
                mcpw_server_will_log(server);
                e->config.server = server;
            } else if (way == BY_SLOT) {
                end_serve(e, "logging/setLevel", take_level);
            } else if (way == BY_CAPABILITIES) {
                e->config.capabilities = (mcpw_json)MCPW_JSON("{\"logging\":{}}");
            }
            CHECK_HAS(open_logging(e), "'logging':{}");
            end_free(e);
            mcpw_server_free(server);
        }
    }
}

static void bad_log_messages_are_refused(void) {
    static const mcpw_json bad = MCPW_JSON("{");
    static const mcpw_json data = MCPW_JSON("null");
    static const mcpw_json none = {NULL, 0, 0};
    end *const e = server_calling(HANDSHAKE, log_all);
    CHECK(mcpw_session_log(e->session, MCPW_LOG_INFO, NULL, bad) != MCPW_OK);
    CHECK(mcpw_session_log(e->session, MCPW_LOG_INFO, NULL, none) != MCPW_OK);
    CHECK(mcpw_session_log(e->session, (mcpw_log_level)0, NULL, data) == MCPW_E_ARGUMENT);
    CHECK(mcpw_session_log(e->session, (mcpw_log_level)9, NULL, data) == MCPW_E_ARGUMENT);
    EXPECT(e, "");
    CHECK(mcpw_session_log(e->session, MCPW_LOG_EMERGENCY, NULL, data) == MCPW_OK);
    CHECK_HAS(heard(e), "'data':null");
    end_free(e);
}

static void data_over_several_lines_is_sent_in_one(void) {
    static const mcpw_json data = MCPW_JSON("{\n \"a\":\r\n1}");
    end *const e = server_calling(HANDSHAKE, log_all);
    CHECK(mcpw_session_log(e->session, MCPW_LOG_INFO, NULL, data) == MCPW_OK);
    CHECK_HAS(heard(e), "'level':'info'");
    EXPECT(e, "");
    end_free(e);
}

int main(void) {
    RUN(growing_values_are_told_under_the_token_as_it_was);
    RUN(without_a_token_nothing_is_told);
    RUN(progress_that_is_no_json_is_refused);
    RUN(a_later_answer_may_tell_progress_until_it_is_given);
    RUN(a_client_s_handler_may_tell_progress_too);
    RUN(who_tells_progress_and_logs_need_not_look);
    RUN(setLevel_says_from_where_on_in_revisions_with_a_handshake);
    RUN(an_unknown_level_is_refused_and_changes_nothing);
    RUN(a_request_names_its_level_where_there_is_no_handshake);
    RUN(a_session_logs_outside_of_requests_only_with_a_handshake);
    RUN(a_server_that_does_not_log_does_not_say_so);
    RUN(each_way_to_say_that_a_server_logs_declares_it);
    RUN(bad_log_messages_are_refused);
    RUN(data_over_several_lines_is_sent_in_one);
    return check_end();
}
