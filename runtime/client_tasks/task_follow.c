/* SPDX-License-Identifier: MIT */
/* Following a task: asking how it stands, and again, until it ends. */
#include "task.h"

/* ---- Its end ---- */

/* Ends following by the result of the tool. Reports of dropped members reach the program's code. */
static void end_by_result(mcpw_task *task, mcpw_json result) {
    mcpw_task_hold(task);
    (void)mcpw_session_finish_request(task->session, task->follower, result);
    (void)mcpw_task_unhold(task);
}

/* Ends following by the error that the call would have been answered by. */
static void end_by_error(mcpw_task *task, mcpw_json said) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json given = mcpw_task_no_json;
    mcpw_reply reply = {.status = MCPW_E_REMOTE};
    mcpw_error error;
    arena.allocator = *mcpw_session_allocator(task->session);
    if (mcpw_json_get(said, "error", &given) != MCPW_OK ||
        mcpw_json_get_int(given, "code", &reply.remote.code) != MCPW_OK ||
        mcpw_json_get_string(given, "message", &arena, &reply.remote.message) != MCPW_OK) {
        mcpw_task_fail(task, MCPW_E_MISSING, "the server's task has failed, and it has no error");
    } else {
        if (mcpw_json_get(given, "data", &reply.remote.data) != MCPW_OK) {
            reply.remote.data = mcpw_task_no_json;
        }
        mcpw_error_set(&error, MCPW_E_REMOTE, 0, "the peer answered %lld: %.*s", (long long)reply.remote.code,
                       (int)reply.remote.message.len, reply.remote.message.ptr);
        reply.error = &error;
        mcpw_task_end(task, &reply);
    }
    mcpw_arena_free(&arena);
}

/* ---- The time ---- */

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most) {
    return value < least ? least : value > most ? most : value;
}

static uint64_t left_until(uint64_t due, uint64_t now) {
    return due == UINT64_MAX ? UINT64_MAX : due > now ? due - now : 0;
}

/* The ms of its time to live that are left; UINT64_MAX: there is no limit. */
static uint64_t life_left(const mcpw_task *task) {
    const uint64_t lived = mcpw_task_later(task->lived, mcpw_session_now(task->session) - task->since);
    return task->last.ttl_ms < 0                 ? UINT64_MAX
           : (uint64_t)task->last.ttl_ms > lived ? (uint64_t)task->last.ttl_ms - lived
                                                 : 0;
}

/* The ms to the next question. */
static uint64_t interval_of(const mcpw_task *task) {
    const mcpw_client_tasks_options *const o = task->options;
    const uint64_t wanted = task->last.interval_ms > 0 ? (uint64_t)task->last.interval_ms : o->interval_ms;
    const uint64_t next = clamp(wanted, o->min_interval_ms, o->max_interval_ms);
    const uint64_t last = left_until(task->due, mcpw_session_now(task->session));
    const uint64_t life = life_left(task);
    const uint64_t ends = last < life ? last : life;
    return next < ends ? next : ends;
}

static void on_time(void *user, mcpw_session *session, const mcpw_reply *reply);

static void arm(mcpw_task *task) {
    mcpw_error error;
    if (task->timer == 0 && mcpw_task_is_followed(task) &&
        mcpw_session_wait(task->session, interval_of(task), on_time, task, &task->timer, &error) != MCPW_OK) {
        mcpw_task_fail_by(task, &error);
    }
}

static void end_in_time(mcpw_task *task) {
    if (task->is_owned) {
        mcpw_task_fail(task, MCPW_E_TIMEOUT, "the task has not ended in time; it goes on");
    } else {
        mcpw_task_give_up(task, MCPW_E_TIMEOUT, "the task has not ended in time, and was cancelled");
    }
}

static void on_time(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_task *const task = user;
    mcpw_error error;
    task->timer = 0;
    if (reply->status != MCPW_E_TIMEOUT) {
        mcpw_task_end(task, reply);
    } else if (left_until(task->due, mcpw_session_now(session)) == 0) {
        end_in_time(task);
    } else if (mcpw_task_poll(task, &error) != MCPW_OK && task->poll == 0) {
        mcpw_task_fail_by(task, &error);
    }
}

/* ---- Questions ---- */

/* tasks/result has answered. */
static void on_answer(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_task *const task = user;
    (void)session;
    task->answer = 0;
    if (reply->status == MCPW_OK) {
        end_by_result(task, reply->text);
    } else {
        mcpw_task_end(task, reply);
    }
}

/* Asks for the result, where that is a request of its own. The server answers when the task has ended. Until
 * then it may ask this client. */
static void ask_for_result(mcpw_task *task) {
    mcpw_error error;
    const uint64_t rest = left_until(task->due, mcpw_session_now(task->session));
    if (task->answer == 0 &&
        mcpw_task_ask(task, "tasks/result", NULL, mcpw_task_no_json, rest != 0 ? rest : 1, on_answer,
                      &task->answer, &error) != MCPW_OK) {
        mcpw_task_fail_by(task, &error);
    }
}

static void on_listen_end(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_task *const task = user;
    (void)session;
    (void)reply; /* the questions go on */
    task->listen = 0;
}

/* Subscribes to the task once it has turned out to take a while. */
static void listen(mcpw_task *task) {
    const char *const ids[] = {task->last.id.ptr};
    const mcpw_named_interest named = {"taskIds", ids, 1};
    const mcpw_interest interest = {.named = &named, .named_count = 1};
    if (task->polls == 1 && task->listen == 0 && !task->is_core && task->options->listen != MCPW_OFF &&
        memchr(task->last.id.ptr, '\0', task->last.id.len) == NULL &&
        mcpw_session_listen(task->session, &interest, on_listen_end, task, &task->listen, NULL) != MCPW_OK) {
        task->listen = 0; /* then it is only asked */
    }
}

/* Goes on after the server has said how it stands. */
static void go_on(mcpw_task *task, mcpw_json said) {
    mcpw_json part = mcpw_task_no_json;
    switch (task->last.status) {
    case MCPW_TASK_CANCELLED:
        mcpw_task_fail(task, MCPW_E_CANCELLED, "the task was cancelled");
        return;
    case MCPW_TASK_COMPLETED:
    case MCPW_TASK_FAILED:
        if (task->is_core) {
            ask_for_result(task);
        } else if (task->last.status == MCPW_TASK_FAILED) {
            end_by_error(task, said);
        } else if (mcpw_json_get(said, "result", &part) == MCPW_OK) {
            end_by_result(task, part);
        } else {
            mcpw_task_fail(task, MCPW_E_MISSING, "the server's task is completed, and it has no result");
        }
        return;
    case MCPW_TASK_INPUT_REQUIRED:
        if (task->is_core) {
            ask_for_result(task);
        } else if (mcpw_json_get(said, "inputRequests", &part) == MCPW_OK) {
            mcpw_task_input(task, part);
        }
        break;
    default:
        break;
    }
    if (!task->is_freed && life_left(task) == 0) {
        mcpw_task_fail(task, MCPW_E_TIMEOUT, "the time to live of the task is over");
    } else if (!task->is_freed && mcpw_task_is_followed(task)) {
        listen(task);
        arm(task);
    }
}

static void report_status(mcpw_task *task) {
    if (task->on_status != NULL) {
        task->on_status(task->status_user, task->session, &task->last);
    }
}

/* Takes what the server says. */
static mcpw_status take(mcpw_task *task, mcpw_json said, mcpw_error *error) {
    bool changed = false;
    const mcpw_status status = mcpw_task_read(task, said, false, &changed, error);
    if (status != MCPW_OK) {
        mcpw_task_fail_by(task, error);
    } else if (mcpw_task_is_followed(task)) {
        if (changed) {
            report_status(task);
        }
        if (!task->is_freed && mcpw_task_is_followed(task)) {
            go_on(task, said);
        }
    }
    return status;
}

void mcpw_task_take(mcpw_task *task, mcpw_json said) {
    mcpw_error error;
    if (mcpw_task_is_final(task->last.status)) {
        return; /* an older notification, which another stream has overtaken */
    }
    mcpw_task_hold(task);
    (void)take(task, said, &error);
    task->is_overtaken = task->poll != 0 && mcpw_task_is_final(task->last.status);
    (void)mcpw_task_unhold(task);
}

/* How often in a row the server may fail in this way to say how the task stands. */
static unsigned patience_with(const mcpw_reply *reply) {
    if (reply->status == MCPW_E_TIMEOUT) {
        return MCPW_TASK_LOST_POLLS;
    }
    return reply->status == MCPW_E_REMOTE && reply->remote.code == MCPW_RPC_INTERNAL_ERROR
               ? MCPW_TASK_FAILED_POLLS
               : 0;
}

/* The server has not said how it stands. */
static void lose(mcpw_task *task, const mcpw_reply *reply) {
    if (++task->lost < patience_with(reply)) {
        arm(task);
    } else {
        mcpw_task_end(task, reply);
    }
}

static void on_poll(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_task *const task = user;
    const mcpw_on_task_state on_get = task->on_get;
    void *const get_user = task->get_user;
    const bool is_overtaken = task->is_overtaken;
    mcpw_error error;
    mcpw_status status = reply->status;
    task->poll = 0;
    task->is_overtaken = false;
    task->on_get = NULL;
    mcpw_task_hold(task);
    if (status != MCPW_OK) {
        error = *reply->error;
        lose(task, reply);
    } else {
        task->lost = 0;
        task->polls++;
        status = is_overtaken ? MCPW_OK : take(task, reply->text, &error);
    }
    if (on_get != NULL && !task->is_freed) {
        on_get(get_user, session, status, &task->last, status != MCPW_OK ? &error : NULL);
    }
    (void)mcpw_task_unhold(task);
}

mcpw_status mcpw_task_poll(mcpw_task *task, mcpw_error *error) {
    return task->poll == 0
               ? mcpw_task_ask(task, "tasks/get", NULL, mcpw_task_no_json, 0, on_poll, &task->poll, error)
               : mcpw_error_set(error, MCPW_E_STATE, 0, "the server is asked about the task already");
}

/* ---- The beginning ---- */

/* The responses to its input requests have reached the server. If the question fails, the timer asks. */
static void ask_again(mcpw_task *task) { (void)!mcpw_task_poll(task, NULL); }

void mcpw_task_begin(mcpw_task *task, int64_t follower, uint64_t deadline_ms) {
    mcpw_error error;
    task->updated = ask_again;
    task->follower = follower;
    task->due = mcpw_task_later(mcpw_session_now(task->session), deadline_ms);
    task->polls = 0;
    task->lost = 0;
    mcpw_task_link(task);
    if (task->last.status == MCPW_TASK_WORKING && task->poll == 0) {
        arm(task);
    } else if (task->poll == 0 && mcpw_task_poll(task, &error) != MCPW_OK) {
        mcpw_task_fail_by(task, &error);
    }
}
