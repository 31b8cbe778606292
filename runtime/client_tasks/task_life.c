/* SPDX-License-Identifier: MIT */
/* The life of a task at this end: its memory, and the ends of following it. */
#include "task.h"

/* ---- Its life ---- */

void *mcpw_task_alloc(const mcpw_session *session, size_t size) {
    void *const at = mcpw_resize(mcpw_session_allocator(session), NULL, 0, size);
    if (at != NULL) {
        memset(at, 0, size);
    }
    return at;
}

void mcpw_task_release(const mcpw_session *session, void *ptr, size_t size) {
    (void)mcpw_resize(mcpw_session_allocator(session), ptr, size, 0);
}

mcpw_task *mcpw_task_new(mcpw_session *session) {
    mcpw_task *const task = mcpw_task_alloc(session, sizeof *task);
    if (task != NULL) {
        task->session = session;
        task->options = mcpw_tasks_options_of(session);
        task->is_core = mcpw_tasks_are_core(session);
        task->memory = task->said = (mcpw_arena)MCPW_ARENA_INIT;
        task->memory.allocator = task->said.allocator = *mcpw_session_allocator(session);
        task->last.ttl_ms = -1;
        task->since = mcpw_session_now(session);
        task->due = UINT64_MAX;
    }
    return task;
}

/* Ends a request of a task; its callback is not called any more. */
static void stop(mcpw_session *session, int64_t *number) {
    const int64_t ending = *number;
    *number = 0;
    if (ending != 0) {
        mcpw_session_drop_request(session, ending, "the task is no longer followed");
    }
}

void mcpw_task_link(mcpw_task *task) {
    mcpw_task **const first = (mcpw_task **)mcpw_session_extension_state(task->session, MCPW_CLIENT_TASKS_ID);
    if (first == NULL || task->at != NULL) {
        return; /* without memory for the list, it gets no notifications, and is only asked about */
    }
    task->next = *first;
    task->at = first;
    if (*first != NULL) {
        (*first)->at = &task->next;
    }
    *first = task;
}

void mcpw_task_unlink(mcpw_task *task) {
    if (task->at == NULL) {
        return;
    }
    *task->at = task->next;
    if (task->next != NULL) {
        task->next->at = task->at;
    }
    task->at = NULL;
}

/* A question of the program goes on. */
void mcpw_task_unfollow(mcpw_task *task) {
    mcpw_session *const session = task->session;
    mcpw_task_unlink(task);
    stop(session, &task->timer);
    stop(session, &task->answer);
    stop(session, &task->gather);
    stop(session, &task->update);
    stop(session, &task->listen);
    stop(session, &task->look);
    if (task->on_get == NULL) {
        stop(session, &task->poll);
    }
}

static void free_task(mcpw_task *task) {
    mcpw_arena_free(&task->memory);
    mcpw_arena_free(&task->said);
    mcpw_task_release(task->session, task, sizeof *task);
}

void mcpw_task_drop(mcpw_task *task) {
    task->is_freed = true;
    task->on_get = NULL;
    task->holds++;
    mcpw_task_unfollow(task);
    stop(task->session, &task->cancel);
    (void)mcpw_task_unhold(task);
}

void mcpw_task_hold(mcpw_task *task) { task->holds++; }

bool mcpw_task_unhold(mcpw_task *task) {
    const bool is_freed = task->is_freed;
    if (--task->holds == 0 && is_freed) {
        free_task(task);
    }
    return !is_freed;
}

/* ---- Its end ---- */

bool mcpw_task_is_followed(const mcpw_task *task) {
    return task->follower != 0 && mcpw_session_has_request(task->session, task->follower);
}

void mcpw_task_end(mcpw_task *task, const mcpw_reply *reply) {
    if (task->follower != 0) {
        (void)mcpw_session_end_request(task->session, task->follower, reply);
    }
}

void mcpw_task_fail_by(mcpw_task *task, const mcpw_error *error) {
    const mcpw_reply reply = {.status = error->code, .error = error};
    mcpw_task_end(task, &reply);
}

void mcpw_task_fail(mcpw_task *task, mcpw_status status, const char *why) {
    mcpw_error error;
    mcpw_error_set(&error, status, 0, "%s", why);
    mcpw_task_fail_by(task, &error);
}

void mcpw_task_tell_cancel(mcpw_task *task) {
    if (task->cancel == 0 && task->last.id.ptr != NULL && !mcpw_task_is_final(task->last.status) &&
        mcpw_task_ask(task, "tasks/cancel", NULL, mcpw_task_no_json, 0, NULL, NULL, NULL) != MCPW_OK) {
        return; /* nobody is left to hear of it */
    }
}

void mcpw_task_give_up(mcpw_task *task, mcpw_status status, const char *why) {
    mcpw_task_tell_cancel(task);
    mcpw_task_fail(task, status, why);
}
