/* SPDX-License-Identifier: MIT */
/* Broken and misplaced messages: their responses, and the next line is served. */

#include "session_harness.h"

static end *server_speaking(const char *speaks) {
    end *const e = server_of(speaks, MODERN);
    end_serve(e, "tools/call", say_hello);
    open_server(e);
    return e;
}

static void check_alive(end *e) {
    say_request(e, "'alive'", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'id':'alive','result'");
    EXPECT(e, "");
}

static void text_that_is_no_json_is_a_parse_error(void) {
    static const char *const lines[] = {"x",   "{",    "{'jsonrpc':'2.0','id':1,'method':'ping'",
                                        "{}}", "\xff", "{'id':1,'a':'\xc3('}",
                                        "nul", "'",    "{'a':NaN}",
                                        "\x01"};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            say(e, lines[k]);
            CHECK_HAS(heard(e), i < 3 ? "{'jsonrpc':'2.0','id':null,'error':{'code':-32700"
                                      : "{'jsonrpc':'2.0','error':{'code':-32700");
            EXPECT(e, "");
            check_alive(e);
        }
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_BAD_LINE] == sizeof lines / sizeof *lines);
        end_free(e);
    }
}

static void json_that_is_no_message_is_an_invalid_request(void) {
    static const char *const lines[] = {
        "1", "'a'", "null", "true", "{}", "{'jsonrpc':'2.0'}", "{'jsonrpc':'2.0','method':5}"};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            say(e, lines[k]);
            CHECK_HAS(heard(e), "'error':{'code':-32600");
            EXPECT(e, "");
        }
        check_alive(e);
        end_free(e);
    }
}

static void a_broken_envelope_is_answered_with_its_id(void) {
    static const char *const lines[] = {"{'jsonrpc':'1.0','id':3,'method':'tools/list'}",
                                        "{'id':3,'method':'tools/list'}", "{'jsonrpc':'2.0','id':3}",
                                        "{'jsonrpc':'2.0','id':3,'method':null}"};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            say(e, lines[k]);
            CHECK_HAS(heard(e), "{'jsonrpc':'2.0','id':3,'error':{'code':-32600");
        }
        check_alive(e);
        end_free(e);
    }
}

static void an_unknown_method_is_not_found(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        say_request(e, "'u'", "no/such", "");
        CHECK_HAS(heard(e), "'id':'u','error':{'code':-32601,'message':'Method not found: no/such'");
        say_request(e, "8", "sampling/createMessage", "'messages':[],'maxTokens':1");
        CHECK_HAS(heard(e), "'id':8,'error':{'code':-32601");
        check_alive(e);
        end_free(e);
    }
}

/* A method that nobody serves is said before what is wrong with its params. */
static void an_unknown_method_with_bad_params_is_not_found(void) {
    static const char *const methods[] = {"no/such", "sampling/createMessage", "prompts/get",
                                          "notifications/message"};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        e->unchecked = true;
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            say_request(e, "7", methods[k], "'name':5,'messages':7");
            CHECK_HAS(heard(e),
                      fmt("'id':7,'error':{'code':-32601,'message':'Method not found: %s'", methods[k]));
        }
        end_free(e);
    }
}

static void broken_params_name_the_place(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        say_request(e, "1", "tools/call", "'name':5");
        CHECK_HAS(heard(e), "'id':1,'error':{'code':-32602");
        say_request(e, "2", "tools/call", "'name':5");
        CHECK_HAS(heard(e), "'data':{'path':'/params/name'}");
        say_request(e, "3", "tools/call", "'name':'t','arguments':[]");
        CHECK_HAS(heard(e), "'data':{'path':'/params/arguments'}");
        CHECK(e->runs == 0);
        check_alive(e);
        end_free(e);
    }
}

static void missing_params_are_invalid_params(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        say(e, "{'jsonrpc':'2.0','id':1,'method':'tools/call'}");
        CHECK_HAS(heard(e), "'id':1,'error':{'code':-32602");
        say(e, "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':[1]}");
        CHECK_HAS(heard(e), "'id':2,'error':{'code':-32602");
        end_free(e);
    }
}

static void broken_notifications_and_answers_are_not_answered(void) {
    static const char *const lines[] = {
        "{'jsonrpc':'2.0','method':'notifications/cancelled','params':5}",
        "{'jsonrpc':'1.0','method':'notifications/cancelled','params':{'requestId':1}}",
        "{'jsonrpc':'2.0','method':'notifications/progress','params':{}}",
        "{'jsonrpc':'2.0','id':99,'result':5}",
        "{'jsonrpc':'2.0','id':99,'result':{},'error':{'code':1,'message':'x'}}",
        "{'jsonrpc':'2.0','id':99,'error':{}}",
        "{'jsonrpc':'2.0','id':null,'error':{'code':1}}",
        "{'jsonrpc':'2.0','error':{'code':'1','message':'x'}}"};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            const int before = e->diagnostics[MCPW_DIAGNOSTIC_BAD_MESSAGE] +
                               e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] +
                               e->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER];
            say(e, lines[k]);
            EXPECT(e, "");
            CHECK(e->diagnostics[MCPW_DIAGNOSTIC_BAD_MESSAGE] +
                      e->diagnostics[MCPW_DIAGNOSTIC_UNKNOWN_REPLY] +
                      e->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER] ==
                  before + 1);
        }
        check_alive(e);
        end_free(e);
    }
}

static void an_unknown_notification_is_only_noted(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        say(e, "{'jsonrpc':'2.0','method':'no/such','params':{'a':1}}");
        say(e, "{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
        EXPECT(e, "");
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER] == 2);
        end_free(e);
    }
}

static void keys_are_case_sensitive_and_stand_once(void) {
    end *const e = server_speaking(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','ID':1,'method':'ping'}");
    EXPECT(e, "");
    say(e, "{'jsonrpc':'2.0','id':1,'method':'ping','method':'tools/list'}");
    CHECK_HAS(heard(e), "'error':{'code':-32600");
    end_free(e);
}

static void an_array_is_an_invalid_request_where_there_are_no_batches(void) {
    for (int i = 0; i < revision_count(); i++) {
        if (strcmp(revision_at(i), BATCHING) == 0) {
            continue;
        }
        end *const e = server_speaking(revision_at(i));
        say(e, "[{'jsonrpc':'2.0','id':1,'method':'ping'}]");
        CHECK_HAS(heard(e), "'error':{'code':-32600");
        EXPECT(e, "");
        say(e, "[]");
        CHECK_HAS(heard(e), "'error':{'code':-32600");
        check_alive(e);
        end_free(e);
    }
}

static void a_line_that_is_too_long_is_refused_and_the_next_is_served(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        e->config.max_message = 1000;
        end_serve(e, "tools/call", say_hello);
        open_server(e);
        char line[3000];
        memset(line, ' ', sizeof line);
        line[sizeof line - 1] = '\0';
        say(e, line);
        CHECK_HAS(heard(e), "'error':{'code':-32600,'message':'Invalid Request: the message is too long'");
        EXPECT(e, "");
        check_alive(e);
        end_free(e);
    }
}

static void nesting_without_end_is_refused(void) {
    end *const e = server_speaking(HANDSHAKE);
    char deep[2001];
    memset(deep, '[', 2000);
    deep[2000] = '\0';
    say(e,
        fmt("{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t','arguments':{'a':%s", deep));
    CHECK_HAS(heard(e), "'error':{'code':-32");
    check_alive(e);
    end_free(e);
}

static void empty_lines_and_white_space_are_let_be(void) {
    end *const e = server_speaking(HANDSHAKE);
    say(e, "");
    say(e, "\r");
    EXPECT(e, "");
    say(e, " {'jsonrpc':'2.0','id':1,'method':'ping'} \r");
    EXPECT(e, "{'jsonrpc':'2.0','id':1,'result':{}}");
    end_free(e);
}

/* ---- The client's end ---- */

static void a_client_answers_requests_that_it_cannot_serve(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = client_of(revision_at(i), HANDSHAKE);
        end_serve(e, "sampling/createMessage", say_hello);
        open_client(e);
        say(e, "{'jsonrpc':'2.0','id':4,'method':'no/such'}");
        CHECK_HAS(heard(e), "'id':4,'error':{'code':-32601");
        say(e, "{'jsonrpc':'2.0','id':5,'method':'sampling/createMessage','params':{}}");
        CHECK_HAS(heard(e), "'id':5,'error':{'code':-32602");
        say(e, "{'jsonrpc':'1.0','id':6,'method':'ping'}");
        CHECK_HAS(heard(e), "'id':6,'error':{'code':-32600");
        end_free(e);
    }
}

/* Text that a server prints by mistake. Some servers end when they are told that it was no message. */
static const char *const garbage[] = {"hello",
                                      "{",
                                      "[",
                                      "[]",
                                      "[1,'x']",
                                      "\xff",
                                      "1",
                                      "null",
                                      "{}",
                                      "{'jsonrpc':'2.0','id':1}",
                                      "{'level':'info','method':'start'}",
                                      "{'jsonrpc':'2.0','id':{},'method':'x'}",
                                      "{'jsonrpc':'2.0','id':null,'method':'x'}"};

static void say_garbage(end *e) {
    char line[3000];
    memset(line, ' ', sizeof line);
    line[sizeof line - 1] = '\0';
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        const int before =
            e->diagnostics[MCPW_DIAGNOSTIC_BAD_LINE] + e->diagnostics[MCPW_DIAGNOSTIC_BAD_MESSAGE];
        say(e, garbage[i]);
        EXPECT(e, "");
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_BAD_LINE] + e->diagnostics[MCPW_DIAGNOSTIC_BAD_MESSAGE] >
              before);
    }
    say(e, line);
    EXPECT(e, "");
    CHECK_HAS(e->last_diagnostic, "longer than 1000 bytes");
}

static void a_client_notes_what_is_no_request_and_does_not_answer_it(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), HANDSHAKE);
        e->config.max_message = 1000;
        open_client(e);
        say_garbage(e);
        end_free(e);
    }
}

static void a_client_does_not_answer_what_is_no_request_while_it_opens(void) {
    end *const e = client_of(MODERN, MODERN);
    e->config.max_message = 1000;
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    CHECK_HAS(heard(e), "server/discover");
    say_garbage(e);
    e->speaks = mcpw_find_revision(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32601,'message':'no'}}");
    CHECK_HAS(heard(e), "'method':'initialize'");
    say_garbage(e);
    CHECK(e->opened == 0);
    end_free(e);
}

static void a_client_of_a_revision_without_server_requests_answers_nothing(void) {
    static const char *const lines[] = {"{",
                                        "{'jsonrpc':'2.0','id':1,'method':'ping'}",
                                        "{'jsonrpc':'2.0','id':1,'method':'roots/list','params':{}}",
                                        "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':5}",
                                        "{'jsonrpc':'2.0','id':{},'method':'x'}",
                                        "[]"};
    end *const e = client_of(MODERN, MODERN);
    e->config.max_message = 1000;
    open_client(e);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        say(e, lines[i]);
        EXPECT(e, "");
    }
    char line[3000];
    memset(line, ' ', sizeof line);
    line[sizeof line - 1] = '\0';
    say(e, line);
    EXPECT(e, "");
    end_free(e);
}

/* ---- Batches ---- */

static end *batch_server(end_handler call) {
    end *const e = server_of(BATCHING, HANDSHAKE);
    end_serve(e, "tools/call", call);
    open_server(e);
    return e;
}

static void a_batch_is_answered_in_one_line(void) {
    end *const e = batch_server(say_hello);
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'ping'},{'jsonrpc':'2.0','id':'2','method':'ping'}]");
    EXPECT(e, "[{'jsonrpc':'2.0','id':1,'result':{}},{'jsonrpc':'2.0','id':'2','result':{}}]");
    EXPECT(e, "");
    end_free(e);
}

static void a_batch_with_broken_entries_answers_each(void) {
    end *const e = batch_server(say_hello);
    e->unchecked = true; /* an error with id null is in no schema of that time */
    say(e, " [1,{'jsonrpc':'2.0','id':2,'method':'ping'},{'jsonrpc':'2.0','id':3,'method':'tools/call'},{},"
           "{'jsonrpc':'2.0','method':'notifications/roots/list_changed'},[]]");
    const char *const line = heard(e);
    CHECK_HAS(line, "[{'jsonrpc':'2.0','id':null,'error':{'code':-32600");
    CHECK_HAS(line, "{'jsonrpc':'2.0','id':2,'result':{}}");
    CHECK_HAS(line, "{'jsonrpc':'2.0','id':3,'error':{'code':-32602");
    CHECK(line[strlen(line) - 1] == ']');
    mcpw_json all = mcpw_json_of(line, strlen(line));
    CHECK(mcpw_json_count(all) == 5);
    EXPECT(e, "");
    end_free(e);
}

static void a_batch_of_notifications_has_no_answer(void) {
    end *const e = batch_server(say_hello);
    say(e, "[{'jsonrpc':'2.0','method':'notifications/roots/list_changed'},"
           "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}]");
    EXPECT(e, "");
    end_free(e);
}

static void a_batch_of_answers_has_no_answer(void) {
    end *const e = batch_server(say_hello);
    CHECK(call(e, "ping", NULL) == MCPW_OK && call(e, "roots/list", NULL) == MCPW_OK);
    run_to_idle(e);
    say(e, "[{'jsonrpc':'2.0','id':2,'result':{'roots':[]}},{'jsonrpc':'2.0','id':1,'result':{}}]");
    EXPECT(e, "");
    CHECK(e->out.count == 2 && e->out.status == MCPW_OK);
    end_free(e);
}

static void a_batch_waits_for_its_last_answer(void) {
    end *const e = batch_server(keep);
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'}},"
           "{'jsonrpc':'2.0','id':2,'method':'ping'}]");
    EXPECT(e, "");
    say(e, "{'jsonrpc':'2.0','id':3,'method':'ping'}");
    EXPECT(e, "{'jsonrpc':'2.0','id':3,'result':{}}");
    CHECK(answer(e, e->kept, "{'content':[]}") == MCPW_OK);
    EXPECT(e, "[{'jsonrpc':'2.0','id':2,'result':{}},{'jsonrpc':'2.0','id':1,'result':{'content':[]}}]");
    end_free(e);
}

static void a_cancelled_request_lets_its_batch_go(void) {
    end *const e = batch_server(keep);
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'}},"
           "{'jsonrpc':'2.0','id':2,'method':'ping'}]");
    say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    EXPECT(e, "[{'jsonrpc':'2.0','id':2,'result':{}}]");
    CHECK(e->cancels == 1);
    end_free(e);
}

static void a_batch_whose_requests_are_all_cancelled_has_no_answer(void) {
    end *const e = batch_server(keep);
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'}},"
           "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}]");
    EXPECT(e, "");
    CHECK(e->cancels == 1 && !mcpw_session_is_busy(e->session));
    end_free(e);
}

static void an_empty_batch_is_an_invalid_request(void) {
    end *const e = batch_server(say_hello);
    say(e, "[]");
    CHECK_HAS(heard(e), "{'jsonrpc':'2.0','id':null,'error':{'code':-32600");
    say(e, "[ ]");
    CHECK_HAS(heard(e), "{'jsonrpc':'2.0','id':null,'error':{'code':-32600");
    end_free(e);
}

static void a_batch_that_is_no_json_is_a_parse_error(void) {
    end *const e = batch_server(say_hello);
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'ping'},");
    CHECK_HAS(heard(e), "{'jsonrpc':'2.0','id':null,'error':{'code':-32700");
    EXPECT(e, "");
    end_free(e);
}

/* The answer to an entry of two bytes has fifty times as many. */
static void a_batch_of_too_many_is_refused_as_a_whole(void) {
    enum { ENTRIES = 5000, ENTRY = 2 };
    end *const e = server_of(BATCHING, BATCHING);
    char *const text = malloc(ENTRIES * ENTRY + 1);
    open_server(e);
    for (size_t i = 0; i < ENTRIES; i++) {
        memcpy(text + i * ENTRY, i == 0 ? "[1" : ",1", ENTRY);
    }
    text[ENTRIES * ENTRY] = ']';
    CHECK(say_bytes(e, text, ENTRIES * ENTRY + 1) == MCPW_OK);
    free(text);
    const char *const line = heard(e);
    CHECK_HAS(line, "'error':{'code':-32600");
    CHECK_HAS(line, "a batch has at most 4096 messages");
    EXPECT(e, "");
    end_free(e);
}

static void a_batch_within_a_batch_is_an_invalid_request(void) {
    end *const e = batch_server(say_hello);
    e->unchecked = true; /* an error with id null is in no schema of that time */
    say(e, "[[{'jsonrpc':'2.0','id':1,'method':'ping'}],{'jsonrpc':'2.0','id':2,'method':'ping'}]");
    const char *const line = heard(e);
    CHECK_HAS(line, "[{'jsonrpc':'2.0','id':null,'error':{'code':-32600");
    CHECK_HAS(line, "{'jsonrpc':'2.0','id':2,'result':{}}]");
    say(e, "[[{'jsonrpc':'2.0','id':1,'method':'ping'}]]");
    CHECK_HAS(heard(e), "[{'jsonrpc':'2.0','id':null,'error':{'code':-32600");
    EXPECT(e, "");
    end_free(e);
}

static void white_space_before_a_batch_is_let_be(void) {
    end *const e = batch_server(say_hello);
    say(e, "\r[{'jsonrpc':'2.0','id':1,'method':'ping'}]");
    EXPECT(e, "[{'jsonrpc':'2.0','id':1,'result':{}}]");
    say(e, " \t\r [{'jsonrpc':'2.0','id':2,'method':'ping'}]");
    EXPECT(e, "[{'jsonrpc':'2.0','id':2,'result':{}}]");
    end_free(e);
}

static void a_batch_before_initialize_is_answered_as_its_messages_are(void) {
    end *const e = server_of(BATCHING, HANDSHAKE);
    e->config.revisions = OLDEST " " BATCHING;
    end_start(e);
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'ping'},{'jsonrpc':'2.0','id':2,'method':'tools/list'},"
           "{'jsonrpc':'2.0','id':3,'method':'initialize','params':{'protocolVersion':'2025-03-26',"
           "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}]");
    const char *const line = heard(e);
    CHECK_HAS(line, "[{'jsonrpc':'2.0','id':1,'result':{}}");
    CHECK_HAS(line, "{'jsonrpc':'2.0','id':2,'error':{'code':-32602");
    CHECK_HAS(line, "{'jsonrpc':'2.0','id':3,'error':{'code':-32600");
    CHECK(mcpw_session_revision(e->session) == NULL);
    open_server(e);
    end_free(e);
}

static void initialize_has_no_place_in_a_batch(void) {
    end *const e = server_of(BATCHING, HANDSHAKE);
    end_start(e);
    e->unchecked = true;
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-03-26',"
           "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}]");
    CHECK_HAS(heard(e), "'error':{'code':-32600");
    CHECK(mcpw_session_revision(e->session) == NULL && e->opened == 0);
    e->unchecked = false;
    open_server(e);
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-03-26',"
           "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}]");
    CHECK_HAS(heard(e), "[{'jsonrpc':'2.0','id':1,'error':{'code':-32600");
    CHECK(e->opened == 1);
    end_free(e);
}

static void a_batch_in_flight_is_answered_when_the_session_closes(void) {
    end *const e = batch_server(keep);
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'}}]");
    mcpw_session_close(e->session);
    CHECK_HAS(heard(e), "[{'jsonrpc':'2.0','id':1,'error':{'code':-32603");
    end_free(e);
}

int main(void) {
    RUN(text_that_is_no_json_is_a_parse_error);
    RUN(json_that_is_no_message_is_an_invalid_request);
    RUN(a_broken_envelope_is_answered_with_its_id);
    RUN(an_unknown_method_is_not_found);
    RUN(an_unknown_method_with_bad_params_is_not_found);
    RUN(broken_params_name_the_place);
    RUN(missing_params_are_invalid_params);
    RUN(broken_notifications_and_answers_are_not_answered);
    RUN(an_unknown_notification_is_only_noted);
    RUN(keys_are_case_sensitive_and_stand_once);
    RUN(an_array_is_an_invalid_request_where_there_are_no_batches);
    RUN(a_line_that_is_too_long_is_refused_and_the_next_is_served);
    RUN(nesting_without_end_is_refused);
    RUN(empty_lines_and_white_space_are_let_be);
    RUN(a_client_answers_requests_that_it_cannot_serve);
    RUN(a_client_notes_what_is_no_request_and_does_not_answer_it);
    RUN(a_client_does_not_answer_what_is_no_request_while_it_opens);
    RUN(a_client_of_a_revision_without_server_requests_answers_nothing);
    RUN(a_batch_is_answered_in_one_line);
    RUN(a_batch_with_broken_entries_answers_each);
    RUN(a_batch_of_notifications_has_no_answer);
    RUN(a_batch_of_answers_has_no_answer);
    RUN(a_batch_waits_for_its_last_answer);
    RUN(a_cancelled_request_lets_its_batch_go);
    RUN(a_batch_whose_requests_are_all_cancelled_has_no_answer);
    RUN(an_empty_batch_is_an_invalid_request);
    RUN(a_batch_that_is_no_json_is_a_parse_error);
    RUN(a_batch_of_too_many_is_refused_as_a_whole);
    RUN(a_batch_within_a_batch_is_an_invalid_request);
    RUN(white_space_before_a_batch_is_let_be);
    RUN(a_batch_before_initialize_is_answered_as_its_messages_are);
    RUN(initialize_has_no_place_in_a_batch);
    RUN(a_batch_in_flight_is_answered_when_the_session_closes);
    return check_end();
}
