/* SPDX-License-Identifier: MIT */
/* The end of a request without a result: its response, and the code of that. */
#include <mcpw/detail/protocol.h>

#include "refuse.h"

#include "../revisions/capability.h"
#include "../support/print.h"
#include "written.h"

/* Whether the fault is reported in a tool's result, where the model sees it. */
static bool is_for_model(const mcpw_request *r) {
    return r->binding->own == MCPW_OWN_CALL_TOOL && mcpw_protocol_tells_arguments(r->profile->revision);
}

static bool is_in_arguments(const char *prefix) {
    static const char arguments[] = "/arguments";
    return prefix != NULL && strncmp(prefix, arguments, sizeof arguments - 1) == 0;
}

MCPW_POSTED(posted_refuse, mcpw_request_refuse(request, a->text, a->value))

mcpw_status mcpw_request_refuse(mcpw_request *request, const char *prefix, const mcpw_error *why) {
    char path[MCPW_ERROR_PATH_SIZE + MCPW_ERROR_PATH_SIZE];
    char message[sizeof path + MCPW_MESSAGE_ROOM];
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_refuse,
                              &(mcpw_post_args){.text = prefix, .value = why});
    }
    mcpw_text text = mcpw_session_text(request->session);
    mcpw_json data;
    (void)mcpw_print_text(path, sizeof path, "%s%s", prefix != NULL ? prefix : "", why->path);
    (void)mcpw_print_text(message, sizeof message, "Invalid params: %s%s%s", path,
                          path[0] != '\0' ? ": " : "", why->message);
    if (is_for_model(request) && is_in_arguments(prefix)) {
        return mcpw_respond_tool_error(request, message);
    }
    mcpw_text_object(&text);
    mcpw_text_member(&text, "path", mcpw_str_from(path));
    mcpw_text_object_end(&text);
    const mcpw_status status = mcpw_text_finish(&text, &request->arena, &data);
    return mcpw_respond_error(request, MCPW_RPC_INVALID_PARAMS, message, status == MCPW_OK ? data : no_json);
}

static mcpw_json lacking_data(mcpw_request *r) {
    mcpw_text text = mcpw_session_text(r->session);
    mcpw_json data = no_json;
    const mcpw_json lacking = mcpw_capability_object(r->client.lacking, &r->arena);
    if (lacking.ptr != NULL) {
        mcpw_text_object(&text);
        mcpw_text_member_json(&text, "requiredCapabilities", lacking);
        mcpw_text_object_end(&text);
    }
    return mcpw_text_finish(&text, &r->arena, &data) == MCPW_OK ? data : no_json;
}

/* The fault of the handler's input request, which failed with the status that the handler returned. */
static const mcpw_error *refused_input_request(const mcpw_request *r, mcpw_status status) {
    const mcpw_input_request *q = r->input.requests.first;
    while (q != NULL && (q->refused == NULL || q->refused->code != status)) {
        q = q->next;
    }
    return q != NULL ? q->refused : NULL;
}

void mcpw_respond_status(mcpw_request *r, mcpw_status status) {
    char message[MCPW_MESSAGE_ROOM];
    const mcpw_error *const why = refused_input_request(r, status);
    mcpw_json data = no_json;
    int64_t code = MCPW_RPC_INTERNAL_ERROR;
    const char *title = "Internal error";
    if (status == MCPW_E_CLOSED && r->session->input_ended) {
        mcpw_request_drop(r); /* it failed because the peer has gone, which takes no answer */
        return;
    }
    if (status == MCPW_E_CAPABILITY && r->client.lacking != NULL) {
        code = mcpw_protocol_code(r->profile->revision, MCPW_CODE_MISSING_CAPABILITY);
        data = lacking_data(r);
        (void)mcpw_print_text(message, sizeof message, "Missing required client capability: %s",
                              r->client.lacking);
    } else {
        /* A bad answer to an input request of this end's is no fault of these params. */
        if (!r->life.unsendable && why == NULL && status >= MCPW_E_SYNTAX && status <= MCPW_E_METHOD) {
            code = MCPW_RPC_INVALID_PARAMS;
            title = "Invalid params";
        }
        (void)mcpw_print_text(message, sizeof message, "%s: %s%s%s", title, why != NULL ? why->path : "",
                              why != NULL && why->path[0] != '\0' ? ": " : "",
                              why != NULL ? why->message : mcpw_status_text(status));
    }
    if (code == MCPW_RPC_INTERNAL_ERROR && why == NULL && !r->life.unsendable) {
        mcpw_error error; /* this program has not been notified yet */
        mcpw_error_set(&error, status, 0, "the handler failed: %s", mcpw_status_text(status));
        mcpw_request_diagnose(r, NULL, &error);
    }
    if (code == MCPW_RPC_INVALID_PARAMS && why == NULL && r->entry != NULL && is_for_model(r) &&
        mcpw_respond_tool_error(r, message) == MCPW_OK) {
        return;
    }
    mcpw_request_end(r, code, message, data);
}

void mcpw_request_end(mcpw_request *r, int64_t code, const char *message, mcpw_json data) {
    mcpw_request_ref(r);
    if (mcpw_respond_error(r, code, message, data) != MCPW_OK && r->life.in_flight) {
        mcpw_request_drop(r); /* there is no memory even for an error: the peer times out */
    }
    (void)mcpw_request_unref(r);
}
