/* SPDX-License-Identifier: MIT */
/* requestState: what a server that makes no requests keeps in its client's hands from one round to the next.
 */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include "session_asking.h"

static void what_is_not_answered_is_asked_again(void) {
    end *const e = server_asking(MODERN, MODERN, ask_two);
    char state[HARNESS_TEXT];
    say_request(e, "1", "tools/call", "'name':'t'");
    hear_all(e);
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
    hear_all(e);
    say_request(e, "2", "tools/call", "'name':'t','inputResponses':{'other':" ROOTED "}");
    CHECK_STRING(state_of(heard(e)), "");
    end_free(e);
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
    RUN(a_state_may_never_expire);
    RUN(a_state_is_good_for_its_method_and_key_alone);
    return check_end();
}
