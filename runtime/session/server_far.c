/* SPDX-License-Identifier: MIT */
/* The answers of servers, from the thread that has a detached request to the session's: as far.c. */
#include "server_internal.h"

typedef struct far_call {
    mcpw_request *request;
    const char *name; /* of the function */
    const void *value;
    const char *text;
    const mcpw_str *texts;
    size_t count;
    mcpw_json json;
    mcpw_str str;
    mcpw_status (*respond)(mcpw_request *, mcpw_str);
    mcpw_status status;
} far_call;

static mcpw_status bring(far_call *c, void (*run)(void *argument)) {
    const mcpw_status brought = mcpw_request_bring(c->request, c->name, run, c, NULL);
    return brought == MCPW_OK ? c->status : brought;
}

static void run_text(void *argument) {
    far_call *const c = argument;
    c->status = c->respond(c->request, c->str);
}

mcpw_status mcpw_far_text(mcpw_request *request, mcpw_status (*respond)(mcpw_request *, mcpw_str),
                          mcpw_str text) {
    const char *const name = respond == mcpw_respond_text ? "mcpw_respond_text" : "mcpw_respond_prompt_text";
    far_call c = {.request = request, .name = name, .respond = respond, .str = text};
    return bring(&c, run_text);
}

static void run_structured(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond_structured(c->request, c->json);
}

mcpw_status mcpw_far_structured(mcpw_request *request, mcpw_json value) {
    far_call c = {.request = request, .name = "mcpw_respond_structured", .json = value};
    return bring(&c, run_structured);
}

static void run_structured_value(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond_structured_value(c->request, c->value);
}

mcpw_status mcpw_far_structured_value(mcpw_request *request, const void *value) {
    far_call c = {.request = request, .name = "mcpw_respond_structured_value", .value = value};
    return bring(&c, run_structured_value);
}

static void run_tool_error(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond_tool_error(c->request, c->text);
}

mcpw_status mcpw_far_tool_error(mcpw_request *request, const char *text) {
    far_call c = {.request = request, .name = "mcpw_respond_tool_error", .text = text};
    return bring(&c, run_tool_error);
}

static void run_resource_text(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond_resource_text(c->request, c->text, c->str);
}

mcpw_status mcpw_far_resource_text(mcpw_request *request, const char *mime_type, mcpw_str text) {
    far_call c = {.request = request, .name = "mcpw_respond_resource_text", .text = mime_type, .str = text};
    return bring(&c, run_resource_text);
}

static void run_resource_bytes(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond_resource_bytes(c->request, c->text, c->value, c->count);
}

mcpw_status mcpw_far_resource_bytes(mcpw_request *request, const char *mime_type, const void *bytes,
                                    size_t len) {
    far_call c = {.request = request,
                  .name = "mcpw_respond_resource_bytes",
                  .text = mime_type,
                  .value = bytes,
                  .count = len};
    return bring(&c, run_resource_bytes);
}

static void run_resource_not_found(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond_resource_not_found(c->request);
}

mcpw_status mcpw_far_resource_not_found(mcpw_request *request) {
    far_call c = {.request = request, .name = "mcpw_respond_resource_not_found"};
    return bring(&c, run_resource_not_found);
}

static void run_completion(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond_completion(c->request, c->texts, c->count);
}

mcpw_status mcpw_far_completion(mcpw_request *request, const mcpw_str *values, size_t count) {
    far_call c = {.request = request, .name = "mcpw_respond_completion", .texts = values, .count = count};
    return bring(&c, run_completion);
}
