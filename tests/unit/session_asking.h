/* SPDX-License-Identifier: MIT */
/* Handlers that ask and handlers that answer, for tests of input requests in the middle of a request. */
#ifndef MCPW_TESTS_SESSION_ASKING_H
#define MCPW_TESTS_SESSION_ASKING_H

#include "session_harness.h"

#define ELICIT "{'message':'Who?','requestedSchema':{'type':'object','properties':{'n':{'type':'string'}}}}"
#define SAMPLE "{'messages':[{'role':'user','content':{'type':'text','text':'hi'}}],'maxTokens':5}"
#define ACCEPTED "{'action':'accept','content':{'n':'Ada'}}"
#define SAMPLED "{'role':'assistant','content':{'type':'text','text':'yo'},'model':'m'}"
#define ROOTED "{'roots':[{'uri':'file:///r'}]}"

/* Asks in the handlers' revision; params NULL: none. text receives the answer. */
static inline mcpw_status ask(end *e, mcpw_request *request, const char *key, const char *method,
                              const char *params, char *text, size_t room) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, method, strlen(method));
    const mcpw_method *const entry = mcpw_method_entry(revision, number);
    const void *const value =
        params != NULL ? decoded(mcpw_method_params(entry), params, mcpw_request_arena(request)) : NULL;
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

static inline mcpw_status ask_one(end *e, mcpw_request *request, const char *method, const char *params) {
    const mcpw_status status = ask(e, request, "q", method, params, e->text, sizeof e->text);
    return status == MCPW_OK ? say_hello(e, request, "") : status;
}

static inline mcpw_status ask_elicit(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_one(e, request, "elicitation/create", ELICIT);
}

static inline mcpw_status ask_sample(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_one(e, request, "sampling/createMessage", SAMPLE);
}

static inline mcpw_status ask_roots(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_one(e, request, "roots/list", NULL);
}

static const struct {
    const char *method;
    end_handler handler;
    int since; /* index of the first revision that has it */
    const char *answer;
} input_requests[] = {{"elicitation/create", ask_elicit, 2, ACCEPTED},
                      {"sampling/createMessage", ask_sample, 0, SAMPLED},
                      {"roots/list", ask_roots, 0, ROOTED}};
enum { INPUT_REQUESTS = 3 };

static inline end *server_asking(const char *speaks, const char *handled, end_handler call) {
    end *const e = server_of(speaks, handled);
    end_serve(e, "tools/call", call);
    open_server(e);
    return e;
}

static inline const char *state_of(const char *line) {
    static char state[HARNESS_TEXT];
    const mcpw_json all = mcpw_json_of(line, strlen(line));
    mcpw_json result = {NULL, 0, 0};
    mcpw_json value = {NULL, 0, 0};
    state[0] = '\0';
    if (mcpw_json_get(all, "result", &result) == MCPW_OK &&
        mcpw_json_get(result, "requestState", &value) == MCPW_OK) {
        (void)snprintf(state, sizeof state, "%.*s", (int)value.len - 2, value.ptr + 1);
    }
    return state;
}

static inline mcpw_status ask_two(end *e, mcpw_request *request, const void *params) {
    const mcpw_status roots = ask(e, request, "a", "roots/list", NULL, NULL, 0);
    const mcpw_status sample = ask(e, request, "b", "sampling/createMessage", SAMPLE, NULL, 0);
    if (roots == MCPW_PENDING || sample == MCPW_PENDING) {
        return MCPW_PENDING;
    }
    CHECK(roots == MCPW_OK && sample == MCPW_OK);
    return say_hello(e, request, params);
}

/* Three rounds; counts them in its state, and leaves what it was told in the end's text. */
static inline mcpw_status ask_in_rounds(end *e, mcpw_request *request, const void *params) {
    static const char *const keys[] = {"one", "two", "three"};
    const mcpw_json before = mcpw_request_state(request);
    int64_t rounds = 0;
    CHECK(before.ptr == NULL || mcpw_json_get_int(before, "rounds", &rounds) == MCPW_OK);
    const char *const now = q(fmt("{'rounds':%d}", (int)rounds + 1));
    const mcpw_json after = mcpw_json_of(now, strlen(now));
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

/* Without libsodium nothing is signed, and rounds that have something to keep fail. */
static inline bool signs_states(void) {
    end *const e = server_asking(MODERN, MODERN, ask_in_rounds);
    say_request(e, "0", "tools/call", "'name':'t'");
    const bool signs = state_of(heard(e))[0] != '\0';
    end_free(e);
    return signs;
}

static inline mcpw_status give_elicit(end *e, mcpw_request *request, const void *params) {
    CHECK(params != NULL);
    return answer(e, request, ACCEPTED);
}

static inline mcpw_status give_sample(end *e, mcpw_request *request, const void *params) {
    CHECK(params != NULL);
    return answer(e, request, SAMPLED);
}

static inline mcpw_status give_roots(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, ROOTED);
}

static inline end *answering_client(const char *speaks, const char *handled, end_handler elicit) {
    end *const e = client_of(speaks, handled);
    if (mcpw_method_number(e->dispatch.revision, "elicitation/create", 18) != 0) {
        end_serve(e, "elicitation/create", elicit);
    }
    end_serve(e, "sampling/createMessage", give_sample);
    end_serve(e, "roots/list", give_roots);
    return e;
}

#endif
