/* SPDX-License-Identifier: MIT */
/* Results that are written straight into what the session sends. */
#include "written.h"

#include "far.h"

void mcpw_written_put(mcpw_written *a, const char *literal, size_t len) {
    a->at = a->at != NULL ? mcpw_room(&a->writer, a->at, len) : NULL;
    if (a->at != NULL) {
        memcpy(a->at, literal, len);
        a->at += len;
    }
}

void mcpw_written_string(mcpw_written *a, mcpw_str text) {
    if (a->at != NULL) {
        a->at = text.ptr != NULL ? mcpw_put_string(&a->writer, a->at, text)
                                 : mcpw_write_fail(&a->writer, MCPW_E_ARGUMENT, "a text is absent");
    }
}

void mcpw_written_open(mcpw_written *a, mcpw_request *request, const char *type, size_t size) {
    a->request = request;
    a->status = mcpw_written_begin(request, type, &a->writer, &a->at, &a->error);
    a->at = a->at != NULL ? mcpw_room(&a->writer, a->at, size) : NULL;
}

mcpw_status mcpw_written_send(mcpw_written *a) {
    return a->status == MCPW_OK ? mcpw_written_end(a->request, &a->writer, a->at, &a->error) : a->status;
}

mcpw_status mcpw_respond_tool_error(mcpw_request *request, const char *text) {
    if (mcpw_request_is_far(request)) {
        return mcpw_far_tool_error(mcpw_respond_tool_error, request, text);
    }
    const mcpw_str message = mcpw_str_from(text);
    mcpw_written a;
    mcpw_written_open(&a, request, "CallToolResult", message.len);
    MCPW_WRITTEN_PUT(&a, "\"content\":[{\"type\":\"text\",\"text\":");
    mcpw_written_string(&a, message);
    MCPW_WRITTEN_PUT(&a, "}],\"isError\":true");
    return mcpw_written_send(&a);
}
