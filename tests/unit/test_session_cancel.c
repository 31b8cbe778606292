/* SPDX-License-Identifier: MIT */
/* Requests that the peer cancels. */

#include "session_harness.h"

static end *server_keeping(const char *speaks) {
    end *const e = server_of(speaks, MODERN);
    end_serve(e, "tools/call", keep);
    open_server(e);
    return e;
}

static void say_cancelled(end *e, const char *id) {
    say(e, fmt("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%s,'reason':'r'}}",
               id));
}

static void a_cancelled_request_is_told_to_its_handler_and_not_answered(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_keeping(revision_at(i));
        say_request(e, "'a'", "tools/call", "'name':'t'");
        CHECK(e->kept != NULL);
        say_cancelled(e, "'a'");
        EXPECT(e, "");
        CHECK(e->cancels == 1 && !mcpw_session_is_busy(e->session));
        say_cancelled(e, "'a'");
        EXPECT(e, "");
        CHECK(e->cancels == 1);
        end_free(e);
    }
}

static void a_cancellation_may_carry_the_meta_of_a_request(void) {
    end *const e = server_keeping(MODERN);
    say_request(e, "1", "tools/call", "'name':'t'");
    say(e, fmt("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1,%s}}",
               meta_of(e, "{}", "")));
    CHECK(e->cancels == 1);
    EXPECT(e, "");
    end_free(e);
}

static void other_ids_are_let_be(void) {
    static const char *const ids[] = {"2", "'1'", "-1", "0", "''"};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_keeping(revision_at(i));
        say_request(e, "1", "tools/call", "'name':'t'");
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
            say_cancelled(e, ids[k]);
        }
        EXPECT(e, "");
        CHECK(e->cancels == 0 && e->kept != NULL);
        CHECK(answer(e, e->kept, "{'content':[]}") == MCPW_OK);
        CHECK_HAS(heard(e), "'result'");
        end_free(e);
    }
}

static void malformed_cancellations_are_let_be(void) {
    static const char *const params[] = {"", ",'params':{}", ",'params':{'requestId':null}",
                                         ",'params':{'requestId':{}}", ",'params':[1]"};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_keeping(revision_at(i));
        say_request(e, "1", "tools/call", "'name':'t'");
        for (size_t k = 0; k < sizeof params / sizeof *params; k++) {
            say(e, fmt("{'jsonrpc':'2.0','method':'notifications/cancelled'%s}", params[k]));
        }
        EXPECT(e, "");
        CHECK(e->cancels == 0 && e->kept != NULL);
        end_free(e);
    }
}

static void an_answered_request_cannot_be_cancelled(void) {
    end *const e = server_keeping(HANDSHAKE);
    say_request(e, "1", "tools/call", "'name':'t'");
    CHECK(answer(e, e->kept, "{'content':[]}") == MCPW_OK);
    CHECK_HAS(heard(e), "'result'");
    say_cancelled(e, "1");
    EXPECT(e, "");
    CHECK(e->cancels == 0);
    end_free(e);
}

static void initialize_is_answered_whatever_is_cancelled(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end_start(e);
    say_cancelled(e, "'open'");
    say_initialize_as(e, "{}");
    say_cancelled(e, "'open'");
    CHECK_HAS(heard(e), "'id':'open','result'");
    EXPECT(e, "");
    end_free(e);
}

static void keep_without_callback_answer(void *user, mcpw_request *request) {
    static const mcpw_json none = {NULL, 0, 0};
    end *const e = user;
    e->cancels++;
    e->status = mcpw_respond_error(request, 1, "too late", none);
}

static mcpw_status keep_to_answer(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->kept = request;
    mcpw_request_on_cancel(request, keep_without_callback_answer, e);
    return MCPW_OK;
}

static void a_handler_that_answers_when_cancelled_says_nothing(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        end_serve(e, "tools/call", keep_to_answer);
        open_server(e);
        say_request(e, "1", "tools/call", "'name':'t'");
        say_cancelled(e, "1");
        EXPECT(e, "");
        CHECK(e->cancels == 1 && e->status == MCPW_E_STATE && !mcpw_session_is_busy(e->session));
        end_free(e);
    }
}

static mcpw_status ask_roots(end *e, mcpw_request *request, const void *params) {
    mcpw_result result = {NULL, NULL};
    const mcpw_revision *const revision = e->dispatch.revision;
    (void)params;
    mcpw_request_on_cancel(request, count_cancel, e);
    const mcpw_status status = mcpw_request_ask(
        request, "roots", revision, mcpw_method_number(revision, "roots/list", 10), NULL, &result, NULL);
    return status == MCPW_OK ? say_hello(e, request, params) : status;
}

static void a_input_request_under_way_is_cancelled_with_its_request(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_of(revision_at(i), HANDSHAKE);
        end_serve(e, "tools/call", ask_roots);
        open_server(e);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'id':1,'method':'roots/list'");
        say_cancelled(e, "1");
        CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':1,");
        CHECK(e->cancels == 1 && !mcpw_session_is_busy(e->session));
        say(e, "{'jsonrpc':'2.0','id':1,'result':{'roots':[]}}");
        EXPECT(e, "");
        CHECK(e->runs == 1 && e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] == 1);
        end_free(e);
    }
}

static void hear_cancelled(end *e, const void *params) {
    CHECK(params != NULL);
    (void)e;
}

static void the_slot_for_cancellations_hears_of_each(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), HANDSHAKE);
        end_and_run_to_idle(e, "notifications/cancelled", hear_cancelled);
        open_server(e);
        if (is_modern(e->speaks)) {
            say_request(e, "1", "server/discover", "");
            run_to_idle(e);
        }
        say_cancelled(e, "5");
        CHECK(e->told == 1);
        end_free(e);
    }
}

static void a_server_s_input_request_may_be_cancelled_by_it(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = client_of(revision_at(i), HANDSHAKE);
        end_serve(e, "roots/list", keep);
        open_client(e);
        say(e, "{'jsonrpc':'2.0','id':9,'method':'roots/list'}");
        CHECK(e->kept != NULL);
        say_cancelled(e, "9");
        CHECK(e->cancels == 1);
        EXPECT(e, "");
        end_free(e);
    }
}

#define MAKES_TASKS "{'tools':{},'tasks':{'requests':{'tools':{'call':{}}}}}"

/* Before its task is there nothing can cancel it: tasks/cancel names a task. (MCP 2025-11-25,
 * "Cancellation".)
 */
static void a_request_that_makes_a_task_is_given_up_in_silence(void) {
    for (int as_task = 0; as_task < 2; as_task++) {
        end *const e = client_of(HANDSHAKE, HANDSHAKE);
        open_client_as(e, MAKES_TASKS);
        CHECK(call(e, "tools/call", as_task != 0 ? "'name':'t','task':{}" : "'name':'t'") == MCPW_OK);
        CHECK_HAS(heard(e), "'method':'tools/call'");
        CHECK(mcpw_session_cancel(e->session, e->number, "r") == MCPW_OK);
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
        if (as_task != 0) {
            EXPECT(e, "");
        } else {
            CHECK_HAS(heard(e), "'method':'notifications/cancelled'");
        }
        end_free(e);
    }
}

int main(void) {
    RUN(a_cancelled_request_is_told_to_its_handler_and_not_answered);
    RUN(a_cancellation_may_carry_the_meta_of_a_request);
    RUN(other_ids_are_let_be);
    RUN(malformed_cancellations_are_let_be);
    RUN(an_answered_request_cannot_be_cancelled);
    RUN(initialize_is_answered_whatever_is_cancelled);
    RUN(a_handler_that_answers_when_cancelled_says_nothing);
    RUN(a_input_request_under_way_is_cancelled_with_its_request);
    RUN(the_slot_for_cancellations_hears_of_each);
    RUN(a_server_s_input_request_may_be_cancelled_by_it);
    RUN(a_request_that_makes_a_task_is_given_up_in_silence);
    return check_end();
}
