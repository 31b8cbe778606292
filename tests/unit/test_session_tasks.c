/* SPDX-License-Identifier: MIT */
/* Requests that carry a task (2025-11-25): they are answered by the task, which is another type than the
 * method's result, so that the functions for the two are apart. */
#define _POSIX_C_SOURCE 200809L
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2025-11-25/client.h>
#include <mcp/2026-07-28.h>

#include "session_harness.h"

#include <unistd.h>

#define TASK                                                                                                 \
    "{'task':{'taskId':'id','status':'working','createdAt':'2025-01-01T00:00:00Z',"                          \
    "'lastUpdatedAt':'2025-01-01T00:00:00Z','ttl':null}}"
#define CONTENT "{'content':[{'type':'text','text':'hello'}]}"
#define MAKES_TASKS "{'tools':{},'tasks':{'requests':{'tools':{'call':{}}}}}"
#define SAMPLES_BY_TASK "{'sampling':{},'tasks':{'requests':{'sampling':{'createMessage':{}}}}}"

static const mcp_20251125_task_metadata in_a_minute = {.ttl = MCPW_INT(60000)};

/* ---- Calls that wait ---- */

/* A server of 2025-11-25 in the shell, which answers its first request after the handshake. */
static mcpw_client *start_server(const char *capabilities, const char *result) {
    static char script[HARNESS_TEXT];
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    const mcpw_spawn spawn = {.argv = argv};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {0};
    config.name = "test";
    config.version = "1";
    config.revisions = HANDSHAKE;
    (void)snprintf(
        script, sizeof script,
        "read -r a; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"" HANDSHAKE
        "\",\"capabilities\":%s,\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}'; "
        "read -r b; read -r c; echo '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":%s}'; cat >/dev/null",
        q(capabilities), q(result));
    mcpw_client *const client = mcpw_client_start(&spawn, &config, &error);
    CHECK_STRING(error.message, "");
    return client;
}

static void a_call_is_answered_by_its_result_alone(void) {
    const mcp_20251125_call_tool_request_params with_task = {.name = MCPW_STR("t"), .task = &in_a_minute};
    const mcp_20251125_call_tool_request_params plain = {.name = MCPW_STR("t")};
    const mcp_20251125_call_tool_result *result = NULL;
    mcpw_client *const client = start_server(MAKES_TASKS, CONTENT);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    CHECK(mcp_20251125_call_tools_call(client, &with_task, NULL, &arena, &result, &error) ==
              MCPW_E_ARGUMENT &&
          result == NULL);
    CHECK_HAS(error.message, "params with a task are answered by a CreateTaskResult");
    CHECK(mcp_20251125_call_tools_call(client, &plain, NULL, &arena, &result, &error) == MCPW_OK);
    CHECK(result != NULL && result->content.count == 1);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void a_call_as_a_task_is_answered_by_the_task(void) {
    const mcp_20251125_call_tool_request_params with_task = {.name = MCPW_STR("t"), .task = &in_a_minute};
    const mcp_20251125_call_tool_request_params plain = {.name = MCPW_STR("t")};
    const mcp_20251125_create_task_result *result = NULL;
    mcpw_client *const client = start_server(MAKES_TASKS, TASK);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    CHECK(mcp_20251125_call_tools_call_task(client, &plain, NULL, &arena, &result, &error) ==
              MCPW_E_ARGUMENT &&
          result == NULL);
    CHECK_HAS(error.message, "params without a task are not answered by a CreateTaskResult");
    CHECK(mcp_20251125_call_tools_call_task(client, &with_task, NULL, &arena, &result, &error) == MCPW_OK);
    CHECK(result != NULL && mcpw_str_is(result->task.task_id, "id"));
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void a_task_is_asked_only_of_who_makes_tasks(void) {
    const mcp_20251125_call_tool_request_params with_task = {.name = MCPW_STR("t"), .task = &in_a_minute};
    const mcp_20251125_create_task_result *result = NULL;
    mcpw_client *const client = start_server("{'tools':{}}", CONTENT);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    CHECK(mcp_20251125_call_tools_call_task(client, &with_task, NULL, &arena, &result, &error) ==
          MCPW_E_CAPABILITY);
    CHECK_HAS(error.message, "the peer has not declared that it makes tasks of tools/call");
    CHECK(result == NULL);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

/* A caller without generated functions learns the type of the result. */
static void a_result_says_its_type(void) {
    const mcp_20251125_call_tool_request_params with_task = {.name = MCPW_STR("t"), .task = &in_a_minute};
    mcpw_result result = {NULL, NULL};
    mcpw_client *const client = start_server(MAKES_TASKS, TASK);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    CHECK(mcpw_client_request(client, &mcp_20251125_revision, MCP_20251125_METHOD_TOOLS_CALL, &with_task,
                              NULL, &arena, &result, &error) == MCPW_OK);
    CHECK(result.type == &mcp_20251125_create_task_result_table && result.value != NULL);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void a_type_that_the_method_does_not_have_is_refused(void) {
    const mcp_20251125_call_tool_request_params plain = {.name = MCPW_STR("t")};
    mcpw_result result = {&mcp_20251125_list_tools_result_table, NULL};
    mcpw_client *const client = start_server(MAKES_TASKS, CONTENT);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    CHECK(mcpw_client_request(client, &mcp_20251125_revision, MCP_20251125_METHOD_TOOLS_CALL, &plain, NULL,
                              &arena, &result, &error) == MCPW_E_ARGUMENT);
    CHECK_HAS(error.message, "tools/call is not answered by a ListToolsResult");
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

/* ---- Input requests ---- */

static const mcp_20251125_sampling_message greeting[] = {{.role = MCP_20251125_ROLE_USER}};

static mcp_20251125_create_message_request_params input_request(const mcp_20251125_task_metadata *task) {
    mcp_20251125_create_message_request_params params = {.max_tokens = 5, .task = task};
    params.messages.items = greeting;
    params.messages.count = 0;
    return params;
}

static mcpw_status ask_plainly(end *e, mcpw_request *request, const void *params) {
    const mcp_20251125_create_message_request_params asked = input_request(&in_a_minute);
    const mcp_20251125_create_message_result *result = NULL;
    mcpw_error error = {0};
    e->status = mcp_20251125_ask_sampling_create_message(request, "q", &asked, &result, &error);
    CHECK(result == NULL);
    (void)snprintf(e->text, sizeof e->text, "%s", error.message);
    return say_hello(e, request, params);
}

static void a_input_request_is_answered_by_its_result_alone(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "tools/call", ask_plainly);
    open_server_as(e, SAMPLES_BY_TASK);
    say_request(e, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'id':1,'result':{'content'");
    CHECK(e->status == MCPW_E_ARGUMENT);
    CHECK_HAS(e->text, "params with a task are answered by a CreateTaskResult");
    end_free(e);
}

static mcpw_status ask_by_task(end *e, mcpw_request *request, const void *params) {
    const mcp_20251125_create_message_request_params asked = input_request(&in_a_minute);
    const mcp_20251125_create_task_result *result = NULL;
    mcpw_error error = {0};
    const mcpw_status status =
        mcp_20251125_ask_sampling_create_message_task(request, "q", &asked, &result, &error);
    CHECK((result != NULL) == (status == MCPW_OK));
    if (result != NULL) {
        (void)snprintf(e->text, sizeof e->text, "%s", result->task.task_id.ptr);
        return say_hello(e, request, params);
    }
    return status;
}

static void a_input_request_as_a_task_is_answered_by_the_task(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "tools/call", ask_by_task);
    open_server_as(e, SAMPLES_BY_TASK);
    say_request(e, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'method':'sampling/createMessage'");
    say(e, "{'jsonrpc':'2.0','id':1,'result':" TASK "}");
    CHECK_HAS(heard(e), "'id':1,'result':{'content'");
    CHECK_STRING(e->text, "id");
    end_free(e);
}

static void a_input_request_as_a_task_is_for_clients_that_make_tasks(void) {
    static const char *const others[] = {"2025-06-18", HANDSHAKE, MODERN};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        end *const e = server_of(others[i], HANDSHAKE);
        end_serve(e, "tools/call", ask_by_task);
        open_server_as(e, "{'sampling':{}}");
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'message':'Missing required client capability: tasks'");
        end_free(e);
    }
}

int main(void) {
    if (access("/bin/sh", X_OK) != 0) {
        (void)fprintf(stderr, "skipped: no /bin/sh\n");
        return CHECK_SKIPPED;
    }
    RUN(a_call_is_answered_by_its_result_alone);
    RUN(a_call_as_a_task_is_answered_by_the_task);
    RUN(a_task_is_asked_only_of_who_makes_tasks);
    RUN(a_result_says_its_type);
    RUN(a_type_that_the_method_does_not_have_is_refused);
    RUN(a_input_request_is_answered_by_its_result_alone);
    RUN(a_input_request_as_a_task_is_answered_by_the_task);
    RUN(a_input_request_as_a_task_is_for_clients_that_make_tasks);
    return check_end();
}
