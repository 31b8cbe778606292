/* SPDX-License-Identifier: MIT */
/* Tasks of mcpwire call. */
#include "call.h"

#include "tool.h"

#include <mcpw/client_tasks.h>

#include <string.h>

bool caller_add_tasks(mcpw_session_config *config) {
    mcpw_client_tasks_options options = MCPW_CLIENT_TASKS_INIT;
    mcpw_error error;
    options.ask_if_optional = MCPW_OFF; /* --task asks */
    options.deadline_ms = UINT64_MAX;
    const bool added = mcpw_client_add_tasks(config, &options, &error) == MCPW_OK;
    if (!added) {
        tool_complain("%s", error.message);
    }
    return added;
}

/* Shows how a task stands, on a line of its own. */
static void show_status(void *user, mcpw_session *session, const mcpw_task_state *state) {
    text line = TEXT_INIT;
    (void)user;
    (void)session;
    text_add(&line, "mcpwire: the task is ");
    text_add(&line, mcpw_task_status_text(state->status));
    if (state->message.ptr != NULL) {
        text_add(&line, ": ");
        text_safe(&line, state->message.ptr, state->message.len);
    }
    text_add(&line, "\n");
    text_write_stderr(&line);
    text_free(&line);
}

/* Shows the handle, by which the task can be taken up again. */
static void show_handle(caller *c, const mcpw_task *task) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    text line = TEXT_INIT;
    mcpw_str handle;
    if (mcpw_task_text(task, &arena, &handle, &c->error) == MCPW_OK) {
        text_add(&line, "mcpwire: the task's handle, for --resume: ");
        text_safe_json(&line, handle.ptr, handle.len);
        text_add(&line, "\n");
        text_write_stderr(&line);
    }
    text_free(&line);
    mcpw_arena_free(&arena);
}

/* Follows the task, and makes the text of its result. The handle is freed. */
static mcpw_status follow(caller *c, mcpw_task *task, mcpw_json *result) {
    mcpw_task_follow_options options = MCPW_SIZED(mcpw_task_follow_options);
    mcpw_result answer = {NULL, NULL};
    options.on_status = show_status;
    const mcpw_status status =
        link_follow(&c->link, task, c->revision, &options, &c->arena, &answer, &c->error);
    if (status == MCPW_E_TIMEOUT && link_signal() == 0) {
        tool_complain("the task goes on");
    } else if (status == MCPW_E_CANCELLED && link_signal() != 0) {
        tool_complain("the task was cancelled");
    }
    return status == MCPW_OK ? caller_result(c, &answer, result) : status;
}

static mcpw_status complain(caller *c, mcpw_status status) {
    if (status != MCPW_OK) {
        caller_complain(c);
    }
    return status;
}

static bool has_tasks(caller *c, const char *option) {
    const bool has = mcpw_session_has_tasks(c->link.session);
    memset(&c->error, 0, sizeof c->error);
    if (!has) {
        tool_complain("%s: the server has no tasks in revision %s", option, mcpw_revision_name(c->revision));
    }
    return has;
}

mcpw_status caller_task(caller *c, const text *params, mcpw_json *result) {
    mcpw_result answer = {NULL, NULL};
    mcpw_task *task = NULL;
    mcpw_call call;
    memset(&call, 0, sizeof call);
    call.timeout_ms = c->patient ? UINT64_MAX : 0;
    if (!has_tasks(c, "--task")) {
        return MCPW_E_METHOD;
    }
    const void *const value = caller_params(c, "tools/call", params);
    mcpw_status status = value != NULL ? link_call_task(&c->link, c->revision, value, &call, &c->arena,
                                                        &answer, &task, &c->error)
                                       : c->error.code;
    if (status == MCPW_OK && task == NULL) {
        tool_complain("note: the tool has answered at once, without a task");
        status = caller_result(c, &answer, result);
    } else if (status == MCPW_OK) {
        const mcpw_task_state state = mcpw_task_last(task);
        show_handle(c, task);
        show_status(NULL, NULL, &state);
        status = follow(c, task, result);
    }
    return complain(c, status);
}

mcpw_status caller_resume(caller *c, const char *handle, mcpw_json *result) {
    if (!has_tasks(c, "--resume")) {
        return MCPW_E_METHOD;
    }
    mcpw_task *const task = mcpw_task_resume(c->link.session, mcpw_str_from(handle), &c->error);
    return complain(c, task != NULL ? follow(c, task, result) : c->error.code);
}
