/* SPDX-License-Identifier: MIT */
/* Calls of tools that tasks answer. A call goes on until its task has ended. */
#include "task.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "../calls/listed.h"
#include "../core/threads.h"
#include "../support/clock.h"

enum {
    MAX_PAGES = 100, /* of the list in which a tool is looked for */
    MIN_INTERVAL = 200,
    MAX_INTERVAL = 60000,
    INTERVAL = 1000,
    DEADLINE = 3600000,
    MAX_INPUTS = 64
};

static const char task_name[] = "task";

/* ---- Looking a tool up (2025-11-25) ---- */

static mcpw_str tool_of(const mcpw_type *type, const void *params) {
    return params != NULL ? mcpw_field_str(mcpw_field_get(mcpw_field_of(type, params), "name")) : no_str;
}

static mcpw_status look(mcpw_task *task, mcpw_json cursor);

/* The call goes on, whatever is known about its tool. */
static void end_look(mcpw_task *task) {
    mcpw_pending *const p = mcpw_pending_numbered(task->session, task->follower);
    task->looks = false;
    if (p != NULL) {
        mcpw_call_go_on(p);
    }
}

static void on_page(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_task *const task = user;
    const mcpw_pending *const p = mcpw_pending_numbered(session, task->follower);
    mcpw_task_support support;
    task->look = 0;
    if (p == NULL || session->closed) {
        return;
    }
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(p->asked.revision, p->asked.method));
    const mcpw_str cursor =
        reply->status == MCPW_OK
            ? mcpw_field_str(mcpw_field_get(mcpw_field_of(reply->type, reply->value), "nextCursor"))
            : no_str;
    mcpw_text text = mcpw_session_text(session);
    if (cursor.ptr != NULL && ++task->pages < MAX_PAGES &&
        !mcpw_listed_tasks(session, tool_of(type, p->asked.params), &support)) {
        mcpw_text_object(&text);
        mcpw_text_member(&text, "cursor", cursor);
        mcpw_text_object_end(&text);
    }
    if (mcpw_text_get(&text).ptr == NULL || look(task, mcpw_text_get(&text)) != MCPW_OK) {
        end_look(task);
    }
    mcpw_text_free(&text);
}

static mcpw_status look(mcpw_task *task, mcpw_json cursor) {
    static const mcpw_json first = MCPW_JSON("{}");
    mcpw_error error;
    return mcpw_task_send(task->session, "tools/list", cursor.ptr != NULL ? cursor : first, 0, on_page, task,
                          &task->look, &error);
}

static bool waits(mcpw_pending *p, const void *params) {
    mcpw_session *const session = p->session;
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(p->asked.revision, p->asked.method));
    mcpw_task_support support;
    if (p->task != NULL || !mcpw_tasks_are_core(session) ||
        mcpw_listed_tasks(session, tool_of(type, params), &support)) {
        return p->task != NULL && p->task->looks;
    }
    mcpw_task *const task = mcpw_task_new(session);
    if (task == NULL) {
        return false; /* then it is an ordinary call */
    }
    task->looks = true;
    task->follower = p->number;
    if (look(task, no_json) != MCPW_OK) {
        mcpw_task_drop(task);
        return false;
    }
    p->task = task;
    return true;
}

static mcpw_task_support support_of(mcpw_field tool) {
    const mcpw_str word =
        mcpw_field_enum_text(mcpw_field_get(mcpw_field_get(tool, "execution"), "taskSupport"));
    return mcpw_str_is(word, "required")   ? MCPW_TASK_SUPPORT_REQUIRED
           : mcpw_str_is(word, "optional") ? MCPW_TASK_SUPPORT_OPTIONAL
                                           : MCPW_TASK_SUPPORT_NONE;
}

/* ---- Asking for a task (2025-11-25) ---- */

static mcpw_status augment(mcpw_pending *p, const mcpw_profile *profile, const void **params,
                           mcpw_error *error) {
    const mcpw_client_tasks_options *const options = mcpw_tasks_options_of(p->session);
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(profile->revision, p->sent.method));
    const bool if_optional = p->traits.wants_task || options->ask_if_optional != MCPW_OFF;
    mcpw_task_support support;
    mcpw_type_room room;
    if (*params == NULL || !mcpw_tasks_are_core(p->session) ||
        !mcpw_listed_tasks(p->session, tool_of(type, *params), &support) ||
        support == MCPW_TASK_SUPPORT_NONE || (support == MCPW_TASK_SUPPORT_OPTIONAL && !if_optional)) {
        return MCPW_OK;
    }
    const mcpw_slot slot = mcpw_type_slot(type, task_name);
    unsigned char *const copy = mcpw_arena_alloc(&p->arena, mcpw_type_size(type));
    mcpw_text text = {mcpw_buffer_in(&p->arena), MCPW_OK};
    mcpw_text_object(&text);
    if (options->ttl_ms > 0) {
        mcpw_text_key(&text, "ttl");
        mcpw_text_int(&text, options->ttl_ms);
    }
    mcpw_text_object_end(&text);
    if (copy == NULL || text.status != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    memcpy(copy, *params, mcpw_type_size(type));
    *params = copy;
    return mcpw_decode(mcpw_type_make(&room, profile->revision, slot.ref, task_name), text.buffer.data,
                       text.buffer.len, &p->arena, copy + slot.offset, NULL, error);
}

/* ---- The answer is a task ---- */

/* The receiver of a task that a program wants itself. */
typedef struct receiver {
    mcpw_on_task on_task;
    void *user;
} receiver;

static receiver take_receiver(mcpw_session *session, void *given) {
    const receiver own = *(receiver *)given;
    mcpw_session_release(session, given, sizeof own);
    return own;
}

static void give(mcpw_pending *p, mcpw_task *task) {
    mcpw_session *const session = p->session;
    const receiver to = take_receiver(session, p->callbacks.user);
    const mcpw_reply nothing = {0};
    p->callbacks.on_reply = NULL;
    p->task = NULL;
    task->follower = 0;
    task->is_owned = true;
    mcpw_pending_end(p, &nothing);
    to.on_task(to.user, session, task, NULL);
}

static mcpw_status keep_origin(mcpw_task *task, mcpw_error *error) {
    mcpw_session *const session = task->session;
    const mcpw_str revision = mcpw_str_from(mcpw_revision_name(session->profile->revision));
    mcpw_str name = no_str;
    if (mcpw_json_get_string(session->peer.info, "name", &task->memory, &name) == MCPW_OK) {
        task->server = name;
    }
    task->revision = mcpw_arena_str(&task->memory, revision.ptr, revision.len);
    task->received =
        session->config->clock != NULL ? session->config->clock(session->user) : mcpw_wall_clock();
    task->since = session->now;
    return task->memory.status == MCPW_OK
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

static void created(mcpw_pending *p, mcpw_json said) {
    mcpw_session *const session = p->session;
    const mcpw_client_tasks_options *const options = mcpw_tasks_options_of(session);
    mcpw_task *const task = p->task != NULL ? p->task : mcpw_task_new(session);
    mcpw_error error;
    bool changed = false;
    if (task == NULL) {
        mcpw_pending_fail(p, MCPW_E_MEMORY, mcpw_status_text(MCPW_E_MEMORY));
        return;
    }
    p->task = task;
    mcpw_status status = mcpw_task_read(task, said, true, &changed, &error);
    status = status == MCPW_OK ? keep_origin(task, &error) : status;
    if (status != MCPW_OK) {
        const mcpw_reply reply = {.status = status, .error = &error};
        mcpw_pending_end(p, &reply);
        return;
    }
    if (p->traits.wants_task) {
        give(p, task);
        return;
    }
    const int64_t number = p->number;
    task->on_status = options->on_status;
    task->status_user = options->user != NULL ? options->user : session->user;
    mcpw_task_hold(task);
    if (task->on_status != NULL) {
        task->on_status(task->status_user, session, &task->last);
    }
    if (p->number == number) {
        mcpw_task_begin(task, p, options->deadline_ms);
    }
    (void)mcpw_task_unhold(task);
}

/* The request that waited for it ends. */
static void ended(mcpw_task *task) {
    task->follower = 0;
    if (!task->is_owned) {
        mcpw_task_drop(task);
        return;
    }
    mcpw_task_hold(task);
    mcpw_task_unfollow(task);
    (void)mcpw_task_unhold(task);
}

static const mcpw_call_tasks call_tasks = {waits, augment, support_of, created, ended};

/* ---- Calls whose caller wants the task ---- */

static void on_call_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const receiver to = take_receiver(session, user);
    to.on_task(to.user, session, NULL, reply);
}

mcpw_status mcpw_session_call_task(mcpw_session *session, const mcpw_revision *revision, const void *params,
                                   const mcpw_call *call, mcpw_on_task on_task, void *user, int64_t *number,
                                   mcpw_error *error) {
    mcpw_call own = {0};
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_call_task", error);
    }
    const int method = mcpw_method_number(revision, "tools/call", sizeof "tools/call" - 1);
    if (mcpw_tasks_options_of(session) == NULL) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "the client takes no tasks: see mcpw_client_add_tasks");
    }
    if (method == 0) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no tools", mcpw_revision_name(revision));
    }
    if (!MCPW_TAKE(&own, on_progress, call)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "struct_size of the mcpw_call is wrong");
    }
    receiver *const to = mcpw_session_alloc(session, sizeof *to);
    if (to == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    *to = (receiver){on_task, user};
    const mcpw_send send = {.revision = revision,
                            .method = method,
                            .params = params,
                            .call = &own,
                            .on_reply = on_call_reply,
                            .user = to,
                            .takes_tasks = true,
                            .wants_task = true};
    const mcpw_status status = mcpw_call_send(session, &send, number, error);
    if (status != MCPW_OK) {
        mcpw_session_release(session, to, sizeof *to);
    }
    return status;
}

bool mcpw_session_has_tasks(const mcpw_session *session) {
    return mcpw_tasks_options_of(session) != NULL &&
           (mcpw_tasks_are_core(session) || mcpw_tasks_are_added(session));
}

/* ---- Notifications ---- */

/* Finds the task that somebody follows. There are few, so the requests of this end are looked through. */
static mcpw_task *followed(const mcpw_session *session, mcpw_str id) {
    const mcpw_pending *p = session->pending.oldest;
    while (p != NULL && (p->task == NULL || p->task->follower != p->number || p->task->last.id.ptr == NULL ||
                         !mcpw_str_equal(p->task->last.id, id))) {
        p = p->place.next;
    }
    return p != NULL ? p->task : NULL;
}

static void notified(mcpw_session *session, mcpw_json params) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str id;
    arena.allocator = session->config->allocator;
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

/* ---- The options ---- */

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

mcpw_status mcpw_client_add_tasks(mcpw_session_config *config, const mcpw_client_tasks_options *options,
                                  mcpw_error *error) {
    static const mcpw_extension_method methods[] = {
        {.name = "tasks/get"},
        {.name = "tasks/update"},
        {.name = "tasks/cancel"},
        {.name = "notifications/tasks", .is_notification = true, .notification = on_notification}};
    static const mcpw_extension_result results[] = {{.method = "tools/call", .value = task_name}};
    static const mcpw_extension_topic topics[] = {{.filter = "taskIds"}};
    static const mcpw_middleware middleware[] = {
        {.name = "tasks", .passes = MCPW_PASS_RECEIVED_NOTIFICATIONS, .before = before_notification}};
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    mcpw_client_tasks_options own;
    mcpw_status status = read_options(options, &own, error);
    extension.id = "io.modelcontextprotocol/tasks";
    extension.methods = methods;
    extension.method_count = sizeof methods / sizeof *methods;
    extension.results = results;
    extension.result_count = 1;
    extension.topics = topics;
    extension.topic_count = 1;
    extension.middleware = middleware;
    extension.middleware_count = 1;
    status = status == MCPW_OK ? mcpw_client_add_extension(config, &extension, error) : status;
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_extensions *const set = config->extensions;
    mcpw_client_tasks_options *const kept = mcpw_arena_alloc(&set->memory, sizeof *kept);
    if (kept == NULL) {
        mcpw_extensions_remove_last(set);
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    *kept = own;
    set->task_options = kept;
    set->tasks = &call_tasks;
    return MCPW_OK;
}
