/* SPDX-License-Identifier: MIT */
/* A client that waits takes tasks: calls that end with the task, and handles. The server is a shell. */
#define _POSIX_C_SOURCE 200809L
#include <mcp/2026-07-28.h>
#include <mcp/2026-07-28/client.h>
#include <mcpw/extension.h>

#include "session_harness.h"

#include <unistd.h>

#define STATE(status)                                                                                        \
    "'taskId':'t1','status':'" status "','createdAt':'2026-07-28T00:00:00Z',"                                \
    "'lastUpdatedAt':'2026-07-28T00:00:00Z','ttlMs':null,'pollIntervalMs':1"
#define SAY(result) "echo \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":\"'" result "'\"}\";;"

static const mcp_20260728_call_tool_request_params params = {.name = MCPW_STR("t")};

/* A server whose task stands so when it is asked. */
static mcpw_client *start_server(mcpw_session_config *config, const char *stands) {
    static char script[HARNESS_TEXT];
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    const mcpw_spawn spawn = {.argv = argv};
    mcpw_client_tasks_options options = MCPW_CLIENT_TASKS_INIT;
    mcpw_error error = {0};
    options.min_interval_ms = 1;
    CHECK(mcpw_client_add_tasks(config, &options, &error) == MCPW_OK);
    config->name = "test";
    config->version = "1";
    (void)snprintf(
        script, sizeof script,
        "while read -r line; do id=$(echo \"$line\" | sed -n 's/.*\"id\":\\([0-9]*\\).*/\\1/p')\n"
        "case $line in\n"
        "*server/discover*) " SAY("%s") "\n"
                                        "*tools/call*) " SAY("%s") "\n"
                                                                   "*tasks/get*) " SAY(
                                                                       "%s") "\n"
                                                                             "*tasks/cancel*) " SAY(
                                                                                 "%s") "\n"
                                                                                       "esac; done",
        q("{'resultType':'complete','ttlMs':0,'cacheScope':'private','supportedVersions':['2026-07-28'],"
          "'capabilities':{'tools':{},'extensions':{'io.modelcontextprotocol/tasks':{}}}}"),
        q("{'resultType':'task'," STATE("working") "}"), q(stands), q("{'resultType':'complete'}"));
    mcpw_client *const client = mcpw_client_start(&spawn, config, &error);
    CHECK_STRING(error.message, "");
    return client;
}

#define COMPLETED                                                                                            \
    "{'resultType':'complete'," STATE("completed") ",'result':{'resultType':'complete','content':"           \
                                                   "[{'type':'text','text':'hello'}]}}"
#define WORKING "{'resultType':'complete'," STATE("working") "}"

static void a_call_returns_the_result_of_its_task(void) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_client *const client = start_server(&config, COMPLETED);
    const mcp_20260728_call_tool_result *result = NULL;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    CHECK(mcp_20260728_call_tools_call(client, &params, NULL, &arena, &result, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK(result != NULL && result->content.count == 1);
    mcpw_client_free(client);
    mcpw_extensions_free(config.extensions);
    mcpw_arena_free(&arena);
}

static void a_handle_is_waited_for_asked_about_and_cancelled(void) {
    static const char *const all[] = {COMPLETED, WORKING};
    for (int working = 0; working < 2; working++) {
        mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
        mcpw_client *const client = start_server(&config, all[working]);
        const mcpw_task_follow_options brief = {.struct_size = sizeof brief, .deadline_ms = 20};
        mcpw_result result = {&mcp_20260728_call_tool_result_table, NULL};
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_error error = {0};
        mcpw_task *task = NULL;
        CHECK(mcpw_client_call_task(client, &mcp_20260728_revision, &params, NULL, &arena, &result, &task,
                                    &error) == MCPW_OK);
        CHECK(task != NULL && result.value == NULL);
        CHECK(mcpw_client_get_task(client, task, &error) == MCPW_OK);
        CHECK(mcpw_task_last(task).status == (working ? MCPW_TASK_WORKING : MCPW_TASK_COMPLETED));
        const mcpw_status status = mcpw_client_wait_task(client, task, &mcp_20260728_revision,
                                                         working ? &brief : NULL, &arena, &result, &error);
        CHECK(status == (working ? MCPW_E_TIMEOUT : MCPW_OK));
        CHECK((result.value != NULL) == (status == MCPW_OK));
        CHECK(mcpw_client_cancel_task(client, task, &error) == MCPW_OK);
        mcpw_task_free(task);
        mcpw_client_free(client);
        mcpw_extensions_free(config.extensions);
        mcpw_arena_free(&arena);
    }
}

int main(void) {
    if (access("/bin/sh", X_OK) != 0) {
        (void)fprintf(stderr, "skipped: no /bin/sh\n");
        return CHECK_SKIPPED;
    }
    RUN(a_call_returns_the_result_of_its_task);
    RUN(a_handle_is_waited_for_asked_about_and_cancelled);
    return check_end();
}
