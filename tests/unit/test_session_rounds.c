/* SPDX-License-Identifier: MIT */
/* Rounds of input as a client has them: a server's answer asks, this end's handlers answer, and the request
 * goes again. */

#include "session_asking.h"

static void client_and_server_ask_and_answer_in_every_pair_of_revisions(void) {
    for (int wire = 0; wire < revision_count(); wire++) {
        for (int c = 0; c < revision_count(); c++) {
            for (int s = 0; s < revision_count(); s++) {
                for (int k = 0; k < INPUT_REQUESTS; k++) {
                    if (wire < input_requests[k].since || c < input_requests[k].since ||
                        s < input_requests[k].since) {
                        continue;
                    }
                    end *const client = answering_client(MODERN, revision_at(c), give_elicit);
                    end *const server = server_of(MODERN, revision_at(s));
                    end_serve(server, "tools/call", input_requests[k].handler);
                    open_pair(client, server, revision_at(wire));
                    CHECK(call(client, "tools/call", "'name':'t'") == MCPW_OK);
                    pump(client, server, NULL);
                    CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
                    CHECK_HAS(client->out.text, "'text':'hello'");
                    CHECK(server->runs == 2 && client->runs == 1);
                    end_free(client);
                    end_free(server);
                }
            }
        }
    }
}

static mcpw_status give_by_key(end *e, mcpw_request *request, const void *params) {
    static const char *const keys[] = {"one", "two", "three"};
    (void)params;
    return answer(e, request, fmt("{'action':'accept','content':{'n':'%s'}}", keys[(e->runs - 1) % 3]));
}

static void rounds_run_between_two_ends(void) {
    for (int wire = place_of(ELICITING); wire < revision_count(); wire++) {
        end *const client = answering_client(MODERN, MODERN, give_by_key);
        end *const server = server_of(MODERN, HANDSHAKE);
        end_serve(server, "tools/call", ask_in_rounds);
        open_pair(client, server, revision_at(wire));
        CHECK(call(client, "tools/call", "'name':'t','arguments':{'x':[1]}") == MCPW_OK);
        pump(client, server, NULL);
        CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
        CHECK(server->runs == 4 && client->runs == 3);
        end_free(client);
        end_free(server);
    }
}

static end *client_in_a_call(end_handler elicit) {
    end *const e = answering_client(MODERN, MODERN, elicit);
    open_client(e);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    CHECK_HAS(heard(e), "'id':2,'method':'tools/call'");
    return e;
}

#define ASKED(members) "{'jsonrpc':'2.0','id':2,'result':{'resultType':'input_required'," members "}}"
#define ASKED_TO_ELICIT                                                                                      \
    ASKED("'inputRequests':{'k':{'method':'elicitation/create','params':" ELICIT                             \
          "}},'requestState':'s\\u00e9'")

#define ASKED_TWICE                                                                                          \
    ASKED("'inputRequests':{'k':{'method':'elicitation/create','params':" ELICIT "},"                        \
          "'l':{'method':'elicitation/create','params':" ELICIT "}},'requestState':'s'")

static void the_retry_has_a_new_id_and_the_state_as_it_was(void) {
    end *const e = client_in_a_call(give_elicit);
    say(e, ASKED_TO_ELICIT);
    const char *const line = heard(e);
    CHECK_HAS(line, "'id':3,'method':'tools/call'");
    CHECK_HAS(line, "'inputResponses':{'k':" ACCEPTED "}");
    CHECK_HAS(line, "'requestState':'s\xc3\xa9'");
    CHECK_HAS(line, "'name':'t'");
    CHECK(e->out.count == 0);
    say(e, "{'jsonrpc':'2.0','id':3,'result':{'resultType':'complete','content':[]}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    end_free(e);
}

static void a_state_alone_is_sent_back(void) {
    end *const e = client_in_a_call(give_elicit);
    say(e, ASKED("'requestState':'only'"));
    const char *const line = heard(e);
    CHECK_HAS(line, "'id':3,");
    CHECK_HAS(line, "'requestState':'only'");
    CHECK(!has(line, "inputResponses") && e->runs == 0);
    end_free(e);
}

static void a_input_request_that_nobody_answers_fails_the_call(void) {
    static const char *const asked[] = {
        ASKED("'inputRequests':{'k':{'method':'sampling/createMessage','params':" SAMPLE "}}"),
        ASKED("'inputRequests':{'k':{'method':'tools/list','params':{}}}"),
        ASKED("'inputRequests':{'k':{'method':'tools/list'}}"),
        ASKED("'inputRequests':{'k':{'method':'no/such'}}"),
        ASKED("'inputRequests':{'k':{}}"),
        ASKED("'inputRequests':{'k':{'method':'elicitation/create','params':{'message':5}}}")};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        end *const e = client_of(MODERN, MODERN);
        end_serve(e, "elicitation/create", give_elicit);
        open_client(e);
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
        run_to_idle(e);
        say(e, asked[i]);
        EXPECT(e, "");
        CHECK(e->out.count == 1 && e->out.status != MCPW_OK && e->runs == 0);
        end_free(e);
    }
}

static mcpw_status refuse_input_request(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json none = {NULL, 0, 0};
    (void)e;
    (void)params;
    return mcpw_respond_error(request, -1, "User rejected", none);
}

static void a_handler_that_refuses_fails_the_call(void) {
    end *const e = client_in_a_call(refuse_input_request);
    say(e, ASKED_TO_ELICIT);
    EXPECT(e, "");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    CHECK_HAS(e->out.why, "User rejected");
    end_free(e);
}

static mcpw_status refuse_by_a_part_of_a_text(end *e, mcpw_request *request, const void *params) {
    const mcpw_rpc_error error = {.code = -1, .message = {"not now, but later", strlen("not now")}};
    (void)e;
    (void)params;
    return mcpw_respond_remote(request, &error);
}

static void a_refusal_says_no_more_than_its_message(void) {
    end *const e = client_in_a_call(refuse_by_a_part_of_a_text);
    say(e, ASKED_TO_ELICIT);
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    CHECK_HAS(e->out.why, "was refused: not now");
    CHECK(strstr(e->out.why, "later") == NULL);
    end_free(e);
}

static mcpw_status keep_first_refuse_second(end *e, mcpw_request *request, const void *params) {
    return e->runs == 1 ? keep(e, request, params) : refuse_input_request(e, request, params);
}

static void a_refused_input_request_ends_what_is_left_of_its_round(void) {
    end *const e = client_in_a_call(keep_first_refuse_second);
    say(e, ASKED_TWICE);
    CHECK(e->runs == 2 && e->cancels == 1 && e->kept == NULL);
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static void a_round_may_be_answered_later(void) {
    end *const e = client_in_a_call(keep);
    say(e, ASKED_TO_ELICIT);
    EXPECT(e, "");
    CHECK(e->kept != NULL && e->out.count == 0);
    CHECK(answer(e, e->kept, ACCEPTED) == MCPW_OK);
    CHECK_HAS(heard(e), "'id':3,'method':'tools/call'");
    end_free(e);
}

static void a_call_that_is_cancelled_in_a_round_ends_it_without_a_word(void) {
    end *const e = client_in_a_call(keep);
    say(e, ASKED_TO_ELICIT);
    CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
    CHECK(e->cancels == 1 && e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    EXPECT(e, "");
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static void a_call_may_be_cancelled_by_its_number_after_a_round(void) {
    end *const e = client_in_a_call(give_elicit);
    say(e, ASKED_TO_ELICIT);
    run_to_idle(e);
    CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':3");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    end_free(e);
}

static void a_round_has_until_the_maximum(void) {
    end *const e = client_in_a_call(keep);
    say(e, ASKED_TO_ELICIT);
    mcpw_session_advance(e->session, 599999);
    CHECK(e->out.count == 0);
    mcpw_session_advance(e->session, 600000);
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_TIMEOUT && e->cancels == 1);
    EXPECT(e, "");
    end_free(e);
}

/* Once the server has answered, nothing of the request is in flight until it is sent again. */
static void a_second_answer_in_a_round_is_let_be(void) {
    static const char *const seconds[] = {
        ASKED_TO_ELICIT, "{'jsonrpc':'2.0','id':2,'result':{'resultType':'complete','content':[]}}",
        "{'jsonrpc':'2.0','id':2,'error':{'code':1,'message':'late'}}",
        "{'jsonrpc':'2.0','id':2,'result':5}"};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        end *const e = client_in_a_call(keep);
        say(e, ASKED_TO_ELICIT);
        say(e, seconds[i]);
        CHECK(e->runs == 1 && e->out.count == 0);
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] + e->diagnostics[MCPW_DIAGNOSTIC_BAD_MESSAGE] ==
              1);
        CHECK(answer(e, e->kept, ACCEPTED) == MCPW_OK);
        CHECK_HAS(heard(e), "'id':3,'method':'tools/call'");
        say(e, "{'jsonrpc':'2.0','id':3,'result':{'resultType':'complete','content':[]}}");
        CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        end_free(e);
    }
}

/* The input requests of a server in one round, with so many input requests. */
static const char *asked_input_requests(int id, int count) {
    static char text[HARNESS_TEXT];
    int len =
        snprintf(text, sizeof text,
                 "{'jsonrpc':'2.0','id':%d,'result':{'resultType':'input_required','inputRequests':{", id);
    for (int i = 0; i < count; i++) {
        len += snprintf(text + len, sizeof text - (size_t)len,
                        "%s'k%d':{'method':'elicitation/create','params':" ELICIT "}", i != 0 ? "," : "", i);
    }
    (void)snprintf(text + len, sizeof text - (size_t)len, "}}}");
    return text;
}

static end *limited_client_in_a_call(end_handler elicit, size_t max_requests, size_t max_request_bytes) {
    end *const e = answering_client(MODERN, MODERN, elicit);
    e->config.max_requests = max_requests;
    e->config.max_request_bytes = max_request_bytes;
    open_client(e);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    CHECK_HAS(heard(e), "'id':2,'method':'tools/call'");
    return e;
}

static void a_round_has_at_most_max_requests_input_requests(void) {
    enum { LIMIT = 5 };
    for (int count = LIMIT - 1; count <= LIMIT + 1; count++) {
        for (int later = 0; later < 2; later++) {
            end *const e = limited_client_in_a_call(later ? keep : give_elicit, LIMIT, 0);
            say(e, asked_input_requests(2, count));
            if (count <= LIMIT) {
                CHECK(e->runs == count && e->out.count == 0);
                CHECK(later || has(heard(e), "'id':3,'method':'tools/call'"));
            } else {
                CHECK(e->runs == 0 && e->out.count == 1 && e->out.status == MCPW_E_STATE);
                CHECK_HAS(e->out.why, "the server asks for too much input at once");
            }
            end_free(e);
        }
    }
}

static void rounds_of_several_calls_share_max_requests(void) {
    enum { LIMIT = 5 };
    for (int count = LIMIT - 3; count <= LIMIT - 1; count++) {
        end *const e = limited_client_in_a_call(keep, LIMIT, 0);
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
        run_to_idle(e);
        say(e, asked_input_requests(2, 2));
        say(e, asked_input_requests(3, count));
        CHECK(e->runs == (count <= LIMIT - 2 ? 2 + count : LIMIT));
        CHECK(e->out.count == (count <= LIMIT - 2 ? 0 : 1));
        if (count > LIMIT - 2) {
            CHECK(e->out.status == MCPW_E_CANCELLED);
            CHECK_HAS(e->out.why, "too many requests in flight");
        }
        end_free(e);
    }
}

static void input_requests_are_held_to_max_request_bytes(void) {
    enum { LIMIT = 40000, INPUT_REQUESTS_THAT_FIT = 2, MANY = 20 };
    end *const e = limited_client_in_a_call(keep, 0, LIMIT);
    say(e, asked_input_requests(2, INPUT_REQUESTS_THAT_FIT));
    CHECK(e->runs == INPUT_REQUESTS_THAT_FIT && e->out.count == 0);
    end_free(e);
    end *const more = limited_client_in_a_call(keep, 0, LIMIT);
    say(more, asked_input_requests(2, MANY));
    CHECK(more->runs >= INPUT_REQUESTS_THAT_FIT && more->runs < MANY);
    CHECK(more->out.count == 1 && more->out.status == MCPW_E_CANCELLED);
    CHECK_HAS(more->out.why, "the requests in flight hold too much memory");
    CHECK(!mcpw_session_is_busy(more->session));
    end_free(more);
}

/* So that 32 rounds take no more memory than one. */
static void the_texts_of_a_round_go_with_it(void) {
    enum { COUNT = 100, ROUNDS = 30 };
    end *const e = limited_client_in_a_call(give_elicit, 0, 0);
    size_t half_way = 0;
    for (int round = 0; round < ROUNDS; round++) {
        say(e, asked_input_requests(2 + round, COUNT));
        CHECK_HAS(heard(e), fmt("'id':%d,'method':'tools/call'", 3 + round));
        half_way = round == ROUNDS / 2 ? e->memory.in_use : half_way;
    }
    CHECK(e->memory.in_use == half_way);
    end_free(e);
}

static void a_server_may_ask_in_32_rounds(void) {
    enum { MOST = 32 };
    end *const e = client_in_a_call(give_elicit);
    for (int round = 1; round <= MOST; round++) {
        say(e, asked_input_requests(1 + round, 1));
        CHECK_HAS(heard(e), fmt("'id':%d,'method':'tools/call'", 2 + round));
        CHECK(e->out.count == 0 && e->runs == round);
    }
    say(e, asked_input_requests(2 + MOST, 1));
    EXPECT(e, "");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_STATE && e->runs == MOST);
    end_free(e);
}

static void endless_rounds_are_stopped(void) {
    enum { ENDLESS = 1000 };
    end *const e = client_in_a_call(give_elicit);
    int round = 0;
    while (round < ENDLESS && e->out.count == 0) {
        say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{'resultType':'input_required','requestState':'x'}}",
                   2 + round));
        run_to_idle(e);
        round++;
    }
    CHECK(round < ENDLESS && e->out.count == 1 && e->out.status == MCPW_E_STATE);
    end_free(e);
}

static mcpw_status close_in_round(end *e, mcpw_request *request, const void *params) {
    (void)request;
    (void)params;
    mcpw_session_close(e->session);
    return MCPW_OK;
}

static mcpw_status cancel_in_round(end *e, mcpw_request *request, const void *params) {
    (void)request;
    (void)params;
    CHECK(mcpw_session_cancel(e->session, e->number, "never mind") == MCPW_OK);
    return MCPW_OK;
}

static void a_handler_may_close_the_session_in_a_round(void) {
    end *const e = client_in_a_call(close_in_round);
    say(e, ASKED_TWICE);
    EXPECT(e, "");
    CHECK(e->runs == 1 && e->out.count == 1 && e->out.status == MCPW_E_CLOSED && e->closed == 1);
    end_free(e);
}

static void a_handler_may_cancel_the_call_in_its_round(void) {
    end *const e = client_in_a_call(cancel_in_round);
    say(e, ASKED_TWICE);
    EXPECT(e, "");
    CHECK(e->runs == 1 && e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    end_free(e);
}

static void answer_when_cancelled(void *user, mcpw_request *request) {
    end *const e = user;
    e->cancels++;
    CHECK(answer(e, request, ACCEPTED) == MCPW_E_STATE);
}

static mcpw_status keep_and_answer_when_cancelled(end *e, mcpw_request *request, const void *params) {
    (void)params;
    mcpw_request_on_cancel(request, answer_when_cancelled, e);
    return MCPW_OK;
}

static void an_answer_to_a_round_that_is_over_is_refused(void) {
    for (int how = 0; how < 3; how++) {
        end *const e = client_in_a_call(keep_and_answer_when_cancelled);
        say(e, ASKED_TWICE);
        if (how == 0) {
            CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
        } else if (how == 1) {
            mcpw_session_close(e->session);
        } else {
            CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
        }
        EXPECT(e, "");
        CHECK(e->cancels == 2 && e->out.count == 1);
        end_free(e);
    }
}

static void refuse_the_first(void *user, mcpw_request *request) {
    static const mcpw_json none = {NULL, 0, 0};
    end *const e = user;
    mcpw_request *const first = e->kept;
    e->cancels++;
    e->kept = NULL;
    if (first != NULL && first != request) {
        CHECK(mcpw_respond_error(first, -1, "never mind", none) == MCPW_E_STATE);
    }
}

static mcpw_status keep_to_refuse_the_first(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->kept = e->runs == 1 ? request : e->kept;
    mcpw_request_on_cancel(request, refuse_the_first, e);
    return MCPW_OK;
}

static void a_round_that_is_over_takes_no_answer_from_a_callback(void) {
    end *const e = client_in_a_call(keep_to_refuse_the_first);
    say(e, ASKED_TWICE);
    CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
    CHECK(e->cancels == 2 && e->out.count == 1);
    EXPECT(e, "");
    end_free(e);
}

int main(void) {
    RUN(client_and_server_ask_and_answer_in_every_pair_of_revisions);
    RUN(the_retry_has_a_new_id_and_the_state_as_it_was);
    RUN(a_state_alone_is_sent_back);
    RUN(a_input_request_that_nobody_answers_fails_the_call);
    RUN(a_handler_that_refuses_fails_the_call);
    RUN(a_refusal_says_no_more_than_its_message);
    RUN(a_refused_input_request_ends_what_is_left_of_its_round);
    RUN(a_round_may_be_answered_later);
    RUN(a_call_that_is_cancelled_in_a_round_ends_it_without_a_word);
    RUN(a_call_may_be_cancelled_by_its_number_after_a_round);
    RUN(a_round_has_until_the_maximum);
    RUN(a_second_answer_in_a_round_is_let_be);
    RUN(a_round_has_at_most_max_requests_input_requests);
    RUN(rounds_of_several_calls_share_max_requests);
    RUN(input_requests_are_held_to_max_request_bytes);
    RUN(the_texts_of_a_round_go_with_it);
    RUN(a_server_may_ask_in_32_rounds);
    RUN(endless_rounds_are_stopped);
    RUN(a_handler_may_close_the_session_in_a_round);
    RUN(a_handler_may_cancel_the_call_in_its_round);
    RUN(an_answer_to_a_round_that_is_over_is_refused);
    RUN(a_round_that_is_over_takes_no_answer_from_a_callback);
    check_test = "signs_states";
    if (!signs_states()) {
        (void)fprintf(stderr, "skipped: rounds between two ends, which keep a state by libsodium\n");
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    RUN(rounds_run_between_two_ends);
    return check_end();
}
