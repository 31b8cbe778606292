/* SPDX-License-Identifier: MIT */
/* Requests of this end: how they are sent, and the one time that each is told how it ended. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include "session_harness.h"

/* The id of the first request after opening. */
static int first_id(const end *e) { return is_modern(e->speaks) ? 2 : 3; }

static end *client_speaking(const char *speaks) {
    end *const e = client_of(speaks, speaks);
    open_client(e);
    return e;
}

static const char *rest_of(const end *e) { return is_modern(e->speaks) ? "'resultType':'complete'," : ""; }

static void a_result_is_told_with_its_type(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_speaking(revision_at(i));
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
        CHECK_HAS(heard(e), fmt("{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{", first_id(e)));
        say(e, fmt("{'result':{%s'content':[]},'jsonrpc':'2.0','id':%d}", rest_of(e), first_id(e)));
        CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        CHECK_STRING(e->out.text, q(fmt("{%s'content':[]}", rest_of(e))));
        EXPECT(e, "");
        end_free(e);
    }
}

static void typed_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    end *const e = user;
    (void)session;
    const mcp_20260728_call_tool_result *const result = mcp_20260728_reply_tools_call(reply);
    CHECK(mcp_20260728_reply_tools_list(reply) == NULL);
    CHECK(reply->method == MCP_20260728_METHOD_TOOLS_CALL);
    if (result != NULL) {
        e->out.count++;
        CHECK(result->content.count == 1);
        CHECK_TEXT(result->result_type.ptr, result->result_type.len, "complete");
    }
}

static void the_generated_reply_is_of_the_caller_s_revision(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        mcp_20260728_call_tool_request_params params = {0};
        open_client(e);
        params.name = (mcpw_str)MCPW_STR("t");
        CHECK(mcp_20260728_request_tools_call(e->session, &params, NULL, typed_reply, e, NULL, NULL) ==
              MCPW_OK);
        run_to_idle(e);
        say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{%s'content':[{'type':'text','text':'x'}]}}",
                   first_id(e), rest_of(e)));
        CHECK(e->out.count == 1);
        end_free(e);
    }
}

static void a_task_is_expected_where_the_peer_makes_tasks(void) {
    static const char plain[] = "{'jsonrpc':'2.0','id':3,'result':{'content':[]}}";
    static const char task[] =
        "{'jsonrpc':'2.0','id':3,'result':{'task':{'taskId':'t','status':'working','createdAt':"
        "'2025-01-01T00:00:00Z','lastUpdatedAt':'2025-01-01T00:00:00Z','ttl':null}}}";
    for (int makes = 0; makes < 2; makes++) {
        end *const e = client_of(HANDSHAKE, HANDSHAKE);
        open_client_as(e, makes != 0 ? "{'tools':{},'tasks':{'requests':{'tools':{'call':{}}}}}"
                                     : "{'tools':{}}");
        CHECK(call(e, "tools/call", "'name':'n','task':{'ttl':5}") == MCPW_OK);
        CHECK_HAS(heard(e), "'id':3,'method':'tools/call'");
        say(e, makes != 0 ? task : plain);
        CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        CHECK_HAS(e->out.text, makes != 0 ? "'taskId':'t'" : "'content':[]");
        end_free(e);
    }
}

static void a_remote_error_is_told_with_code_and_data(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_speaking(revision_at(i));
        CHECK(call(e, "tools/list", NULL) == MCPW_OK);
        run_to_idle(e);
        say(e,
            fmt("{'jsonrpc':'2.0','id':%d,'error':{'code':-5,'message':'m','data':{'a':1}}}", first_id(e)));
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_REMOTE && e->out.code == -5);
        CHECK_STRING(e->out.text, q("{'a':1}"));
        end_free(e);
    }
}

static void a_broken_result_fails_the_request(void) {
    static const char *const results[] = {"5", "{'content':5}", "{}", "null", "[]"};
    for (int i = 0; i < revision_count(); i++) {
        for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
            end *const e = client_speaking(revision_at(i));
            CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
            run_to_idle(e);
            say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':%s}", first_id(e), results[k]));
            EXPECT(e, "");
            CHECK(e->out.count == 1 && e->out.status >= MCPW_E_SYNTAX && e->out.status <= MCPW_E_METHOD);
            if (!is_modern(e->speaks)) {
                CHECK_HAS(e->out.why, "/result");
                CHECK(e->diagnostics[MCPW_DIAGNOSTIC_BAD_MESSAGE] == 1);
            }
            end_free(e);
        }
    }
}

static void an_unknown_result_type_fails_the_request(void) {
    static const char *const results[] = {"{'resultType':'later','content':[]}",
                                          "{'resultType':5,'content':[]}", "{'resultType':'complete'}",
                                          "{'resultType':'input_required'}"};
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
        end *const e = client_speaking(MODERN);
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
        run_to_idle(e);
        say(e, fmt("{'jsonrpc':'2.0','id':2,'result':%s}", results[k]));
        EXPECT(e, "");
        CHECK(e->out.count == 1 && e->out.status != MCPW_OK);
        end_free(e);
    }
}

static void an_absent_result_type_is_complete(void) {
    end *const e = client_speaking(MODERN);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':2,'result':{'content':[]}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    end_free(e);
}

static void an_answer_to_nothing_is_noted(void) {
    static const char *const ids[] = {"99", "0", "-1", "'3'", "'2'", "1"};
    for (int i = 0; i < revision_count(); i++) {
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
            end *const e = client_speaking(revision_at(i));
            CHECK(call(e, "tools/list", NULL) == MCPW_OK);
            run_to_idle(e);
            say(e, fmt("{'jsonrpc':'2.0','id':%s,'result':{}}", ids[k]));
            EXPECT(e, "");
            CHECK(e->out.count == 0 && e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] == 1);
            end_free(e);
        }
    }
}

static void a_request_is_told_once(void) {
    end *const e = client_speaking(HANDSHAKE);
    CHECK(call(e, "ping", NULL) == MCPW_OK);
    run_to_idle(e);
    for (int i = 0; i < 3; i++) {
        say(e, "{'jsonrpc':'2.0','id':3,'result':{}}");
    }
    CHECK(e->out.count == 1 && e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] == 2);
    end_free(e);
}

static void what_the_peer_has_not_declared_is_not_asked_of_it(void) {
    static const char *const methods[] = {"tools/list", "prompts/list", "resources/list"};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), revision_at(i));
        open_client_as(e, "{}");
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            CHECK(call(e, methods[k], NULL) == MCPW_E_CAPABILITY);
        }
        EXPECT(e, "");
        CHECK(e->out.count == 0);
        end_free(e);
    }
}

static void a_method_that_the_peer_s_revision_lacks_is_refused(void) {
    end *const modern = client_of(MODERN, HANDSHAKE);
    open_client(modern);
    CHECK(call(modern, "ping", NULL) == MCPW_E_METHOD);
    CHECK(call(modern, "logging/setLevel", "'level':'debug'") == MCPW_E_METHOD);
    CHECK(call(modern, "resources/subscribe", "'uri':'a:b'") == MCPW_E_METHOD);
    EXPECT(modern, "");
    end_free(modern);
    end *const older = client_of(OLDEST, MODERN);
    open_client(older);
    CHECK(call(older, "server/discover", NULL) == MCPW_E_METHOD);
    CHECK(call(older, "elicitation/create", NULL) == MCPW_E_METHOD);
    EXPECT(older, "");
    end_free(older);
}

static void requests_of_the_other_end_are_refused(void) {
    end *const e = client_speaking(HANDSHAKE);
    CHECK(call(e, "roots/list", NULL) == MCPW_E_METHOD);
    CHECK(call(e, "no/such", NULL) == MCPW_E_ARGUMENT);
    CHECK(call(e, "notifications/cancelled", NULL) == MCPW_E_ARGUMENT);
    EXPECT(e, "");
    end_free(e);
}

static void params_that_cannot_be_sent_are_refused(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        const mcp_20260728_call_tool_request_params params = {0};
        mcpw_error error = {0};
        open_client(e);
        const mcpw_status status =
            mcp_20260728_request_tools_call(e->session, &params, NULL, end_on_reply, e, NULL, &error);
        CHECK(status != MCPW_OK && error.code == status);
        EXPECT(e, "");
        CHECK(e->out.count == 0);
        end_free(e);
    }
}

/* ---- Time ---- */

static void a_request_times_out_and_the_peer_is_told(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_speaking(revision_at(i));
        const mcpw_call how = {.timeout_ms = 100};
        mcpw_session_advance(e->session, 1000);
        CHECK(call_with(e, "tools/list", NULL, &how) == MCPW_OK);
        run_to_idle(e);
        CHECK(mcpw_session_deadline(e->session) == 1100);
        mcpw_session_advance(e->session, 1099);
        CHECK(e->out.count == 0);
        mcpw_session_advance(e->session, 1100);
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_TIMEOUT);
        CHECK_HAS(heard(e), fmt("'method':'notifications/cancelled','params':{'requestId':%d", first_id(e)));
        CHECK(mcpw_session_deadline(e->session) == UINT64_MAX);
        say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{%s'tools':[]}}", first_id(e), rest_of(e)));
        CHECK(e->out.count == 1 && e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] == 1);
        end_free(e);
    }
}

static void the_config_s_timeout_holds_for_calls_that_say_none(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    e->config.request_timeout_ms = 50;
    open_client(e);
    CHECK(call(e, "ping", NULL) == MCPW_OK);
    CHECK(mcpw_session_deadline(e->session) == 50);
    const mcpw_call for_ever = {.timeout_ms = UINT64_MAX};
    mcpw_session_advance(e->session, 50);
    CHECK(e->out.count == 1);
    CHECK(call_with(e, "ping", NULL, &for_ever) == MCPW_OK);
    CHECK(mcpw_session_deadline(e->session) == UINT64_MAX);
    mcpw_session_advance(e->session, UINT64_MAX - 1);
    CHECK(e->out.count == 1);
    end_free(e);
}

static void progress_resets_the_timeout_up_to_the_maximum(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_speaking(revision_at(i));
        const mcpw_call how = {.timeout_ms = 100, .max_timeout_ms = 250, .on_progress = end_on_progress};
        CHECK(call_with(e, "tools/list", NULL, &how) == MCPW_OK);
        CHECK_HAS(heard(e), fmt("'progressToken':%d", first_id(e)));
        for (int now = 90; now <= 180; now += 90) {
            mcpw_session_advance(e->session, (uint64_t)now);
            say(e, fmt("{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':%d,"
                       "'progress':%d,'total':1000}}",
                       first_id(e), now));
        }
        CHECK(e->progressed == 2 && e->progress.progress == 180 && e->progress.total.value == 1000);
        mcpw_session_advance(e->session, 249);
        CHECK(e->out.count == 0);
        mcpw_session_advance(e->session, 250);
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_TIMEOUT);
        end_free(e);
    }
}

static void progress_that_does_not_grow_resets_nothing(void) {
    end *const e = client_speaking(HANDSHAKE);
    const mcpw_call how = {.timeout_ms = 100, .max_timeout_ms = 1000, .on_progress = end_on_progress};
    CHECK(call_with(e, "tools/list", NULL, &how) == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':3,'progress':1}}");
    mcpw_session_advance(e->session, 90);
    say(e, "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':3,'progress':1}}");
    mcpw_session_advance(e->session, 100);
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_TIMEOUT);
    end_free(e);
}

static void progress_that_nobody_asked_for_is_noted(void) {
    static const char *const tokens[] = {"3", "99", "'3'", "-1", "0"};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        end *const e = client_speaking(HANDSHAKE);
        CHECK(call(e, "tools/list", NULL) == MCPW_OK);
        run_to_idle(e);
        say(e, fmt("{'jsonrpc':'2.0','method':'notifications/"
                   "progress','params':{'progressToken':%s,'progress':1}}",
                   tokens[i]));
        CHECK(e->progressed == 0 && e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] == 1 && e->out.count == 0);
        end_free(e);
    }
}

static void time_does_not_go_back(void) {
    end *const e = client_speaking(HANDSHAKE);
    const mcpw_call how = {.timeout_ms = 100};
    mcpw_session_advance(e->session, 1000);
    mcpw_session_advance(e->session, 1);
    CHECK(call_with(e, "ping", NULL, &how) == MCPW_OK);
    CHECK(mcpw_session_deadline(e->session) == 1100);
    end_free(e);
}

/* ---- Giving up ---- */

static void a_cancelled_request_is_told_to_the_peer_and_its_answer_let_be(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_speaking(revision_at(i));
        CHECK(call(e, "tools/list", NULL) == MCPW_OK);
        run_to_idle(e);
        CHECK(mcpw_session_cancel(e->session, e->number, "no \"more\"") == MCPW_OK);
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
        EXPECT(e, fmt("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%d,"
                      "'reason':'no \\'more\\''}}",
                      first_id(e)));
        CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_E_NOT_FOUND);
        say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{%s'tools':[]}}", first_id(e), rest_of(e)));
        CHECK(e->out.count == 1 && e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] == 1);
        end_free(e);
    }
}

static void what_waits_is_cancelled_without_a_word(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    end_start(e);
    CHECK(call(e, "tools/list", NULL) == MCPW_OK);
    CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
    EXPECT(e, "");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    end_free(e);
}

static void the_negotiation_cannot_be_cancelled(void) {
    end *const e = client_of(MODERN, MODERN);
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    run_to_idle(e);
    CHECK(mcpw_session_cancel(e->session, 1, NULL) == MCPW_E_STATE);
    EXPECT(e, "");
    CHECK(e->opened == 0);
    end_free(e);
}

/* ---- Many, and callbacks that do something ---- */

static void count_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    int *const count = user;
    (void)session;
    CHECK(reply->status == MCPW_OK);
    ++*count;
}

static void a_thousand_in_flight_are_answered_in_any_order(void) {
    enum { MANY = 1000, STEP = 377 };
    end *const e = client_speaking(HANDSHAKE);
    int counts[MANY] = {0};
    for (int i = 0; i < MANY; i++) {
        CHECK(mcp_20251125_request_ping(e->session, NULL, NULL, count_reply, counts + i, NULL, NULL) ==
              MCPW_OK);
    }
    run_to_idle(e);
    for (int i = 0; i < MANY; i++) {
        const int k = i * STEP % MANY;
        say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{}}", 3 + k));
        CHECK(counts[k] == 1);
    }
    end_free(e);
}

/* A table that is refused more buckets has longer chains. */
static void many_in_flight_are_answered_where_large_blocks_are_refused(void) {
    enum { MANY = 1000, STEP = 377 };
    end *const e = client_speaking(HANDSHAKE);
    int counts[MANY] = {0};
    e->memory.stingy = true;
    for (int i = 0; i < MANY; i++) {
        CHECK(mcp_20251125_request_ping(e->session, NULL, NULL, count_reply, counts + i, NULL, NULL) ==
              MCPW_OK);
    }
    run_to_idle(e);
    for (int i = 0; i < MANY; i++) {
        const int k = i * STEP % MANY;
        say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{}}", 3 + k));
        CHECK(counts[k] == 1);
    }
    end_free(e);
}

static void ask_again(void *user, mcpw_session *session, const mcpw_reply *reply) {
    end *const e = user;
    (void)reply;
    if (++e->runs < 5) {
        CHECK(mcp_20251125_request_ping(session, NULL, NULL, ask_again, e, NULL, NULL) == MCPW_OK);
    }
}

static void a_callback_may_make_requests(void) {
    end *const e = client_speaking(HANDSHAKE);
    CHECK(mcp_20251125_request_ping(e->session, NULL, NULL, ask_again, e, NULL, NULL) == MCPW_OK);
    for (int i = 0; i < 5; i++) {
        CHECK_HAS(heard(e), fmt("'id':%d,'method':'ping'", 3 + i));
        say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{}}", 3 + i));
    }
    CHECK(e->runs == 5);
    EXPECT(e, "");
    end_free(e);
}

static void cancel_all(void *user, mcpw_session *session, const mcpw_reply *reply) {
    end *const e = user;
    (void)reply;
    e->runs++;
    for (int64_t number = 1; number < 20; number++) {
        (void)!mcpw_session_cancel(session, number, NULL);
    }
}

static void a_callback_may_cancel_others(void) {
    for (int timed = 0; timed < 2; timed++) {
        end *const e = client_speaking(HANDSHAKE);
        const mcpw_call how = {.timeout_ms = 10};
        for (int i = 0; i < 10; i++) {
            CHECK(mcp_20251125_request_ping(e->session, NULL, &how, cancel_all, e, NULL, NULL) == MCPW_OK);
        }
        run_to_idle(e);
        if (timed) {
            mcpw_session_advance(e->session, 10);
        } else {
            say(e, "{'jsonrpc':'2.0','id':7,'result':{}}");
        }
        CHECK(e->runs == 10);
        end_free(e);
    }
}

static void close_it(void *user, mcpw_session *session, const mcpw_reply *reply) {
    end *const e = user;
    (void)reply;
    e->runs++;
    mcpw_session_close(session);
    CHECK(mcp_20251125_request_ping(session, NULL, NULL, close_it, e, NULL, NULL) == MCPW_E_CLOSED);
}

static void a_callback_may_close_the_session(void) {
    for (int timed = 0; timed < 3; timed++) {
        end *const e = client_speaking(HANDSHAKE);
        const mcpw_call how = {.timeout_ms = 10};
        for (int i = 0; i < 10; i++) {
            CHECK(mcp_20251125_request_ping(e->session, NULL, &how, close_it, e, NULL, NULL) == MCPW_OK);
        }
        run_to_idle(e);
        if (timed == 0) {
            say(e, "{'jsonrpc':'2.0','id':7,'result':{}}");
        } else if (timed == 1) {
            mcpw_session_advance(e->session, 10);
        } else {
            CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
        }
        CHECK(e->runs == 10 && e->closed == 1);
        end_free(e);
    }
}

static void progress_that_cancels(void *user, mcpw_session *session, const mcpw_progress *progress) {
    end *const e = user;
    (void)progress;
    CHECK(mcpw_session_cancel(session, e->number, "enough") == MCPW_OK);
}

static void progress_may_cancel_its_own_request(void) {
    end *const e = client_speaking(HANDSHAKE);
    const mcpw_call how = {.on_progress = progress_that_cancels};
    CHECK(call_with(e, "tools/list", NULL, &how) == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':3,'progress':1}}");
    CHECK_HAS(heard(e), "'method':'notifications/cancelled'");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    end_free(e);
}

static void a_callback_of_what_waited_may_close_the_session(void) {
    end *const e = client_of(MODERN, HANDSHAKE);
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    run_to_idle(e);
    for (int i = 0; i < 3; i++) { /* which the modern revision lacks */
        CHECK(mcp_20251125_request_ping(e->session, NULL, NULL, close_it, e, NULL, NULL) == MCPW_OK);
    }
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'supportedVersions':['2026-07-28'],'cacheScope':'private',"
           "'capabilities':{}}}");
    CHECK(e->runs == 3 && e->closed == 1);
    end_free(e);
}

/* ---- Many at once ---- */

enum { MANY = 1000, LONGEST = 5000 };

typedef struct patient {
    end *e;
    int64_t number;
    uint64_t due;
    bool ended;
} patient;

static patient patients[MANY];
static uint64_t last_due;
static int timed_out;

static void on_end(void *user, mcpw_session *session, const mcpw_reply *reply) {
    patient *const p = user;
    CHECK(!p->ended && session == p->e->session);
    p->ended = true;
    if (reply->status == MCPW_E_TIMEOUT) {
        CHECK(p->due >= last_due);
        last_due = p->due;
        timed_out++;
    }
}

static void send_many(end *e) {
    unsigned seed = 1;
    for (int i = 0; i < MANY; i++) {
        mcpw_call call = {0};
        seed = seed * 1103515245U + 12345U;
        call.timeout_ms = call.max_timeout_ms = 1 + (seed >> 16) % LONGEST;
        patients[i] = (patient){e, 0, call.timeout_ms, false};
        CHECK(mcp_20251125_request_ping(e->session, NULL, &call, on_end, patients + i, &patients[i].number,
                                        NULL) == MCPW_OK);
    }
}

static uint64_t first_due(void) {
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < MANY; i++) {
        first = !patients[i].ended && patients[i].due < first ? patients[i].due : first;
    }
    return first;
}

static void who_is_due_first_fails_first(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    open_client(e);
    e->unchecked = true;
    last_due = 0;
    timed_out = 0;
    send_many(e);
    for (int i = 0; i < MANY; i += 3) {
        if (i % 2 == 0) {
            CHECK(mcpw_session_cancel(e->session, patients[i].number, NULL) == MCPW_OK);
        } else {
            say(e, fmt("{'jsonrpc':'2.0','id':%lld,'result':{}}", (long long)patients[i].number));
        }
        CHECK(patients[i].ended);
    }
    const int rest = MANY - (MANY + 2) / 3;
    for (int i = 0; i < rest; i++) {
        CHECK(mcpw_session_deadline(e->session) == first_due());
        if (first_due() == UINT64_MAX) {
            break;
        }
        mcpw_session_advance(e->session, first_due());
    }
    CHECK(timed_out == rest && mcpw_session_deadline(e->session) == UINT64_MAX);
    end_free(e);
}

static void each_of_many_is_found_by_its_answer(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    open_client(e);
    e->unchecked = true;
    send_many(e);
    for (int i = MANY; i-- > 0;) {
        say(e, fmt("{'jsonrpc':'2.0','id':%lld,'result':{}}", (long long)patients[i].number));
        CHECK(patients[i].ended);
    }
    CHECK(e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] == 0);
    say(e, fmt("{'jsonrpc':'2.0','id':%lld,'result':{}}", (long long)patients[0].number));
    CHECK(e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] == 1);
    end_free(e);
}

int main(void) {
    RUN(a_result_is_told_with_its_type);
    RUN(the_generated_reply_is_of_the_caller_s_revision);
    RUN(a_task_is_expected_where_the_peer_makes_tasks);
    RUN(a_remote_error_is_told_with_code_and_data);
    RUN(a_broken_result_fails_the_request);
    RUN(an_unknown_result_type_fails_the_request);
    RUN(an_absent_result_type_is_complete);
    RUN(an_answer_to_nothing_is_noted);
    RUN(a_request_is_told_once);
    RUN(what_the_peer_has_not_declared_is_not_asked_of_it);
    RUN(a_method_that_the_peer_s_revision_lacks_is_refused);
    RUN(requests_of_the_other_end_are_refused);
    RUN(params_that_cannot_be_sent_are_refused);
    RUN(a_request_times_out_and_the_peer_is_told);
    RUN(the_config_s_timeout_holds_for_calls_that_say_none);
    RUN(progress_resets_the_timeout_up_to_the_maximum);
    RUN(progress_that_does_not_grow_resets_nothing);
    RUN(progress_that_nobody_asked_for_is_noted);
    RUN(time_does_not_go_back);
    RUN(a_cancelled_request_is_told_to_the_peer_and_its_answer_let_be);
    RUN(what_waits_is_cancelled_without_a_word);
    RUN(the_negotiation_cannot_be_cancelled);
    RUN(a_thousand_in_flight_are_answered_in_any_order);
    RUN(many_in_flight_are_answered_where_large_blocks_are_refused);
    RUN(a_callback_may_make_requests);
    RUN(a_callback_may_cancel_others);
    RUN(a_callback_may_close_the_session);
    RUN(progress_may_cancel_its_own_request);
    RUN(a_callback_of_what_waited_may_close_the_session);
    RUN(who_is_due_first_fails_first);
    RUN(each_of_many_is_found_by_its_answer);
    return check_end();
}
