/* SPDX-License-Identifier: MIT */
/* The extension that makes a client take tasks, and its options. */
#include "task.h"

enum { MIN_INTERVAL = 200, MAX_INTERVAL = 60000, INTERVAL = 1000, DEADLINE = 3600000, MAX_INPUTS = 64 };

/* ---- Notifications ---- */

/* Finds a task that somebody follows. There are few. */
static mcpw_task *followed(mcpw_session *session, mcpw_str id) {
    void **const first = mcpw_session_extension_state(session, MCPW_CLIENT_TASKS_ID);
    mcpw_task *task = first != NULL ? *first : NULL;
    while (task != NULL && !mcpw_str_equal(task->last.id, id)) {
        task = task->next;
    }
    return task;
}

static void notified(mcpw_session *session, mcpw_json params) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str id;
    arena.allocator = *mcpw_session_allocator(session);
    if (params.ptr != NULL && mcpw_json_get_string(params, "taskId", &arena, &id) == MCPW_OK) {
        mcpw_task *const task = followed(session, id);
        if (task != NULL) {
            mcpw_task_take(task, params);
        }
    }
    mcpw_arena_free(&arena);
}

static void on_notification(mcpw_session *session, const mcpw_extension_call *call, void *user) {
    (void)user;
    notified(session, call->params);
}

/* The core's notification may also be a handler's of the program. */
static mcpw_status before_notification(mcpw_passage *passage, void *user) {
    (void)user;
    if (mcpw_str_is(mcpw_passage_method(passage), "notifications/tasks/status")) {
        notified(mcpw_passage_session(passage), mcpw_passage_params(passage));
    }
    return MCPW_OK;
}

/* ---- The extension ---- */

static mcpw_status read_options(const mcpw_client_tasks_options *given, mcpw_client_tasks_options *own,
                                mcpw_error *error) {
    *own = (mcpw_client_tasks_options)MCPW_CLIENT_TASKS_INIT;
    if (!MCPW_TAKE(own, user, given)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "struct_size of the mcpw_client_tasks_options is wrong");
    }
    own->min_interval_ms = own->min_interval_ms != 0 ? own->min_interval_ms : MIN_INTERVAL;
    own->max_interval_ms = own->max_interval_ms != 0 ? own->max_interval_ms : MAX_INTERVAL;
    own->interval_ms = own->interval_ms != 0 ? own->interval_ms : INTERVAL;
    own->deadline_ms = own->deadline_ms != 0 ? own->deadline_ms : DEADLINE;
    own->max_inputs = own->max_inputs != 0 ? own->max_inputs : MAX_INPUTS;
    return own->min_interval_ms <= own->max_interval_ms
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "min_interval_ms is greater than max_interval_ms");
}

static mcpw_status write_member(mcpw_client_tasks *tasks, mcpw_error *error) {
    mcpw_json_writer w;
    mcpw_json_write_begin(&w, tasks->member_room, sizeof tasks->member_room);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "task");
    mcpw_json_write_object(&w);
    if (tasks->options.ttl_ms > 0) {
        mcpw_json_write_key(&w, "ttl");
        mcpw_json_write_int(&w, tasks->options.ttl_ms);
    }
    mcpw_json_write_close(&w);
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &tasks->member);
    return status == MCPW_OK ? MCPW_OK : mcpw_task_failed(error, status);
}

static void freed(void *user) {
    mcpw_client_tasks *const tasks = user;
    const mcpw_allocator allocator = tasks->allocator;
    (void)mcpw_resize(&allocator, tasks, sizeof *tasks, 0);
}

static mcpw_status add(mcpw_session_config *config, mcpw_client_tasks *tasks, mcpw_error *error) {
    static const mcpw_extension_method methods[] = {
        {.name = "tasks/get"},
        {.name = "tasks/update"},
        {.name = "tasks/cancel"},
        {.name = "notifications/tasks", .is_notification = true, .notification = on_notification}};
    static const mcpw_extension_result results[] = {{.method = "tools/call",
                                                     .value = "task",
                                                     .type_name = "CreateTaskResult",
                                                     .held = mcpw_task_held,
                                                     .adding = mcpw_task_adding,
                                                     .taken = mcpw_task_taken,
                                                     .cancelled = mcpw_task_cancelled,
                                                     .ended = mcpw_task_ended}};
    static const mcpw_extension_topic topics[] = {{.filter = "taskIds"}};
    static const mcpw_middleware middleware[] = {
        {.name = "tasks", .passes = MCPW_PASS_RECEIVED_NOTIFICATIONS, .before = before_notification}};
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    extension.id = MCPW_CLIENT_TASKS_ID;
    extension.methods = methods;
    extension.method_count = sizeof methods / sizeof *methods;
    extension.results = results;
    extension.result_count = sizeof results / sizeof *results;
    extension.topics = topics;
    extension.topic_count = sizeof topics / sizeof *topics;
    extension.middleware = middleware;
    extension.middleware_count = sizeof middleware / sizeof *middleware;
    extension.user = tasks;
    extension.freed = freed;
    extension.tag = mcpw_client_tasks_tag;
    return mcpw_client_add_extension(config, &extension, error);
}

mcpw_status mcpw_client_add_tasks(mcpw_session_config *config, const mcpw_client_tasks_options *options,
                                  mcpw_error *error) {
    mcpw_client_tasks own = {.allocator = {0}};
    mcpw_status status = read_options(options, &own.options, error);
    if (status != MCPW_OK) {
        return status;
    }
    if (config != NULL && config->struct_size >= MCPW_SIZED_FIRST(config, allocator)) {
        own.allocator = config->allocator;
    }
    mcpw_client_tasks *const tasks = mcpw_resize(&own.allocator, NULL, 0, sizeof *tasks);
    if (tasks == NULL) {
        return mcpw_task_failed(error, MCPW_E_MEMORY);
    }
    *tasks = own;
    status = write_member(tasks, error);
    status = status == MCPW_OK ? add(config, tasks, error) : status;
    if (status != MCPW_OK) {
        freed(tasks);
    }
    return status;
}
