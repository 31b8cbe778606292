/* SPDX-License-Identifier: MIT */
/* Input requests in the middle of a request, as a server has them. The same handler asks in every revision:
 * where servers make requests each input request is one, in 2026-07-28 they travel in rounds of
 * input_required. */

#include "session_asking.h"

/* ---- The server's end, word by word ---- */

static void a_input_request_is_a_request_where_servers_make_them(void) {
    for (int k = 0; k < INPUT_REQUESTS; k++) {
        for (int i = input_requests[k].since; i < legacy_count(); i++) {
            for (int h = input_requests[k].since; h < revision_count(); h++) {
                end *const e = server_asking(revision_at(i), revision_at(h), input_requests[k].handler);
                say_request(e, "1", "tools/call", "'name':'t'");
                CHECK_HAS(heard(e), fmt("{'jsonrpc':'2.0','id':1,'method':'%s'", input_requests[k].method));
                EXPECT(e, "");
                CHECK(e->runs == 1);
                say(e, fmt("{'jsonrpc':'2.0','id':1,'result':%s}", input_requests[k].answer));
                CHECK_HAS(heard(e), "'id':1,'result':{'content'");
                CHECK(e->runs == 2 && !mcpw_session_is_busy(e->session));
                end_free(e);
            }
        }
    }
}

static void a_input_request_is_a_round_of_input_where_servers_make_no_requests(void) {
    for (int k = 0; k < INPUT_REQUESTS; k++) {
        for (int h = input_requests[k].since; h < revision_count(); h++) {
            end *const e = server_asking(MODERN, revision_at(h), input_requests[k].handler);
            say_request(e, "1", "tools/call", "'name':'t'");
            const char *const line = heard(e);
            CHECK_HAS(line, fmt("'id':1,'result':{'resultType':'input_required','inputRequests':{'q':{"
                                "'method':'%s'",
                                input_requests[k].method));
            CHECK(!mcpw_session_is_busy(e->session));
            say_request(e, "2", "tools/call",
                        fmt("'name':'t','inputResponses':{'q':%s}", input_requests[k].answer));
            CHECK_HAS(heard(e), "'id':2,'result':{'resultType':'complete','content'");
            CHECK(e->runs == 2);
            end_free(e);
        }
    }
}

static void several_input_requests_are_asked_at_once(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_two);
    say_request(e, "9", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'id':1,'method':'roots/list'");
    CHECK_HAS(heard(e), "'id':2,'method':'sampling/createMessage'");
    say(e, "{'jsonrpc':'2.0','id':2,'result':" SAMPLED "}");
    CHECK(e->runs == 1); /* until the last has come */
    EXPECT(e, "");
    say(e, "{'jsonrpc':'2.0','id':1,'result':" ROOTED "}");
    CHECK_HAS(heard(e), "'id':9,'result'");
    CHECK(e->runs == 2);
    end_free(e);
    end *const modern = server_asking(MODERN, MODERN, ask_two);
    say_request(modern, "9", "tools/call", "'name':'t'");
    CHECK_HAS(heard(modern),
              "'inputRequests':{'a':{'method':'roots/list','params':{}},'b':{'method':'sampling/");
    say_request(modern, "10", "tools/call", "'name':'t','inputResponses':{'b':" SAMPLED ",'a':" ROOTED "}");
    CHECK_HAS(heard(modern), "'id':10,'result':{'resultType':'complete'");
    end_free(modern);
}

static mcpw_status ask_without_a_message(end *e, mcpw_request *request, const void *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, "elicitation/create", strlen("elicitation/create"));
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(revision, number));
    void *const zeroed = mcpw_arena_alloc(mcpw_request_arena(request), mcpw_type_size(type));
    mcpw_result result = {NULL, NULL};
    mcpw_error error = {0};
    (void)params;
    const mcpw_status status = mcpw_request_ask(request, "q", revision, number,
                                                memset(zeroed, 0, mcpw_type_size(type)), &result, &error);
    CHECK(status != MCPW_OK && status != MCPW_PENDING && error.code == status && error.message[0] != '\0');
    return status;
}

/* The client has done nothing wrong. */
static void a_input_request_that_cannot_be_asked_is_an_internal_error(void) {
    for (int i = place_of(ELICITING); i < revision_count(); i++) {
        end *const e = server_asking(revision_at(i), revision_at(i), ask_without_a_message);
        say_request(e, "1", "tools/call", "'name':'t'");
        const char *const line = heard(e);
        CHECK_HAS(line, "'error':{'code':-32603,'message':'Internal error: ");
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
        end_free(e);
    }
}

static void a_bad_answer_is_an_error(void) {
    static const char *const answers[] = {"{'content':{}}", "{}", "{'action':5}"};
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        for (int i = place_of(ELICITING); i < revision_count(); i++) {
            end *const e = server_asking(revision_at(i), MODERN, ask_elicit);
            say_request(e, "'r'", "tools/call", "'name':'t'");
            run_to_idle(e);
            if (is_modern(e->speaks)) {
                say_request(e, "'r'", "tools/call", fmt("'name':'t','inputResponses':{'q':%s}", answers[k]));
            } else {
                say(e, fmt("{'jsonrpc':'2.0','id':1,'result':%s}", answers[k]));
            }
            /* If it comes in the params of the retry, these may be too large. */
            CHECK_HAS(heard(e), is_modern(e->speaks) ? "'id':'r','error':{'code':-3260"
                                                     : "'id':'r','error':{'code':-32603");
            CHECK(!mcpw_session_is_busy(e->session));
            end_free(e);
        }
    }
}

/* The params of the request were good: what is wrong is the answer to this end's input request. */
static void an_answer_to_another_input_request_is_an_internal_error(void) {
    for (int i = place_of(ELICITING); i < revision_count(); i++) {
        end *const e = server_asking(revision_at(i), MODERN, ask_elicit);
        say_request(e, "'r'", "tools/call", "'name':'t'");
        run_to_idle(e);
        if (is_modern(e->speaks)) {
            say_request(e, "'r'", "tools/call", "'name':'t','inputResponses':{'q':" ROOTED "}");
        } else {
            say(e, "{'jsonrpc':'2.0','id':1,'result':" ROOTED "}");
        }
        const char *const line = heard(e);
        CHECK_HAS(line, "'id':'r','error':{'code':-32603,'message':'Internal error: ");
        CHECK_HAS(line, "action");
        CHECK(!mcpw_session_is_busy(e->session));
        end_free(e);
    }
}

/* The last of many, so that all of them are looked at. */
static mcpw_status ask_the_last_of_many(end *e, mcpw_request *request, const void *params) {
    const mcpw_status status = ask(e, request, "k39", "elicitation/create", ELICIT, e->text, sizeof e->text);
    return status == MCPW_OK ? say_hello(e, request, params) : status;
}

static void an_answer_is_found_among_many(void) {
    enum { MANY = 40 };
    char answers[HARNESS_TEXT / 4] = "";
    for (int i = 0; i < MANY; i++) {
        const size_t len = strlen(answers);
        (void)snprintf(answers + len, sizeof answers - len,
                       "%s'k%d':{'action':'accept','content':{'n':'%d'}}", i != 0 ? "," : "", i, i);
    }
    end *const e = server_asking(MODERN, MODERN, ask_the_last_of_many);
    say_request(e, "1", "tools/call", fmt("'name':'t','inputResponses':{%s}", answers));
    CHECK_HAS(heard(e), "'id':1,'result':{'resultType':'complete','content'");
    CHECK_HAS(e->text, "'n':'39'");
    end_free(e);
}

/* Asks for a task, and when it runs again for a result. */
static mcpw_status ask_for_a_task_then_not(end *e, mcpw_request *request, const void *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, "sampling/createMessage", 22);
    const mcpw_method *const entry = mcpw_method_entry(revision, number);
    const char *const text =
        e->runs == 1 ? "{'messages':[],'maxTokens':5,'task':{}}" : "{'messages':[],'maxTokens':5}";
    mcpw_result result = {e->runs == 1 ? NULL : mcpw_method_result(entry), NULL};
    (void)params;
    e->status = mcpw_request_ask(request, "q", revision, number,
                                 decoded(mcpw_method_params(entry), text, mcpw_request_arena(request)),
                                 &result, NULL);
    CHECK(result.value == NULL);
    return e->status;
}

static void an_answer_of_another_type_than_is_wanted_is_an_error(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "tools/call", ask_for_a_task_then_not);
    open_server_as(e, "{'sampling':{},'tasks':{'requests':{'sampling':{'createMessage':{}}}}}");
    say_request(e, "'r'", "tools/call", "'name':'t'");
    CHECK(e->status == MCPW_PENDING);
    CHECK_HAS(heard(e), "'id':1,'method':'sampling/createMessage'");
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'task':{'taskId':'i','status':'working','createdAt':'x',"
           "'lastUpdatedAt':'x','ttl':null}}}");
    CHECK(e->runs == 2 && e->status == MCPW_E_ARGUMENT);
    CHECK_HAS(heard(e), "'id':'r','error':{'code':-32603");
    end_free(e);
}

static void a_client_that_lacks_the_capability_is_not_asked(void) {
    for (int k = 0; k < INPUT_REQUESTS; k++) {
        for (int i = input_requests[k].since; i < revision_count(); i++) {
            end *const e = server_of(revision_at(i), MODERN);
            end_serve(e, "tools/call", input_requests[k].handler);
            open_server_as(e, "{}");
            say_request_as(e, "1", "tools/call", "'name':'t'", "{}", "");
            const char *const line = heard(e);
            CHECK_HAS(line, fmt("'id':1,'error':{'code':%s", is_modern(e->speaks) ? "-32021" : "-32600"));
            CHECK_HAS(line, fmt("'data':{'requiredCapabilities':{'%.*s':{",
                                (int)strcspn(input_requests[k].method, "/"), input_requests[k].method));
            EXPECT(e, "");
            end_free(e);
        }
    }
}

static void a_revision_without_the_input_request_cannot_be_asked(void) {
    for (int i = 0; i < 2; i++) {
        end *const e = server_asking(revision_at(i), MODERN, ask_elicit);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'id':1,'error':{'code':-32");
        EXPECT(e, "");
        end_free(e);
    }
}

static void a_client_that_refuses_fails_the_request(void) {
    for (int i = place_of(ELICITING); i < legacy_count(); i++) {
        end *const e = server_asking(revision_at(i), MODERN, ask_elicit);
        say_request(e, "'r'", "tools/call", "'name':'t'");
        run_to_idle(e);
        say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-1,'message':'User rejected'}}");
        CHECK_HAS(heard(e), "'id':'r','error':{'code':-32603");
        CHECK(e->runs == 2);
        end_free(e);
    }
}

static void a_input_request_that_is_not_answered_in_time_fails(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_elicit);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    run_to_idle(e);
    mcpw_session_advance(e->session, 600000);
    CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':1");
    CHECK_HAS(heard(e), "'id':'r','error':{'code':-32603");
    end_free(e);
}

static void a_client_that_goes_away_fails_the_input_request(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_elicit);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    run_to_idle(e);
    CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
    CHECK(e->runs == 2); /* its handler is told */
    EXPECT(e, "");       /* and the client is not: it has gone */
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static mcpw_status ask_and_give_up(end *e, mcpw_request *request, const void *params) {
    CHECK(ask(e, request, "q", "roots/list", NULL, NULL, 0) == MCPW_PENDING);
    return say_hello(e, request, params);
}

static void an_answer_without_waiting_withdraws_the_input_request(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_and_give_up);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'id':1,'method':'roots/list'");
    CHECK_HAS(heard(e), "'id':'r','result'");
    CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':1");
    EXPECT(e, "");
    end_free(e);
}

static mcpw_status list_asking(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask(e, request, "q", "roots/list", NULL, NULL, 0);
}

static void a_method_that_cannot_ask_is_an_internal_error(void) {
    end *const e = server_of(MODERN, MODERN);
    end_serve(e, "tools/list", list_asking);
    open_server(e);
    say_request(e, "1", "tools/list", "");
    CHECK_HAS(heard(e), "'id':1,'error':{'code':-32603");
    CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
    end_free(e);
}

static void prompts_and_resources_ask_too(void) {
    static const struct {
        const char *method;
        const char *members;
    } cases[] = {{"prompts/get", "'name':'p'"}, {"resources/read", "'uri':'a:b'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        end *const e = server_of(MODERN, HANDSHAKE);
        end_serve(e, cases[i].method, list_asking);
        open_server(e);
        say_request(e, "1", cases[i].method, cases[i].members);
        CHECK_HAS(heard(e), "'id':1,'result':{'resultType':'input_required','inputRequests':{'q':{");
        end_free(e);
    }
}

/* ---- Callbacks that end what they were called for ---- */

#define SAMPLE_WITH_TOOLS                                                                                    \
    "{'messages':[{'role':'user','content':{'type':'text','text':'hi'}}],'maxTokens':5,"                     \
    "'toolChoice':{'mode':'auto'}}"

static void answer_what_is_noted(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    static const mcpw_json none = {NULL, 0, 0};
    end *const e = user;
    mcpw_request *const kept = e->kept;
    end_on_diagnostic(user, session, diagnostic);
    e->kept = NULL;
    if (kept != NULL) {
        CHECK(mcpw_respond_error(kept, -1, "never mind", none) == MCPW_OK);
    }
}

static mcpw_status ask_what_is_dropped(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->kept = request;
    e->status = ask(e, request, "q", "sampling/createMessage", SAMPLE_WITH_TOOLS, NULL, 0);
    return e->status;
}

static void a_request_that_ends_while_its_input_request_is_projected_asks_nothing(void) {
    end *const e = server_of("2025-06-18", MODERN);
    e->config.on_diagnostic = answer_what_is_noted;
    end_serve(e, "tools/call", ask_what_is_dropped);
    open_server(e);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    CHECK(e->diagnostics[MCPW_DIAGNOSTIC_DROPPED] == 1 && e->status == MCPW_E_STATE);
    EXPECT(e, "{'jsonrpc':'2.0','id':'r','error':{'code':-1,'message':'never mind'}}");
    EXPECT(e, "");
    say(e, "{'jsonrpc':'2.0','id':1,'result':" SAMPLED "}");
    CHECK(e->runs == 1 && e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] == 1);
    end_free(e);
}

static mcpw_status ask_sample_and_remember(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->kept = request;
    e->status = ask(e, request, "q", "sampling/createMessage", SAMPLE, NULL, 0);
    return e->status;
}

static void a_request_that_ends_while_its_answer_is_projected_gets_none(void) {
    end *const e = server_of(HANDSHAKE, OLDEST);
    e->config.on_diagnostic = answer_what_is_noted;
    end_serve(e, "tools/call", ask_sample_and_remember);
    open_server(e);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'id':1,'method':'sampling/createMessage'");
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'role':'assistant','model':'m','content':{'type':'text',"
           "'text':'x','annotations':{'lastModified':'t'}}}}"); /* a member that 2024-11-05 lacks */
    CHECK(e->diagnostics[MCPW_DIAGNOSTIC_DROPPED] == 1 && e->status == MCPW_E_STATE);
    EXPECT(e, "{'jsonrpc':'2.0','id':'r','error':{'code':-1,'message':'never mind'}}");
    EXPECT(e, "");
    end_free(e);
}

static void let_time_pass(void *user, mcpw_request *request) {
    end *const e = user;
    (void)request;
    e->cancels++;
    mcpw_session_advance(e->session, 600000);
}

static mcpw_status ask_roots_and_let_time_pass(end *e, mcpw_request *request, const void *params) {
    mcpw_request_on_cancel(request, let_time_pass, e);
    return ask_roots(e, request, params);
}

static void a_request_whose_input_request_times_out_while_it_is_cancelled_does_not_run_again(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_roots_and_let_time_pass);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'id':1,'method':'roots/list'");
    say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':'r'}}");
    CHECK(e->cancels == 1 && e->runs == 1);
    CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':1");
    EXPECT(e, "");
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static void a_request_whose_input_request_times_out_while_its_session_is_closed_does_not_run_again(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_roots_and_let_time_pass);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    run_to_idle(e);
    mcpw_session_close(e->session);
    CHECK(e->cancels == 1 && e->runs == 1);
    end_free(e);
}

static mcpw_status ask_roots_until_it_is_late(end *e, mcpw_request *request, const void *params) {
    const mcpw_status status = ask_roots(e, request, params);
    mcpw_session_advance(e->session, 600000);
    return status;
}

static void a_input_request_that_ends_while_its_handler_runs_runs_it_again(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_roots_until_it_is_late);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'id':1,'method':'roots/list'");
    CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':1");
    CHECK_HAS(heard(e), "'id':'r','error':{'code':-32603,'message':'Internal error: the peer did not answer");
    CHECK(e->runs == 2);
    end_free(e);
}

/* ---- Requests whose handler runs again because the program says so ---- */

/* Keeps the request in its first run, asks in the second, as a relay does that has heard meanwhile what to
 * ask. */
static mcpw_status keep_then_ask(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json waiting = MCPW_JSON("{\"step\":1}");
    if (mcpw_request_state(request).ptr == NULL) {
        CHECK(mcpw_request_set_state(request, waiting) == MCPW_OK);
        return keep(e, request, params);
    }
    CHECK(mcpw_request_resume(request) == MCPW_E_STATE); /* it runs */
    return ask_elicit(e, request, params);
}

static void a_handler_that_is_resumed_asks_by_a_request_where_servers_make_them(void) {
    for (int i = place_of(ELICITING); i < legacy_count(); i++) {
        end *const e = server_asking(revision_at(i), MODERN, keep_then_ask);
        say_request(e, "'r'", "tools/call", "'name':'t'");
        EXPECT(e, "");
        mcpw_request *const kept = e->kept;
        CHECK(mcpw_request_resume(kept) == MCPW_OK && e->runs == 2);
        CHECK_HAS(heard(e), "'id':1,'method':'elicitation/create'");
        CHECK(mcpw_request_resume(kept) == MCPW_E_STATE); /* it is being asked */
        say(e, "{'jsonrpc':'2.0','id':1,'result':" ACCEPTED "}");
        CHECK_HAS(heard(e), "'id':'r','result':{'content'");
        CHECK(e->runs == 3 && e->cancels == 0 && !mcpw_session_is_busy(e->session));
        end_free(e);
    }
}

static void a_handler_that_is_resumed_asks_by_a_round_where_servers_make_no_requests(void) {
    char state[HARNESS_TEXT] = "";
    end *const e = server_asking(MODERN, MODERN, keep_then_ask);
    say_request(e, "1", "tools/call", "'name':'t'");
    EXPECT(e, "");
    CHECK(mcpw_request_resume(e->kept) == MCPW_OK);
    const char *const line = heard(e);
    CHECK_HAS(line, "'id':1,'result':{'resultType':'input_required','inputRequests':{'q':{");
    (void)snprintf(state, sizeof state, "%s", state_of(line));
    CHECK(!mcpw_session_is_busy(e->session) && e->cancels == 0);
    say_request(e, "2", "tools/call",
                fmt("'name':'t','inputResponses':{'q':" ACCEPTED "},'requestState':'%s'", state));
    CHECK_HAS(heard(e), "'id':2,'result':{'resultType':'complete','content'");
    CHECK(e->runs == 3);
    end_free(e);
}

static mcpw_status keep_then_answer(end *e, mcpw_request *request, const void *params) {
    return e->runs == 1 ? keep(e, request, params) : say_hello(e, request, params);
}

static void a_handler_that_is_resumed_may_answer(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_asking(revision_at(i), MODERN, keep_then_answer);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK(mcpw_request_resume(e->kept) == MCPW_OK);
        CHECK_HAS(heard(e), "'id':1,'result':{");
        CHECK(e->runs == 2 && !mcpw_session_is_busy(e->session));
        end_free(e);
    }
}

static void resume_when_cancelled(void *user, mcpw_request *request) {
    end *const e = user;
    e->cancels++;
    CHECK(mcpw_request_resume(request) == MCPW_E_STATE);
}

static mcpw_status keep_and_resume_when_cancelled(end *e, mcpw_request *request, const void *params) {
    (void)params;
    mcpw_request_on_cancel(request, resume_when_cancelled, e);
    return MCPW_OK;
}

static void a_request_that_is_over_is_not_resumed(void) {
    for (int close = 0; close < 2; close++) {
        end *const e = server_asking(HANDSHAKE, MODERN, keep_and_resume_when_cancelled);
        say_request(e, "1", "tools/call", "'name':'t'");
        if (close != 0) {
            mcpw_session_close(e->session);
        } else {
            say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
        }
        CHECK(e->cancels == 1 && e->runs == 1);
        end_free(e);
    }
}

int main(void) {
    RUN(a_input_request_is_a_request_where_servers_make_them);
    RUN(a_input_request_is_a_round_of_input_where_servers_make_no_requests);
    RUN(several_input_requests_are_asked_at_once);
    RUN(a_bad_answer_is_an_error);
    RUN(an_answer_to_another_input_request_is_an_internal_error);
    RUN(an_answer_is_found_among_many);
    RUN(an_answer_of_another_type_than_is_wanted_is_an_error);
    RUN(a_client_that_lacks_the_capability_is_not_asked);
    RUN(a_revision_without_the_input_request_cannot_be_asked);
    RUN(a_client_that_refuses_fails_the_request);
    RUN(a_input_request_that_is_not_answered_in_time_fails);
    RUN(a_client_that_goes_away_fails_the_input_request);
    RUN(an_answer_without_waiting_withdraws_the_input_request);
    RUN(a_method_that_cannot_ask_is_an_internal_error);
    RUN(a_input_request_that_cannot_be_asked_is_an_internal_error);
    RUN(prompts_and_resources_ask_too);
    RUN(a_request_that_ends_while_its_input_request_is_projected_asks_nothing);
    RUN(a_request_that_ends_while_its_answer_is_projected_gets_none);
    RUN(a_request_whose_input_request_times_out_while_it_is_cancelled_does_not_run_again);
    RUN(a_request_whose_input_request_times_out_while_its_session_is_closed_does_not_run_again);
    RUN(a_input_request_that_ends_while_its_handler_runs_runs_it_again);
    RUN(a_handler_that_is_resumed_asks_by_a_request_where_servers_make_them);
    RUN(a_handler_that_is_resumed_may_answer);
    RUN(a_request_that_is_over_is_not_resumed);
    check_test = "signs_states";
    if (!signs_states()) {
        (void)fprintf(stderr, "skipped: a round that keeps a state, which needs libsodium\n");
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    RUN(a_handler_that_is_resumed_asks_by_a_round_where_servers_make_no_requests);
    return check_end();
}
