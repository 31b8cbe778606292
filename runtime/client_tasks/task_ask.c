/* SPDX-License-Identifier: MIT */
/* Requests about tasks, as text. */
#include "task.h"

const char mcpw_client_tasks_tag[] = MCPW_CLIENT_TASKS_ID;

const mcpw_client_tasks_options *mcpw_tasks_options_of(const mcpw_session *session) {
    const mcpw_client_tasks *const tasks =
        mcpw_session_extension_user(session, MCPW_CLIENT_TASKS_ID, mcpw_client_tasks_tag);
    return tasks != NULL ? &tasks->options : NULL;
}

/* Whether capabilities of servers have a member in the revision that is spoken. */
static bool revision_has(const mcpw_session *session, const char *member) {
    const mcpw_revision *const revision = mcpw_session_revision(session);
    const mcpw_type *const type =
        revision != NULL ? mcpw_revision_type(revision, "ServerCapabilities") : NULL;
    return type != NULL && mcpw_type_has(type, member);
}

bool mcpw_tasks_are_core(const mcpw_session *session) {
    return mcpw_session_is_open(session) &&
           mcpw_capabilities_have(mcpw_session_peer_capabilities(session), "tasks.requests.tools.call") &&
           revision_has(session, "tasks");
}

bool mcpw_session_has_tasks(const mcpw_session *session) {
    if (mcpw_tasks_options_of(session) == NULL || !mcpw_session_is_open(session)) {
        return false;
    }
    return mcpw_tasks_are_core(session) ||
           (mcpw_session_settings(session, MCPW_CLIENT_TASKS_ID).ptr != NULL &&
            revision_has(session, "extensions"));
}

/* ---- Text ---- */

void mcpw_task_object_begin(mcpw_task_object *text, const mcpw_session *session) {
    text->buffer = (mcpw_buffer)MCPW_BUFFER_INIT;
    text->buffer.allocator = *mcpw_session_allocator(session);
    mcpw_json_write_into(&text->writer, &text->buffer);
    mcpw_json_write_object(&text->writer);
}

void mcpw_task_put_str(mcpw_task_object *text, const char *name, mcpw_str value) {
    mcpw_json_write_key(&text->writer, name);
    mcpw_json_write_string(&text->writer, value.ptr, value.len);
}

void mcpw_task_put_int(mcpw_task_object *text, const char *name, int64_t value) {
    mcpw_json_write_key(&text->writer, name);
    mcpw_json_write_int(&text->writer, value);
}

void mcpw_task_put_json(mcpw_task_object *text, const char *name, mcpw_json value) {
    mcpw_json_write_key(&text->writer, name);
    mcpw_json_write_raw(&text->writer, value);
}

mcpw_status mcpw_task_object_end(mcpw_task_object *text, mcpw_json *out, mcpw_error *error) {
    mcpw_json_write_close(&text->writer);
    const mcpw_status status = mcpw_json_write_end(&text->writer, out);
    return status == MCPW_OK ? MCPW_OK : mcpw_task_failed(error, status);
}

void mcpw_task_object_free(mcpw_task_object *text) { mcpw_buffer_free(&text->buffer); }

/* ---- Requests ---- */

mcpw_status mcpw_task_ask(mcpw_task *task, const char *method, const char *name, mcpw_json value,
                          uint64_t timeout_ms, mcpw_on_reply on_reply, int64_t *number, mcpw_error *error) {
    const mcpw_call call = {.timeout_ms = timeout_ms, .max_timeout_ms = timeout_ms};
    mcpw_task_object text;
    mcpw_json params;
    mcpw_task_object_begin(&text, task->session);
    mcpw_task_put_str(&text, "taskId", task->last.id);
    if (name != NULL) {
        mcpw_task_put_json(&text, name, value);
    }
    mcpw_status status = mcpw_task_object_end(&text, &params, error);
    if (status == MCPW_OK) {
        status =
            mcpw_session_request_text(task->session, method, params, &call, on_reply, task, number, error);
    }
    mcpw_task_object_free(&text);
    return status;
}
