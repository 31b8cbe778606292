/* SPDX-License-Identifier: MIT */
/* The answers that handlers give most, written straight into what the session sends. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/protocol.h>
#include <mcpw/detail/reflect.h>

#include "../requests/written.h"
#include "../support/base64.h"
#include "server_internal.h"

enum { MAX_COMPLETIONS = 100 };

static const char structured_name[] = "structuredContent";

enum { LEVELS_AROUND = 2 /* of a member of a result: the message and the result */ };

/* ---- tools/call ---------------------------------------------------------------------------------------- */

/* Whether text alone is what the request's tool has promised to a peer of that revision. */
static mcpw_status may_be_text(const mcpw_request *request, mcpw_error *error) {
    const mcpw_serving *const serving = mcpw_request_entry(request);
    if (serving == NULL || serving->schemas == NULL || serving->schemas->output == NULL) {
        return MCPW_OK;
    }
    const mcpw_type *const type = mcpw_revision_type(mcpw_request_revision(request), "CallToolResult");
    return mcpw_slot_exists(mcpw_type_slot(type, "structuredContent"))
               ? mcpw_server_check_structured(serving, (mcpw_json){NULL, 0, 0}, error)
               : MCPW_OK;
}

MCPW_POSTED(posted_text, mcpw_respond_text(request, a->str))

mcpw_status mcpw_respond_text(mcpw_request *request, mcpw_str text) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_text, &(mcpw_post_args){.str = text});
    }
    mcpw_error error;
    const mcpw_status status = may_be_text(request, &error);
    if (status != MCPW_OK) {
        return mcpw_request_unsendable(request, status, &error);
    }
    mcpw_written a;
    mcpw_written_begin(&a, request, "CallToolResult", text.len);
    mcpw_written_content(&a, text);
    return mcpw_written_end(&a);
}

/* Whether the peer's revision has a place for structured content, and this value may stand there. */
static bool can_say_structured(const mcpw_request *request, mcpw_json value) {
    const mcpw_type *const type = mcpw_revision_type(mcpw_request_revision(request), "CallToolResult");
    const mcpw_ref ref = mcpw_type_slot(type, structured_name).ref;
    return ref.kind == MCPW_KIND_JSON ||
           (ref.kind != MCPW_KIND_END && mcpw_json_kind_of(value) == MCPW_JSON_OBJECT);
}

static mcpw_status refuse_structured(mcpw_request *request, mcpw_status status, mcpw_error *error) {
    mcpw_error_prepend_key(error, structured_name, sizeof structured_name - 1);
    return mcpw_request_unsendable(request, status, error);
}

/* Sends a value that is known to be what the tool promises. */
static mcpw_status send_structured(mcpw_request *request, mcpw_json value) {
    const mcpw_str text = {value.ptr, value.len};
    mcpw_written a;
    mcpw_written_begin(&a, request, "CallToolResult", value.len + value.len);
    mcpw_written_content(&a, text);
    if (can_say_structured(request, value)) {
        mcpw_text_key(&a.text, structured_name);
        if (a.text.status == MCPW_OK) {
            a.text.status =
                mcpw_json_append_raw(&a.text.buffer, value, MCPW_DEFAULT_DEPTH - LEVELS_AROUND, &a.error);
        }
    }
    return mcpw_written_end(&a);
}

MCPW_POSTED(posted_structured, mcpw_respond_structured(request, a->json))

mcpw_status mcpw_respond_structured(mcpw_request *request, mcpw_json value) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_structured, &(mcpw_post_args){.json = value});
    }
    const mcpw_serving *const serving = mcpw_request_entry(request);
    mcpw_error error;
    if (value.ptr == NULL || serving == NULL || (serving->schemas == NULL && serving->structured == NULL)) {
        const mcpw_status status = mcpw_json_check(value, 0, &error);
        return status == MCPW_OK ? send_structured(request, value)
                                 : refuse_structured(request, status, &error);
    }
    const mcpw_status status = mcpw_server_check_structured(serving, value, &error);
    return status == MCPW_OK ? send_structured(request, value)
                             : mcpw_request_unsendable(request, status, &error);
}

MCPW_POSTED(posted_structured_value, mcpw_respond_structured_value(request, a->value))

mcpw_status mcpw_respond_structured_value(mcpw_request *request, const void *value) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_structured_value, &(mcpw_post_args){.value = value});
    }
    const mcpw_serving *const serving = mcpw_request_entry(request);
    mcpw_buffer text = mcpw_buffer_in(mcpw_request_arena(request));
    mcpw_error error;
    mcpw_status status = MCPW_E_ARGUMENT;
    if (serving == NULL || serving->structured == NULL) {
        mcpw_error_set(&error, status, 0, "the request is for no tool with a type of structured content");
    } else {
        status = mcpw_encode(serving->structured, value, &text, NULL, &error);
    }
    if (status != MCPW_OK) {
        return refuse_structured(request, status, &error);
    }
    const mcpw_json json = mcpw_buffer_take(&text);
    status = mcpw_server_check_structured(serving, json, &error);
    return status == MCPW_OK ? send_structured(request, json)
                             : mcpw_request_unsendable(request, status, &error);
}

/* ---- resources/read ------------------------------------------------------------------------------------ */

static void begin_contents(mcpw_written *a, mcpw_request *request, const char *mime_type, size_t size) {
    const mcpw_serving *const serving = mcpw_request_entry(request);
    mcpw_written_begin(a, request, "ReadResourceResult", size);
    mcpw_text_key(&a->text, "contents");
    mcpw_text_array(&a->text);
    mcpw_text_object(&a->text);
    mcpw_written_member(a, "uri", mcpw_field_str(mcpw_request_field(request, "uri")));
    if (mime_type == NULL && serving != NULL) {
        mime_type = serving->mime_type;
    }
    if (mime_type != NULL) {
        mcpw_text_member(&a->text, "mimeType", mcpw_str_from(mime_type));
    }
}

static mcpw_status end_contents(mcpw_written *a) {
    mcpw_text_object_end(&a->text);
    mcpw_text_array_end(&a->text);
    return mcpw_written_end(a);
}

MCPW_POSTED(posted_resource_text, mcpw_respond_resource_text(request, a->text, a->str))

mcpw_status mcpw_respond_resource_text(mcpw_request *request, const char *mime_type, mcpw_str text) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_resource_text,
                              &(mcpw_post_args){.text = mime_type, .str = text});
    }
    mcpw_written a;
    begin_contents(&a, request, mime_type, text.len);
    mcpw_written_member(&a, "text", text);
    return end_contents(&a);
}

MCPW_POSTED(posted_resource_bytes, mcpw_respond_resource_bytes(request, a->text, a->value, a->count))

mcpw_status mcpw_respond_resource_bytes(mcpw_request *request, const char *mime_type, const void *bytes,
                                        size_t len) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_resource_bytes,
                              &(mcpw_post_args){.text = mime_type, .value = bytes, .count = len});
    }
    const size_t size = mcpw_base64_size(len < SIZE_MAX / 2 ? len : SIZE_MAX / 2);
    mcpw_written a;
    mcpw_buffer *const out = &a.text.buffer;
    begin_contents(&a, request, mime_type, size);
    mcpw_text_key(&a.text, "blob");
    mcpw_text_put(&a.text, "\"");
    if (bytes == NULL && len != 0) {
        mcpw_written_fail(&a, MCPW_E_ARGUMENT, "bytes is NULL but its length is not 0");
    }
    if (a.text.status == MCPW_OK) {
        a.text.status = mcpw_buffer_reserve(out, size);
    }
    if (a.text.status == MCPW_OK) {
        unsigned char *const to = (unsigned char *)out->data + out->len;
        out->len += (size_t)(mcpw_base64_put(to, bytes, len) - to);
    }
    mcpw_text_put(&a.text, "\"");
    return end_contents(&a);
}

MCPW_POSTED(posted_resource_not_found, mcpw_respond_resource_not_found(request))

mcpw_status mcpw_respond_resource_not_found(mcpw_request *request) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_resource_not_found, &(mcpw_post_args){0});
    }
    const mcpw_revision *const revision = mcpw_request_revision(request);
    mcpw_text text = {mcpw_buffer_in(mcpw_request_arena(request)), MCPW_OK};
    mcpw_text_object(&text);
    mcpw_text_member(&text, "uri", mcpw_field_str(mcpw_request_field(request, "uri")));
    mcpw_text_object_end(&text);
    return text.status == MCPW_OK
               ? mcpw_respond_error(request, mcpw_protocol_code(revision, MCPW_CODE_RESOURCE_NOT_FOUND),
                                    "Resource not found", mcpw_text_get(&text))
               : text.status;
}

/* ---- prompts/get, completion/complete ------------------------------------------------------------------ */

MCPW_POSTED(posted_prompt_text, mcpw_respond_prompt_text(request, a->str))

mcpw_status mcpw_respond_prompt_text(mcpw_request *request, mcpw_str text) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_prompt_text, &(mcpw_post_args){.str = text});
    }
    mcpw_written a;
    mcpw_written_begin(&a, request, "GetPromptResult", text.len);
    mcpw_text_key(&a.text, "messages");
    mcpw_text_array(&a.text);
    mcpw_text_object(&a.text);
    mcpw_text_member(&a.text, "role", mcpw_str_from("user"));
    mcpw_text_key(&a.text, "content");
    mcpw_text_object(&a.text);
    mcpw_text_member(&a.text, "type", mcpw_str_from("text"));
    mcpw_written_member(&a, "text", text);
    mcpw_text_object_end(&a.text);
    mcpw_text_object_end(&a.text);
    mcpw_text_array_end(&a.text);
    return mcpw_written_end(&a);
}

MCPW_POSTED(posted_completion, mcpw_respond_completion(request, a->value, a->count))

mcpw_status mcpw_respond_completion(mcpw_request *request, const mcpw_str *values, size_t count) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_completion,
                              &(mcpw_post_args){.value = values, .count = count});
    }
    static const mcpw_str none = {NULL, 0};
    const size_t sent = count < MAX_COMPLETIONS ? count : MAX_COMPLETIONS;
    mcpw_written a;
    mcpw_written_begin(&a, request, "CompleteResult", 0);
    mcpw_text_key(&a.text, "completion");
    mcpw_text_object(&a.text);
    mcpw_text_key(&a.text, "values");
    mcpw_text_array(&a.text);
    for (size_t i = 0; i < sent; i++) {
        const mcpw_str value = values != NULL ? values[i] : none;
        mcpw_written_need(&a, value);
        mcpw_text_string(&a.text, value);
    }
    mcpw_text_array_end(&a.text);
    mcpw_text_key(&a.text, "total");
    mcpw_text_int(&a.text, (int64_t)count);
    mcpw_text_key(&a.text, "hasMore");
    mcpw_text_bool(&a.text, sent < count);
    mcpw_text_object_end(&a.text);
    return mcpw_written_end(&a);
}
