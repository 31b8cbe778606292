/* SPDX-License-Identifier: MIT */
/* Ends of requests that are passed on, at moments when the relay that joins them is in use. */
#include <mcpw/system.h>

#include "session_extending.h"

#define FORM "'message':'Which?','requestedSchema':{'type':'object','properties':{'a':{'type':'string'}}}"
#define ANSWER "'action':'accept','content':{'a':'blue'}"

/* Two ends that pass on to each other what their peers say: `front` has a client, `back` a server. */
static end *front;
static end *back;

static mcpw_status pass_on(const void *handlers, int method, mcpw_request *request, const void *params,
                           void *user) {
    const end *const e = user;
    (void)handlers;
    return mcpw_request_relay(request, e->dispatch.revision, method, params,
                              (e == front ? back : front)->session);
}

static bool has_requests(const void *handlers, int method) {
    const end *const e = handlers;
    return (mcpw_method_flags(mcpw_method_entry(e->dispatch.revision, method)) & MCPW_METHOD_REQUEST) != 0;
}

/* A relay between a client of rounds and a server. Spies see what the server asks. */
static void open_relay(const char *server, spy *s) {
    front = server_of(MODERN, server);
    back = client_of(server, server);
    back->config.capabilities = (mcpw_json)MCPW_JSON("{\"elicitation\":{\"form\":{},\"url\":{}}}");
    end *const ends[] = {front, back};
    for (int i = 0; i < 2; i++) {
        ends[i]->dispatch.has = has_requests;
        ends[i]->dispatch.request = pass_on;
        ends[i]->dispatch.relays = true;
    }
    if (s != NULL) {
        put_spy(back, s, MCPW_PASS_RECEIVED_REQUESTS);
    }
    open_client(back);
    open_server(front);
}

static void close_relay(void) {
    end_free(front);
    end_free(back);
}

/* The id of the call that the server hears next, as JSON. */
static void hear_call(char *id, size_t size) {
    const char *const line = heard(back);
    mcpw_json text = mcpw_json_of("", 0);
    CHECK_HAS(line, "'method':'tools/call'");
    CHECK(mcpw_json_get(mcpw_json_of(line, strlen(line)), "id", &text) == MCPW_OK);
    (void)snprintf(id, size, "%.*s", (int)text.len, text.ptr);
}

static void call_tool(char *id, size_t size) {
    say_request(front, "1", "tools/call", "'name':'t'");
    hear_call(id, size);
}

static void ask(const char *id) {
    say(back, fmt("{'jsonrpc':'2.0','id':%s,'method':'elicitation/create','params':{" FORM "}}", id));
}

/* Comes back with the answer to the one input request that the front end has asked in a line. */
static void come_back(const char *line, const char *id) {
    mcpw_json result = mcpw_json_of(line, strlen(line));
    mcpw_json requests = mcpw_json_of("", 0);
    mcpw_json key = mcpw_json_of("", 0);
    mcpw_json state = mcpw_json_of("", 0);
    mcpw_json_iter at;
    CHECK_HAS(line, "'result':{'resultType':'input_required'");
    CHECK(mcpw_json_get(result, "result", &result) == MCPW_OK &&
          mcpw_json_get(result, "requestState", &state) == MCPW_OK &&
          mcpw_json_get(result, "inputRequests", &requests) == MCPW_OK &&
          mcpw_json_iterate(requests, &at) == MCPW_OK && mcpw_json_next(&at, &key, NULL));
    say_request(front, id, "tools/call",
                fmt("'name':'t','inputResponses':{%.*s:{" ANSWER "}},'requestState':%.*s", (int)key.len,
                    key.ptr, (int)state.len, state.ptr));
}

/* ---- The client goes ---- */

static char call_id[HARNESS_ERROR];
static int answers;

/* The tool answers as soon as its first input request is answered. That refuses the next one, and then the
 * client goes. */
static mcpw_status answer_then_lose_the_client(mcpw_passage *passage) {
    (void)passage;
    if (++answers == 1) {
        say(back, fmt("{'jsonrpc':'2.0','id':%s,'result':{'content':[]}}", call_id));
    } else if (answers == 2) {
        mcpw_session_close(front->session);
    }
    return MCPW_OK;
}

static void a_client_may_go_while_what_its_request_carried_is_refused(void) {
    spy s = {.name = "S", .after = answer_then_lose_the_client};
    answers = 0;
    trace[0] = '\0';
    open_relay(HANDSHAKE, &s);
    call_tool(call_id, sizeof call_id);
    ask("'q'");
    ask("'r'");
    ask("'s'");
    come_back(heard(front), "2");
    CHECK(front->closed == 1 && answers == 3);
    CHECK(!mcpw_session_is_busy(back->session) && !mcpw_session_is_busy(front->session));
    CHECK(s.entered == s.ended);
    close_relay();
}

/* ---- The server asks ---- */

static void ask_in_result(const char *id, const char *state) {
    say(back, fmt("{'jsonrpc':'2.0','id':%s,'result':{'resultType':'input_required','inputRequests':{"
                  "'k':{'method':'elicitation/create','params':{" FORM "}}},'requestState':'%s'}}",
                  id, state));
}

/* A call of the gateway's own asks the client by the request that it has in flight. That one waits for its
 * client, then, when its result comes, which asks for input itself. */
static void a_result_that_asks_for_input_waits_for_the_client_to_come_back(void) {
    char own_id[HARNESS_ERROR];
    open_relay(MODERN, NULL);
    call_tool(call_id, sizeof call_id);
    CHECK(call(back, "tools/call", "'name':'u'") == MCPW_OK);
    hear_call(own_id, sizeof own_id);
    ask_in_result(own_id, "of own");
    (void)snprintf(front->text, sizeof front->text, "%s", heard(front));
    ask_in_result(call_id, "theirs");
    EXPECT(front, "");
    come_back(front->text, "2");
    CHECK_HAS(heard(back), "'inputResponses':{'k':{" ANSWER "}},'requestState':'of own'");
    const char *const asked = heard(front);
    CHECK_HAS(asked, "'id':2,'result':{");
    CHECK_HAS(asked, "'inputRequests':{'k':{'method':'elicitation/create'");
    CHECK_HAS(asked, "'requestState':'theirs'");
    close_relay();
}

int main(void) {
    char byte;
    if (mcpw_random(&byte, sizeof byte) != MCPW_OK) { /* it is of the same library */
        (void)fprintf(stderr, "skipped: relays that sign a requestState, which needs libsodium\n");
        return CHECK_SKIPPED;
    }
    RUN(a_client_may_go_while_what_its_request_carried_is_refused);
    RUN(a_result_that_asks_for_input_waits_for_the_client_to_come_back);
    return check_end();
}
