/* SPDX-License-Identifier: MIT */
/* Questions in the middle of a request. The same handler asks in every revision: where servers make requests
 * each question is one, in 2026-07-28 they travel in rounds of input_required. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include "session_harness.h"

#include <stdlib.h>

#define ELICIT "{'message':'Who?','requestedSchema':{'type':'object','properties':{'n':{'type':'string'}}}}"
#define SAMPLE "{'messages':[{'role':'user','content':{'type':'text','text':'hi'}}],'maxTokens':5}"
#define ACCEPTED "{'action':'accept','content':{'n':'Ada'}}"
#define SAMPLED "{'role':'assistant','content':{'type':'text','text':'yo'},'model':'m'}"
#define ROOTED "{'roots':[{'uri':'file:///r'}]}"

/* Asks in the handlers' revision; params NULL: none. text receives the answer. */
static mcpw_status ask(end *e, mcpw_request *request, const char *key, const char *method, const char *params,
                       char *text, size_t room) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, method, strlen(method));
    const mcpw_method *const entry = mcpw_method_entry(revision, number);
    const void *const value =
        params != NULL ? decoded(entry->params, params, mcpw_request_arena(request)) : NULL;
    mcpw_result result = {NULL, NULL};
    mcpw_error error = {0};
    const mcpw_status status = mcpw_request_ask(request, key, revision, number, value, &result, &error);
    CHECK((result.value != NULL) == (status == MCPW_OK));
    CHECK(status == MCPW_OK || status == MCPW_PENDING || error.code == status);
    if (status == MCPW_OK && text != NULL) {
        mcpw_buffer out = MCPW_BUFFER_INIT;
        CHECK(mcpw_encode(result.type, result.value, &out, NULL, NULL) == MCPW_OK);
        (void)snprintf(text, room, "%.*s", (int)out.len, out.data);
        mcpw_buffer_free(&out);
    }
    return status;
}

static mcpw_status ask_one(end *e, mcpw_request *request, const char *method, const char *params) {
    const mcpw_status status = ask(e, request, "q", method, params, e->text, sizeof e->text);
    return status == MCPW_OK ? say_hello(e, request, "") : status;
}

static mcpw_status ask_elicit(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_one(e, request, "elicitation/create", ELICIT);
}

static mcpw_status ask_sample(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_one(e, request, "sampling/createMessage", SAMPLE);
}

static mcpw_status ask_roots(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_one(e, request, "roots/list", NULL);
}

static const struct {
    const char *method;
    end_handler handler;
    int since; /* index of the first revision that has it */
    const char *answer;
} questions[] = {{"elicitation/create", ask_elicit, 2, ACCEPTED},
                 {"sampling/createMessage", ask_sample, 0, SAMPLED},
                 {"roots/list", ask_roots, 0, ROOTED}};
enum { QUESTIONS = 3 };

static end *server_asking(const char *speaks, const char *handled, end_handler call) {
    end *const e = server_of(speaks, handled);
    end_serve(e, "tools/call", call);
    open_server(e);
    return e;
}

/* ---- The server's end, word by word ---- */

static void a_question_is_a_request_where_servers_make_them(void) {
    for (int k = 0; k < QUESTIONS; k++) {
        for (int i = questions[k].since; i < LEGACY_COUNT; i++) {
            for (int h = questions[k].since; h < ALL_COUNT; h++) {
                end *const e = server_asking(all_revisions[i], all_revisions[h], questions[k].handler);
                say_request(e, "1", "tools/call", "'name':'t'");
                CHECK_HAS(heard(e), fmt("{'jsonrpc':'2.0','id':1,'method':'%s'", questions[k].method));
                EXPECT(e, "");
                CHECK(e->runs == 1);
                say(e, fmt("{'jsonrpc':'2.0','id':1,'result':%s}", questions[k].answer));
                CHECK_HAS(heard(e), "'id':1,'result':{'content'");
                CHECK(e->runs == 2 && !mcpw_session_is_busy(e->session));
                end_free(e);
            }
        }
    }
}

static const char *state_of(const char *line) {
    static char state[HARNESS_TEXT];
    const mcpw_json all = {line, strlen(line)};
    mcpw_json result = {NULL, 0};
    mcpw_json value = {NULL, 0};
    state[0] = '\0';
    if (mcpw_json_get(all, "result", &result) == MCPW_OK &&
        mcpw_json_get(result, "requestState", &value) == MCPW_OK) {
        (void)snprintf(state, sizeof state, "%.*s", (int)value.len - 2, value.ptr + 1);
    }
    return state;
}

static void a_question_is_a_round_of_input_where_servers_make_no_requests(void) {
    for (int k = 0; k < QUESTIONS; k++) {
        for (int h = questions[k].since; h < ALL_COUNT; h++) {
            end *const e = server_asking(MODERN, all_revisions[h], questions[k].handler);
            say_request(e, "1", "tools/call", "'name':'t'");
            const char *const line = heard(e);
            CHECK_HAS(line, fmt("'id':1,'result':{'resultType':'input_required','inputRequests':{'q':{"
                                "'method':'%s'",
                                questions[k].method));
            CHECK(!mcpw_session_is_busy(e->session));
            say_request(e, "2", "tools/call",
                        fmt("'name':'t','inputResponses':{'q':%s}", questions[k].answer));
            CHECK_HAS(heard(e), "'id':2,'result':{'resultType':'complete','content'");
            CHECK(e->runs == 2);
            end_free(e);
        }
    }
}

static mcpw_status ask_two(end *e, mcpw_request *request, const void *params) {
    const mcpw_status roots = ask(e, request, "a", "roots/list", NULL, NULL, 0);
    const mcpw_status sample = ask(e, request, "b", "sampling/createMessage", SAMPLE, NULL, 0);
    if (roots == MCPW_PENDING || sample == MCPW_PENDING) {
        return MCPW_PENDING;
    }
    CHECK(roots == MCPW_OK && sample == MCPW_OK);
    return say_hello(e, request, params);
}

static void several_questions_are_asked_at_once(void) {
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
    CHECK_HAS(heard(modern), "'inputRequests':{'a':{'method':'roots/list'},'b':{'method':'sampling/");
    say_request(modern, "10", "tools/call", "'name':'t','inputResponses':{'b':" SAMPLED ",'a':" ROOTED "}");
    CHECK_HAS(heard(modern), "'id':10,'result':{'resultType':'complete'");
    end_free(modern);
}

static void what_is_not_answered_is_asked_again(void) {
    end *const e = server_asking(MODERN, MODERN, ask_two);
    char state[HARNESS_TEXT];
    say_request(e, "1", "tools/call", "'name':'t'");
    hear_all(e);
    say_request(e, "2", "tools/call", "'name':'t','inputResponses':{'b':" SAMPLED ",'other':" ROOTED "}");
    const char *const line = heard(e);
    CHECK_HAS(line, "'inputRequests':{'a':{'method':'roots/list'}}");
    (void)snprintf(state, sizeof state, "%s", state_of(line));
    CHECK(state[0] != '\0');
    say_request(e, "3", "tools/call",
                fmt("'name':'t','inputResponses':{'a':" ROOTED "},'requestState':'%s'", state));
    CHECK_HAS(heard(e), "'id':3,'result':{'resultType':'complete'");
    end_free(e);
}

static mcpw_status ask_without_a_message(end *e, mcpw_request *request, const void *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, "elicitation/create", strlen("elicitation/create"));
    const mcpw_type *const type = mcpw_method_entry(revision, number)->params;
    void *const zeroed = mcpw_arena_alloc(mcpw_request_arena(request), type->size);
    mcpw_result result = {NULL, NULL};
    mcpw_error error = {0};
    (void)params;
    const mcpw_status status =
        mcpw_request_ask(request, "q", revision, number, memset(zeroed, 0, type->size), &result, &error);
    CHECK(status != MCPW_OK && status != MCPW_PENDING && error.code == status && error.message[0] != '\0');
    return status;
}

/* The client has done nothing wrong. */
static void a_question_that_cannot_be_asked_is_an_internal_error(void) {
    for (int i = 2; i < ALL_COUNT; i++) {
        end *const e = server_asking(all_revisions[i], all_revisions[i], ask_without_a_message);
        say_request(e, "1", "tools/call", "'name':'t'");
        const char *const line = heard(e);
        CHECK_HAS(line, "'error':{'code':-32603,'message':'Internal error: ");
        CHECK(e->notes[MCPW_NOTE_HANDLER] == 1);
        end_free(e);
    }
}

/* Three rounds; counts them in its state, and leaves what it was told in the end's text. */
static mcpw_status ask_in_rounds(end *e, mcpw_request *request, const void *params) {
    static const char *const keys[] = {"one", "two", "three"};
    const mcpw_json before = mcpw_request_state(request);
    int64_t rounds = 0;
    CHECK(before.ptr == NULL || mcpw_json_get_int(before, "rounds", &rounds) == MCPW_OK);
    const char *const now = q(fmt("{'rounds':%d}", (int)rounds + 1));
    const mcpw_json after = {now, strlen(now)};
    CHECK(mcpw_request_set_state(request, after) == MCPW_OK);
    for (int i = 0; i < 3; i++) {
        char text[1000];
        const mcpw_status status = ask(e, request, keys[i], "elicitation/create", ELICIT, text, sizeof text);
        if (status != MCPW_OK) {
            CHECK(rounds >= i); /* a retry without answers counts, too */
            return status;
        }
        CHECK_HAS(text, fmt("'n':'%s'", keys[i]));
    }
    CHECK(rounds == 3);
    return say_hello(e, request, params);
}

static void rounds_keep_answers_and_state(void) {
    static const char *const keys[] = {"one", "two", "three"};
    for (int i = 2; i < LEGACY_COUNT; i++) {
        end *const e = server_asking(all_revisions[i], MODERN, ask_in_rounds);
        say_request(e, "'r'", "tools/call", "'name':'t'");
        for (int round = 0; round < 3; round++) {
            CHECK_HAS(heard(e), fmt("'id':%d,'method':'elicitation/create'", round + 1));
            say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{'action':'accept','content':{'n':'%s'}}}",
                       round + 1, keys[round]));
        }
        CHECK_HAS(heard(e), "'id':'r','result':{'content'");
        CHECK(e->runs == 4);
        end_free(e);
    }
    end *const e = server_asking(MODERN, MODERN, ask_in_rounds);
    char state[HARNESS_TEXT] = "";
    say_request(e, "0", "tools/call", "'name':'t'");
    for (int round = 0; round < 3; round++) {
        const char *const line = heard(e);
        CHECK_HAS(line, fmt("'inputRequests':{'%s':{", keys[round]));
        (void)snprintf(state, sizeof state, "%s", state_of(line));
        CHECK(state[0] != '\0');
        say_request(e, fmt("%d", round + 1), "tools/call",
                    fmt("'name':'t','inputResponses':{'%s':{'action':'accept','content':{'n':'%s'}}},"
                        "'requestState':'%s'",
                        keys[round], keys[round], state));
    }
    CHECK_HAS(heard(e), "'id':3,'result':{'resultType':'complete'");
    CHECK(e->runs == 4);
    end_free(e);
}

static void a_state_that_was_changed_is_refused(void) {
    end *const e = server_asking(MODERN, MODERN, ask_in_rounds);
    char state[HARNESS_TEXT] = "";
    say_request(e, "0", "tools/call", "'name':'t'");
    (void)snprintf(state, sizeof state, "%s", state_of(heard(e)));
    const size_t len = strlen(state);
    for (size_t at = 0; at < len; at += 7) {
        const char before = state[at];
        state[at] = before == 'A' ? 'B' : 'A';
        say_request(e, "1", "tools/call", fmt("'name':'t','requestState':'%s'", state));
        CHECK_HAS(heard(e), "'id':1,'error':{'code':-32602");
        state[at] = before;
    }
    static const char *const others[] = {"", "x", "!", "AAAA"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        say_request(e, "1", "tools/call", fmt("'name':'t','requestState':'%s'", others[i]));
        CHECK_HAS(heard(e), "'id':1,'error':{'code':-32602");
    }
    CHECK(e->runs == 1);
    say_request(e, "2", "tools/call", fmt("'name':'t','requestState':'%s'", state));
    CHECK_HAS(heard(e), "'id':2,'result':{'resultType':'input_required'");
    end_free(e);
}

static void a_state_expires(void) {
    end *const e = server_of(MODERN, MODERN);
    char state[HARNESS_TEXT] = "";
    e->config.input_ttl = 1000;
    end_serve(e, "tools/call", ask_in_rounds);
    open_server(e);
    mcpw_session_advance(e->session, 5000);
    say_request(e, "0", "tools/call", "'name':'t'");
    (void)snprintf(state, sizeof state, "%s", state_of(heard(e)));
    mcpw_session_advance(e->session, 6000);
    say_request(e, "1", "tools/call", fmt("'name':'t','requestState':'%s'", state));
    CHECK_HAS(heard(e), "'result':{'resultType':'input_required'");
    mcpw_session_advance(e->session, 6001);
    say_request(e, "2", "tools/call", fmt("'name':'t','requestState':'%s'", state));
    CHECK_HAS(heard(e), "'id':2,'error':{'code':-32602");
    end_free(e);
}

static void a_state_may_never_expire(void) {
    end *const e = server_of(MODERN, MODERN);
    char state[HARNESS_TEXT] = "";
    e->config.input_ttl = UINT64_MAX;
    end_serve(e, "tools/call", ask_in_rounds);
    open_server(e);
    mcpw_session_advance(e->session, 5000);
    say_request(e, "0", "tools/call", "'name':'t'");
    (void)snprintf(state, sizeof state, "%s", state_of(heard(e)));
    mcpw_session_advance(e->session, INT64_MAX);
    say_request(e, "1", "tools/call", fmt("'name':'t','requestState':'%s'", state));
    CHECK_HAS(heard(e), "'result':{'resultType':'input_required'");
    end_free(e);
}

static void a_state_is_good_for_its_method_and_key_alone(void) {
    static const char key[] = "0123456789abcdef0123456789abcdef";
    static const char other[] = "0123456789abcdef0123456789abcdeF";
    char state[HARNESS_TEXT] = "";
    for (int i = 0; i < 3; i++) {
        end *const e = server_of(MODERN, MODERN);
        e->config.state_key = (mcpw_str){i == 2 ? other : key, sizeof key - 1};
        end_serve(e, "tools/call", ask_in_rounds);
        end_serve(e, "prompts/get", keep);
        open_server(e);
        if (i == 0) {
            say_request(e, "0", "tools/call", "'name':'t'");
            (void)snprintf(state, sizeof state, "%s", state_of(heard(e)));
            say_request(e, "1", "prompts/get", fmt("'name':'t','requestState':'%s'", state));
            CHECK_HAS(heard(e), "'id':1,'error':{'code':-32602");
        } else {
            say_request(e, "2", "tools/call", fmt("'name':'t','requestState':'%s'", state));
            CHECK_HAS(heard(e),
                      i == 1 ? "'result':{'resultType':'input_required'" : "'error':{'code':-32602");
        }
        end_free(e);
    }
}

static void a_bad_answer_is_an_error(void) {
    static const char *const answers[] = {"{'content':{}}", "{}", "{'action':5}"};
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        for (int i = 2; i < ALL_COUNT; i++) {
            end *const e = server_asking(all_revisions[i], MODERN, ask_elicit);
            say_request(e, "'r'", "tools/call", "'name':'t'");
            hear_all(e);
            if (is_modern(e->speaks)) {
                say_request(e, "'r'", "tools/call", fmt("'name':'t','inputResponses':{'q':%s}", answers[k]));
            } else {
                say(e, fmt("{'jsonrpc':'2.0','id':1,'result':%s}", answers[k]));
            }
            CHECK_HAS(heard(e), "'id':'r','error':{'code':-32");
            CHECK(!mcpw_session_is_busy(e->session));
            end_free(e);
        }
    }
}

static void a_client_that_lacks_the_capability_is_not_asked(void) {
    for (int k = 0; k < QUESTIONS; k++) {
        for (int i = questions[k].since; i < ALL_COUNT; i++) {
            end *const e = server_of(all_revisions[i], MODERN);
            end_serve(e, "tools/call", questions[k].handler);
            open_server_as(e, "{}");
            say_request_as(e, "1", "tools/call", "'name':'t'", "{}", "");
            const char *const line = heard(e);
            CHECK_HAS(line, fmt("'id':1,'error':{'code':%s", is_modern(e->speaks) ? "-32021" : "-32600"));
            CHECK_HAS(line, fmt("'data':{'requiredCapabilities':{'%.*s':{",
                                (int)strcspn(questions[k].method, "/"), questions[k].method));
            EXPECT(e, "");
            end_free(e);
        }
    }
}

static void a_revision_without_the_question_cannot_be_asked(void) {
    for (int i = 0; i < 2; i++) {
        end *const e = server_asking(all_revisions[i], MODERN, ask_elicit);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'id':1,'error':{'code':-32");
        EXPECT(e, "");
        end_free(e);
    }
}

static void a_client_that_refuses_fails_the_request(void) {
    for (int i = 2; i < LEGACY_COUNT; i++) {
        end *const e = server_asking(all_revisions[i], MODERN, ask_elicit);
        say_request(e, "'r'", "tools/call", "'name':'t'");
        hear_all(e);
        say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-1,'message':'User rejected'}}");
        CHECK_HAS(heard(e), "'id':'r','error':{'code':-32603");
        CHECK(e->runs == 2);
        end_free(e);
    }
}

static void a_question_that_is_not_answered_in_time_fails(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_elicit);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    hear_all(e);
    mcpw_session_advance(e->session, 600000);
    CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':1");
    CHECK_HAS(heard(e), "'id':'r','error':{'code':-32603");
    end_free(e);
}

static void a_client_that_goes_away_fails_the_question(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_elicit);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    hear_all(e);
    CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
    CHECK_HAS(heard(e), "'id':'r','error':{'code':-32603");
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static mcpw_status ask_and_give_up(end *e, mcpw_request *request, const void *params) {
    CHECK(ask(e, request, "q", "roots/list", NULL, NULL, 0) == MCPW_PENDING);
    return say_hello(e, request, params);
}

static void an_answer_without_waiting_withdraws_the_question(void) {
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
    CHECK(e->notes[MCPW_NOTE_HANDLER] == 1);
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

static void answer_what_is_noted(void *user, mcpw_session *session, const mcpw_note *note) {
    static const mcpw_json none = {NULL, 0};
    end *const e = user;
    mcpw_request *const kept = e->kept;
    end_on_note(user, session, note);
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

static void a_request_that_ends_while_its_question_is_projected_asks_nothing(void) {
    end *const e = server_of("2025-06-18", MODERN);
    e->config.on_note = answer_what_is_noted;
    end_serve(e, "tools/call", ask_what_is_dropped);
    open_server(e);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    CHECK(e->notes[MCPW_NOTE_DROPPED] == 1 && e->status == MCPW_E_STATE);
    EXPECT(e, "{'jsonrpc':'2.0','id':'r','error':{'code':-1,'message':'never mind'}}");
    EXPECT(e, "");
    say(e, "{'jsonrpc':'2.0','id':1,'result':" SAMPLED "}");
    CHECK(e->runs == 1 && e->notes[MCPW_NOTE_UNKNOWN_REPLY] == 1);
    end_free(e);
}

static mcpw_status ask_roots_and_remember(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->kept = request;
    e->status = ask(e, request, "q", "roots/list", NULL, NULL, 0);
    return e->status;
}

static void a_request_that_ends_while_its_answer_is_projected_gets_none(void) {
    end *const e = server_of(HANDSHAKE, OLDEST);
    e->config.on_note = answer_what_is_noted;
    end_serve(e, "tools/call", ask_roots_and_remember);
    open_server(e);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'id':1,'method':'roots/list'");
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'roots':[{'uri':'file:///r','_meta':{'a':1}}]}}");
    CHECK(e->notes[MCPW_NOTE_DROPPED] == 1 && e->status == MCPW_E_STATE);
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

static void a_request_whose_question_times_out_while_it_is_cancelled_does_not_run_again(void) {
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

static mcpw_status ask_roots_until_it_is_late(end *e, mcpw_request *request, const void *params) {
    const mcpw_status status = ask_roots(e, request, params);
    mcpw_session_advance(e->session, 600000);
    return status;
}

static void a_question_that_ends_while_its_handler_runs_runs_it_again(void) {
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
    for (int i = 2; i < LEGACY_COUNT; i++) {
        end *const e = server_asking(all_revisions[i], MODERN, keep_then_ask);
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
    for (int i = 0; i < ALL_COUNT; i++) {
        end *const e = server_asking(all_revisions[i], MODERN, keep_then_answer);
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

/* Without libsodium nothing is signed, and rounds that have something to keep fail. */
static bool signs_states(void) {
    end *const e = server_asking(MODERN, MODERN, ask_in_rounds);
    say_request(e, "0", "tools/call", "'name':'t'");
    const bool signs = state_of(heard(e))[0] != '\0';
    end_free(e);
    return signs;
}

/* ---- The client's end ---- */

static mcpw_status give_elicit(end *e, mcpw_request *request, const void *params) {
    CHECK(params != NULL);
    return answer(e, request, ACCEPTED);
}
static mcpw_status give_sample(end *e, mcpw_request *request, const void *params) {
    CHECK(params != NULL);
    return answer(e, request, SAMPLED);
}
static mcpw_status give_roots(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, ROOTED);
}

static end *answering_client(const char *speaks, const char *handled, end_handler elicit) {
    end *const e = client_of(speaks, handled);
    if (mcpw_method_number(e->dispatch.revision, "elicitation/create", 18) != 0) {
        end_serve(e, "elicitation/create", elicit);
    }
    end_serve(e, "sampling/createMessage", give_sample);
    end_serve(e, "roots/list", give_roots);
    return e;
}

static void client_and_server_ask_and_answer_in_every_pair_of_revisions(void) {
    for (int wire = 0; wire < ALL_COUNT; wire++) {
        for (int c = 0; c < ALL_COUNT; c++) {
            for (int s = 0; s < ALL_COUNT; s++) {
                for (int k = 0; k < QUESTIONS; k++) {
                    if (wire < questions[k].since || c < questions[k].since || s < questions[k].since) {
                        continue;
                    }
                    end *const client = answering_client(MODERN, all_revisions[c], give_elicit);
                    end *const server = server_of(MODERN, all_revisions[s]);
                    end_serve(server, "tools/call", questions[k].handler);
                    open_pair(client, server, all_revisions[wire]);
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
    for (int wire = 2; wire < ALL_COUNT; wire++) {
        end *const client = answering_client(MODERN, MODERN, give_by_key);
        end *const server = server_of(MODERN, HANDSHAKE);
        end_serve(server, "tools/call", ask_in_rounds);
        open_pair(client, server, all_revisions[wire]);
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

static void a_question_that_nobody_answers_fails_the_call(void) {
    static const char *const asked[] = {
        ASKED("'inputRequests':{'k':{'method':'sampling/createMessage','params':" SAMPLE "}}"),
        ASKED("'inputRequests':{'k':{'method':'tools/list','params':{}}}"),
        ASKED("'inputRequests':{'k':{'method':'no/such'}}"), ASKED("'inputRequests':{'k':{}}"),
        ASKED("'inputRequests':{'k':{'method':'elicitation/create','params':{'message':5}}}")};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        end *const e = client_of(MODERN, MODERN);
        end_serve(e, "elicitation/create", give_elicit);
        open_client(e);
        CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
        hear_all(e);
        say(e, asked[i]);
        EXPECT(e, "");
        CHECK(e->out.count == 1 && e->out.status != MCPW_OK && e->runs == 0);
        end_free(e);
    }
}

static mcpw_status refuse_question(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json none = {NULL, 0};
    (void)e;
    (void)params;
    return mcpw_respond_error(request, -1, "User rejected", none);
}

static void a_handler_that_refuses_fails_the_call(void) {
    end *const e = client_in_a_call(refuse_question);
    say(e, ASKED_TO_ELICIT);
    EXPECT(e, "");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    CHECK_HAS(e->out.why, "User rejected");
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
    hear_all(e);
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
        CHECK(e->notes[MCPW_NOTE_UNKNOWN_REPLY] + e->notes[MCPW_NOTE_BAD_MESSAGE] == 1);
        CHECK(answer(e, e->kept, ACCEPTED) == MCPW_OK);
        CHECK_HAS(heard(e), "'id':3,'method':'tools/call'");
        say(e, "{'jsonrpc':'2.0','id':3,'result':{'resultType':'complete','content':[]}}");
        CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        end_free(e);
    }
}

static void endless_rounds_are_stopped(void) {
    enum { ENDLESS = 1000 };
    end *const e = client_in_a_call(give_elicit);
    int round = 0;
    while (round < ENDLESS && e->out.count == 0) {
        say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':{'resultType':'input_required','requestState':'x'}}",
                   2 + round));
        hear_all(e);
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

#define ASKED_TWICE                                                                                          \
    ASKED("'inputRequests':{'k':{'method':'elicitation/create','params':" ELICIT "},"                        \
          "'l':{'method':'elicitation/create','params':" ELICIT "}},'requestState':'s'")

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
    static const mcpw_json none = {NULL, 0};
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
    RUN(a_question_is_a_request_where_servers_make_them);
    RUN(a_question_is_a_round_of_input_where_servers_make_no_requests);
    RUN(several_questions_are_asked_at_once);
    RUN(a_bad_answer_is_an_error);
    RUN(a_client_that_lacks_the_capability_is_not_asked);
    RUN(a_revision_without_the_question_cannot_be_asked);
    RUN(a_client_that_refuses_fails_the_request);
    RUN(a_question_that_is_not_answered_in_time_fails);
    RUN(a_client_that_goes_away_fails_the_question);
    RUN(an_answer_without_waiting_withdraws_the_question);
    RUN(a_method_that_cannot_ask_is_an_internal_error);
    RUN(a_question_that_cannot_be_asked_is_an_internal_error);
    RUN(prompts_and_resources_ask_too);
    RUN(client_and_server_ask_and_answer_in_every_pair_of_revisions);
    RUN(the_retry_has_a_new_id_and_the_state_as_it_was);
    RUN(a_state_alone_is_sent_back);
    RUN(a_question_that_nobody_answers_fails_the_call);
    RUN(a_handler_that_refuses_fails_the_call);
    RUN(a_round_may_be_answered_later);
    RUN(a_call_that_is_cancelled_in_a_round_ends_it_without_a_word);
    RUN(a_call_may_be_cancelled_by_its_number_after_a_round);
    RUN(a_round_has_until_the_maximum);
    RUN(a_second_answer_in_a_round_is_let_be);
    RUN(endless_rounds_are_stopped);
    RUN(a_handler_may_close_the_session_in_a_round);
    RUN(a_handler_may_cancel_the_call_in_its_round);
    RUN(an_answer_to_a_round_that_is_over_is_refused);
    RUN(a_request_that_ends_while_its_question_is_projected_asks_nothing);
    RUN(a_request_that_ends_while_its_answer_is_projected_gets_none);
    RUN(a_request_whose_question_times_out_while_it_is_cancelled_does_not_run_again);
    RUN(a_question_that_ends_while_its_handler_runs_runs_it_again);
    RUN(a_round_that_is_over_takes_no_answer_from_a_callback);
    RUN(a_handler_that_is_resumed_asks_by_a_request_where_servers_make_them);
    RUN(a_handler_that_is_resumed_may_answer);
    RUN(a_request_that_is_over_is_not_resumed);
    check_test = "signs_states";
    if (!signs_states()) {
        (void)fprintf(stderr, "skipped: rounds that keep a state, which need libsodium\n");
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    RUN(what_is_not_answered_is_asked_again);
    RUN(rounds_keep_answers_and_state);
    RUN(a_state_that_was_changed_is_refused);
    RUN(a_state_expires);
    RUN(a_state_may_never_expire);
    RUN(a_state_is_good_for_its_method_and_key_alone);
    RUN(a_handler_that_is_resumed_asks_by_a_round_where_servers_make_no_requests);
    RUN(rounds_run_between_two_ends);
    return check_end();
}
