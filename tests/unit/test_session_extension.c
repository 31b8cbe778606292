/* SPDX-License-Identifier: MIT */
/* An extension on sessions: the tasks of 2026-07-28, an overlay that this program has beside the revisions of
 * the library. Nothing of it is sent unless both ends have declared it. */
#include <mcp/2026-07-28-tasks.h>

#include "session_harness.h"

#define TASKS "2026-07-28-tasks"
#define EXTENSION "extensions.io.modelcontextprotocol/tasks"
#define DECLARED "{'extensions':{'io.modelcontextprotocol/tasks':{}}}"
#define SERVED "{'tools':{},'extensions':{'io.modelcontextprotocol/tasks':{}}}"
#define LACKING "'data':{'requiredCapabilities':" DECLARED "}"
#define TIMES "'createdAt':'2026-07-28T00:00:00Z','lastUpdatedAt':'2026-07-28T00:00:00Z','ttlMs':null"
#define WORKING "'taskId':'1','status':'working'," TIMES

/* ---- A server that makes tasks ---- */

static mcpw_status get_task(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'resultType':'complete'," WORKING "}");
}

/* With more members, as the test wants it. */
static mcpw_status get_task_with(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, fmt("{'resultType':'complete'," WORKING "%s}", e->text));
}

static mcpw_status acknowledge(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'resultType':'complete'}");
}

/* A task for who takes one; else as its test wants it. */
static mcpw_status make_task(end *e, mcpw_request *request, const void *params) {
    const mcpw_type *const type = &mcp_20260728_tasks_create_task_result_table;
    const void *const task = decoded(type, "{'resultType':'task'," WORKING "}", mcpw_request_arena(request));
    (void)params;
    e->status = mcpw_respond(request, type, task, NULL);
    return e->status;
}

static mcpw_status make_task_or_say_hello(end *e, mcpw_request *request, const void *params) {
    return mcpw_request_can(request, EXTENSION) ? make_task(e, request, params)
                                                : say_hello(e, request, params);
}

static end *server_with(end_handler call_tool) {
    end *const e = server_of(TASKS, TASKS);
    end_serve(e, "tools/list", list_one_tool);
    end_serve(e, "tools/call", call_tool);
    end_serve(e, "tasks/get", get_task);
    end_serve(e, "tasks/update", acknowledge);
    end_serve(e, "tasks/cancel", acknowledge);
    open_server(e);
    return e;
}

static void say_declaring(end *e, const char *id, const char *method, const char *members) {
    say_request_as(e, id, method, members, DECLARED, "");
}

static mcpw_status notify(end *e, const char *task) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const void *const params =
        decoded(&mcp_20260728_tasks_task_status_notification_params_table,
                fmt("{'taskId':'%s','status':'completed'," TIMES ",'result':{'content':[]}}", task), &arena);
    const mcpw_status status = mcp_20260728_tasks_notify_tasks(e->session, params, NULL);
    mcpw_arena_free(&arena);
    return status;
}

static void messages_call_the_revision_as_the_one_below(void) {
    end *const e = server_with(say_hello);
    say_request(e, "1", "server/discover", "");
    const char *const line = heard(e);
    CHECK_HAS(line, "'supportedVersions':['2026-07-28','2025-11-25',");
    CHECK(strcmp(mcpw_revision_name(mcpw_session_revision(e->session)), TASKS) == 0);
    CHECK_STRING(mcpw_revision_wire(mcpw_find_revision(TASKS)), "2026-07-28");
    CHECK_STRING(mcpw_revision_wire(mcpw_find_revision(HANDSHAKE)), HANDSHAKE);
    end_free(e);
}

static void what_handlers_answer_is_declared(void) {
    end *const e = server_with(say_hello);
    say_request(e, "1", "server/discover", "");
    CHECK_HAS(heard(e), "'capabilities':{'extensions':{'io.modelcontextprotocol/tasks':{}},'tools':{");
    end_free(e);
}

static void handlers_of_the_revision_below_have_nothing_of_it(void) {
    end *const e = server_of(MODERN, MODERN);
    end_serve(e, "tools/call", say_hello);
    open_server(e);
    say_request(e, "1", "server/discover", "");
    CHECK_HAS(heard(e), "'capabilities':{'tools':{");
    CHECK(strcmp(mcpw_revision_name(mcpw_session_revision(e->session)), MODERN) == 0);
    say_request_as(e, "2", "tasks/get", "'taskId':'1'", DECLARED, "");
    CHECK_HAS(heard(e), "'error':{'code':-32601");
    end_free(e);
}

static void its_methods_are_refused_to_who_has_not_declared_it(void) {
    static const char *const methods[] = {"tasks/get", "tasks/update", "tasks/cancel"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        end *const e = server_with(say_hello);
        const char *const members = i == 1 ? "'taskId':'1','inputResponses':{}" : "'taskId':'1'";
        say_request_as(e, "1", methods[i], members, "{'extensions':{'com.example/other':{}}}", "");
        EXPECT(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32021,'message':"
                  "'Missing required client capability: " EXTENSION "'," LACKING "}}");
        CHECK(e->runs == 0);
        say_declaring(e, "2", methods[i], members);
        CHECK_HAS(heard(e), "'id':2,'result':{");
        CHECK(e->runs == 1);
        end_free(e);
    }
}

static void a_task_answers_who_has_declared_it_alone(void) {
    end *const e = server_with(make_task_or_say_hello);
    say_declaring(e, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'result':{'resultType':'task','taskId':'1','status':'working',");
    say_request(e, "2", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'result':{'resultType':'complete','content':");
    end_free(e);
}

static void who_can_only_make_tasks_refuses_the_others(void) {
    end *const e = server_with(make_task);
    say_request(e, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'error':{'code':-32021,'message':'Missing required client capability: " EXTENSION
                        "'," LACKING "}");
    CHECK(e->status == MCPW_E_CAPABILITY && e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 0);
    end_free(e);
}

/* A union's alternatives have the _meta; the union itself has none. */
static void what_is_one_of_several_results_names_its_server(void) {
    static const char *const metas[][2] = {
        {"", "'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'name','version':'1'}}"},
        {",'_meta':{'a.b/c':1}",
         "'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'name','version':'1'},'a.b/c':1}"},
        {",'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'other','version':'2'}}",
         "'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'other','version':'2'}}"},
    };
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++) {
        end *const e = server_of(TASKS, TASKS);
        e->config.send_server_info = MCPW_ON;
        end_serve(e, "tasks/get", get_task_with);
        open_server(e);
        (void)snprintf(e->text, sizeof e->text, "%s", metas[i][0]);
        say_declaring(e, "1", "tasks/get", "'taskId':'1'");
        const char *const line = heard(e);
        CHECK_HAS(line, metas[i][1]);
        CHECK_HAS(line, "'taskId':'1','status':'working'");
        end_free(e);
    }
}

static void a_task_answers_no_other_method(void) {
    end *const e = server_with(say_hello);
    e->unchecked = true;
    e->slots[0].run = make_task; /* of tools/list */
    say_declaring(e, "1", "tools/list", "");
    CHECK(e->status == MCPW_E_ARGUMENT);
    CHECK_HAS(heard(e), "'error':{'code':-32603");
    end_free(e);
}

static void a_subscription_is_told_of_the_tasks_that_it_names(void) {
    end *const e = server_with(say_hello);
    say_declaring(e, "'a'", "subscriptions/listen", "'notifications':{'taskIds':['1','2']}");
    EXPECT(e,
           "{'jsonrpc':'2.0','method':'notifications/subscriptions/acknowledged','params':{"
           "'_meta':{'io.modelcontextprotocol/subscriptionId':'a'},'notifications':{'taskIds':['1','2']}}}");
    say_declaring(e, "'b'", "subscriptions/listen", "'notifications':{'toolsListChanged':true}");
    run_to_idle(e);
    CHECK(notify(e, "2") == MCPW_OK);
    EXPECT(e,
           "{'jsonrpc':'2.0','method':'notifications/tasks','params':{"
           "'_meta':{'io.modelcontextprotocol/subscriptionId':'a'},'taskId':'2','status':'completed'," TIMES
           ",'result':{'content':[]}}}");
    EXPECT(e, "");
    CHECK(notify(e, "3") == MCPW_OK);
    EXPECT(e, "");
    end_free(e);
}

static void what_is_told_keeps_its_meta_beside_the_subscription(void) {
    end *const e = server_with(say_hello);
    mcpw_arena arena = MCPW_ARENA_INIT;
    const void *const params =
        decoded(&mcp_20260728_tasks_task_status_notification_params_table,
                "{'_meta':{'a.b/c':1},'taskId':'1','status':'working'," TIMES "}", &arena);
    say_declaring(e, "'a'", "subscriptions/listen", "'notifications':{'taskIds':['1']}");
    run_to_idle(e);
    CHECK(mcp_20260728_tasks_notify_tasks(e->session, params, NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'_meta':{'io.modelcontextprotocol/subscriptionId':'a','a.b/c':1}");
    mcpw_arena_free(&arena);
    end_free(e);
}

static void what_is_told_has_params(void) {
    end *const e = server_with(say_hello);
    mcpw_error error = {0};
    say_declaring(e, "'a'", "subscriptions/listen", "'notifications':{'taskIds':['1']}");
    run_to_idle(e);
    CHECK(mcp_20260728_tasks_notify_tasks(e->session, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(error.code == MCPW_E_ARGUMENT);
    end_free(e);
}

static void nothing_is_told_while_the_output_is_full(void) {
    end *const e = server_of(TASKS, TASKS);
    end_serve(e, "tasks/get", get_task);
    e->config.max_output = 1;
    open_server(e);
    say_declaring(e, "'a'", "subscriptions/listen", "'notifications':{'taskIds':['1']}");
    run_to_idle(e);
    CHECK(notify(e, "1") == MCPW_OK);
    CHECK(notify(e, "1") == MCPW_E_FULL);
    end_free(e);
}

static void tasks_are_named_by_who_has_declared_it_alone(void) {
    end *const e = server_with(say_hello);
    say_request(e, "1", "subscriptions/listen", "'notifications':{'taskIds':['1']}");
    CHECK_HAS(heard(e), "'error':{'code':-32021,'message':'Missing required client capability: " EXTENSION
                        "'," LACKING "}");
    say_request(e, "2", "subscriptions/listen", "'notifications':{}");
    CHECK_HAS(heard(e), "'notifications':{}");
    CHECK(notify(e, "1") == MCPW_OK);
    EXPECT(e, "");
    end_free(e);
}

static void a_server_without_the_extension_grants_no_tasks(void) {
    end *const e = server_of(TASKS, TASKS);
    open_server(e);
    say_declaring(e, "1", "subscriptions/listen", "'notifications':{'taskIds':['1']}");
    CHECK_HAS(heard(e), "'notifications':{}");
    CHECK(notify(e, "1") == MCPW_OK);
    EXPECT(e, "");
    end_free(e);
}

static void tasks_of_an_older_revision_are_something_else(void) {
    end *const e = server_with(say_hello);
    e->speaks = mcpw_find_revision(HANDSHAKE);
    say_initialize_as(e, "{'tasks':{}}");
    CHECK(!has(heard(e), "'tasks'"));
    say(e, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
    say_request(e, "1", "tasks/get", "'taskId':'1'");
    CHECK_HAS(heard(e), "'error':{'code':-32601");
    CHECK(notify(e, "1") == MCPW_E_METHOD && e->runs == 0);
    end_free(e);
}

/* ---- A client that takes tasks ---- */

static void hear_task(end *e, const void *params) {
    const mcp_20260728_tasks_task_status_notification_params *const p = params;
    (void)e;
    CHECK(p->kind != 0);
}

static end *client_with(const char *declares, const char *servers) {
    end *const e = client_of(TASKS, TASKS);
    e->config.declares = declares;
    end_and_run_to_idle(e, "notifications/tasks", hear_task);
    open_client_as(e, servers);
    return e;
}

static void each_request_declares_what_the_config_names(void) {
    end *const e = client_with(EXTENSION, SERVED);
    CHECK(call(e, "tasks/get", "'taskId':'1'") == MCPW_OK);
    const char *const line = heard(e);
    CHECK_HAS(line, "'method':'tasks/get','params':{'taskId':'1','_meta':{");
    CHECK_HAS(line, "'io.modelcontextprotocol/protocolVersion':'2026-07-28'");
    CHECK_HAS(line, "'io.modelcontextprotocol/clientCapabilities':" DECLARED);
    say(e, "{'jsonrpc':'2.0','id':2,'result':{'resultType':'complete'," WORKING "}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    CHECK_HAS(e->out.text, "'status':'working'");
    end_free(e);
}

static void a_client_uses_nothing_that_it_has_not_declared(void) {
    end *const e = client_with(NULL, DECLARED);
    static const char *const ids[] = {"1"};
    static const mcpw_named_interest tasks = {"taskIds", ids, 1};
    const mcpw_interest interest = {.named = &tasks, .named_count = 1};
    mcpw_error error = {0};
    CHECK(call(e, "tasks/get", "'taskId':'1'") == MCPW_E_CAPABILITY);
    CHECK(mcpw_session_listen(e->session, &interest, end_on_reply, e, NULL, &error) == MCPW_E_CAPABILITY);
    CHECK_STRING(error.message, q("the client has not declared the capability '" EXTENSION "'"));
    EXPECT(e, "");
    end_free(e);
}

static void a_client_uses_nothing_that_the_server_has_not_declared(void) {
    end *const e = client_with(EXTENSION, "{}");
    static const char *const ids[] = {"1"};
    static const mcpw_named_interest tasks = {"taskIds", ids, 1};
    const mcpw_interest interest = {.named = &tasks, .named_count = 1};
    mcpw_error error = {0};
    CHECK(call(e, "tasks/cancel", "'taskId':'1'") == MCPW_E_CAPABILITY);
    CHECK(mcpw_session_listen(e->session, &interest, end_on_reply, e, NULL, &error) == MCPW_E_CAPABILITY);
    CHECK_STRING(error.message, q("the server has not declared the capability '" EXTENSION "'"));
    EXPECT(e, "");
    end_free(e);
}

static void what_no_filter_names_cannot_be_listened_to(void) {
    end *const e = client_with(EXTENSION, DECLARED);
    static const mcpw_named_interest other = {"jobIds", NULL, 0};
    const mcpw_interest interest = {.named = &other, .named_count = 1};
    CHECK(mcpw_session_listen(e->session, &interest, end_on_reply, e, NULL, NULL) == MCPW_E_METHOD);
    EXPECT(e, "");
    end_free(e);
}

static void a_task_that_was_not_asked_for_is_an_invalid_answer(void) {
    end *const e = client_with(NULL, SERVED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':2,'result':{'resultType':'task'," WORKING "}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CAPABILITY);
    CHECK_HAS(e->out.why, "the client has not declared the capability '" EXTENSION "'");
    EXPECT(e, "");
    end_free(e);
}

static void a_task_is_given_to_who_has_declared_it(void) {
    end *const e = client_with(EXTENSION, SERVED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':2,'result':{'resultType':'task'," WORKING "}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    CHECK_HAS(e->out.text, "'resultType':'task','taskId':'1'");
    end_free(e);
}

static void notifications_of_it_reach_who_has_declared_it_alone(void) {
    static const char told[] = "{'jsonrpc':'2.0','method':'notifications/tasks','params':{"
                               "'_meta':{'io.modelcontextprotocol/subscriptionId':2}," WORKING "}}";
    end *const with = client_with(EXTENSION, DECLARED);
    end *const without = client_with(NULL, DECLARED);
    say(with, told);
    say(without, told);
    CHECK(with->told == 1 && with->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER] == 0);
    CHECK(without->told == 0 && without->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER] == 1);
    CHECK_HAS(without->last_diagnostic, "the client has not declared '" EXTENSION "'");
    end_free(with);
    end_free(without);
}

int main(void) {
    RUN(messages_call_the_revision_as_the_one_below);
    RUN(what_handlers_answer_is_declared);
    RUN(handlers_of_the_revision_below_have_nothing_of_it);
    RUN(its_methods_are_refused_to_who_has_not_declared_it);
    RUN(a_task_answers_who_has_declared_it_alone);
    RUN(who_can_only_make_tasks_refuses_the_others);
    RUN(what_is_one_of_several_results_names_its_server);
    RUN(a_task_answers_no_other_method);
    RUN(a_subscription_is_told_of_the_tasks_that_it_names);
    RUN(what_is_told_keeps_its_meta_beside_the_subscription);
    RUN(what_is_told_has_params);
    RUN(nothing_is_told_while_the_output_is_full);
    RUN(tasks_are_named_by_who_has_declared_it_alone);
    RUN(a_server_without_the_extension_grants_no_tasks);
    RUN(tasks_of_an_older_revision_are_something_else);
    RUN(each_request_declares_what_the_config_names);
    RUN(a_client_uses_nothing_that_it_has_not_declared);
    RUN(a_client_uses_nothing_that_the_server_has_not_declared);
    RUN(what_no_filter_names_cannot_be_listened_to);
    RUN(a_task_that_was_not_asked_for_is_an_invalid_answer);
    RUN(a_task_is_given_to_who_has_declared_it);
    RUN(notifications_of_it_reach_who_has_declared_it_alone);
    return check_end();
}
