/* SPDX-License-Identifier: MIT */
/* Functions for entries of all kinds: memory of their server, and the params of requests. */
#include "server_internal.h"

mcpw_status mcpw_server_keep(mcpw_server *server, const char *text, size_t len, mcpw_str *out) {
    out->ptr = NULL;
    out->len = 0;
    if (text == NULL) {
        return MCPW_OK;
    }
    char *const copy = mcpw_resize(&server->base.config.allocator, NULL, 0, len + 1);
    if (copy == NULL) {
        return MCPW_E_MEMORY;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    out->ptr = copy;
    out->len = len;
    return MCPW_OK;
}

void mcpw_server_release(mcpw_server *server, mcpw_str text) {
    if (text.ptr != NULL) {
        (void)mcpw_resize(&server->base.config.allocator, (void *)(uintptr_t)text.ptr, text.len + 1, 0);
    }
}

mcpw_field mcpw_request_field(const mcpw_request *request, const char *name) {
    const mcpw_type *type = NULL;
    const void *const params = mcpw_request_params(request, &type);
    return mcpw_field_get(mcpw_field_of(type, params), name);
}

mcpw_status mcpw_refuse_unknown(mcpw_request *request, const char *what, mcpw_str name) {
    static const mcpw_json none = {NULL, 0, 0};
    mcpw_error error;
    const int len = name.len < MCPW_ERROR_MESSAGE_SIZE ? (int)name.len : MCPW_ERROR_MESSAGE_SIZE;
    mcpw_error_set(&error, MCPW_E_NOT_FOUND, 0, "Unknown %s: %.*s", what, len, name.len != 0 ? name.ptr : "");
    return mcpw_respond_error(request, MCPW_RPC_INVALID_PARAMS, error.message, none);
}
