/* SPDX-License-Identifier: MIT */
/* A client that calls a tool as a task and keeps the handle in a file. If there is such a file, it takes the
 * task up again. Usage: task FILE TOOL SERVER [ARGUMENT]... */
#include <mcp/client.h>
#include <mcpw/extension.h>

#include <stdio.h>
#include <string.h>

enum { LAST_ARGUMENT = 4, MINUTE = 60000 };

static void show(void *user, mcpw_session *session, const mcpw_task_state *state) {
    (void)user;
    (void)session;
    fprintf(stderr, "the task is %s\n", mcpw_task_status_text(state->status));
}

/* Keeps the handle, before anything can go wrong. */
static mcpw_status keep(const char *path, const mcpw_task *task, mcpw_arena *arena, mcpw_error *error) {
    mcpw_str text;
    const mcpw_status status = mcpw_task_text(task, arena, &text, error);
    FILE *const file = status == MCPW_OK ? fopen(path, "w") : NULL;
    const bool written = file != NULL && fwrite(text.ptr, 1, text.len, file) == text.len;
    const bool closed = file != NULL && fclose(file) == 0;
    return status == MCPW_OK && !(written && closed)
               ? mcpw_error_set(error, MCPW_E_IO, 0, "the handle could not be kept")
               : status;
}

/* The task that is kept in the file; NULL: there is none, or it cannot be taken up. */
static mcpw_task *kept(const char *path, mcpw_client *client, mcpw_error *error) {
    static char text[MCPW_MAX_TASK_TEXT];
    FILE *const file = fopen(path, "r");
    if (file == NULL) {
        return NULL;
    }
    const size_t len = fread(text, 1, sizeof text, file);
    fclose(file);
    return mcpw_task_resume(mcpw_client_session(client), (mcpw_str){text, len}, error);
}

/* Asks for the state once, and then waits at most a minute. */
static mcpw_status wait_for(mcpw_client *client, mcpw_task *task, mcpw_arena *arena, mcpw_result *result,
                            mcpw_error *error) {
    mcpw_task_follow_options options = MCPW_SIZED(mcpw_task_follow_options);
    options.deadline_ms = MINUTE;
    options.on_status = show;
    mcpw_status status = mcpw_client_get_task(client, task, error);
    if (status == MCPW_OK) {
        status = mcpw_client_wait_task(client, task, &mcp_revision, &options, arena, result, error);
    }
    if (status == MCPW_E_TIMEOUT && mcpw_client_cancel_task(client, task, error) == MCPW_OK) {
        fprintf(stderr, "the task was cancelled\n");
    }
    return status;
}

static mcpw_status run(mcpw_client *client, const char *path, const char *tool, mcpw_arena *arena,
                       mcpw_result *result, mcpw_error *error) {
    const mcp_call_tool_request_params params = {.name = mcpw_str_from(tool)};
    mcpw_task *task = kept(path, client, error);
    mcpw_status status = MCPW_OK;
    if (task == NULL) {
        status = mcpw_client_call_task(client, &mcp_revision, &params, NULL, arena, result, &task, error);
        if (status == MCPW_OK && task != NULL) {
            status = keep(path, task, arena, error);
        }
    }
    if (status == MCPW_OK && task != NULL) { /* else the server has answered at once */
        status = wait_for(client, task, arena, result, error);
        (void)remove(path);
    }
    mcpw_task_free(task);
    return status;
}

int main(int argc, char **argv) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_result result = {&mcp_call_tool_result_table, NULL};
    mcpw_error error = {0};
    if (argc < LAST_ARGUMENT) {
        fprintf(stderr, "usage: %s FILE TOOL SERVER [ARGUMENT]...\n", argv[0]);
        return 2;
    }
    const mcpw_spawn spawn = {.argv = (const char *const *)(argv + 3)};
    config.name = "guide";
    config.version = "1.0.0";
    mcpw_status status = mcpw_client_add_tasks(&config, NULL, &error); /* NULL: the defaults */
    mcpw_client *const client = status == MCPW_OK ? mcpw_client_start(&spawn, &config, &error) : NULL;
    status = client != NULL ? run(client, argv[1], argv[2], &arena, &result, &error) : error.code;
    if (status == MCPW_OK) {
        const mcp_call_tool_result *const got = result.value;
        printf("%zu blocks of content\n", got->content.count);
    } else {
        fprintf(stderr, "%s: %s\n", mcpw_status_name(status), error.message);
    }
    mcpw_client_free(client);
    mcpw_extensions_free(config.extensions);
    mcpw_arena_free(&arena);
    return status == MCPW_OK ? 0 : 1;
}
