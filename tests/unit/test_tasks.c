/* SPDX-License-Identifier: MIT */
/* Tasks in the form of the extension. */
#include "tasks_world.h"

static world w;

/* ---- What is announced ---- */

static void a_server_announces_that_it_keeps_tasks(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const text = ask(c, "server/discover", "");
    CHECK_HAS(text, "'extensions':{'io.modelcontextprotocol/tasks':{}}");
    CHECK_LACKS(text, "'tasks':{");
    client_free(c);
    world_close(&w);
}

/* ---- From creation to end ---- */

static void a_call_becomes_a_task_by_one_line(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *text = call_tool(c, "compute");
    CHECK_HAS(text, "'resultType':'task'");
    CHECK_HAS(text, "'status':'working','createdAt':'2026-07-28T12:00:00.000Z',"
                    "'lastUpdatedAt':'2026-07-28T12:00:00.000Z','ttlMs':3600000,'pollIntervalMs':1000");
    CHECK_LACKS(text, "requestState");
    CHECK_LACKS(text, "'task':");
    const char *const id = id_in(text);
    CHECK(strlen(id) == MCPW_TASK_ID_LEN);
    text = get(c, id);
    CHECK_HAS(text, "'status':'completed'");
    CHECK_HAS(text, "'result':{");
    CHECK_HAS(text, "'content':[{'type':'text','text':'42'}]");
    CHECK_HAS(text, "'resultType':'complete'");
    CHECK(w.runs == 2);
    client_free(c);
    world_close(&w);
}

static void a_task_can_be_read_as_soon_as_it_is_there(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "slow"));
    CHECK_HAS(get(c, id), "'status':'working'");
    CHECK(w.kept_count == 1);
    CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("at last")) == MCPW_OK);
    const char *const text = get(c, id);
    CHECK_HAS(text, "'status':'completed'");
    CHECK_HAS(text, "at last");
    client_free(c);
    world_close(&w);
}

static void a_client_without_the_extension_is_served_plainly(void) {
    world_open(&w);
    client *const c = client_of(&w, NULL, "");
    CHECK_HAS(call_tool(c, "compute"), "'text':'42'");
    CHECK_HAS(call_tool(c, "rather"), "'text':'Hello'");
    client_free(c);
    world_close(&w);
}

static void a_tool_that_forbids_tasks_is_always_plain(void) {
    world_open(&w);
    client *const c = modern(&w);
    CHECK_HAS(call_tool(c, "greet"), "'text':'Hello'");
    CHECK_HAS(call_tool(c, "forbidden"), "'text':'42'");
    client_free(c);
    world_close(&w);
}

static void a_tool_that_requires_tasks_refuses_a_client_without_them(void) {
    world_open(&w);
    client *const c = client_of(&w, NULL, "");
    const char *const text = call_tool(c, "always");
    CHECK_HAS(text, "'code':-32021");
    CHECK_HAS(text, "'requiredCapabilities':{'extensions':{'io.modelcontextprotocol/tasks':{}}}");
    CHECK(w.runs == 0);
    client_free(c);
    world_close(&w);
}

static void a_tool_that_requires_or_prefers_tasks_needs_no_line(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *text = call_tool(c, "always");
    CHECK_HAS(text, "'resultType':'task'");
    CHECK_HAS(get(c, id_in(text)), "'text':'Hello'");
    text = call_tool(c, "rather");
    CHECK_HAS(text, "'resultType':'task'");
    CHECK_HAS(get(c, id_in(text)), "'text':'Hello'");
    client_free(c);
    world_close(&w);
}

static void a_task_param_means_nothing(void) {
    world_open(&w);
    client *const c = modern(&w);
    CHECK_HAS(ask(c, "tools/call", "'name':'greet','arguments':{},'task':{'ttl':1,'pollInterval':1}"),
              "'text':'Hello'");
    client_free(c);
    world_close(&w);
}

static void an_error_of_the_tool_is_a_result(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const text = get(c, id_in(call_tool(c, "fails")));
    CHECK_HAS(text, "'status':'completed'");
    CHECK_HAS(text, "'isError':true");
    client_free(c);
    world_close(&w);
}

static void an_error_of_the_protocol_is_the_failure_of_the_task(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const text = get(c, id_in(call_tool(c, "breaks")));
    CHECK_HAS(text, "'status':'failed'");
    CHECK_HAS(text, "'error':{'code':-32603,'message':'the job broke','data':{'why':1}}");
    CHECK_LACKS(text, "'result':{'content'");
    client_free(c);
    world_close(&w);
}

/* ---- Methods ---- */

static void methods_need_the_extension(void) {
    static const char *const methods[] = {"tasks/get", "tasks/update", "tasks/cancel"};
    world_open(&w);
    client *const c = client_of(&w, NULL, "");
    for (size_t i = 0; i < 3; i++) {
        const char *const text = ask(c, methods[i], "'taskId':'unknown','inputResponses':{}");
        CHECK_HAS(text, "'code':-32021"); /* before the id is looked up */
        CHECK_HAS(text, "'requiredCapabilities':{'extensions':{'io.modelcontextprotocol/tasks':{}}}");
    }
    client_free(c);
    world_close(&w);
}

static void an_unknown_task_is_refused(void) {
    static const char *const methods[] = {"tasks/get", "tasks/update", "tasks/cancel"};
    world_open(&w);
    client *const c = modern(&w);
    for (size_t i = 0; i < 3; i++) {
        CHECK_HAS(ask(c, methods[i], "'taskId':'0123456789abcdef0123456789abcdef','inputResponses':{}"),
                  "'code':-32602");
        CHECK_HAS(ask(c, methods[i], "'taskId':'','inputResponses':{}"), "'code':-32602");
        CHECK_HAS(ask(c, methods[i], "'taskId':7,'inputResponses':{}"), "'code':-32602");
        CHECK_HAS(ask(c, methods[i], "'inputResponses':{}"), "'code':-32602");
    }
    client_free(c);
    world_close(&w);
}

static void methods_of_the_core_are_unknown(void) {
    world_open(&w);
    client *const c = modern(&w);
    CHECK_HAS(ask(c, "tasks/result", "'taskId':'x'"), "'code':-32601");
    CHECK_HAS(ask(c, "tasks/list", ""), "'code':-32601");
    client_free(c);
    world_close(&w);
}

/* ---- Cancelling ---- */

static void a_cancelled_task_stays_cancelled(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "slow"));
    const char *text = ask(c, "tasks/cancel", with_id(id, ""));
    CHECK_HAS(text, "'result':{");
    CHECK_LACKS(text, "taskId");
    CHECK_LACKS(text, "status");
    CHECK(w.cancelled == 1);
    text = get(c, id);
    CHECK_HAS(text, "'status':'cancelled'");
    CHECK_LACKS(text, "'error'");
    CHECK_HAS(ask(c, "tasks/cancel", with_id(id, "")), "'result':{"); /* the same answer again */
    client_free(c);
    world_close(&w);
}

static void a_completed_task_is_not_cancelled(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "compute"));
    CHECK_HAS(ask(c, "tasks/cancel", with_id(id, "")), "'result':{");
    CHECK_HAS(get(c, id), "'status':'completed'");
    client_free(c);
    world_close(&w);
}

static void a_task_that_waits_for_input_can_be_cancelled(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "confirm"));
    CHECK_HAS(ask(c, "tasks/cancel", with_id(id, "")), "'result':{");
    const char *const text = get(c, id);
    CHECK_HAS(text, "'status':'cancelled'");
    CHECK_LACKS(text, "inputRequests");
    client_free(c);
    world_close(&w);
}

/* ---- Input ---- */

#define YES "'action':'accept','content':{'yes':true}"

static void a_task_asks_and_goes_on_with_the_answer(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *text = call_tool(c, "confirm");
    CHECK_LACKS(text, "inputRequests");
    const char *const id = id_in(text);
    text = get(c, id);
    CHECK_HAS(text, "'status':'input_required'");
    CHECK_HAS(text, "'inputRequests':{'sure':{'method':'elicitation/create'");
    CHECK_LACKS(text, "requestState");
    text = ask(c, "tasks/update", with_id(id, "'inputResponses':{'sure':{" YES "}}"));
    CHECK_HAS(text, "'resultType':'complete'");
    CHECK_LACKS(text, "taskId");
    text = get(c, id);
    CHECK_HAS(text, "'status':'completed'");
    CHECK_HAS(text, "yes");
    client_free(c);
    world_close(&w);
}

static void responses_that_answer_nothing_are_acknowledged(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "confirm"));
    CHECK_HAS(ask(c, "tasks/update", with_id(id, "'inputResponses':{'other':{" YES "}}")), "'result':{");
    CHECK_HAS(get(c, id), "'status':'input_required'");
    CHECK_HAS(ask(c, "tasks/update", with_id(id, "'inputResponses':{}")), "'result':{");
    CHECK_HAS(ask(c, "tasks/update", with_id(id, "'inputResponses':{'sure':{" YES "}}")), "'result':{");
    CHECK_HAS(ask(c, "tasks/update", with_id(id, "'inputResponses':{'sure':{" YES "}}")), "'result':{");
    CHECK_HAS(get(c, id), "'status':'completed'");
    CHECK_HAS(ask(c, "tasks/update", with_id(id, "'inputResponses':[]")), "'code':-32602");
    client_free(c);
    world_close(&w);
}

static void a_part_of_the_answers_leaves_the_rest_open(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "asks"));
    const char *text = get(c, id);
    CHECK_HAS(text, "'one':{'method'");
    CHECK_HAS(text, "'two':{'method'");
    CHECK_LACKS(text, "'three'");
    CHECK_HAS(ask(c, "tasks/update", with_id(id, "'inputResponses':{'two':{" YES "}}")), "'result':{");
    text = get(c, id);
    CHECK_HAS(text, "'status':'input_required'");
    CHECK_HAS(text, "'one':{'method'");
    CHECK_LACKS(text, "'two'");
    CHECK_HAS(ask(c, "tasks/update", with_id(id, "'inputResponses':{'two':{" YES "},'one':{" YES "}}")),
              "'result':{");
    text = get(c, id); /* both are answered, so it asks for the third alone */
    CHECK_HAS(text, "'three':{'method'");
    CHECK_LACKS(text, "'one'");
    CHECK_LACKS(text, "'two'");
    CHECK_HAS(ask(c, "tasks/update", with_id(id, "'inputResponses':{'three':{" YES "}}")), "'result':{");
    text = get(c, id);
    CHECK_HAS(text, "'status':'completed'");
    CHECK_HAS(text, "both are answered"); /* the state that the handler has set */
    client_free(c);
    world_close(&w);
}

static const char *request_state_in(const char *text) {
    static char room[WORLD_TEXT];
    const char *const found = strstr(text, "\"requestState\":\"");
    (void)snprintf(room, sizeof room, "%.4000s", found != NULL ? found + 16 : "");
    room[strcspn(room, "\"")] = '\0';
    return room;
}

static void input_before_the_task_comes_first(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *text = call_tool(c, "before");
    char members[WORLD_TEXT];
    CHECK_HAS(text, "'resultType':'input_required'");
    CHECK_LACKS(text, "taskId");
    (void)snprintf(members, sizeof members,
                   "'name':'before','arguments':{},'inputResponses':{'before':{" YES
                   "}},'requestState':'%.4000s'",
                   request_state_in(text));
    text = ask(c, "tools/call", members);
    CHECK_HAS(text, "'resultType':'task'");
    CHECK_LACKS(text, "requestState");
    CHECK_LACKS(text, "inputRequests");
    text = get(c, id_in(text));
    CHECK_HAS(text, "'status':'completed'");
    CHECK_HAS(text, "kept");
    CHECK_HAS(text, "yes");
    CHECK_LACKS(text, "requestState");
    client_free(c);
    world_close(&w);
}

/* ---- Whose it is ---- */

static void a_task_belongs_to_its_principal(void) {
    world_open(&w);
    client *const alice = client_of(&w, "alice", "'elicitation':{'form':{}}," EXTENSION);
    client *const bob = client_of(&w, "bob", EXTENSION);
    client *const nobody = client_of(&w, NULL, EXTENSION);
    const char *const id = id_in(call_tool(alice, "confirm"));
    char unknown[WORLD_TEXT];
    (void)snprintf(unknown, sizeof unknown, "%.4000s", get(bob, "0123456789abcdef0123456789abcdef"));
    unknown[strcspn(unknown, "}")] = '\0';
    CHECK_HAS(get(bob, id), strstr(unknown, "\"error\""));
    CHECK_HAS(ask(bob, "tasks/cancel", with_id(id, "")), "'code':-32602");
    CHECK_HAS(ask(bob, "tasks/update", with_id(id, "'inputResponses':{'sure':{" YES "}}")), "'code':-32602");
    CHECK_HAS(get(nobody, id), "'code':-32602");
    CHECK_HAS(get(alice, id), "'status':'input_required'");
    client_free(alice);
    client_free(bob);
    client_free(nobody);
    world_close(&w);
}

/* ---- Limits ---- */

static void a_principal_has_at_most_so_many_tasks(void) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_tasks = 2;
    world_open_with(&w, &config);
    client *const c = client_of(&w, "alice", EXTENSION);
    client *const other = client_of(&w, "bob", EXTENSION);
    CHECK_HAS(call_tool(c, "compute"), "'resultType':'task'");
    CHECK_HAS(call_tool(c, "always"), "'resultType':'task'");
    CHECK_HAS(call_tool(c, "compute"),
              "'error':{'code':-32603,'message':'Internal error: there are too many tasks'");
    CHECK_HAS(call_tool(c, "always"), "too many tasks");
    CHECK_HAS(call_tool(c, "greet"), "'text':'Hello'");
    CHECK_HAS(call_tool(other, "compute"), "'resultType':'task'");
    w.now += 3600000; /* they have expired */
    CHECK_HAS(call_tool(c, "compute"), "'resultType':'task'");
    client_free(c);
    client_free(other);
    world_close(&w);
}

static void a_task_is_forgotten_after_its_time(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "compute"));
    w.now += 3599999;
    CHECK_HAS(get(c, id), "'status':'completed'");
    w.now += 1;
    CHECK_HAS(get(c, id), "'code':-32602");
    client_free(c);
    world_close(&w);
}

static void a_call_that_is_too_long_for_a_record_is_refused(void) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_record_bytes = 16;
    world_open_with(&w, &config);
    client *const c = modern(&w);
    const char *const text = call_tool(c, "compute");
    CHECK_HAS(text, "'code':-32603");
    CHECK_HAS(text, "the tasks are too large");
    CHECK(w.runs == 1); /* the handler, which wanted a task, and not the task */
    client_free(c);
    world_close(&w);
}

static void configs_of_another_size_are_refused(void) {
    mcpw_error error = {0};
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    mcpw_task_memory_config memory = MCPW_TASK_MEMORY_CONFIG_INIT;
    mcpw_server *const server = mcpw_server_new("s", "1", &error);
    config.struct_size = 1;
    memory.struct_size = 1;
    CHECK(mcpw_server_add_tasks(server, &config, &error) == MCPW_E_ARGUMENT && error.message[0] != '\0');
    CHECK(mcpw_task_memory_new(&memory, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_tasks(NULL, NULL, &error) == MCPW_E_ARGUMENT);
    mcpw_server_free(server);
}

static void a_result_that_is_too_long_fails_its_task(void) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_record_bytes = 1000;
    world_open_with(&w, &config);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "slow"));
    char text[2000];
    memset(text, 'x', sizeof text);
    CHECK(mcpw_respond_text(w.kept[0], (mcpw_str){text, sizeof text}) == MCPW_OK);
    const char *const got = get(c, id);
    CHECK_HAS(got, "'status':'failed'");
    CHECK_HAS(got, "The result of the task is too large");
    client_free(c);
    world_close(&w);
}

static void the_results_of_a_principal_have_a_limit(void) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_bytes = 1500;
    world_open_with(&w, &config);
    client *const c = modern(&w);
    const char *const one = id_in(call_tool(c, "slow"));
    const char *const two = id_in(call_tool(c, "slow"));
    char text[1000];
    memset(text, 'x', sizeof text);
    CHECK(mcpw_respond_text(w.kept[0], (mcpw_str){text, sizeof text}) == MCPW_OK);
    CHECK_HAS(get(c, one), "'status':'completed'");
    CHECK(mcpw_respond_text(w.kept[1], (mcpw_str){text, sizeof text}) == MCPW_OK);
    CHECK_HAS(get(c, two), "'status':'failed'");
    client_free(c);
    world_close(&w);
}

static void more_tasks_than_may_run_wait_for_their_turn(void) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_running = 2;
    world_open_with(&w, &config);
    client *const c = modern(&w);
    (void)call_tool(c, "slow");
    (void)call_tool(c, "slow");
    const char *const third = id_in(call_tool(c, "slow"));
    const char *const fourth = id_in(call_tool(c, "slow"));
    CHECK(w.kept_count == 2);
    CHECK_HAS(get(c, third), "'status':'working'");
    CHECK_HAS(ask(c, "tasks/cancel", with_id(third, "")), "'result':{");
    CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("x")) == MCPW_OK);
    CHECK_HAS(get(c, fourth), "'status':'working'"); /* takes the outcome, and starts the next one */
    CHECK(w.kept_count == 3);
    CHECK_HAS(get(c, third), "'status':'cancelled'");
    CHECK(mcpw_respond_text(w.kept[2], mcpw_str_from("the fourth")) == MCPW_OK);
    CHECK_HAS(get(c, fourth), "the fourth");
    client_free(c);
    world_close(&w);
}

/* ---- Subscriptions ---- */

static void a_subscription_tells_of_its_tasks_alone(void) {
    world_open(&w);
    client *const c = modern(&w);
    const char *const id = id_in(call_tool(c, "slow"));
    const char *const other = id_in(call_tool(c, "slow"));
    char members[WORLD_TEXT];
    (void)snprintf(members, sizeof members, "'notifications':{'taskIds':['%.4000s','unknown']}", id);
    const char *text = ask(c, "subscriptions/listen", members);
    (void)snprintf(members, sizeof members, "'taskIds':['%.4000s']", id);
    CHECK_HAS(text, "notifications/subscriptions/acknowledged");
    CHECK_HAS(text, members);
    CHECK_LACKS(text, "unknown");
    CHECK(mcpw_respond_text(w.kept[1], mcpw_str_from("other")) == MCPW_OK);
    CHECK_HAS(get(c, other), "'status':'completed'");
    CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("mine")) == MCPW_OK);
    text = get(c, id);
    CHECK_HAS(text, "'method':'notifications/tasks'");
    CHECK_HAS(text, "'io.modelcontextprotocol/subscriptionId':");
    CHECK_HAS(text, "'status':'completed'");
    CHECK_HAS(text, "mine");
    CHECK_HAS(next_message(c), "mine");
    client_free(c);
    world_close(&w);
}

static void a_subscription_to_tasks_needs_the_extension(void) {
    world_open(&w);
    client *const c = client_of(&w, NULL, "");
    const char *const text = ask(c, "subscriptions/listen", "'notifications':{'taskIds':['x']}");
    CHECK_HAS(text, "'code':-32021");
    CHECK_HAS(text, "'requiredCapabilities':{'extensions':{'io.modelcontextprotocol/tasks':{}}}");
    client_free(c);
    world_close(&w);
}

static void nobody_subscribes_to_the_tasks_of_others(void) {
    world_open(&w);
    client *const alice = client_of(&w, "alice", EXTENSION);
    client *const bob = client_of(&w, "bob", EXTENSION);
    char members[WORLD_TEXT];
    (void)snprintf(members, sizeof members, "'notifications':{'taskIds':['%.4000s']}",
                   id_in(call_tool(alice, "slow")));
    CHECK_LACKS(ask(bob, "subscriptions/listen", members), "taskIds");
    CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("secret")) == MCPW_OK);
    (void)call_tool(alice, "compute");
    CHECK(*next_message(bob) == '\0');
    client_free(alice);
    client_free(bob);
    world_close(&w);
}

/* ---- What handlers say ---- */

static void a_handler_sees_its_task_and_says_how_it_stands(void) {
    world_open(&w);
    client *const c = modern(&w);
    char text[WORLD_TEXT];
    (void)snprintf(text, sizeof text, "%.4000s", call_tool(c, "reports"));
    const char *const id = id_in(text);
    CHECK(*next_message(c) == '\0'); /* no progress */
    (void)snprintf(text, sizeof text, "'text':'%.4000s'", id);
    const char *const got = get(c, id);
    CHECK_HAS(got, text);
    CHECK_HAS(got, "'statusMessage':'half way'");
    client_free(c);
    world_close(&w);
}

/* ---- The contract ---- */

static void a_tool_with_tasks_needs_a_server_that_keeps_them(void) {
    const mcpw_tool tool = {
        .struct_size = sizeof(mcpw_tool), .name = "t", .call = greet, .task = MCPW_TASK_OPTIONAL};
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("s", "1", &error);
    CHECK(mcpw_server_add_tool(server, &tool, &error) == MCPW_E_ARGUMENT);
    CHECK(strstr(error.message, "mcpw_server_add_tasks") != NULL);
    mcpw_server_free(server);
}

static void a_server_keeps_tasks_once(void) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("s", "1", &error);
    CHECK(mcpw_server_add_tasks(server, NULL, &error) == MCPW_OK);
    CHECK(mcpw_server_add_tasks(server, NULL, &error) == MCPW_E_DUPLICATE);
    mcpw_server_free(server);
}

int main(void) {
    mcpw_error error;
    mcpw_task_store *const any = mcpw_task_memory_new(NULL, &error);
    if (any == NULL) {
        (void)fprintf(stderr, "skipped: %s\n", error.message);
        return CHECK_SKIPPED;
    }
    mcpw_task_memory_free(any);
    RUN(a_server_announces_that_it_keeps_tasks);
    RUN(a_call_becomes_a_task_by_one_line);
    RUN(a_task_can_be_read_as_soon_as_it_is_there);
    RUN(a_client_without_the_extension_is_served_plainly);
    RUN(a_tool_that_forbids_tasks_is_always_plain);
    RUN(a_tool_that_requires_tasks_refuses_a_client_without_them);
    RUN(a_tool_that_requires_or_prefers_tasks_needs_no_line);
    RUN(a_task_param_means_nothing);
    RUN(an_error_of_the_tool_is_a_result);
    RUN(an_error_of_the_protocol_is_the_failure_of_the_task);
    RUN(methods_need_the_extension);
    RUN(an_unknown_task_is_refused);
    RUN(methods_of_the_core_are_unknown);
    RUN(a_cancelled_task_stays_cancelled);
    RUN(a_completed_task_is_not_cancelled);
    RUN(a_task_that_waits_for_input_can_be_cancelled);
    RUN(a_task_asks_and_goes_on_with_the_answer);
    RUN(responses_that_answer_nothing_are_acknowledged);
    RUN(a_part_of_the_answers_leaves_the_rest_open);
    RUN(input_before_the_task_comes_first);
    RUN(a_task_belongs_to_its_principal);
    RUN(a_principal_has_at_most_so_many_tasks);
    RUN(a_task_is_forgotten_after_its_time);
    RUN(a_call_that_is_too_long_for_a_record_is_refused);
    RUN(configs_of_another_size_are_refused);
    RUN(a_result_that_is_too_long_fails_its_task);
    RUN(the_results_of_a_principal_have_a_limit);
    RUN(more_tasks_than_may_run_wait_for_their_turn);
    RUN(a_subscription_tells_of_its_tasks_alone);
    RUN(a_subscription_to_tasks_needs_the_extension);
    RUN(nobody_subscribes_to_the_tasks_of_others);
    RUN(a_handler_sees_its_task_and_says_how_it_stands);
    RUN(a_tool_with_tasks_needs_a_server_that_keeps_them);
    RUN(a_server_keeps_tasks_once);
    return check_end();
}
