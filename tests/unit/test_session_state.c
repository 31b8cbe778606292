/* SPDX-License-Identifier: MIT */
/* requestState: what a server that makes no requests keeps in its client's hands from one round to the next.
 */

#include "session_asking.h"

static void what_is_not_answered_is_asked_again(void) {
    end *const e = server_asking(MODERN, MODERN, ask_two);
    char state[HARNESS_TEXT];
    say_request(e, "1", "tools/call", "'name':'t'");
    run_to_idle(e);
    say_request(e, "2", "tools/call", "'name':'t','inputResponses':{'b':" SAMPLED ",'other':" ROOTED "}");
    const char *const line = heard(e);
    CHECK_HAS(line, "'inputRequests':{'a':{'method':'roots/list','params':{}}}");
    (void)snprintf(state, sizeof state, "%s", state_of(line));
    CHECK(state[0] != '\0');
    say_request(e, "3", "tools/call",
                fmt("'name':'t','inputResponses':{'a':" ROOTED "},'requestState':'%s'", state));
    CHECK_HAS(heard(e), "'id':3,'result':{'resultType':'complete'");
    end_free(e);
}

/* The client may answer more than it was asked; none of that is carried on. */
static void only_what_was_asked_is_kept_for_the_next_round(void) {
    end *const e = server_asking(MODERN, MODERN, ask_two);
    say_request(e, "1", "tools/call", "'name':'t'");
    run_to_idle(e);
    say_request(e, "2", "tools/call", "'name':'t','inputResponses':{'other':" ROOTED "}");
    CHECK_STRING(state_of(heard(e)), "");
    end_free(e);
}

static void rounds_keep_answers_and_state(void) {
    static const char *const keys[] = {"one", "two", "three"};
    for (int i = place_of(ELICITING); i < legacy_count(); i++) {
        end *const e = server_asking(revision_at(i), MODERN, ask_in_rounds);
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

static const char key[] = "0123456789abcdef0123456789abcdef";

static end *keyed_server(const char *revisions, uint64_t time) {
    end *const e = server_of(MODERN, MODERN);
    e->config.revisions = revisions;
    e->config.state_key = (mcpw_str){key, sizeof key - 1};
    e->config.clock = told_time;
    e->config.input_ttl_ms = 1000;
    e->time = time;
    end_serve(e, "tools/call", ask_in_rounds);
    end_serve(e, "prompts/get", keep);
    open_server(e);
    return e;
}

/* The state that a server gives to a call with these members. */
static const char *state_for(end *e, const char *members) {
    say_request(e, "0", "tools/call", members);
    return state_of(heard(e));
}

static void accepts(end *e, const char *members, const char *state) {
    say_request(e, "1", "tools/call", fmt("%s,'requestState':'%s'", members, state));
    CHECK_HAS(heard(e), "'id':1,'result':{'resultType':'input_required'");
}

static void refuses(end *e, const char *members, const char *state, const char *why) {
    say_request(e, "1", "tools/call", fmt("%s,'requestState':'%s'", members, state));
    const char *const line = heard(e);
    CHECK_HAS(line, "'id':1,'error':{'code':-32602,'message':'Invalid params: /requestState: ");
    CHECK_HAS(line, why);
}

static void a_state_expires(void) {
    end *const e = keyed_server(NULL, 5000);
    char state[HARNESS_TEXT] = "";
    (void)snprintf(state, sizeof state, "%s", state_for(e, "'name':'t'"));
    e->time = 5999;
    accepts(e, "'name':'t'", state);
    e->time = 6000;
    accepts(e, "'name':'t'", state);
    e->time = 6001;
    refuses(e, "'name':'t'", state, "expired");
    end_free(e);
}

static mcpw_status ask_patiently(end *e, mcpw_request *request, const void *params) {
    mcpw_request_set_patience(request, 50);
    return ask_in_rounds(e, request, params);
}

static void a_state_lasts_as_long_as_its_request_is_patient(void) {
    end *const e = server_of(MODERN, MODERN);
    char state[HARNESS_TEXT] = "";
    e->config.clock = told_time;
    end_serve(e, "tools/call", ask_patiently);
    open_server(e);
    (void)snprintf(state, sizeof state, "%s", state_for(e, "'name':'t'"));
    e->time = 50;
    accepts(e, "'name':'t'", state);
    e->time = 51;
    refuses(e, "'name':'t'", state, "expired");
    end_free(e);
}

static void a_state_may_never_expire(void) {
    end *const e = server_of(MODERN, MODERN);
    char state[HARNESS_TEXT] = "";
    e->config.input_ttl_ms = UINT64_MAX;
    e->config.clock = told_time;
    e->time = 5000;
    end_serve(e, "tools/call", ask_in_rounds);
    open_server(e);
    (void)snprintf(state, sizeof state, "%s", state_for(e, "'name':'t'"));
    e->time = UINT64_MAX;
    accepts(e, "'name':'t'", state);
    end_free(e);
}

/* The time of a session begins again with each process; that of its states does not. */
static void a_state_outlives_its_session_but_not_its_time(void) {
    end *const first = keyed_server(NULL, 5000);
    char state[HARNESS_TEXT] = "";
    mcpw_session_advance(first->session, 1000000000);
    (void)snprintf(state, sizeof state, "%s", state_for(first, "'name':'t'"));
    end_free(first);
    end *const second = keyed_server(NULL, 6000);
    accepts(second, "'name':'t'", state);
    second->time = 6001;
    refuses(second, "'name':'t'", state, "expired");
    end_free(second);
}

static void a_state_of_the_form_before_is_refused(void) {
    end *const e = keyed_server(NULL, 5000);
    refuses(e, "'name':'t'",
            "gCauGqokTlpuUQTmhKpQc4I3LNHlZaUXNurBB77CDz17Im0iOiJ0b29scy9jYWxsIiwibiI6InQiLCJlIjo5MDAwMDAwMDAw"
            "MDAwMDAwLCJjIjp7ImEiOnt9LCJzIjp7InJvdW5kcyI6MX19fQ",
            "another version");
    end_free(e);
}

static void a_state_is_good_for_its_params_alone(void) {
    static const char made_for[] = "'name':'t','arguments':{'a':1,'b':[{'c':'\\u0041','d':null},2]}";
    static const char *const same[] = {
        "'arguments':{'b':[{'d':null,'c':'A'},2],'a':1},'name':'t'",
        "'name':'t','arguments': { 'a' : 1 , 'b' : [ { 'c' : 'A', 'd' : null } , 2 ] }",
        "'name':'t','inputResponses':{'x':" ACCEPTED "},'arguments':{'a':1,'b':[{'c':'A','d':null},2]}"};
    static const char *const others[] = {
        "'name':'t'",
        "'name':'u','arguments':{'a':1,'b':[{'c':'A','d':null},2]}",
        "'name':'t','arguments':{'a':2,'b':[{'c':'A','d':null},2]}",
        "'name':'t','arguments':{'a':'1','b':[{'c':'A','d':null},2]}",
        "'name':'t','arguments':{'a':1,'b':[2,{'c':'A','d':null}]}",
        "'name':'t','arguments':{'a':1,'b':[{'d':'A','c':null},2]}",
        "'name':'t','arguments':{'a':1,'b':[{'c':'A','d':null},2],'_meta':0}",
        "'name':'t','more':1,'arguments':{'a':1,'b':[{'c':'A','d':null},2]}"};
    end *const e = keyed_server(NULL, 5000);
    char state[HARNESS_TEXT] = "";
    (void)snprintf(state, sizeof state, "%s", state_for(e, made_for));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        accepts(e, same[i], state);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        refuses(e, others[i], state, "another request, with other params or of another user");
    }
    end_free(e);
}

/* Deep in them the order of members counts, but nothing is left out. */
static void a_state_is_bound_to_deep_params(void) {
    enum { DEPTH = 100 };
    char open[DEPTH + 1] = "";
    char close[DEPTH + 1] = "";
    end *const e = keyed_server(NULL, 5000);
    char state[HARNESS_TEXT] = "";
    memset(open, '[', DEPTH);
    memset(close, ']', DEPTH);
    (void)snprintf(state, sizeof state, "%s",
                   state_for(e, fmt("'name':'t','arguments':{'a':%s{'b':'}]'}%s}", open, close)));
    accepts(e, fmt("'name':'t','arguments':{'a':%s { 'b' : '}]' } %s}", open, close), state);
    refuses(e, fmt("'name':'t','arguments':{'a':%s{'b':'}} '}%s}", open, close), state, "another request");
    refuses(e, fmt("'name':'t','arguments':{'a':%s{'b':'}]'},0%s}", open, close), state, "another request");
    end_free(e);
}

static void a_state_is_good_for_its_principal_alone(void) {
    static const mcpw_str ada = MCPW_STR("ada");
    static const mcpw_str bob = MCPW_STR("bob");
    static const mcpw_str empty = MCPW_STR("");
    static const mcpw_str nobody = {NULL, 0};
    const mcpw_str all[] = {ada, bob, empty, nobody};
    end *const e = keyed_server(NULL, 5000);
    char state[HARNESS_TEXT] = "";
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK(mcpw_session_set_principal(e->session, all[i]) == MCPW_OK);
        (void)snprintf(state, sizeof state, "%s", state_for(e, "'name':'t'"));
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            CHECK(mcpw_session_set_principal(e->session, all[k]) == MCPW_OK);
            if (i == k) {
                accepts(e, "'name':'t'", state);
            } else {
                refuses(e, "'name':'t'", state, "another user");
            }
        }
    }
    end_free(e);
}

static void a_request_keeps_the_principal_that_it_came_with(void) {
    static const mcpw_str bob = MCPW_STR("bob");
    static const mcpw_str nobody = {NULL, 0};
    end *const e = server_of(MODERN, MODERN);
    e->config.principal = (mcpw_str)MCPW_STR("ada");
    end_serve(e, "tools/call", keep);
    open_server(e);
    say_request(e, "1", "tools/call", "'name':'t'");
    mcpw_request *const first = e->kept;
    CHECK(mcpw_session_set_principal(e->session, bob) == MCPW_OK);
    say_request(e, "2", "tools/call", "'name':'t'");
    mcpw_request *const second = e->kept;
    CHECK(mcpw_session_set_principal(e->session, nobody) == MCPW_OK);
    say_request(e, "3", "tools/call", "'name':'t'");
    CHECK_STRING(mcpw_request_principal(first).ptr, "ada");
    CHECK_STRING(mcpw_request_principal(second).ptr, "bob");
    CHECK(mcpw_request_principal(e->kept).ptr == NULL);
    end_free(e);
}

static void a_state_is_good_for_its_method_and_key_alone(void) {
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

int main(void) {
    check_test = "signs_states";
    if (!signs_states()) {
        (void)fprintf(stderr, "skipped: rounds that keep a state, which need libsodium\n");
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    RUN(what_is_not_answered_is_asked_again);
    RUN(only_what_was_asked_is_kept_for_the_next_round);
    RUN(rounds_keep_answers_and_state);
    RUN(a_state_that_was_changed_is_refused);
    RUN(a_state_expires);
    RUN(a_state_outlives_its_session_but_not_its_time);
    RUN(a_state_lasts_as_long_as_its_request_is_patient);
    RUN(a_state_of_the_form_before_is_refused);
    RUN(a_state_is_good_for_its_params_alone);
    RUN(a_state_is_bound_to_deep_params);
    RUN(a_state_is_good_for_its_principal_alone);
    RUN(a_request_keeps_the_principal_that_it_came_with);
    RUN(a_state_may_never_expire);
    RUN(a_state_is_good_for_its_method_and_key_alone);
    return check_end();
}
