/* SPDX-License-Identifier: MIT */
/* The tasks extension between two ends, by the code that was generated for it: typed handlers on one side,
 * typed calls on the other. Nothing of it is on the wire where one of them lacks it. */
#include <mcp/2026-07-28-tasks.h>

#include "session_harness.h"

#define TASKS "2026-07-28-tasks"
#define EXTENSION "extensions.io.modelcontextprotocol/tasks"
#define DECLARED "'extensions':{'io.modelcontextprotocol/tasks':{}}"
#define TIME MCPW_STR("2026-07-28T00:00:00Z")
#define CONTENT "{\"content\":[]}"

enum { LINES = 1 << 14 };

/* The one task of the server's, and what either end has seen. */
typedef struct work {
    mcp_20260728_tasks_task_status status;
    int updates;
    int replies;
    int64_t code;        /* of the last reply */
    mcpw_status outcome; /* the same */
    bool as_task;        /* what a call was answered with */
    bool as_result;
    mcp_20260728_tasks_get_task_result_kind got;
    mcpw_named_interest named;
    char told[HARNESS_ERROR]; /* the tasks that the client was told of */
    char lines[LINES];        /* all that was said */
} work;

static work seen;

static work fresh(void) {
    const work none = {.status = MCP_20260728_TASKS_TASK_STATUS_WORKING};
    return none;
}

/* ---- The server ---- */

static mcpw_status say_it_is_a_task(mcpw_request *request) {
    const mcp_20260728_tasks_create_task_result task = {
        .task_id = MCPW_STR("1"),
        .status = seen.status,
        .created_at = TIME,
        .last_updated_at = TIME,
        .ttl_ms = {.kind = MCP_20260728_TASKS_CREATE_TASK_RESULT_TTL_MS_INTEGER, .as.integer = 5000},
        .poll_interval_ms = MCPW_INT(10),
    };
    return mcp_20260728_tasks_respond_task(request, &task, NULL);
}

static mcpw_status say_it_is_done(mcpw_request *request) {
    static const mcp_20260728_content_block hello = {.kind = MCP_20260728_CONTENT_BLOCK_TEXT_CONTENT,
                                                     .as.text_content = {.text = MCPW_STR("hello")}};
    const mcp_20260728_call_tool_result result = {.content = {&hello, 1}};
    return mcp_20260728_tasks_respond_tools_call(request, &result, NULL);
}

static mcpw_status call_tool(mcpw_request *request, const mcp_20260728_call_tool_request_params *params,
                             void *user) {
    (void)user;
    return mcpw_str_is(params->name, "slow") && mcpw_request_can(request, EXTENSION)
               ? say_it_is_a_task(request)
               : say_it_is_done(request);
}

static mcpw_status call_quick_tool(mcpw_request *request, const mcp_20260728_call_tool_request_params *params,
                                   void *user) {
    (void)params;
    (void)user;
    return say_it_is_done(request);
}

static mcpw_status call_tool_as_task(mcpw_request *request,
                                     const mcp_20260728_call_tool_request_params *params, void *user) {
    (void)params;
    (void)user;
    return say_it_is_a_task(request);
}

static mcpw_status list_tools(mcpw_request *request, const mcp_20260728_paginated_request_params *params,
                              void *user) {
    const mcp_20260728_list_tools_result none = {0};
    (void)params;
    (void)user;
    return mcp_20260728_tasks_respond_tools_list(request, &none, NULL);
}

static mcpw_status get_task(mcpw_request *request, const mcp_20260728_tasks_get_task_request_params *params,
                            void *user) {
    static const mcp_20260728_input_request_entry roots = {
        MCPW_STR("where"), {.kind = MCP_20260728_INPUT_REQUEST_LIST_ROOTS_REQUEST}};
    mcp_20260728_tasks_get_task_result result = {0};
    (void)user;
    if (seen.status == MCP_20260728_TASKS_TASK_STATUS_WORKING) {
        result.kind = MCP_20260728_TASKS_GET_TASK_RESULT_WORKING;
        result.as.working.task_id = params->task_id;
        result.as.working.created_at = result.as.working.last_updated_at = (mcpw_str)TIME;
        result.as.working.ttl_ms.kind = MCP_20260728_TASKS_GET_TASK_RESULT_WORKING_TTL_MS_NULL;
    } else if (seen.status == MCP_20260728_TASKS_TASK_STATUS_INPUT_REQUIRED) {
        result.kind = MCP_20260728_TASKS_GET_TASK_RESULT_INPUT_REQUIRED;
        result.as.input_required.task_id = params->task_id;
        result.as.input_required.created_at = result.as.input_required.last_updated_at = (mcpw_str)TIME;
        result.as.input_required.ttl_ms.kind = MCP_20260728_TASKS_GET_TASK_RESULT_INPUT_REQUIRED_TTL_MS_NULL;
        result.as.input_required.input_requests = (mcp_20260728_input_request_map){&roots, 1};
    } else if (seen.status == MCP_20260728_TASKS_TASK_STATUS_COMPLETED) {
        result.kind = MCP_20260728_TASKS_GET_TASK_RESULT_COMPLETED;
        result.as.completed.task_id = params->task_id;
        result.as.completed.created_at = result.as.completed.last_updated_at = (mcpw_str)TIME;
        result.as.completed.ttl_ms.kind = MCP_20260728_TASKS_GET_TASK_RESULT_COMPLETED_TTL_MS_NULL;
        result.as.completed.result = (mcpw_json)MCPW_JSON(CONTENT);
    } else {
        result.kind = MCP_20260728_TASKS_GET_TASK_RESULT_CANCELLED;
        result.as.cancelled.task_id = params->task_id;
        result.as.cancelled.created_at = result.as.cancelled.last_updated_at = (mcpw_str)TIME;
        result.as.cancelled.ttl_ms.kind = MCP_20260728_TASKS_GET_TASK_RESULT_CANCELLED_TTL_MS_NULL;
    }
    return mcp_20260728_tasks_respond_tasks_get(request, &result, NULL);
}

static mcpw_status update_task(mcpw_request *request,
                               const mcp_20260728_tasks_update_task_request_params *params, void *user) {
    const mcp_20260728_tasks_update_task_result heard_it = {0};
    (void)user;
    CHECK(params->input_responses.count == 1);
    for (size_t i = 0; i < params->input_responses.count; i++) {
        const mcp_20260728_input_response *const answer = &params->input_responses.items[i].value;
        CHECK(mcpw_str_is(params->input_responses.items[i].key, "where"));
        CHECK(answer->kind == MCP_20260728_INPUT_RESPONSE_LIST_ROOTS_RESULT &&
              mcpw_str_is(answer->as.list_roots_result.roots.items->uri, "file:///home"));
    }
    seen.updates++;
    seen.status = MCP_20260728_TASKS_TASK_STATUS_COMPLETED;
    return mcp_20260728_tasks_respond_tasks_update(request, &heard_it, NULL);
}

static mcpw_status cancel_task(mcpw_request *request,
                               const mcp_20260728_tasks_cancel_task_request_params *params, void *user) {
    const mcp_20260728_tasks_cancel_task_result heard_it = {0};
    (void)user;
    CHECK(mcpw_str_is(params->task_id, "1"));
    seen.status = MCP_20260728_TASKS_TASK_STATUS_CANCELLED;
    return mcp_20260728_tasks_respond_tasks_cancel(request, &heard_it, NULL);
}

static const mcp_20260728_tasks_server_handlers makes_tasks = {.tools_call = call_tool,
                                                               .tools_list = list_tools,
                                                               .tasks_get = get_task,
                                                               .tasks_update = update_task,
                                                               .tasks_cancel = cancel_task};
static const mcp_20260728_tasks_server_handlers makes_nothing_else = {
    .tools_call = call_tool_as_task, .tools_list = list_tools, .tasks_get = get_task};
static const mcp_20260728_tasks_server_handlers knows_no_tasks = {.tools_call = call_quick_tool,
                                                                  .tools_list = list_tools};
/* It has nothing by which a client could ask after a task. */
static const mcp_20260728_tasks_server_handlers makes_tasks_unheard = {.tools_call = call_tool_as_task,
                                                                       .tools_list = list_tools};

static mcpw_status notify(end *server, const char *task) {
    mcp_20260728_tasks_task_status_notification_params params = {
        .kind = MCP_20260728_TASKS_TASK_STATUS_NOTIFICATION_PARAMS_COMPLETED};
    params.as.completed.task_id = mcpw_str_from(task);
    params.as.completed.created_at = params.as.completed.last_updated_at = (mcpw_str)TIME;
    params.as.completed.ttl_ms.kind =
        MCP_20260728_TASKS_TASK_STATUS_NOTIFICATION_PARAMS_COMPLETED_TTL_MS_NULL;
    params.as.completed.result = (mcpw_json)MCPW_JSON(CONTENT);
    return mcp_20260728_tasks_notify_tasks(server->session, &params, NULL);
}

/* ---- The client ---- */

static void hear_task(mcpw_session *session, const mcp_20260728_tasks_task_status_notification_params *params,
                      void *user) {
    (void)session;
    (void)user;
    CHECK(params->kind == MCP_20260728_TASKS_TASK_STATUS_NOTIFICATION_PARAMS_COMPLETED);
    const mcpw_str task = params->as.completed.task_id;
    const size_t len = strlen(seen.told);
    (void)snprintf(seen.told + len, sizeof seen.told - len, "%.*s;", (int)task.len, task.ptr);
}

static const mcp_20260728_tasks_client_handlers hears_tasks = {.notifications_tasks = hear_task};

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const mcp_20260728_tasks_get_task_result *const got = mcp_20260728_tasks_reply_tasks_get(reply);
    const mcp_20260728_tasks_create_task_result *const task = mcp_20260728_tasks_reply_task(reply);
    const mcp_20260728_call_tool_result *const result = mcp_20260728_tasks_reply_tools_call(reply);
    (void)user;
    (void)session;
    seen.replies++;
    seen.outcome = reply->status;
    seen.code = reply->remote.code;
    seen.as_task = task != NULL && mcpw_str_is(task->task_id, "1") &&
                   task->status == MCP_20260728_TASKS_TASK_STATUS_WORKING &&
                   task->ttl_ms.as.integer == 5000 && task->poll_interval_ms.value == 10;
    seen.as_result = result != NULL && result->content.count == 1;
    seen.got = got != NULL ? got->kind : MCP_20260728_TASKS_GET_TASK_RESULT_UNKNOWN;
    if (seen.got == MCP_20260728_TASKS_GET_TASK_RESULT_INPUT_REQUIRED) {
        const mcp_20260728_input_request_map asked = got->as.input_required.input_requests;
        CHECK(asked.count == 1 && asked.items->value.kind == MCP_20260728_INPUT_REQUEST_LIST_ROOTS_REQUEST);
    } else if (seen.got == MCP_20260728_TASKS_GET_TASK_RESULT_COMPLETED) {
        CHECK_TEXT(got->as.completed.result.ptr, got->as.completed.result.len, CONTENT);
    }
}

/* ---- The two together ---- */

typedef struct ends {
    end *client;
    end *server;
} ends;

static void write_down(const char *line) {
    const size_t at = strlen(seen.lines);
    const size_t len = strlen(line) + 1;
    CHECK(at + len < sizeof seen.lines);
    if (at + len < sizeof seen.lines) {
        memcpy(seen.lines + at, line, len);
    }
}

static bool pass_on(end *from, end *to) {
    bool any = false;
    for (const char *line = heard(from); *line != '\0'; line = heard(from)) {
        any = true;
        write_down(line);
        say(to, line);
    }
    return any;
}

static void run(ends both) {
    while (pass_on(both.client, both.server) || pass_on(both.server, both.client)) {
    }
}

/* declares: what the client does; NULL: nothing. */
static ends prepare(const mcp_20260728_tasks_server_handlers *handlers, const char *declares) {
    const ends both = {client_of(TASKS, TASKS), server_of(TASKS, TASKS)};
    seen = fresh();
    both.client->config.dispatch = &mcp_20260728_tasks_client_dispatch;
    both.client->config.handlers = &hears_tasks;
    both.client->config.declares = declares;
    both.server->config.dispatch = &mcp_20260728_tasks_server_dispatch;
    both.server->config.handlers = handlers;
    return both;
}

static void open_ends(ends both) {
    end_start(both.server);
    end_start(both.client);
    CHECK(mcpw_session_open(both.client->session) == MCPW_OK);
    run(both);
    CHECK(both.client->opened == 1 && both.client->open_status == MCPW_OK);
    CHECK(mcpw_session_revision(both.client->session) == &mcp_20260728_tasks_revision);
}

static ends pair(const mcp_20260728_tasks_server_handlers *handlers, const char *declares) {
    const ends both = prepare(handlers, declares);
    open_ends(both);
    return both;
}

static void end_pair(ends both) {
    end_free(both.client);
    end_free(both.server);
}

static mcpw_status call_of(ends both, const char *tool) {
    const mcp_20260728_call_tool_request_params params = {.name = mcpw_str_from(tool)};
    const mcpw_status status = mcp_20260728_tasks_request_tools_call(both.client->session, &params, NULL,
                                                                     on_reply, NULL, NULL, NULL);
    run(both);
    return status;
}

static mcpw_status get(ends both) {
    const mcp_20260728_tasks_get_task_request_params params = {.task_id = MCPW_STR("1")};
    const mcpw_status status =
        mcp_20260728_tasks_request_tasks_get(both.client->session, &params, NULL, on_reply, NULL, NULL, NULL);
    run(both);
    return status;
}

static mcpw_status update(ends both) {
    static const mcp_20260728_root home = {.uri = MCPW_STR("file:///home")};
    mcp_20260728_input_response_entry answer = {.key = MCPW_STR("where")};
    answer.value.kind = MCP_20260728_INPUT_RESPONSE_LIST_ROOTS_RESULT;
    answer.value.as.list_roots_result.roots = (mcp_20260728_root_list){&home, 1};
    const mcp_20260728_tasks_update_task_request_params params = {.task_id = MCPW_STR("1"),
                                                                  .input_responses = {&answer, 1}};
    const mcpw_status status = mcp_20260728_tasks_request_tasks_update(both.client->session, &params, NULL,
                                                                       on_reply, NULL, NULL, NULL);
    run(both);
    return status;
}

static mcpw_status cancel(ends both) {
    const mcp_20260728_tasks_cancel_task_request_params params = {.task_id = MCPW_STR("1")};
    const mcpw_status status = mcp_20260728_tasks_request_tasks_cancel(both.client->session, &params, NULL,
                                                                       on_reply, NULL, NULL, NULL);
    run(both);
    return status;
}

static mcpw_status listen_to(ends both, const char *const *ids, size_t count) {
    seen.named = (mcpw_named_interest){"taskIds", ids, count};
    const mcpw_interest interest = {.tools = true, .named = &seen.named, .named_count = 1};
    const mcpw_status status =
        mcpw_session_listen(both.client->session, &interest, on_reply, NULL, NULL, NULL);
    run(both);
    return status;
}

static void a_call_becomes_a_task_that_ends(void) {
    const ends both = pair(&makes_tasks, EXTENSION);
    CHECK(call_of(both, "slow") == MCPW_OK);
    CHECK(seen.outcome == MCPW_OK && seen.as_task && !seen.as_result);
    CHECK(get(both) == MCPW_OK && seen.got == MCP_20260728_TASKS_GET_TASK_RESULT_WORKING);
    seen.status = MCP_20260728_TASKS_TASK_STATUS_COMPLETED;
    CHECK(get(both) == MCPW_OK && seen.got == MCP_20260728_TASKS_GET_TASK_RESULT_COMPLETED);
    CHECK(seen.replies == 3);
    end_pair(both);
}

static void a_call_that_is_no_task_has_its_own_result(void) {
    const ends both = pair(&makes_tasks, EXTENSION);
    CHECK(call_of(both, "quick") == MCPW_OK);
    CHECK(seen.outcome == MCPW_OK && seen.as_result && !seen.as_task);
    end_pair(both);
}

static void what_a_task_asks_is_answered(void) {
    const ends both = pair(&makes_tasks, EXTENSION);
    seen.status = MCP_20260728_TASKS_TASK_STATUS_INPUT_REQUIRED;
    CHECK(get(both) == MCPW_OK && seen.got == MCP_20260728_TASKS_GET_TASK_RESULT_INPUT_REQUIRED);
    CHECK(update(both) == MCPW_OK && seen.outcome == MCPW_OK && seen.updates == 1);
    CHECK(get(both) == MCPW_OK && seen.got == MCP_20260728_TASKS_GET_TASK_RESULT_COMPLETED);
    end_pair(both);
}

static void a_task_is_cancelled(void) {
    const ends both = pair(&makes_tasks, EXTENSION);
    CHECK(cancel(both) == MCPW_OK && seen.outcome == MCPW_OK);
    CHECK(get(both) == MCPW_OK && seen.got == MCP_20260728_TASKS_GET_TASK_RESULT_CANCELLED);
    end_pair(both);
}

static void a_client_hears_of_the_tasks_that_it_names(void) {
    static const char *const ids[] = {"1", "2"};
    const ends both = pair(&makes_tasks, EXTENSION);
    CHECK(listen_to(both, ids, 2) == MCPW_OK);
    CHECK_HAS(seen.lines, "'notifications':{'toolsListChanged':true,'taskIds':['1','2']}");
    CHECK(notify(both.server, "2") == MCPW_OK && notify(both.server, "3") == MCPW_OK &&
          notify(both.server, "1") == MCPW_OK);
    run(both);
    CHECK_STRING(seen.told, "2;1;");
    CHECK(both.client->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER] == 0);
    end_pair(both);
}

/* Whether anything of the extension was said; to have declared it is not yet using it. */
static bool tasks_were_mentioned(void) {
    static const char *const words[] = {"taskId",       "tasks/get",           "tasks/update",
                                        "tasks/cancel", "notifications/tasks", "'resultType':'task'"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found = found || has(seen.lines, words[i]);
    }
    return found;
}

/* Whatever the program asks for. */
static void use_all_of_it(ends both) {
    static const char *const ids[] = {"1"};
    CHECK(call_of(both, "slow") == MCPW_OK && seen.as_result && !seen.as_task);
    CHECK(get(both) == MCPW_E_CAPABILITY);
    CHECK(update(both) == MCPW_E_CAPABILITY);
    CHECK(cancel(both) == MCPW_E_CAPABILITY);
    CHECK(listen_to(both, ids, 1) == MCPW_E_CAPABILITY);
    CHECK(listen_to(both, ids, 0) == MCPW_OK);
    CHECK(notify(both.server, "1") == MCPW_OK);
    run(both);
    CHECK_STRING(seen.told, "");
    CHECK(!tasks_were_mentioned());
}

static void nothing_of_it_is_said_to_a_server_that_lacks_it(void) {
    const ends both = pair(&knows_no_tasks, EXTENSION);
    use_all_of_it(both);
    end_pair(both);
}

static void nothing_of_it_is_said_by_a_client_that_lacks_it(void) {
    const ends both = pair(&makes_tasks, NULL);
    use_all_of_it(both);
    end_pair(both);
}

static void a_server_that_makes_nothing_but_tasks_refuses_a_client_that_lacks_them(void) {
    const ends both = pair(&makes_nothing_else, NULL);
    CHECK(call_of(both, "slow") == MCPW_OK);
    CHECK(seen.replies == 1 && seen.outcome == MCPW_E_REMOTE && seen.code == -32021);
    CHECK_HAS(seen.lines, "'data':{'requiredCapabilities':{" DECLARED "}}");
    CHECK(!tasks_were_mentioned());
    end_pair(both);
}

static void a_server_that_has_not_declared_tasks_sends_none(void) {
    const ends both = pair(&makes_tasks_unheard, EXTENSION);
    CHECK(call_of(both, "slow") == MCPW_OK);
    CHECK(seen.outcome == MCPW_E_REMOTE && seen.code == MCPW_RPC_INTERNAL_ERROR);
    CHECK(both.server->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
    CHECK_HAS(both.server->last_diagnostic, "this end has not declared '" EXTENSION "'");
    CHECK(!tasks_were_mentioned());
    end_pair(both);
}

/* Whether there was an n-th allocation to fail while a call became a task. */
static bool fail_nth(bool of_server, size_t n) {
    const mcp_20260728_call_tool_request_params params = {.name = MCPW_STR("slow")};
    const ends both = prepare(&makes_tasks, EXTENSION);
    end *const poor = of_server ? both.server : both.client;
    poor->memory.stingy = true;
    open_ends(both);
    poor->memory.fail_at = poor->memory.calls + n;
    const mcpw_status status = mcp_20260728_tasks_request_tools_call(both.client->session, &params, NULL,
                                                                     on_reply, NULL, NULL, NULL);
    pump(both.client, both.server, NULL);
    const bool failed = poor->memory.calls >= poor->memory.fail_at;
    poor->memory.fail_at = 0;
    poor->memory.stingy = false;
    mcpw_session_close(both.client->session);
    CHECK(seen.replies == (status == MCPW_OK ? 1 : 0));
    /* what the client has declared may be forgotten, and then it gets no task */
    CHECK(seen.replies == 0 || (seen.as_task || seen.as_result) == (seen.outcome == MCPW_OK));
    end_pair(both);
    return failed;
}

static void a_call_that_becomes_a_task_survives_any_failing_allocation(void) {
    enum { MOST = 200 };
    for (int of_server = 0; of_server < 2; of_server++) {
        size_t n = 1;
        while (n < MOST && fail_nth(of_server != 0, n)) {
            n++;
        }
        CHECK(n > 1 && n < MOST);
    }
}

int main(void) {
    RUN(a_call_becomes_a_task_that_ends);
    RUN(a_call_that_is_no_task_has_its_own_result);
    RUN(what_a_task_asks_is_answered);
    RUN(a_task_is_cancelled);
    RUN(a_client_hears_of_the_tasks_that_it_names);
    RUN(nothing_of_it_is_said_to_a_server_that_lacks_it);
    RUN(nothing_of_it_is_said_by_a_client_that_lacks_it);
    RUN(a_server_that_makes_nothing_but_tasks_refuses_a_client_that_lacks_them);
    RUN(a_server_that_has_not_declared_tasks_sends_none);
    RUN(a_call_that_becomes_a_task_survives_any_failing_allocation);
    return check_end();
}
