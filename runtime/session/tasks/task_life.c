/* SPDX-License-Identifier: MIT */
/* The life of a task at this end: its memory, and the ends of following it. */
#include "task.h"

/* ---- Its life ---- */

mcpw_task *mcpw_task_new(mcpw_session *session) {
    mcpw_task *const task = mcpw_session_alloc(session, sizeof *task);
    if (task != NULL) {
        task->session = session;
        task->options = mcpw_tasks_options_of(session);
        task->is_core = mcpw_tasks_are_core(session);
        task->memory = task->said = (mcpw_arena)MCPW_ARENA_INIT;
        task->memory.allocator = task->said.allocator = session->config->allocator;
        task->last.ttl_ms = -1;
        task->since = session->now;
        task->due = UINT64_MAX;
    }
    return task;
}

/* Ends a request of a task; its callback is not called any more. */
static void stop(mcpw_session *session, int64_t *number) {
    mcpw_pending *const p = *number != 0 ? mcpw_pending_numbered(session, *number) : NULL;
    *number = 0;
    if (p != NULL) {
        p->callbacks.on_reply = NULL;
        mcpw_ignore(mcpw_session_cancel(session, p->number, "the task is no longer followed"));
    }
}

/* A question of the program goes on. */
void mcpw_task_unfollow(mcpw_task *task) {
    mcpw_session *const session = task->session;
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
    mcpw_session *const session = task->session;
    mcpw_arena_free(&task->memory);
    mcpw_arena_free(&task->said);
    mcpw_session_release(session, task, sizeof *task);
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

mcpw_pending *mcpw_task_follower(const mcpw_task *task) {
    return task->follower != 0 ? mcpw_pending_numbered(task->session, task->follower) : NULL;
}

void mcpw_task_fail(mcpw_task *task, mcpw_status status, const char *why) {
    mcpw_pending *const p = mcpw_task_follower(task);
    if (p != NULL) {
        mcpw_pending_fail(p, status, why);
    }
}

void mcpw_task_fail_by(mcpw_task *task, const mcpw_error *error) {
    const mcpw_reply reply = {.status = error->code, .error = error};
    mcpw_pending *const p = mcpw_task_follower(task);
    if (p != NULL) {
        mcpw_pending_end(p, &reply);
    }
}

void mcpw_task_tell_cancel(mcpw_task *task) {
    if (task->cancel == 0 && task->last.id.ptr != NULL && !mcpw_task_is_final(task->last.status)) {
        mcpw_ignore(mcpw_task_ask(task, "tasks/cancel", no_json, 0, NULL, NULL, NULL));
    }
}

void mcpw_task_give_up(mcpw_task *task, mcpw_status status, const char *why) {
    mcpw_task_tell_cancel(task);
    mcpw_task_fail(task, status, why);
}

void mcpw_task_end(mcpw_task *task, const mcpw_reply *reply) {
    mcpw_pending *const p = mcpw_task_follower(task);
    if (p != NULL) {
        mcpw_pending_end(p, reply);
    }
}
