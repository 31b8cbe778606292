/* SPDX-License-Identifier: MIT */
/* Calls of tools that tasks answer. A call goes on until its task has ended. */
#include "task.h"

enum { MAX_PAGES = 100 /* of the list in which a tool is looked for */ };

/* ---- Looking a tool up (2025-11-25) ---- */

static mcpw_status look(mcpw_task *task, mcpw_json params);

/* The call goes on, whatever is known about its tool. */
static void end_look(mcpw_task *task) {
    task->looks = false;
    mcpw_session_send_held(task->session, task->follower);
}

/* Looks on the next page. False: there is none to look at. */
static bool look_on(mcpw_task *task, mcpw_json page) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_task_use use;
    mcpw_task_object text;
    mcpw_json params;
    mcpw_str cursor;
    bool goes_on = false;
    arena.allocator = *mcpw_session_allocator(task->session);
    if (mcpw_json_get_string(page, "nextCursor", &arena, &cursor) == MCPW_OK && ++task->pages < MAX_PAGES &&
        !mcpw_session_tool_task(task->session, task->tool, &use)) {
        mcpw_task_object_begin(&text, task->session);
        mcpw_task_put_str(&text, "cursor", cursor);
        goes_on = mcpw_task_object_end(&text, &params, NULL) == MCPW_OK && look(task, params) == MCPW_OK;
        mcpw_task_object_free(&text);
    }
    mcpw_arena_free(&arena);
    return goes_on;
}

static void on_page(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_task *const task = user;
    task->look = 0;
    if (mcpw_session_has_request(session, task->follower) && !mcpw_session_is_closed(session) &&
        (reply->status != MCPW_OK || !look_on(task, reply->text))) {
        end_look(task);
    }
}

static mcpw_status look(mcpw_task *task, mcpw_json params) {
    return mcpw_session_request_text(task->session, "tools/list", params, NULL, on_page, task, &task->look,
                                     NULL);
}

bool mcpw_task_held(mcpw_session *session, int64_t request, mcpw_str name, void *user) {
    mcpw_task *const known = mcpw_session_request_state(session, request);
    mcpw_task_use use;
    (void)user;
    if (known != NULL && known->follower != 0) {
        return known->looks; /* it was held before */
    }
    if (!mcpw_tasks_are_core(session) || mcpw_session_tool_task(session, name, &use)) {
        return false;
    }
    mcpw_task *const task = known != NULL ? known : mcpw_task_new(session);
    if (task == NULL) {
        return false; /* then it is an ordinary call */
    }
    task->follower = request;
    task->tool = mcpw_arena_str(&task->memory, name.ptr, name.len);
    task->looks = task->tool.ptr != NULL && look(task, mcpw_task_no_json) == MCPW_OK;
    if (known == NULL && task->looks) {
        (void)mcpw_session_set_request_state(session, request, task);
    } else if (known == NULL) {
        mcpw_task_drop(task);
        return false;
    }
    return task->looks;
}

/* ---- Asking for a task (2025-11-25) ---- */

mcpw_status mcpw_task_adding(mcpw_session *session, int64_t request, mcpw_str name, mcpw_json *members,
                             void *user, mcpw_error *error) {
    const mcpw_client_tasks *const tasks = user;
    const mcpw_task *const task = mcpw_session_request_state(session, request);
    const bool if_optional =
        (task != NULL && task->receiver != NULL) || tasks->options.ask_if_optional != MCPW_OFF;
    mcpw_task_use use;
    (void)error;
    if (mcpw_tasks_are_core(session) && mcpw_session_tool_task(session, name, &use) &&
        use != MCPW_TASK_FORBIDDEN && (use == MCPW_TASK_REQUIRED || if_optional)) {
        *members = tasks->member;
    }
    return MCPW_OK;
}

/* ---- The answer is a task ---- */

static mcpw_task_receiver take_receiver(const mcpw_session *session, mcpw_task_receiver *given) {
    const mcpw_task_receiver own = *given;
    mcpw_task_release(session, given, sizeof *given);
    return own;
}

/* Gives the task to the caller that wants it. */
static void give(mcpw_task *task, int64_t request) {
    mcpw_session *const session = task->session;
    const mcpw_task_receiver to = take_receiver(session, task->receiver);
    task->receiver = NULL;
    task->follower = 0;
    task->is_owned = true;
    (void)mcpw_session_set_request_state(session, request, NULL);
    mcpw_session_drop_request(session, request, "its task was created");
    to.on_task(to.user, session, task, NULL);
}

static mcpw_status keep_origin(mcpw_task *task, mcpw_error *error) {
    mcpw_session *const session = task->session;
    const mcpw_str revision = mcpw_str_from(mcpw_revision_name(mcpw_session_revision(session)));
    mcpw_str name = mcpw_task_no_str;
    if (mcpw_json_get_string(mcpw_session_peer_info(session), "name", &task->memory, &name) == MCPW_OK) {
        task->server = name;
    }
    task->revision = mcpw_arena_str(&task->memory, revision.ptr, revision.len);
    task->received = mcpw_session_time_of_day(session);
    task->since = mcpw_session_now(session);
    return task->memory.status == MCPW_OK ? MCPW_OK : mcpw_task_failed(error, MCPW_E_MEMORY);
}

/* Reads the task that has answered a request. */
static mcpw_status read_created(mcpw_task *task, mcpw_json said, mcpw_error *error) {
    bool changed = false;
    task->is_core = mcpw_tasks_are_core(task->session);
    const mcpw_status status = mcpw_task_read(task, said, true, &changed, error);
    return status == MCPW_OK ? keep_origin(task, error) : status;
}

void mcpw_task_taken(mcpw_session *session, int64_t request, mcpw_json result, void *user) {
    const mcpw_client_tasks_options *const options = &((const mcpw_client_tasks *)user)->options;
    mcpw_task *task = mcpw_session_request_state(session, request);
    mcpw_error error;
    if (task == NULL) {
        task = mcpw_task_new(session);
        (void)mcpw_session_set_request_state(session, request, task);
    }
    const mcpw_status status =
        task != NULL ? read_created(task, result, &error) : mcpw_task_failed(&error, MCPW_E_MEMORY);
    if (task == NULL || status != MCPW_OK) {
        const mcpw_reply reply = {.status = status, .error = &error};
        (void)mcpw_session_end_request(session, request, &reply);
        return;
    }
    if (task->receiver != NULL) {
        give(task, request);
        return;
    }
    task->on_status = options->on_status;
    task->status_user = options->user != NULL ? options->user : mcpw_session_user(session);
    mcpw_task_hold(task);
    if (task->on_status != NULL) {
        task->on_status(task->status_user, session, &task->last);
    }
    if (mcpw_session_has_request(session, request)) {
        mcpw_task_begin(task, request, options->deadline_ms);
    }
    (void)mcpw_task_unhold(task);
}

void mcpw_task_cancelled(mcpw_session *session, int64_t request, void *user) {
    mcpw_task *const task = mcpw_session_request_state(session, request);
    (void)user;
    if (task != NULL) {
        mcpw_task_tell_cancel(task);
    }
}

void mcpw_task_ended(mcpw_session *session, void *state, void *user) {
    mcpw_task *const task = state;
    (void)session;
    (void)user;
    task->follower = 0;
    if (!task->is_owned) {
        mcpw_task_drop(task);
        return;
    }
    mcpw_task_hold(task);
    mcpw_task_unfollow(task);
    (void)mcpw_task_unhold(task);
}

/* ---- Calls whose caller wants the task ---- */

static void on_call_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const mcpw_task_receiver to = take_receiver(session, user);
    to.on_task(to.user, session, NULL, reply);
}

/* A task that does not exist yet, with the receiver that it will be given to; NULL when memory runs out. */
static mcpw_task *wanted(mcpw_session *session, mcpw_on_task on_task, void *user) {
    mcpw_task *const task = mcpw_task_new(session);
    mcpw_task_receiver *const to = task != NULL ? mcpw_task_alloc(session, sizeof *to) : NULL;
    if (to == NULL) {
        if (task != NULL) {
            mcpw_task_drop(task);
        }
        return NULL;
    }
    *to = (mcpw_task_receiver){on_task, user};
    task->receiver = to;
    return task;
}

mcpw_status mcpw_session_call_task(mcpw_session *session, const mcpw_revision *revision, const void *params,
                                   const mcpw_call *call, mcpw_on_task on_task, void *user, int64_t *number,
                                   mcpw_error *error) {
    if (mcpw_session_check_thread(session, "mcpw_session_call_task", error) != MCPW_OK) {
        return MCPW_E_THREAD;
    }
    const int method = mcpw_method_number(revision, "tools/call", sizeof "tools/call" - 1);
    if (mcpw_tasks_options_of(session) == NULL) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "the client takes no tasks: see mcpw_client_add_tasks");
    }
    if (method == 0) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no tools", mcpw_revision_name(revision));
    }
    mcpw_task *const task = wanted(session, on_task, user);
    if (task == NULL) {
        return mcpw_task_failed(error, MCPW_E_MEMORY);
    }
    const mcpw_status status = mcpw_session_request_with_state(session, revision, method, params, call, task,
                                                               on_call_reply, task->receiver, number, error);
    if (status != MCPW_OK) {
        mcpw_task_release(session, task->receiver, sizeof *task->receiver);
        mcpw_task_drop(task);
    }
    return status;
}
