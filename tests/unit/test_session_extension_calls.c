/* SPDX-License-Identifier: MIT */
/* Calls that wait, where an extension may answer them by another result: by the tasks of 2026-07-28. */
#define _POSIX_C_SOURCE 200809L
#include <mcp/2026-07-28-tasks.h>
#include <mcp/2026-07-28-tasks/client.h>

#include "session_harness.h"

#include <unistd.h>

#define TASK                                                                                                 \
    "{'resultType':'task','taskId':'id','status':'working','createdAt':'2026-07-28T00:00:00Z',"              \
    "'lastUpdatedAt':'2026-07-28T00:00:00Z','ttlMs':null}"
#define CONTENT "{'resultType':'complete','content':[{'type':'text','text':'hello'}]}"

static const mcp_20260728_call_tool_request_params params = {.name = MCPW_STR("t")};

/* A server in the shell that makes tasks, and answers a call by this result. */
static mcpw_client *start_server(const char *result) {
    static char script[HARNESS_TEXT];
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    const mcpw_spawn spawn = {.argv = argv};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {0};
    config.name = "test";
    config.version = "1";
    config.declares = "extensions.io.modelcontextprotocol/tasks";
    (void)snprintf(
        script, sizeof script,
        "read -r a; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}'; "
        "read -r b; echo '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":%s}'; cat >/dev/null",
        q("{'resultType':'complete','ttlMs':0,'cacheScope':'private','supportedVersions':['2026-07-28'],"
          "'capabilities':{'tools':{},'extensions':{'io.modelcontextprotocol/tasks':{}}}}"),
        q(result));
    mcpw_client *const client = mcpw_client_start(&spawn, &config, &error);
    CHECK_STRING(error.message, "");
    return client;
}

static void a_call_gets_the_task_that_answers_it(void) {
    const mcp_20260728_call_tool_result *result = NULL;
    const mcp_20260728_tasks_create_task_result *task = NULL;
    mcpw_client *const client = start_server(TASK);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    CHECK(mcp_20260728_tasks_call_tools_call_or_task(client, &params, NULL, &arena, &result, &task, &error) ==
          MCPW_OK);
    CHECK(result == NULL && task != NULL && mcpw_str_is(task->task_id, "id"));
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void or_the_result_of_its_method(void) {
    const mcp_20260728_call_tool_result *result = NULL;
    const mcp_20260728_tasks_create_task_result *task = NULL;
    mcpw_client *const client = start_server(CONTENT);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    CHECK(mcp_20260728_tasks_call_tools_call_or_task(client, &params, NULL, &arena, &result, &task, &error) ==
          MCPW_OK);
    CHECK(task == NULL && result != NULL && result->content.count == 1);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void who_wants_the_result_alone_is_told_of_a_task(void) {
    const mcp_20260728_call_tool_result *result = NULL;
    mcpw_client *const client = start_server(TASK);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    CHECK(mcp_20260728_tasks_call_tools_call(client, &params, NULL, &arena, &result, &error) == MCPW_E_TYPE);
    CHECK_STRING(error.message, "the server answered by a CreateTaskResult");
    CHECK(result == NULL);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

int main(void) {
    RUN(a_call_gets_the_task_that_answers_it);
    RUN(or_the_result_of_its_method);
    RUN(who_wants_the_result_alone_is_told_of_a_task);
    return check_end();
}
