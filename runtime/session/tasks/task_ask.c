/* SPDX-License-Identifier: MIT */
/* Requests about tasks. The core of a revision has types for them, the extension is spoken as text. */
#include "task.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "../revisions/declared.h"

#define EXTENSION "extensions.io.modelcontextprotocol/tasks"

const mcpw_client_tasks_options *mcpw_tasks_options_of(const mcpw_session *session) {
    const mcpw_extensions *const set = session->config->extensions;
    return set != NULL && set->tasks != NULL ? set->task_options : NULL;
}

bool mcpw_tasks_are_core(const mcpw_session *session) {
    const mcpw_revision *const revision = session->profile != NULL ? session->profile->revision : NULL;
    const int call = session->profile != NULL ? session->profile->number[MCPW_OWN_CALL_TOOL] : 0;
    return session->open && call != 0 && mcpw_method_task_result(mcpw_method_entry(revision, call)) != NULL &&
           mcpw_declares_tasks(mcpw_peer_declared(session), revision, call);
}

bool mcpw_tasks_are_added(const mcpw_session *session) {
    return session->open && session->profile->customs != NULL &&
           mcpw_declares(mcpw_peer_declared(session), EXTENSION);
}

/* Sends a request of the revision's own, whose params have a type. */
static mcpw_status send_typed(mcpw_session *session, const char *method, mcpw_json params,
                              const mcpw_send *like, int64_t *number, mcpw_error *error) {
    const mcpw_revision *const revision = session->profile->revision;
    const int known = mcpw_method_number(revision, method, strlen(method));
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(revision, known));
    const mcpw_mark mark = mcpw_arena_mark(&session->scratch);
    mcpw_send send = *like;
    if (type == NULL) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no %s", mcpw_revision_name(revision), method);
    }
    void *const value = mcpw_arena_alloc(&session->scratch, mcpw_type_size(type));
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_ALLOW_UNKNOWN;
    mcpw_status status =
        value != NULL ? mcpw_decode(type, params.ptr, params.len, &session->scratch, value, &options, error)
                      : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    if (status == MCPW_OK) {
        send.revision = revision;
        send.method = known;
        send.params = value;
        status = mcpw_call_send(session, &send, number, error);
    }
    mcpw_pending *const sent =
        status == MCPW_OK && number != NULL ? mcpw_pending_numbered(session, *number) : NULL;
    if (sent != NULL) {
        sent->traits.as_text = true;
    }
    mcpw_arena_rewind(&session->scratch, mark);
    return status;
}

mcpw_status mcpw_task_send(mcpw_session *session, const char *method, mcpw_json params, uint64_t timeout_ms,
                           mcpw_on_reply on_reply, void *user, int64_t *number, mcpw_error *error) {
    const mcpw_call call = {.timeout_ms = timeout_ms, .max_timeout_ms = timeout_ms};
    mcpw_send send = {.call = &call, .on_reply = on_reply, .user = user, .text = params};
    send.custom = session->profile->customs != NULL
                      ? mcpw_extensions_find(session->config->extensions, mcpw_str_from(method))
                      : NULL;
    if (send.custom != NULL) {
        return mcpw_call_send(session, &send, number, error);
    }
    send.text = no_json;
    return send_typed(session, method, params, &send, number, error);
}

mcpw_status mcpw_task_ask(mcpw_task *task, const char *method, mcpw_json more, uint64_t timeout_ms,
                          mcpw_on_reply on_reply, int64_t *number, mcpw_error *error) {
    mcpw_text text = mcpw_session_text(task->session);
    mcpw_text_object(&text);
    mcpw_text_member(&text, "taskId", task->last.id);
    if (more.ptr != NULL) {
        mcpw_text_rest(&text, more, no_json);
    }
    mcpw_text_object_end(&text);
    const mcpw_status status =
        text.status != MCPW_OK ? mcpw_error_set(error, text.status, 0, "%s", mcpw_status_text(text.status))
                               : mcpw_task_send(task->session, method, mcpw_text_get(&text), timeout_ms,
                                                on_reply, task, number, error);
    mcpw_text_free(&text);
    return status;
}

mcpw_status mcpw_task_reply_text(const mcpw_reply *reply, mcpw_arena *arena, mcpw_json *out) {
    *out = reply->text;
    return reply->text.ptr == NULL && reply->type != NULL
               ? mcpw_field_text(mcpw_field_of(reply->type, reply->value), arena, out)
               : MCPW_OK;
}
