/* SPDX-License-Identifier: MIT */
/* Tasks in the form of the core of 2025-11-25, and tasks that clients of both forms watch. */
#include "tasks_world.h"

static world w;

#define TASK "'task':{}"
#define YES "'action':'accept','content':{'yes':true}"

static const char *core_get(client *c, const char *id) { return ask_core(c, "tasks/get", with_id(id, "")); }

static const char *core_result(client *c, const char *id) {
    return ask_core(c, "tasks/result", with_id(id, ""));
}

/* ---- What is announced ---- */

static void a_server_announces_its_tasks_without_lists(void) {
    world_open(&w);
    client *const c = client_of(&w, NULL, "");
    const char *const text =
        ask_core(c, "initialize",
                 "'protocolVersion':'" CORE "','capabilities':{},'clientInfo':{'name':'c','version':'1'}");
    CHECK_HAS(text, "'tasks':{");
    CHECK_HAS(text, "'cancel':{}");
    CHECK_HAS(text, "'requests':{'tools':{'call':{}}}");
    CHECK_LACKS(text, "'list':{}");
    client_free(c);
    world_close(&w);
}

static void an_older_revision_knows_no_tasks(void) {
    world_open(&w);
    client *const c = client_of(&w, NULL, "");
    const char *const text =
        ask_core(c, "initialize",
                 "'protocolVersion':'2025-06-18','capabilities':{},'clientInfo':{'name':'c','version':'1'}");
    CHECK_LACKS(text, "'tasks'");
    say(c, q("{'jsonrpc':'2.0','method':'notifications/initialized'}"));
    CHECK_HAS(call_core(c, "compute", TASK), "'text':'42'");
    CHECK_HAS(call_core(c, "always", ""), "'code':-32601");
    CHECK_HAS(core_get(c, "x"), "'code':-32601");
    client_free(c);
    world_close(&w);
}

static void the_extension_gives_no_tasks_in_a_revision_with_a_handshake(void) {
    static const char *const revisions[] = {CORE, "2025-06-18"};
    for (size_t i = 0; i < sizeof revisions / sizeof *revisions; i++) {
        char hello[512];
        world_open(&w);
        client *const c = client_of(&w, NULL, "");
        (void)snprintf(hello, sizeof hello,
                       "'protocolVersion':'%s','capabilities':{'extensions':{"
                       "'io.modelcontextprotocol/tasks':{}}},'clientInfo':{'name':'c','version':'1'}",
                       revisions[i]);
        (void)ask_core(c, "initialize", hello);
        say(c, q("{'jsonrpc':'2.0','method':'notifications/initialized'}"));
        CHECK_HAS(call_core(c, "compute", ""), "'text':'42'");
        CHECK_HAS(call_core(c, "rather", ""), "'text':'Hello'");
        CHECK_HAS(call_core(c, "always", ""), "'code':-32601");
        client_free(c);
        world_close(&w);
    }
}

static void tools_say_whether_they_take_tasks(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *const text = ask_core(c, "tools/list", "");
    CHECK_HAS(text, "{'name':'greet','inputSchema':{'type':'object'}}");
    CHECK_HAS(text,
              "'name':'compute','inputSchema':{'type':'object'},'execution':{'taskSupport':'optional'}");
    CHECK_HAS(text, "'name':'always','inputSchema':{'type':'object'},'execution':{'taskSupport':'required'}");
    client_free(c);
    world_close(&w);
}

/* ---- From creation to end ---- */

static void a_client_asks_for_a_task(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *text = call_core(c, "greet", "");
    CHECK_HAS(text, "'text':'Hello'");
    text = call_core(c, "compute", "'task':{'ttl':60000}");
    CHECK_HAS(text, "'result':{'task':{'taskId':");
    CHECK_HAS(text, "'status':'working'");
    CHECK_HAS(text, "'ttl':60000");
    CHECK_HAS(text, "'pollInterval':1000");
    CHECK_LACKS(text, "resultType");
    CHECK_LACKS(text, "ttlMs");
    const char *const id = id_in(text);
    text = core_get(c, id);
    CHECK_HAS(text, "'status':'completed'");
    CHECK_LACKS(text, "'content'");
    CHECK_LACKS(text, "related-task");
    text = core_result(c, id);
    CHECK_HAS(text, "'content':[{'type':'text','text':'42'}]");
    CHECK_HAS(text, "'_meta':{'io.modelcontextprotocol/related-task':{'taskId':");
    CHECK_LACKS(text, "resultType");
    CHECK_HAS(core_result(c, id), "'text':'42'"); /* and again */
    client_free(c);
    world_close(&w);
}

static void the_same_handler_serves_a_plain_call(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    CHECK_HAS(call_core(c, "compute", ""), "'content':[{'type':'text','text':'42'}]");
    CHECK_HAS(call_core(c, "rather", ""), "'text':'Hello'");
    client_free(c);
    world_close(&w);
}

static void a_task_lives_no_longer_than_it_may(void) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_ttl_ms = 5000;
    world_open_with(&w, &config);
    client *const c = core(&w, NULL);
    const char *const text = call_core(c, "compute", "'task':{'ttl':60000}");
    CHECK_HAS(text, "'ttl':5000");
    const char *const id = id_in(text);
    w.now += 5000;
    CHECK_HAS(core_get(c, id), "'code':-32602");
    client_free(c);
    world_close(&w);
}

static void a_tool_decides_who_may_ask_for_a_task(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    CHECK_HAS(call_core(c, "greet", TASK), "'code':-32601");
    CHECK_HAS(call_core(c, "always", ""), "'code':-32601");
    CHECK_HAS(call_core(c, "always", TASK), "'task':{");
    client_free(c);
    world_close(&w);
}

static void an_error_of_the_tool_fails_the_task(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *const id = id_in(call_core(c, "fails", TASK));
    CHECK_HAS(core_get(c, id), "'status':'failed'");
    const char *const text = core_result(c, id);
    CHECK_HAS(text, "'isError':true");
    CHECK_HAS(text, "the job has failed");
    client_free(c);
    world_close(&w);
}

static void an_error_of_the_protocol_is_the_answer_to_tasks_result(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *const id = id_in(call_core(c, "breaks", TASK));
    CHECK_HAS(core_get(c, id), "'status':'failed'");
    CHECK_HAS(core_result(c, id), "'error':{'code':-32603,'message':'the job broke','data':{'why':1}}");
    client_free(c);
    world_close(&w);
}

static void wrong_arguments_fail_the_task_as_they_fail_a_call(void) {
    mcpw_tool tool = MCPW_SIZED(mcpw_tool);
    mcpw_error error;
    world_open(&w);
    tool.name = "strict";
    tool.call = greet;
    tool.user = &w;
    tool.task = MCPW_TASK_OPTIONAL;
    tool.input_schema = mcpw_json_from(
        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}");
    CHECK(mcpw_server_add_tool(w.server, &tool, &error) == MCPW_OK);
    client *const c = core(&w, NULL);
    const char *const text = core_result(c, id_in(call_core(c, "strict", TASK)));
    CHECK_HAS(text, "'isError':true");
    CHECK_HAS(text, "/arguments");
    client_free(c);
    world_close(&w);
}

/* ---- tasks/result waits ---- */

static void the_result_is_waited_for(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *const id = id_in(call_core(c, "slow", TASK));
    CHECK(*core_result(c, id) == '\0');
    CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("at last")) == MCPW_OK);
    CHECK_HAS(core_get(c, id), "notifications/tasks/status");
    CHECK_HAS(next_message(c), "at last"); /* the answer to tasks/result */
    CHECK_HAS(next_message(c), "'status':'completed'");
    client_free(c);
    world_close(&w);
}

static void a_waiting_client_hears_of_a_cancellation(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    client *const other = core(&w, NULL);
    const char *const id = id_in(call_core(c, "slow", TASK));
    CHECK(*core_result(c, id) == '\0');
    CHECK_HAS(ask_core(other, "tasks/cancel", with_id(id, "")), "'status':'cancelled'");
    CHECK_HAS(next_message(c), "notifications/tasks/status");
    CHECK_HAS(next_message(c), "'error':{'code':-32603,'message':'The task was cancelled'");
    client_free(c);
    client_free(other);
    world_close(&w);
}

static void a_client_that_waits_may_go(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    client *const other = core(&w, NULL);
    const char *const id = id_in(call_core(c, "slow", TASK));
    CHECK(*core_result(c, id) == '\0');
    CHECK(*core_result(c, id) == '\0');
    CHECK(*core_result(other, id) == '\0');
    say(c, q("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':3}}"));
    client_free(c);
    CHECK(mcpw_respond_text(w.kept[0], mcpw_str_from("still")) == MCPW_OK);
    CHECK_HAS(core_get(other, id), "still");
    client_free(other);
    world_close(&w);
}

/* ---- Cancelling ---- */

static void a_cancelled_task_is_cancelled_before_the_answer(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *const id = id_in(call_core(c, "slow", TASK));
    const char *text = ask_core(c, "tasks/cancel", with_id(id, ""));
    CHECK_HAS(text, "notifications/tasks/status");
    text = next_message(c);
    CHECK_HAS(text, "'result':{'taskId':");
    CHECK_HAS(text, "'status':'cancelled'");
    CHECK(w.cancelled == 1);
    CHECK_HAS(ask_core(c, "tasks/cancel", with_id(id, "")), "'code':-32602");
    CHECK_HAS(core_get(c, id), "'status':'cancelled'");
    client_free(c);
    world_close(&w);
}

static void an_unknown_task_is_refused(void) {
    static const char *const methods[] = {"tasks/get", "tasks/result", "tasks/cancel"};
    world_open(&w);
    client *const c = core(&w, NULL);
    for (size_t i = 0; i < 3; i++) {
        CHECK_HAS(ask_core(c, methods[i], "'taskId':'0123456789abcdef0123456789abcdef'"), "'code':-32602");
        CHECK_HAS(ask_core(c, methods[i], ""), "'code':-32602");
    }
    CHECK_HAS(ask_core(c, "tasks/update", "'taskId':'x','inputResponses':{}"), "'code':-32601");
    client_free(c);
    world_close(&w);
}

/* ---- Input ---- */

/* Answers the request in a message of the server's. */
static const char *answer(client *c, const char *request, const char *result) {
    char text[WORLD_TEXT];
    const char *const found = strstr(request, "\"id\":");
    (void)snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':%d,'result':{%.4000s}}",
                   found != NULL ? atoi(found + 5) : -1, result);
    say(c, q(text));
    return next_message(c);
}

static void a_task_asks_its_client_while_the_result_is_waited_for(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *const id = id_in(call_core(c, "confirm", TASK));
    CHECK_HAS(core_get(c, id), "'status':'input_required'");
    const char *text = core_result(c, id);
    CHECK_HAS(text, "'method':'elicitation/create'");
    CHECK_HAS(text, "'io.modelcontextprotocol/related-task':{'taskId':");
    text = answer(c, text, YES);
    while (*text != '\0' && !has(text, "'result'")) {
        text = next_message(c);
    }
    CHECK_HAS(text, "'content':[{'type':'text','text':");
    CHECK_HAS(text, "yes");
    CHECK_HAS(core_get(c, id), "'status':'completed'");
    client_free(c);
    world_close(&w);
}

static void a_task_asks_again_and_again(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *const id = id_in(call_core(c, "asks", TASK));
    char second[WORLD_TEXT];
    const char *text = core_result(c, id);
    CHECK_HAS(text, "elicitation/create");
    (void)snprintf(second, sizeof second, "%.4000s", next_message(c));
    CHECK_HAS(second, "elicitation/create");
    CHECK(*answer(c, text, YES) == '\0');
    text = answer(c, second, YES);
    while (*text != '\0' && !has(text, "elicitation/create")) {
        text = next_message(c);
    }
    CHECK_HAS(text, "elicitation/create");
    text = answer(c, text, YES);
    while (*text != '\0' && !has(text, "'result'")) {
        text = next_message(c);
    }
    CHECK_HAS(text, "both are answered");
    client_free(c);
    world_close(&w);
}

static void a_client_that_refuses_to_answer_fails_the_task(void) {
    char text[WORLD_TEXT];
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *const id = id_in(call_core(c, "confirm", TASK));
    const char *const request = core_result(c, id);
    const char *const found = strstr(request, "\"id\":");
    (void)snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':%d,'error':{'code':-1,'message':'no'}}",
                   found != NULL ? atoi(found + 5) : -1);
    say(c, q(text));
    CHECK_HAS(next_message(c), "'status':'failed'");
    CHECK_HAS(next_message(c), "did not answer an input request");
    CHECK_HAS(core_get(c, id), "'status':'failed'");
    client_free(c);
    world_close(&w);
}

/* ---- Progress and status ---- */

static mcpw_status tell_log(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    (void)mcpw_request_log(request, MCPW_LOG_DEBUG, NULL, mcpw_json_from("\"small\""));
    (void)mcpw_request_log(request, MCPW_LOG_WARNING, "kiln", mcpw_json_from("{\"hot\":900}"));
    return mcpw_respond_text(request, mcpw_str_from("done"));
}

/* Opens a world with a tool that logs, and a client that wants this level. */
static client *with_logs(const char *level) {
    world_open(&w);
    mcpw_server_will_log(w.server);
    add_tool(&w, "logs", MCPW_TASK_OPTIONAL, tell_log);
    client *const c = core(&w, NULL);
    char line[WORLD_TEXT];
    (void)snprintf(line, sizeof line,
                   "{'jsonrpc':'2.0','id':77,'method':'logging/setLevel','params':{'level':'%s'}}", level);
    say(c, q(line));
    CHECK_HAS(next_message(c), "'id':77,'result'");
    return c;
}

static void log_messages_are_of_the_level_that_the_client_wants(void) {
    client *const c = with_logs("info");
    const char *text = call_core(c, "logs", "'task':{}");
    int logged = 0;
    for (; *text != '\0'; text = next_message(c)) {
        if (has(text, "notifications/message")) {
            logged++;
            CHECK_HAS(text, "'io.modelcontextprotocol/related-task':{'taskId':");
            CHECK_HAS(text, "'level':'warning','logger':'kiln','data':{'hot':900}");
        }
    }
    CHECK(logged == 1);
    client_free(c);
    world_close(&w);
}

static void a_client_may_want_all_log_messages_of_several_tasks(void) {
    client *const c = with_logs("debug");
    int logged = 0;
    for (int i = 0; i < 3; i++) {
        for (const char *text = call_core(c, "logs", "'task':{}"); *text != '\0'; text = next_message(c)) {
            logged += has(text, "notifications/message");
        }
    }
    CHECK(logged == 2 * 3);
    client_free(c);
    world_close(&w);
}

static void log_messages_of_a_task_end_with_its_client(void) {
    client *const c = with_logs("debug");
    client *const other = core(&w, NULL);
    (void)call_core(c, "slow", "'task':{}");
    client_free(c);
    CHECK_LACKS(call_core(other, "logs", "'task':{}"), "notifications/message'");
    client_free(other);
    world_close(&w);
}

static void progress_has_the_clients_token(void) {
    world_open(&w);
    client *const c = core(&w, NULL);
    const char *text = call_core(c, "reports", "'task':{},'_meta':{'progressToken':'mine'}");
    bool progressed = false;
    bool told = false;
    for (; *text != '\0'; text = next_message(c)) {
        if (has(text, "notifications/progress")) {
            progressed = true;
            CHECK_HAS(text, "'progressToken':'mine'");
            CHECK_HAS(text, "'progress':1");
            CHECK_HAS(text, "'io.modelcontextprotocol/related-task':{'taskId':");
        }
        if (has(text, "notifications/tasks/status") && has(text, "'status':'completed'")) {
            told = true;
            CHECK_HAS(text, "'createdAt':");
            CHECK_HAS(text, "'statusMessage':'half way'");
            CHECK_LACKS(text, "related-task");
        }
    }
    CHECK(progressed && told);
    client_free(c);
    world_close(&w);
}

/* ---- Lists ---- */

static void lists_have_the_tasks_of_their_principal(void) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    char members[WORLD_TEXT];
    char ids[3][64];
    config.lists = MCPW_ON;
    config.page_size = 2;
    world_open_with(&w, &config);
    client *const alice = core(&w, "alice");
    client *const bob = core(&w, "bob");
    client *const nobody = core(&w, NULL);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "%.32s", id_in(call_core(alice, "compute", TASK)));
    }
    (void)call_core(bob, "compute", TASK);
    (void)call_core(nobody, "compute", TASK);
    const char *text = ask_core(alice, "tasks/list", "");
    CHECK_HAS(text, ids[2]);
    CHECK_HAS(text, ids[1]);
    CHECK_LACKS(text, ids[0]);
    (void)snprintf(members, sizeof members, "'nextCursor':'%.4000s'", ids[1]);
    CHECK_HAS(text, members);
    (void)snprintf(members, sizeof members, "'cursor':'%.4000s'", ids[1]);
    text = ask_core(alice, "tasks/list", members);
    CHECK_HAS(text, ids[0]);
    CHECK_LACKS(text, ids[1]);
    CHECK_LACKS(text, "nextCursor");
    CHECK_HAS(ask_core(bob, "tasks/list", members), "'code':-32602"); /* alice's cursor */
    CHECK_HAS(ask_core(alice, "tasks/list", "'cursor':'nonsense'"), "'code':-32602");
    CHECK_HAS(ask_core(nobody, "tasks/list", ""), "'code':-32601");
    client_free(alice);
    client_free(bob);
    client_free(nobody);
    world_close(&w);
}

static void lists_are_unknown_unless_they_are_wanted(void) {
    world_open(&w);
    client *const c = core(&w, "alice");
    CHECK_HAS(ask_core(c, "tasks/list", ""), "'code':-32601");
    client_free(c);
    world_close(&w);
}

/* ---- Whose it is ---- */

static void a_task_belongs_to_its_principal(void) {
    world_open(&w);
    client *const alice = core(&w, "alice");
    client *const bob = core(&w, "bob");
    const char *const id = id_in(call_core(alice, "slow", TASK));
    CHECK_HAS(core_get(bob, id), "'code':-32602");
    CHECK_HAS(core_result(bob, id), "'code':-32602");
    CHECK_HAS(ask_core(bob, "tasks/cancel", with_id(id, "")), "'code':-32602");
    CHECK_HAS(core_get(alice, id), "'status':'working'");
    client_free(alice);
    client_free(bob);
    world_close(&w);
}

/* ---- Both forms ---- */

static void clients_of_both_forms_watch_the_same_task(void) {
    world_open(&w);
    client *const old = core(&w, "alice");
    client *const new = client_of(&w, "alice", "'elicitation':{'form':{}}," EXTENSION);
    const char *const id = id_in(call_core(old, "confirm", "'task':{'ttl':60000}"));
    const char *text = get(new, id);
    CHECK_HAS(text, "'status':'input_required'");
    CHECK_HAS(text, "'ttlMs':60000");
    CHECK_HAS(text, "'inputRequests':{'sure':{");
    CHECK_HAS(core_result(old, id), "elicitation/create");
    CHECK_HAS(ask(new, "tasks/update", with_id(id, "'inputResponses':{'sure':{" YES "}}")), "'result':{");
    CHECK_HAS(get(new, id), "'status':'completed'");
    CHECK_HAS(core_get(old, id), "'");
    client_free(old);
    client_free(new);
    world_close(&w);
}

static void a_task_of_the_extension_is_read_in_the_core(void) {
    world_open(&w);
    client *const old = core(&w, "alice");
    client *const new = client_of(&w, "alice", EXTENSION);
    const char *const id = id_in(call_tool(new, "fails"));
    const char *const text = core_get(old, id);
    CHECK_HAS(text, "'status':'failed'");
    CHECK_HAS(text, "'ttl':3600000");
    CHECK_HAS(core_result(old, id), "'isError':true");
    client_free(old);
    client_free(new);
    world_close(&w);
}

int main(void) {
    mcpw_error error;
    mcpw_task_store *const any = mcpw_task_memory_new(NULL, &error);
    if (any == NULL) {
        (void)fprintf(stderr, "skipped: %s\n", error.message);
        return CHECK_SKIPPED;
    }
    mcpw_task_memory_free(any);
    RUN(a_server_announces_its_tasks_without_lists);
    RUN(an_older_revision_knows_no_tasks);
    RUN(the_extension_gives_no_tasks_in_a_revision_with_a_handshake);
    RUN(tools_say_whether_they_take_tasks);
    RUN(a_client_asks_for_a_task);
    RUN(the_same_handler_serves_a_plain_call);
    RUN(a_task_lives_no_longer_than_it_may);
    RUN(a_tool_decides_who_may_ask_for_a_task);
    RUN(an_error_of_the_tool_fails_the_task);
    RUN(an_error_of_the_protocol_is_the_answer_to_tasks_result);
    RUN(wrong_arguments_fail_the_task_as_they_fail_a_call);
    RUN(the_result_is_waited_for);
    RUN(a_waiting_client_hears_of_a_cancellation);
    RUN(a_client_that_waits_may_go);
    RUN(a_cancelled_task_is_cancelled_before_the_answer);
    RUN(an_unknown_task_is_refused);
    RUN(a_task_asks_its_client_while_the_result_is_waited_for);
    RUN(a_task_asks_again_and_again);
    RUN(a_client_that_refuses_to_answer_fails_the_task);
    RUN(progress_has_the_clients_token);
    RUN(log_messages_are_of_the_level_that_the_client_wants);
    RUN(a_client_may_want_all_log_messages_of_several_tasks);
    RUN(log_messages_of_a_task_end_with_its_client);
    RUN(lists_have_the_tasks_of_their_principal);
    RUN(lists_are_unknown_unless_they_are_wanted);
    RUN(a_task_belongs_to_its_principal);
    RUN(clients_of_both_forms_watch_the_same_task);
    RUN(a_task_of_the_extension_is_read_in_the_core);
    return check_end();
}
