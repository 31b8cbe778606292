/* SPDX-License-Identifier: MIT */
/* Messages that cannot be read: their diagnostics, and the codes of their responses. */
#include <mcpw/error.h>

#include "broken.h"

#include "../calls/reply.h"
#include "../requests/outbound.h"
#include "../support/print.h"
#include "dispatch.h"

static bool is_in_params(const mcpw_error *error) {
    return strncmp(error->path, "/params", sizeof "/params" - 1) == 0 || strncmp(error->path, "...", 3) == 0;
}

static int64_t code_for(const mcpw_error *error) {
    switch (error->code) {
    case MCPW_E_SYNTAX:
    case MCPW_E_UTF8:
        return MCPW_RPC_PARSE_ERROR;
    case MCPW_E_MEMORY:
    case MCPW_E_ARENA:
        return MCPW_RPC_INTERNAL_ERROR;
    case MCPW_E_METHOD:
        return MCPW_RPC_METHOD_NOT_FOUND;
    default:
        return is_in_params(error) ? MCPW_RPC_INVALID_PARAMS : MCPW_RPC_INVALID_REQUEST;
    }
}

static const char *title_of(int64_t code) {
    switch (code) {
    case MCPW_RPC_PARSE_ERROR:
        return "Parse error";
    case MCPW_RPC_INVALID_PARAMS:
        return "Invalid params";
    case MCPW_RPC_METHOD_NOT_FOUND:
        return "Method not found";
    case MCPW_RPC_INTERNAL_ERROR:
        return "Internal error";
    default:
        return "Invalid Request";
    }
}

/* The data of an error: the path of what is wrong. */
static mcpw_json path_data(mcpw_session *session, const char *path) {
    mcpw_text text = mcpw_session_text(session);
    mcpw_json data;
    mcpw_text_object(&text);
    mcpw_text_member(&text, "path", mcpw_str_from(path));
    mcpw_text_object_end(&text);
    return mcpw_text_finish(&text, &session->scratch, &data) == MCPW_OK ? data : no_json;
}

/* Whether such a message gets no answer. A client answers requests alone: what a server prints by mistake
 * looks like a broken message, and servers take an answer to it for a fault. */
static bool is_unanswered(const mcpw_session *session, const mcpw_outline *o) {
    if (o->has_outcome || (o->method.ptr != NULL && o->envelope->at[MCPW_AT_ID].ptr == NULL)) {
        return true; /* an answer or a notification */
    }
    return !mcpw_is_server(session) && (o->method.ptr == NULL || o->id.kind == MCPW_ID_ABSENT);
}

void mcpw_receive_broken(mcpw_session *session, const mcpw_profile *profile, mcpw_received *text,
                         const mcpw_error *error, mcpw_batch *batch) {
    const mcpw_outline o = mcpw_outline_of(text, &session->scratch);
    const bool is_json = text->error.code == MCPW_OK;
    if (text->error.code == MCPW_E_SYNTAX && error->code == MCPW_E_MESSAGE) {
        error = &text->error; /* invalid JSON is reported before an invalid message */
    }
    int64_t code = code_for(error);
    char message[MCPW_MESSAGE_ROOM];
    if (is_json && code == MCPW_RPC_PARSE_ERROR) {
        code = MCPW_RPC_INVALID_REQUEST;
    } else if (error->code == MCPW_E_MISSING && error->path[0] == '\0' && o.method.ptr != NULL &&
               o.envelope->at[MCPW_AT_PARAMS].ptr == NULL && o.envelope->at[MCPW_AT_JSONRPC].ptr != NULL) {
        code = MCPW_RPC_INVALID_PARAMS; /* the method is known, so it is its params that are wrong */
    }
    if (code == MCPW_RPC_INVALID_PARAMS && o.id.kind != MCPW_ID_ABSENT &&
        !mcpw_request_is_served(session, profile,
                                mcpw_method_number(profile->revision, o.method.ptr, o.method.len))) {
        code = MCPW_RPC_METHOD_NOT_FOUND; /* whatever its params are */
    }
    mcpw_session_diagnose(session, is_json ? MCPW_DIAGNOSTIC_BAD_MESSAGE : MCPW_DIAGNOSTIC_BAD_LINE,
                          o.id.kind != MCPW_ID_ABSENT ? &o.id : NULL, o.method, error);
    mcpw_pending *const pending = o.has_outcome ? mcpw_pending_answered(session, &o.id) : NULL;
    if (pending != NULL) {
        mcpw_call_broken(pending, error);
        return;
    }
    if (is_unanswered(session, &o)) {
        return;
    }
    if (code == MCPW_RPC_METHOD_NOT_FOUND) {
        char name[MCPW_EXCERPT_SIZE];
        (void)mcpw_print_text(message, sizeof message, "%s: %s", title_of(code),
                              mcpw_excerpt(name, o.method.ptr, o.method.len));
        mcpw_respond_to_broken(session, profile, &o.id, code, message, no_json, batch);
        return;
    }
    (void)mcpw_print_text(message, sizeof message, "%s: %s%s%s", title_of(code), error->path,
                          error->path[0] != '\0' ? ": " : "", error->message);
    mcpw_respond_to_broken(session, profile, &o.id, code, message,
                           error->path[0] != '\0' ? path_data(session, error->path) : no_json, batch);
}

void mcpw_receive_too_long(mcpw_session *session) {
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_SIZE, 0, "the message is longer than %zu bytes",
                   session->config->max_message);
    mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_BAD_LINE, NULL, no_str, &error);
    if (mcpw_is_server(session)) {
        mcpw_respond_to_broken(session, session->profile, NULL, MCPW_RPC_INVALID_REQUEST,
                               "Invalid Request: the message is too long", no_json, NULL);
    }
}
