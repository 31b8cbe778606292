/* SPDX-License-Identifier: MIT */
/* Input requests of a task. This client's handlers get each of them once, and tasks/update takes their
 * responses to the server. (SEP-2663.) */
#include "task.h"

static bool is_known(const mcpw_task *task, mcpw_str key) {
    for (size_t i = 0; i < task->key_count; i++) {
        if (mcpw_str_equal(task->keys[i], key)) {
            return true;
        }
    }
    return false;
}

/* Keeps the key of an input request that is given to a handler. NULL: it is kept; else the reason. */
static const char *keep_key(mcpw_task *task, mcpw_str key, mcpw_status *status) {
    *status = MCPW_E_SIZE;
    if (key.len > MCPW_TASK_KEY_SIZE) {
        return "the server's input request has a key that is too long";
    }
    if (task->key_count == task->options->max_inputs) {
        return "the server asks for input again and again";
    }
    *status = MCPW_E_MEMORY;
    if (task->keys == NULL) {
        task->keys = mcpw_arena_alloc(&task->memory, task->options->max_inputs * sizeof *task->keys);
    }
    const mcpw_str copy = mcpw_arena_str(&task->memory, key.ptr, key.len);
    if (task->keys == NULL || copy.ptr == NULL) {
        return mcpw_status_text(MCPW_E_MEMORY);
    }
    task->keys[task->key_count++] = copy;
    return NULL;
}

/* Writes the input requests that are new. NULL: all went well; else the reason. */
static const char *collect(mcpw_task *task, mcpw_json input_requests, mcpw_task_object *text, size_t *count,
                           mcpw_status *status) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const char *why = NULL;
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json request;
    mcpw_str name;
    arena.allocator = *mcpw_session_allocator(task->session);
    *count = 0;
    if (mcpw_json_kind_of(input_requests) == MCPW_JSON_OBJECT &&
        mcpw_json_iterate(input_requests, &it) == MCPW_OK) {
        while (why == NULL && mcpw_json_next(&it, &key, &request)) {
            if (mcpw_json_string(key, &arena, &name) == MCPW_OK && !is_known(task, name)) {
                why = keep_key(task, name, status);
                mcpw_json_write_name(&text->writer, name.ptr, name.len);
                mcpw_json_write_raw(&text->writer, request);
                *count += 1;
            }
            mcpw_arena_reset(&arena);
        }
    }
    mcpw_arena_free(&arena);
    return why;
}

static void on_update(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_task *const task = user;
    (void)session;
    task->update = 0;
    if (reply->status != MCPW_OK) {
        mcpw_task_end(task, reply);
    } else if (task->poll == 0) {
        task->updated(task);
    }
}

static void on_gathered(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_task *const task = user;
    mcpw_error error;
    (void)session;
    task->gather = 0;
    if (reply->status != MCPW_OK) {
        mcpw_task_give_up(task, reply->status,
                          reply->error != NULL ? reply->error->message : mcpw_status_text(reply->status));
    } else if (mcpw_task_ask(task, "tasks/update", "inputResponses", reply->text, 0, on_update, &task->update,
                             &error) != MCPW_OK) {
        mcpw_task_fail(task, error.code, error.message);
    }
}

void mcpw_task_input(mcpw_task *task, mcpw_json input_requests) {
    mcpw_task_object text;
    mcpw_json fresh;
    mcpw_error error;
    size_t count = 0;
    if (task->gather != 0 || task->update != 0) {
        return; /* those that are new come again with the next answer */
    }
    error.code = MCPW_OK;
    mcpw_task_object_begin(&text, task->session);
    const char *const why = collect(task, input_requests, &text, &count, &error.code);
    if (why != NULL) {
        mcpw_task_give_up(task, error.code, why);
    } else if (mcpw_task_object_end(&text, &fresh, &error) != MCPW_OK ||
               (count != 0 && mcpw_session_handle_input(task->session, fresh, on_gathered, task,
                                                        &task->gather, &error) != MCPW_OK)) {
        mcpw_task_give_up(task, error.code, error.message);
    }
    mcpw_task_object_free(&text);
}
