/* SPDX-License-Identifier: MIT */
/* Handles of tasks: <mcpw/client_tasks.h>. */
#include "task.h"

enum { TEXT_VERSION = 1 };

static const char version_name[] = "mcpwTask";

/* ---- As text ---- */

mcpw_status mcpw_task_text(const mcpw_task *task, mcpw_arena *arena, mcpw_str *out, mcpw_error *error) {
    mcpw_task_object text;
    mcpw_json whole;
    *out = mcpw_task_no_str;
    mcpw_task_object_begin(&text, task->session);
    mcpw_task_put_int(&text, version_name, TEXT_VERSION);
    mcpw_task_put_str(&text, "taskId", task->last.id);
    if (task->revision.ptr != NULL) {
        mcpw_task_put_str(&text, "revision", task->revision);
    }
    if (task->server.ptr != NULL) {
        mcpw_task_put_str(&text, "server", task->server);
    }
    if (task->received != 0) {
        mcpw_task_put_int(&text, "received", (int64_t)task->received);
    }
    if (task->last.ttl_ms >= 0) {
        mcpw_task_put_int(&text, "ttl", task->last.ttl_ms);
    }
    mcpw_status status = mcpw_task_object_end(&text, &whole, error);
    if (status == MCPW_OK && whole.len > MCPW_MAX_TASK_TEXT) {
        status =
            mcpw_error_set(error, MCPW_E_SIZE, 0, "the handle has more than %d bytes", MCPW_MAX_TASK_TEXT);
    }
    if (status == MCPW_OK) {
        *out = mcpw_arena_str(arena, whole.ptr, whole.len);
        status = out->ptr != NULL ? MCPW_OK : mcpw_task_failed(error, arena->status);
    }
    mcpw_task_object_free(&text);
    return status;
}

static mcpw_status keep_id(mcpw_task *task, mcpw_str id, mcpw_error *error) {
    if (id.len == 0 || id.len > MCPW_MAX_TASK_ID) {
        return mcpw_error_set(error, MCPW_E_SIZE, 0, "the id of a task has 1 to %d bytes", MCPW_MAX_TASK_ID);
    }
    task->last.id = mcpw_arena_str(&task->memory, id.ptr, id.len);
    return task->last.id.ptr != NULL ? MCPW_OK : mcpw_task_failed(error, MCPW_E_MEMORY);
}

/* Copies a member, because the text is the program's. False: no memory. */
static bool keep_member(mcpw_task *task, mcpw_json text, const char *name, mcpw_str *out) {
    mcpw_str found;
    const mcpw_status status = mcpw_json_get_string(text, name, &task->memory, &found);
    *out = status == MCPW_OK ? mcpw_arena_str(&task->memory, found.ptr, found.len) : mcpw_task_no_str;
    return status == MCPW_OK ? out->ptr != NULL : status != MCPW_E_MEMORY;
}

/* The time that the task has lived. A clock that was set back says nothing. */
static void read_times(mcpw_task *task, mcpw_json text) {
    const uint64_t now = mcpw_session_time_of_day(task->session);
    int64_t received = 0;
    if (mcpw_json_get_int(text, "received", &received) == MCPW_OK && received > 0) {
        task->received = (uint64_t)received;
        task->lived = now > task->received ? now - task->received : 0;
    }
    if (mcpw_json_get_int(text, "ttl", &task->last.ttl_ms) != MCPW_OK || task->last.ttl_ms < 0) {
        task->last.ttl_ms = -1;
    }
}

static mcpw_status check_server(mcpw_task *task, mcpw_error *error) {
    mcpw_str name = mcpw_task_no_str;
    if (task->server.ptr == NULL ||
        mcpw_json_get_string(mcpw_session_peer_info(task->session), "name", &task->memory, &name) !=
            MCPW_OK ||
        mcpw_str_equal(name, task->server)) {
        return MCPW_OK;
    }
    char mine[MCPW_EXCERPT_SIZE];
    char theirs[MCPW_EXCERPT_SIZE];
    return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the task is of the server \"%s\", and this is \"%s\"",
                          mcpw_excerpt(mine, task->server.ptr, task->server.len),
                          mcpw_excerpt(theirs, name.ptr, name.len));
}

static mcpw_status read_text(mcpw_task *task, mcpw_json text, mcpw_error *error) {
    mcpw_str id;
    int64_t version = 0;
    const mcpw_status status = mcpw_json_check(text, 0, error);
    if (status != MCPW_OK) {
        return status;
    }
    if (mcpw_json_get_int(text, version_name, &version) != MCPW_OK || version < 1 ||
        mcpw_json_get_string(text, "taskId", &task->memory, &id) != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_FORMAT, 0, "the text is no handle of a task");
    }
    if (version > TEXT_VERSION) {
        return mcpw_error_set(error, MCPW_E_VERSION, 0, "the handle is of version %lld, which is not known",
                              (long long)version);
    }
    if (!keep_member(task, text, "server", &task->server) ||
        !keep_member(task, text, "revision", &task->revision)) {
        return mcpw_task_failed(error, MCPW_E_MEMORY);
    }
    read_times(task, text);
    const mcpw_status kept = keep_id(task, id, error);
    return kept == MCPW_OK ? check_server(task, error) : kept;
}

/* Takes the id alone. */
static mcpw_status read_bare(mcpw_task *task, mcpw_str text, mcpw_error *error) {
    mcpw_buffer buffer = mcpw_buffer_in(&task->memory);
    const mcpw_status status = mcpw_json_append_string(&buffer, text);
    return status == MCPW_OK
               ? keep_id(task, text, error)
               : mcpw_error_set(error, status, 0, "the id of the task: %s", mcpw_status_text(status));
}

mcpw_task *mcpw_task_resume(mcpw_session *session, mcpw_str text, mcpw_error *error) {
    mcpw_error local;
    error = error != NULL ? error : &local;
    if (mcpw_session_check_thread(session, "mcpw_task_resume", error) != MCPW_OK) {
        return NULL;
    }
    if (mcpw_tasks_options_of(session) == NULL || !mcpw_session_is_open(session)) {
        mcpw_error_set(error, MCPW_E_STATE, 0,
                       "a task needs an open session whose client takes tasks: see mcpw_client_add_tasks");
        return NULL;
    }
    if (!mcpw_session_has_tasks(session)) {
        mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "the server has no tasks in %s",
                       mcpw_revision_name(mcpw_session_revision(session)));
        return NULL;
    }
    if (text.ptr == NULL || text.len == 0 || text.len > MCPW_MAX_TASK_TEXT) {
        mcpw_error_set(error, MCPW_E_SIZE, 0, "a handle of a task has 1 to %d bytes", MCPW_MAX_TASK_TEXT);
        return NULL;
    }
    mcpw_task *const task = mcpw_task_new(session);
    if (task == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    task->is_owned = true;
    const mcpw_status status = text.ptr[0] == '{' ? read_text(task, (mcpw_json){text.ptr, text.len, 0}, error)
                                                  : read_bare(task, text, error);
    if (status != MCPW_OK) {
        mcpw_task_drop(task);
        return NULL;
    }
    return task;
}

/* ---- Use ---- */

mcpw_task_state mcpw_task_last(const mcpw_task *task) { return task->last; }

mcpw_status mcpw_task_get(mcpw_task *task, mcpw_on_task_state on_state, void *user, mcpw_error *error) {
    mcpw_error local;
    if (mcpw_session_check_thread(task->session, "mcpw_task_get", error) != MCPW_OK) {
        return MCPW_E_THREAD;
    }
    const mcpw_status status = mcpw_task_poll(task, error != NULL ? error : &local);
    if (status == MCPW_OK) {
        task->on_get = on_state;
        task->get_user = user;
    }
    return status;
}

/* The server has answered tasks/cancel. */
static void on_cancelled(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_task *const task = user;
    mcpw_error error;
    mcpw_status status = reply->status;
    bool changed = false;
    task->cancel = 0;
    mcpw_task_hold(task);
    if (status != MCPW_OK) {
        error = *reply->error;
    } else if (task->is_core) { /* the answer is the task */
        status = mcpw_task_read(task, reply->text, false, &changed, &error);
    }
    if (task->on_cancel != NULL) {
        task->on_cancel(task->cancel_user, session, status, &task->last, status != MCPW_OK ? &error : NULL);
    }
    if (!task->is_freed && status == MCPW_OK &&
        (!mcpw_task_is_final(task->last.status) || task->last.status == MCPW_TASK_CANCELLED)) {
        mcpw_task_fail(task, MCPW_E_CANCELLED, "the task was cancelled");
    }
    (void)mcpw_task_unhold(task);
}

mcpw_status mcpw_task_cancel(mcpw_task *task, mcpw_on_task_state on_state, void *user, mcpw_error *error) {
    mcpw_error local;
    error = error != NULL ? error : &local;
    if (mcpw_session_check_thread(task->session, "mcpw_task_cancel", error) != MCPW_OK) {
        return MCPW_E_THREAD;
    }
    if (task->cancel != 0) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "the task is being cancelled already");
    }
    const mcpw_status status =
        mcpw_task_ask(task, "tasks/cancel", NULL, mcpw_task_no_json, 0, on_cancelled, &task->cancel, error);
    if (status == MCPW_OK) {
        task->on_cancel = on_state;
        task->cancel_user = user;
    }
    return status;
}

mcpw_status mcpw_task_follow(mcpw_task *task, const mcpw_revision *revision,
                             const mcpw_task_follow_options *options, mcpw_on_reply on_reply, void *user,
                             int64_t *number, mcpw_error *error) {
    mcpw_task_follow_options own = MCPW_SIZED(mcpw_task_follow_options);
    mcpw_session *const session = task->session;
    if (mcpw_session_check_thread(session, "mcpw_task_follow", error) != MCPW_OK) {
        return MCPW_E_THREAD;
    }
    const int method = mcpw_method_number(revision, "tools/call", sizeof "tools/call" - 1);
    if (!MCPW_TAKE(&own, user, options)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "struct_size of the mcpw_task_follow_options is wrong");
    }
    if (method == 0) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no tools", mcpw_revision_name(revision));
    }
    if (task->follower != 0) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "the task is followed already");
    }
    int64_t follower = 0;
    const mcpw_status status =
        mcpw_session_keep_open(session, revision, method, task, on_reply, user, &follower, error);
    if (status != MCPW_OK) {
        return status;
    }
    task->on_status = own.on_status != NULL ? own.on_status : task->options->on_status;
    task->status_user = own.on_status != NULL         ? (own.user != NULL ? own.user : user)
                        : task->options->user != NULL ? task->options->user
                                                      : mcpw_session_user(session);
    if (number != NULL) {
        *number = follower;
    }
    mcpw_task_begin(task, follower, own.deadline_ms != 0 ? own.deadline_ms : task->options->deadline_ms);
    return MCPW_OK;
}

void mcpw_task_free(mcpw_task *task) {
    if (task == NULL) {
        return;
    }
    task->is_owned = false;
    if (mcpw_task_is_followed(task)) {
        mcpw_session_drop_request(task->session, task->follower, "the handle of the task was freed");
    } else if (task->follower == 0) {
        mcpw_task_drop(task);
    } /* else its follower is ending, and frees it */
}
