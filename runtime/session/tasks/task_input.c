/* SPDX-License-Identifier: MIT */
/* Input requests of a task. This client's handlers get each of them once, and tasks/update takes their
 * responses to the server. (SEP-2663.) */
#include "task.h"

#include <mcpw/detail/catalogue.h>

#include "../calls/round.h"

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
static const char *collect(mcpw_task *task, mcpw_json input_requests, mcpw_text *text, size_t *count,
                           mcpw_status *status) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const char *why = NULL;
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json request;
    mcpw_str name;
    arena.allocator = task->session->config->allocator;
    *count = 0;
    mcpw_text_object(text);
    if (mcpw_json_kind_of(input_requests) == MCPW_JSON_OBJECT &&
        mcpw_json_iterate(input_requests, &it) == MCPW_OK) {
        while (why == NULL && mcpw_json_next(&it, &key, &request)) {
            if (mcpw_json_string(key, &arena, &name) == MCPW_OK && !is_known(task, name)) {
                why = keep_key(task, name, status);
                mcpw_text_member_copy(text, key, request);
                *count += 1;
            }
            mcpw_arena_reset(&arena);
        }
    }
    mcpw_text_object_end(text);
    mcpw_arena_free(&arena);
    return why;
}

/* Gives the answers to the task, and ends the round. */
static void give_answers(mcpw_round *round) {
    mcpw_pending *const p = round->pending;
    mcpw_text text = mcpw_session_text(p->session);
    mcpw_text_object(&text);
    mcpw_text_json(&text, mcpw_text_get(&round->answers));
    mcpw_text_object_end(&text);
    const mcpw_reply reply = {.status = text.status, .text = mcpw_text_get(&text)};
    mcpw_error why;
    mcpw_error_set(&why, text.status, 0, "%s", mcpw_status_text(text.status));
    const mcpw_reply failed = {.status = text.status, .error = &why};
    p->input.round = NULL;
    round->callbacks->drop(round);
    mcpw_pending_end(p, text.status == MCPW_OK ? &reply : &failed);
    mcpw_text_free(&text);
}

/* Gives input requests to this end's handlers, as a round of input does. The task may be gone afterwards. */
static void gather(mcpw_pending *p, mcpw_json input_requests) {
    const mcpw_profile *const profile = p->session->profile;
    const mcpw_type *const type = mcpw_profile_response(
        mcpw_method_entry(profile->revision, profile->number[MCPW_OWN_CALL_TOOL]), "InputRequiredResult");
    mcpw_text text = mcpw_session_text(p->session);
    mcpw_error error;
    mcpw_text_object(&text);
    mcpw_text_member(&text, "resultType", mcpw_str_from("input_required"));
    mcpw_text_member_json(&text, "inputRequests", input_requests);
    mcpw_text_object_end(&text);
    const mcpw_json whole = mcpw_text_get(&text);
    void *const value =
        type != NULL && whole.ptr != NULL ? mcpw_arena_alloc(&p->arena, mcpw_type_size(type)) : NULL;
    mcpw_status status =
        value != NULL ? mcpw_decode(type, whole.ptr, whole.len, &p->arena, value,
                                    &p->session->endpoint->reading, &error)
                      : mcpw_error_set(&error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    mcpw_text_free(&text);
    if (status == MCPW_OK) {
        p->callbacks.gathered = give_answers;
        mcpw_round_begin(p, mcpw_field_of(type, value));
    } else {
        const mcpw_reply reply = {.status = status, .error = &error};
        mcpw_pending_end(p, &reply);
    }
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
    mcpw_text text = mcpw_session_text(session);
    mcpw_error error;
    task->gather = 0;
    if (reply->status != MCPW_OK) {
        mcpw_task_give_up(task, reply->status,
                          reply->error != NULL ? reply->error->message : mcpw_status_text(reply->status));
        return;
    }
    mcpw_text_object(&text);
    mcpw_text_member_json(&text, "inputResponses", reply->text);
    mcpw_text_object_end(&text);
    const mcpw_status status =
        text.status == MCPW_OK
            ? mcpw_task_ask(task, "tasks/update", mcpw_text_get(&text), 0, on_update, &task->update, &error)
            : mcpw_error_set(&error, text.status, 0, "%s", mcpw_status_text(text.status));
    mcpw_text_free(&text);
    if (status != MCPW_OK) {
        mcpw_task_fail(task, status, error.message);
    }
}

void mcpw_task_input(mcpw_task *task, mcpw_json input_requests) {
    mcpw_text text = mcpw_session_text(task->session);
    mcpw_status status = MCPW_OK;
    size_t count = 0;
    if (task->gather != 0 || task->update != 0) {
        return; /* those that are new come again with the next answer */
    }
    const char *const why = collect(task, input_requests, &text, &count, &status);
    if (why != NULL || text.status != MCPW_OK) {
        mcpw_task_give_up(task, why != NULL ? status : text.status,
                          why != NULL ? why : mcpw_status_text(text.status));
    } else if (count != 0) {
        mcpw_pending *const p = mcpw_call_wait(task->session, UINT64_MAX, on_gathered, task);
        if (p == NULL) {
            mcpw_task_fail(task, MCPW_E_MEMORY, mcpw_status_text(MCPW_E_MEMORY));
        } else {
            task->gather = p->number;
            gather(p, mcpw_text_get(&text));
        }
    }
    mcpw_text_free(&text);
}
