/* SPDX-License-Identifier: MIT */
/* The answers of servers, brought from the thread that has a detached request to the session's, as in post.c.
 */
#include "post.h"

#include "registry.h"

typedef struct posted_call {
    mcpw_request *request;
    const char *name; /* of the function */
    union {           /* the function that is brought */
        mcpw_status (*structured)(mcpw_request *, mcpw_json);
        mcpw_status (*structured_value)(mcpw_request *, const void *);
        mcpw_status (*tool_error)(mcpw_request *, const char *);
        mcpw_status (*resource_text)(mcpw_request *, const char *, mcpw_str);
        mcpw_status (*resource_bytes)(mcpw_request *, const char *, const void *, size_t);
        mcpw_status (*resource_not_found)(mcpw_request *);
        mcpw_status (*completion)(mcpw_request *, const mcpw_str *, size_t);
        mcpw_status (*text)(mcpw_request *, mcpw_str);
    } to;
    const void *value;
    const char *text;
    const mcpw_str *texts;
    size_t count;
    mcpw_json json;
    mcpw_str str;
    mcpw_status status;
} posted_call;

static mcpw_status bring(posted_call *c, void (*run)(void *argument)) {
    const mcpw_status brought = mcpw_request_post(c->request, c->name, run, c, NULL);
    return brought == MCPW_OK ? c->status : brought;
}

static void run_text(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.text(c->request, c->str);
}

mcpw_status mcpw_post_text(mcpw_status (*to)(mcpw_request *, mcpw_str), const char *name,
                           mcpw_request *request, mcpw_str text) {
    posted_call c = {.request = request, .name = name, .to.text = to, .str = text};
    return bring(&c, run_text);
}

static void run_structured(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.structured(c->request, c->json);
}

mcpw_status mcpw_post_structured(mcpw_status (*to)(mcpw_request *, mcpw_json), mcpw_request *request,
                                 mcpw_json value) {
    posted_call c = {
        .request = request, .to.structured = to, .name = "mcpw_respond_structured", .json = value};
    return bring(&c, run_structured);
}

static void run_structured_value(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.structured_value(c->request, c->value);
}

mcpw_status mcpw_post_structured_value(mcpw_status (*to)(mcpw_request *, const void *), mcpw_request *request,
                                       const void *value) {
    posted_call c = {.request = request,
                     .to.structured_value = to,
                     .name = "mcpw_respond_structured_value",
                     .value = value};
    return bring(&c, run_structured_value);
}

static void run_tool_error(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.tool_error(c->request, c->text);
}

mcpw_status mcpw_post_tool_error(mcpw_status (*to)(mcpw_request *, const char *), mcpw_request *request,
                                 const char *text) {
    posted_call c = {
        .request = request, .to.tool_error = to, .name = "mcpw_respond_tool_error", .text = text};
    return bring(&c, run_tool_error);
}

static void run_resource_text(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.resource_text(c->request, c->text, c->str);
}

mcpw_status mcpw_post_resource_text(mcpw_status (*to)(mcpw_request *, const char *, mcpw_str),
                                    mcpw_request *request, const char *mime_type, mcpw_str text) {
    posted_call c = {.request = request,
                     .to.resource_text = to,
                     .name = "mcpw_respond_resource_text",
                     .text = mime_type,
                     .str = text};
    return bring(&c, run_resource_text);
}

static void run_resource_bytes(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.resource_bytes(c->request, c->text, c->value, c->count);
}

mcpw_status mcpw_post_resource_bytes(mcpw_status (*to)(mcpw_request *, const char *, const void *, size_t),
                                     mcpw_request *request, const char *mime_type, const void *bytes,
                                     size_t len) {
    posted_call c = {.request = request,
                     .to.resource_bytes = to,
                     .name = "mcpw_respond_resource_bytes",
                     .text = mime_type,
                     .value = bytes,
                     .count = len};
    return bring(&c, run_resource_bytes);
}

static void run_resource_not_found(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.resource_not_found(c->request);
}

mcpw_status mcpw_post_resource_not_found(mcpw_status (*to)(mcpw_request *), mcpw_request *request) {
    posted_call c = {
        .request = request, .to.resource_not_found = to, .name = "mcpw_respond_resource_not_found"};
    return bring(&c, run_resource_not_found);
}

static void run_completion(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.completion(c->request, c->texts, c->count);
}

mcpw_status mcpw_post_completion(mcpw_status (*to)(mcpw_request *, const mcpw_str *, size_t),
                                 mcpw_request *request, const mcpw_str *values, size_t count) {
    posted_call c = {.request = request,
                     .to.completion = to,
                     .name = "mcpw_respond_completion",
                     .texts = values,
                     .count = count};
    return bring(&c, run_completion);
}
