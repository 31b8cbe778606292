/* SPDX-License-Identifier: MIT */
/* Functions for entries of all kinds: memory of their server, and the params of requests. */
#include "server_internal.h"

#include <mcpw/detail/session.h>

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

void *mcpw_request_entry_user(const mcpw_request *request) {
    const mcpw_serving *const serving = mcpw_request_entry(request);
    return serving != NULL ? serving->user : NULL;
}

static mcpw_status run(mcpw_request *request, const void *what) {
    const mcpw_serving *const s = what;
    const void *const subject = mcpw_serving_subject(s);
    if (s->kind == MCPW_SERVING_CALL) { /* mostly */
        return s->handler.call(request, subject, s->user);
    }
    if (s->kind == MCPW_SERVING_READ) {
        return s->handler.read(request, subject, s->user);
    }
    return s->kind == MCPW_SERVING_GET ? s->handler.get(request, subject, s->user)
                                       : s->handler.complete(request, subject, s->user);
}

mcpw_status mcpw_entry_serve_again(mcpw_request *request, const mcpw_serving *serving) {
    return mcpw_request_serve(request, run, serving);
}

mcpw_status mcpw_entry_serve(mcpw_request *request, mcpw_serving *serving, const mcpw_entry *entry) {
    serving->handler = entry->run;
    if (serving->kind == MCPW_SERVING_COMPLETE) {
        serving->handler.complete = entry->complete;
    }
    serving->user = entry->user;
    serving->structured = entry->structured;
    mcpw_request_set_entry(request, serving);
    serving->schemas = entry->schemas;
    if (entry->schemas != NULL) {
        entry->schemas->uses++;
        mcpw_request_tell_entry(request);
    }
    return mcpw_entry_serve_again(request, serving);
}

static mcpw_status is_missing(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_MISSING, 0,
                          "the tool has an outputSchema: its result needs structured content");
}

mcpw_status mcpw_server_check_structured(const mcpw_serving *serving, mcpw_json value, mcpw_error *error) {
    const mcpw_schema *const schema =
        serving != NULL && serving->schemas != NULL ? serving->schemas->output : NULL;
    mcpw_status status = MCPW_OK;
    if (value.ptr == NULL) {
        return schema != NULL ? is_missing(error) : MCPW_OK;
    }
    if (schema != NULL) {
        status = mcpw_tool_schema_check(schema, value, serving->arena, NULL, error);
    }
    if (status == MCPW_OK && serving != NULL && serving->structured != NULL) {
        status = mcpw_validate(serving->structured, value.ptr, value.len, serving->arena, NULL, error);
    }
    if (status != MCPW_OK) {
        mcpw_error_prepend_key(error, "structuredContent", strlen("structuredContent"));
    }
    return status;
}
