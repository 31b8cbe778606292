/* SPDX-License-Identifier: MIT */
/* Messages on their way out: written, put behind those that wait, gathered where they answer a batch. */
#include "outbound.h"

#include "judge.h"

static mcpw_status finish_line(mcpw_buffer *out, size_t before, mcpw_status status, char end) {
    if (status == MCPW_OK) {
        status = mcpw_buffer_append(out, &end, 1);
        if (status != MCPW_OK) {
            out->len = before;
        }
    }
    return status;
}

mcpw_status mcpw_session_emit(mcpw_session *session, const mcpw_dialect *dialect, const mcpw_message *message,
                              mcpw_batch *batch, mcpw_error *error) {
    mcpw_buffer *const out = batch != NULL ? &batch->text : &session->output;
    mcpw_options options = MCPW_OPTIONS_INIT;
    const size_t before = out->len;
    options.flags = MCPW_ALLOW_UNKNOWN;
    const mcpw_status status = mcpw_message_encode(dialect->revision, message, out, &options, error);
    const mcpw_status finished = finish_line(out, before, status, batch != NULL ? ',' : '\n');
    if (finished != status) {
        mcpw_error_set(error, finished, 0, "%s", mcpw_status_text(finished));
    }
    return finished;
}

void mcpw_batch_done(mcpw_session *session, mcpw_batch *batch) {
    if (batch == NULL || --batch->waiting != 0) {
        return;
    }
    if (batch->text.len != 0) {
        const size_t before = session->output.len;
        batch->text.data[batch->text.len - 1] = ']';
        mcpw_status status = mcpw_buffer_append(&session->output, "[", 1);
        status = status == MCPW_OK ? mcpw_buffer_append(&session->output, batch->text.data, batch->text.len)
                                   : status;
        status = finish_line(&session->output, before, status, '\n');
        if (status != MCPW_OK) {
            session->output.len = before;
        }
    }
    mcpw_buffer_free(&batch->text);
    mcpw_session_release(session, batch, sizeof *batch);
}

/* ---- Without a request ---- */

void mcpw_answer_broken(mcpw_session *session, const mcpw_dialect *dialect, const mcpw_id *id, int64_t code,
                        const char *message, mcpw_json data, mcpw_batch *batch) {
    mcpw_message answer = {0};
    if (!mcpw_judge_answering(session)) {
        return;
    }
    answer.kind = MCPW_MESSAGE_ERROR;
    if (id != NULL && id->kind != MCPW_ID_ABSENT) {
        answer.id = *id;
    } else if (mcpw_revision_type(dialect->revision, "JSONRPCErrorResponse") == NULL) {
        answer.id.kind = MCPW_ID_NULL; /* JSON-RPC's word for an id that could not be read */
    }
    answer.error.code = code;
    answer.error.message = mcpw_str_from(message);
    answer.error.data = data;
    if (mcpw_session_emit(session, dialect, &answer, batch, NULL) != MCPW_OK) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_MEMORY, 0, "an error could not be sent");
        mcpw_session_note(session, MCPW_NOTE_BAD_LINE, id, no_str, &error);
    }
}

mcpw_status mcpw_notify_raw(mcpw_session *session, const mcpw_dialect *dialect, mcpw_own method,
                            mcpw_json params, mcpw_error *error) {
    mcpw_message message = {0};
    message.kind = MCPW_MESSAGE_NOTIFICATION;
    message.method = dialect->number[method];
    message.raw = params;
    if (message.method == 0) {
        mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no such notification", dialect->revision->name);
        return MCPW_E_METHOD;
    }
    return mcpw_session_emit(session, dialect, &message, NULL, error);
}

mcpw_status mcpw_notify_text(mcpw_session *session, const mcpw_dialect *dialect, mcpw_own method,
                             mcpw_text *text) {
    mcpw_error error;
    mcpw_status status = text->status;
    if (status == MCPW_OK) {
        status = mcpw_notify_raw(session, dialect, method, mcpw_text_get(text), &error);
    }
    mcpw_text_free(text);
    return status;
}
