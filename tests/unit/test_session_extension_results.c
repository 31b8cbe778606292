/* SPDX-License-Identifier: MIT */
/* An extension of a client that takes results of tools/call: the contract that tasks are made of. It hands
 * out numbers, and the number's turn comes later. */
#include <mcpw/extension_kit.h>
#include <mcpw/tasks.h>

#include "session_harness.h"

#define ID "com.example/turns"
#define HAS_TURNS "{'tools':{},'extensions':{'com.example/turns':{}}}"
#define TURN "{'resultType':'turn','turn':7}"
#define CONTENT "{'content':[{'type':'text','text':'hello'}]}"

static const char tag[] = ID;

/* The turns of a test: what its extension does, and what it has been told. */
typedef struct turns {
    bool holds;
    const char *adds;
    mcpw_status adding;
    int64_t request;
    char name[HARNESS_ERROR];
    int held;
    int taken;
    int cancelled;
    bool ends; /* the extension ends what is cancelled */
    int ended;
    void *state;
    char result[HARNESS_ERROR];
    outcome out; /* of requests as text, waits and input requests */
} turns;

static turns now;

static void keep_text(char *to, const char *text, size_t len) {
    (void)snprintf(to, HARNESS_ERROR, "%.*s", (int)len, text != NULL ? text : "");
}

static bool held(mcpw_session *session, int64_t request, mcpw_str name, void *user) {
    (void)session;
    CHECK(user == &now);
    now.request = request;
    now.held++;
    keep_text(now.name, name.ptr, name.len);
    return now.holds;
}

static mcpw_status adding(mcpw_session *session, int64_t request, mcpw_str name, mcpw_json *members,
                          void *user, mcpw_error *error) {
    (void)session;
    (void)user;
    CHECK(request == now.request && mcpw_str_is(name, now.name));
    if (now.adds != NULL) {
        *members = mcpw_json_from(q(now.adds));
    }
    return now.adding != MCPW_OK ? mcpw_error_set(error, now.adding, 0, "no turns today") : MCPW_OK;
}

static void taken(mcpw_session *session, int64_t request, mcpw_json result, void *user) {
    CHECK(user == &now);
    now.taken++;
    now.request = request;
    keep_text(now.result, result.ptr, result.len);
    if (mcpw_session_request_state(session, request) == NULL) {
        CHECK(mcpw_session_set_request_state(session, request, &now.result));
    }
}

static void cancelled(mcpw_session *session, int64_t request, void *user) {
    (void)user;
    now.cancelled++;
    CHECK(mcpw_session_has_request(session, request) && request == now.request);
    if (now.ends) {
        mcpw_error why;
        mcpw_error_set(&why, MCPW_E_TIMEOUT, 0, "too late");
        const mcpw_reply reply = {.status = MCPW_E_TIMEOUT, .error = &why};
        CHECK(mcpw_session_end_request(session, request, &reply));
    }
}

static void ended(mcpw_session *session, void *state, void *user) {
    (void)session;
    CHECK(user == &now);
    now.ended++;
    now.state = state;
}

static mcpw_status add(mcpw_session_config *config, const char *id, mcpw_error *error) {
    const mcpw_extension_method methods[] = {{.name = "turns/get"}};
    const mcpw_extension_result results[] = {{.method = "tools/call",
                                              .value = "turn",
                                              .held = held,
                                              .adding = adding,
                                              .taken = taken,
                                              .cancelled = cancelled,
                                              .ended = ended}};
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    extension.id = id;
    extension.methods = strcmp(id, ID) == 0 ? methods : NULL;
    extension.method_count = strcmp(id, ID) == 0 ? 1 : 0;
    extension.results = results;
    extension.result_count = 1;
    extension.user = &now;
    extension.tag = tag;
    return mcpw_client_add_extension(config, &extension, error);
}

static end *client(const char *speaks, const char *handled) {
    end *const e = client_of(speaks, handled);
    mcpw_error error = {0};
    now = (turns){0};
    CHECK(add(&e->config, ID, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    e->unchecked = true; /* turns/get is no method of the revision */
    return e;
}

static end *open_end(const char *handled) {
    end *const e = client(MODERN, handled);
    open_client_as(e, HAS_TURNS);
    return e;
}

static long heard_call(end *e) {
    const char *const line = heard(e);
    int64_t id = 0;
    CHECK_HAS(line, "'method':'tools/call'");
    CHECK(mcpw_json_get_int(mcpw_json_of(line, strlen(line)), "id", &id) == MCPW_OK);
    return (long)id;
}

/* A client whose call was answered by a turn. */
static end *with_turn(const char *handled) {
    end *const e = open_end(handled);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    say(e, fmt("{'jsonrpc':'2.0','id':%ld,'result':" TURN "}", heard_call(e)));
    CHECK(now.taken == 1 && now.request == e->number && e->out.count == 0);
    CHECK_HAS(now.result, "'turn':7");
    return e;
}

static void on_text(void *user, mcpw_session *session, const mcpw_reply *reply) {
    (void)user;
    (void)session;
    now.out.count++;
    now.out.status = reply->status;
    (void)snprintf(now.out.text, sizeof now.out.text, "%.*s", (int)reply->text.len,
                   reply->text.ptr != NULL ? reply->text.ptr : "");
}

/* ---- Results are taken ---- */

static void a_request_goes_on_until_the_extension_ends_it(void) {
    end *const e = with_turn(MODERN);
    mcpw_session_advance(e->session, (uint64_t)1 << 40); /* no time limit ends it */
    CHECK(e->out.count == 0 && now.ended == 0 && mcpw_session_has_request(e->session, now.request));
    CHECK(mcpw_session_finish_request(e->session, now.request,
                                      mcpw_json_from(q("{'resultType':'complete','content':[]}"))));
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK && now.ended == 1 && now.state == &now.result);
    CHECK_HAS(e->out.text, "'content':[]");
    CHECK(!mcpw_session_has_request(e->session, now.request) && now.cancelled == 0);
    CHECK(!mcpw_session_finish_request(e->session, now.request, mcpw_json_from("{}")));
    end_free(e);
}

static void its_caller_gets_the_result_in_its_own_revision(void) {
    end *const e = with_turn(ELICITING);
    CHECK(mcpw_session_finish_request(e->session, now.request,
                                      mcpw_json_from(q("{'resultType':'complete','content':[]}"))));
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK && !has(e->out.text, "resultType"));
    end_free(e);
}

static void a_result_that_is_invalid_fails_it(void) {
    end *const e = with_turn(MODERN);
    CHECK(mcpw_session_finish_request(e->session, now.request, mcpw_json_from(q("{'content':1}"))));
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_TYPE && now.ended == 1);
    end_free(e);
}

static void a_caller_that_cancels_it_is_told_to_the_extension(void) {
    end *const e = with_turn(MODERN);
    CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
    CHECK(now.cancelled == 1 && now.ended == 1 && e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    CHECK_STRING(heard(e), ""); /* nothing of it was in flight */
    end_free(e);
}

static void an_extension_may_end_what_is_cancelled(void) {
    end *const e = with_turn(MODERN);
    now.ends = true;
    CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
    CHECK(now.cancelled == 1 && now.ended == 1 && e->out.count == 1 && e->out.status == MCPW_E_TIMEOUT);
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static void the_extension_may_drop_it(void) {
    end *const e = with_turn(MODERN);
    mcpw_session_drop_request(e->session, now.request, "no more turns");
    CHECK(now.cancelled == 0 && now.ended == 1 && e->out.count == 0);
    mcpw_session_drop_request(e->session, now.request, "again");
    CHECK(now.ended == 1);
    end_free(e);
}

static void the_end_of_the_session_ends_it(void) {
    end *const e = with_turn(MODERN);
    mcpw_session_close(e->session);
    CHECK(now.ended == 1 && e->out.count == 1 && e->out.status == MCPW_E_CLOSED);
    end_free(e);
}

static void a_usual_result_is_not_taken(void) {
    end *const e = open_end(MODERN);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    say(e, fmt("{'jsonrpc':'2.0','id':%ld,'result':{'resultType':'complete','content':[]}}", heard_call(e)));
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK && now.taken == 0 && now.ended == 0);
    end_free(e);
}

/* ---- Requests are held, and get members ---- */

static void a_request_that_is_held_waits(void) {
    end *const e = open_end(MODERN);
    now.holds = true;
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    CHECK(now.held == 1 && now.request == e->number);
    CHECK_STRING(now.name, "t");
    CHECK_STRING(heard(e), "");
    mcpw_session_send_held(e->session, e->number);
    (void)heard_call(e);
    mcpw_session_send_held(e->session, e->number); /* it was sent */
    CHECK_STRING(heard(e), "");
    end_free(e);
}

static void a_request_before_the_negotiation_is_held_after_it(void) {
    end *const e = client(MODERN, MODERN);
    now.holds = true;
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK && now.held == 0);
    mcpw_session_send_held(e->session, e->number);
    CHECK_HAS(heard(e), "server/discover");
    end_free(e);
}

static void members_are_put_into_the_params(void) {
    end *const e = open_end(MODERN);
    now.adds = "{'arguments':{'a':1}}";
    CHECK(call(e, "tools/call", "'name':'t','arguments':{'a':0}") == MCPW_OK);
    const char *const line = heard(e);
    CHECK_HAS(line, "'arguments':{'a':1}");
    CHECK(!has(line, "{'a':0}"));
    end_free(e);
}

static void wrong_members_fail_the_request(void) {
    static const struct {
        const char *adds;
        mcpw_status status;
    } wrong[] = {{"{'turn':1}", MCPW_E_ARGUMENT},
                 {"[]", MCPW_E_TYPE},
                 {"{", MCPW_E_SYNTAX},
                 {"{'arguments':1}", MCPW_E_TYPE},
                 {"{'\\u0000':1}", MCPW_E_ARGUMENT}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        end *const e = open_end(MODERN);
        now.adds = wrong[i].adds;
        CHECK(call(e, "tools/call", "'name':'t'") == wrong[i].status);
        CHECK_STRING(heard(e), "");
        end_free(e);
    }
}

static void the_extension_may_refuse_a_request(void) {
    end *const e = open_end(MODERN);
    now.adding = MCPW_E_VALUE;
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_E_VALUE && e->out.count == 0);
    end_free(e);
}

/* ---- States ---- */

static mcpw_status call_with_state(end *e, void *state, mcpw_error *error) {
    const mcpw_revision *const revision = e->dispatch.revision;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const int number = mcpw_method_number(revision, "tools/call", strlen("tools/call"));
    const void *const params = decoded(mcpw_method_params(mcpw_method_entry(revision, number)),
                                       "{'name':'t','_meta':{'io.modelcontextprotocol/protocolVersion':'x',"
                                       "'io.modelcontextprotocol/clientCapabilities':{}}}",
                                       &arena);
    const mcpw_status status = mcpw_session_request_with_state(e->session, revision, number, params, NULL,
                                                               state, end_on_reply, e, &e->number, error);
    mcpw_arena_free(&arena);
    return status;
}

static void a_request_has_the_state_of_its_beginning(void) {
    end *const e = open_end(MODERN);
    int mine = 0;
    CHECK(call_with_state(e, &mine, NULL) == MCPW_OK);
    CHECK(mcpw_session_request_state(e->session, e->number) == &mine);
    say(e, fmt("{'jsonrpc':'2.0','id':%ld,'result':{'resultType':'complete','content':[]}}", heard_call(e)));
    CHECK(e->out.count == 1 && now.ended == 1 && now.state == &mine);
    end_free(e);
}

static void the_state_of_a_request_that_was_not_made_is_the_callers(void) {
    end *const e = open_end(MODERN);
    mcpw_error error = {0};
    int mine = 0;
    now.adding = MCPW_E_VALUE;
    CHECK(call_with_state(e, &mine, &error) == MCPW_E_VALUE && now.ended == 0);
    CHECK_STRING(error.message, "no turns today");
    mcpw_session_close(e->session);
    CHECK(call_with_state(e, &mine, &error) == MCPW_E_CLOSED && now.ended == 0);
    end_free(e);
}

static void only_methods_with_such_a_result_have_states(void) {
    end *const e = open_end(MODERN);
    mcpw_error error = {0};
    const int list = mcpw_method_number(e->dispatch.revision, "tools/list", strlen("tools/list"));
    CHECK(mcpw_session_request_with_state(e->session, e->dispatch.revision, list, NULL, NULL, &now, NULL,
                                          NULL, NULL, &error) == MCPW_E_METHOD);
    CHECK(mcpw_session_keep_open(e->session, e->dispatch.revision, list, &now, NULL, NULL, NULL, &error) ==
          MCPW_E_METHOD);
    CHECK(!mcpw_session_set_request_state(e->session, 77, &now));
    end_free(e);
}

static void a_request_without_a_message_is_ended_by_the_extension(void) {
    end *const e = open_end(MODERN);
    const int method = mcpw_method_number(e->dispatch.revision, "tools/call", strlen("tools/call"));
    int mine = 0;
    CHECK(mcpw_session_keep_open(e->session, e->dispatch.revision, method, &mine, end_on_reply, e, &e->number,
                                 NULL) == MCPW_OK);
    CHECK_STRING(heard(e), "");
    CHECK(mcpw_session_finish_request(e->session, e->number,
                                      mcpw_json_from(q("{'resultType':'complete',"
                                                       "'content':[]}"))));
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK && now.ended == 1 && now.state == &mine);
    end_free(e);
}

/* ---- Text, time, input requests ---- */

static void requests_are_made_as_text(void) {
    end *const e = open_end(MODERN);
    mcpw_error error = {0};
    CHECK(mcpw_session_request_text(e->session, "turns/get", mcpw_json_from(q("{'turn':7}")), NULL, on_text,
                                    NULL, NULL, &error) == MCPW_OK);
    const char *line = heard(e);
    int64_t id = 0;
    CHECK_HAS(line, "'method':'turns/get'");
    CHECK(mcpw_json_get_int(mcpw_json_of(line, strlen(line)), "id", &id) == MCPW_OK);
    say(e, fmt("{'jsonrpc':'2.0','id':%ld,'result':{'resultType':'complete','before':2}}", (long)id));
    CHECK(now.out.count == 1 && now.out.status == MCPW_OK);
    CHECK_HAS(now.out.text, "'before':2");
    const mcpw_json none = {NULL, 0, 0};
    CHECK(mcpw_session_request_text(e->session, "tools/list", none, NULL, on_text, NULL, NULL, &error) ==
          MCPW_OK);
    line = heard(e);
    CHECK(mcpw_json_get_int(mcpw_json_of(line, strlen(line)), "id", &id) == MCPW_OK);
    say(e, fmt("{'jsonrpc':'2.0','id':%ld,'result':%s}", (long)id, cacheable(e, "'tools':[]")));
    CHECK(now.out.count == 2 && now.out.status == MCPW_OK);
    CHECK_HAS(now.out.text, "'tools':[]");
    CHECK(mcpw_session_request_text(e->session, "no/such", none, NULL, on_text, NULL, NULL, &error) ==
          MCPW_E_METHOD);
    end_free(e);
}

static void a_request_as_text_needs_an_open_session(void) {
    end *const e = client(MODERN, MODERN);
    const mcpw_json none = {NULL, 0, 0};
    end_start(e);
    CHECK(!mcpw_session_is_open(e->session));
    CHECK(mcpw_session_request_text(e->session, "turns/get", none, NULL, on_text, NULL, NULL, NULL) ==
          MCPW_E_STATE);
    end_free(e);
}

static void a_wait_ends_in_time(void) {
    enum { WAIT = 50 };
    end *const e = open_end(MODERN);
    int64_t number = 0;
    CHECK(mcpw_session_wait(e->session, WAIT, on_text, NULL, &number, NULL) == MCPW_OK);
    CHECK(mcpw_session_deadline(e->session) == mcpw_session_now(e->session) + WAIT);
    mcpw_session_advance(e->session, mcpw_session_now(e->session) + WAIT - 1);
    CHECK(now.out.count == 0 && mcpw_session_has_request(e->session, number));
    mcpw_session_advance(e->session, mcpw_session_now(e->session) + 1);
    CHECK(now.out.count == 1 && now.out.status == MCPW_E_TIMEOUT);
    CHECK_STRING(heard(e), "");
    mcpw_session_close(e->session);
    CHECK(mcpw_session_wait(e->session, WAIT, on_text, NULL, &number, NULL) == MCPW_E_CLOSED);
    end_free(e);
}

static mcpw_status answer_roots(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'roots':[{'uri':'file:///r'}]}");
}

static void input_requests_go_to_the_handlers_of_the_client(void) {
    end *const e = client(MODERN, MODERN);
    end_serve(e, "roots/list", answer_roots);
    open_client_as(e, HAS_TURNS);
    CHECK(mcpw_session_handle_input(e->session, mcpw_json_from(q("{'r':{'method':'roots/list'}}")), on_text,
                                    NULL, NULL, NULL) == MCPW_OK);
    CHECK(now.out.count == 1 && now.out.status == MCPW_OK);
    CHECK_HAS(now.out.text, "{'r':{'roots':[{'uri':'file:///r'}]}}");
    CHECK(mcpw_session_handle_input(e->session, mcpw_json_from(q("{'r':{'method':'no/such'}}")), on_text,
                                    NULL, NULL, NULL) != MCPW_OK ||
          (now.out.count == 2 && now.out.status != MCPW_OK));
    CHECK(mcpw_session_handle_input(e->session, mcpw_json_from("[]"), on_text, NULL, NULL, NULL) ==
          MCPW_E_TYPE);
    end_free(e);
}

static void only_some_revisions_have_input_requests_in_results(void) {
    end *const e = client(HANDSHAKE, HANDSHAKE);
    mcpw_error error = {0};
    open_client_as(e, "{'tools':{}}");
    CHECK(mcpw_session_handle_input(e->session, mcpw_json_from("{}"), on_text, NULL, NULL, &error) ==
          MCPW_E_METHOD);
    CHECK_HAS(error.message, HANDSHAKE);
    end_free(e);
}

/* ---- Registration ---- */

static void one_extension_takes_the_results_of_a_method(void) {
    end *const e = client(MODERN, MODERN);
    mcpw_error error = {0};
    CHECK(add(&e->config, "com.example/other", &error) == MCPW_E_DUPLICATE);
    CHECK_HAS(error.message, "com.example/other");
    CHECK_HAS(error.message, ID);
    end_start(e);
    CHECK_STRING(mcpw_session_extension(e->session, 0), ID);
    CHECK(mcpw_session_extension(e->session, 1) == NULL);
    end_free(e);
}

static void an_extension_keeps_a_pointer_with_a_session(void) {
    end *const e = open_end(MODERN);
    void **const state = mcpw_session_extension_state(e->session, ID);
    CHECK(state != NULL && *state == NULL);
    if (state != NULL) {
        *state = e;
    }
    CHECK(mcpw_session_extension_state(e->session, ID) == state);
    CHECK(mcpw_session_extension_state(e->session, "com.example/other") == NULL);
    end_free(e);
}

static void a_tag_tells_extensions_of_one_id_apart(void) {
    static const char other[] = ID;
    end *const e = open_end(MODERN);
    CHECK(mcpw_session_extension_user(e->session, ID, tag) == &now);
    CHECK(mcpw_session_extension_user(e->session, ID, other) == NULL);
    CHECK(mcpw_session_extension_user(e->session, "com.example/other", tag) == NULL);
    end_free(e);
}

static mcpw_status become_a_task(mcpw_request *request, const mcpw_tool_call *called, void *user) {
    int *const runs = user;
    (void)called;
    *runs += 1;
    CHECK(mcpw_request_detach_as_task(request, NULL) == MCPW_E_STATE);
    CHECK(mcpw_request_task(request).ptr == NULL);
    return mcpw_respond_error(request, 1, "no task", (mcpw_json){NULL, 0, 0});
}

/* The `user` of an extension of the same id is not what the library's functions for tasks take it for. */
static void tasks_of_another_author_are_not_those_of_the_library(void) {
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {0};
    int runs = 0;
    mcpw_tool tool = {.name = "t", .input_schema = MCPW_JSON("{\"type\":\"object\"}")};
    tool.call = become_a_task;
    tool.user = &runs;
    config.role = MCPW_ROLE_SERVER;
    config.server = mcpw_server_new("server", "1", &error);
    extension.id = "io.modelcontextprotocol/tasks";
    extension.user = &now;
    CHECK(mcpw_server_add_extension(config.server, &extension, &error) == MCPW_OK);
    CHECK(mcpw_server_add_tool(config.server, &tool, &error) == MCPW_OK);
    mcpw_session *const session = mcpw_session_new(&config, &error);
    CHECK_STRING(error.message, "");
    const char *const line = q("{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t','_meta':{"
                               "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                               "'io.modelcontextprotocol/clientCapabilities':{}}}}");
    CHECK(mcpw_session_receive(session, line, strlen(line), NULL) == MCPW_OK);
    CHECK(runs == 1);
    mcpw_session_free(session);
    mcpw_server_free(config.server);
}

int main(void) {
    RUN(a_request_goes_on_until_the_extension_ends_it);
    RUN(its_caller_gets_the_result_in_its_own_revision);
    RUN(a_result_that_is_invalid_fails_it);
    RUN(a_caller_that_cancels_it_is_told_to_the_extension);
    RUN(an_extension_may_end_what_is_cancelled);
    RUN(the_extension_may_drop_it);
    RUN(the_end_of_the_session_ends_it);
    RUN(a_usual_result_is_not_taken);
    RUN(a_request_that_is_held_waits);
    RUN(a_request_before_the_negotiation_is_held_after_it);
    RUN(members_are_put_into_the_params);
    RUN(wrong_members_fail_the_request);
    RUN(the_extension_may_refuse_a_request);
    RUN(a_request_has_the_state_of_its_beginning);
    RUN(the_state_of_a_request_that_was_not_made_is_the_callers);
    RUN(only_methods_with_such_a_result_have_states);
    RUN(a_request_without_a_message_is_ended_by_the_extension);
    RUN(requests_are_made_as_text);
    RUN(a_request_as_text_needs_an_open_session);
    RUN(a_wait_ends_in_time);
    RUN(input_requests_go_to_the_handlers_of_the_client);
    RUN(only_some_revisions_have_input_requests_in_results);
    RUN(one_extension_takes_the_results_of_a_method);
    RUN(an_extension_keeps_a_pointer_with_a_session);
    RUN(a_tag_tells_extensions_of_one_id_apart);
    RUN(tasks_of_another_author_are_not_those_of_the_library);
    return check_end();
}
