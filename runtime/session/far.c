/* SPDX-License-Identifier: MIT */
/* Calls about a detached request, from the thread that has it to the session's. */
#include "session_internal.h"

/* A call: its arguments, of which each function has some, and its outcome. It lies on the caller's stack, and
 * the caller waits: so what it points at stays, too. */
typedef struct far_call {
    mcpw_request *request;
    const char *name; /* of the function */
    const mcpw_type *type;
    const mcpw_revision *revision;
    const void *value;
    mcpw_result *result;
    const char *text;
    mcpw_json json;
    double progress;
    double total;
    int64_t number;
    mcpw_error *error;
    void (*on_cancel)(void *user, mcpw_request *request);
    void *user;
    mcpw_status status;
} far_call;

static mcpw_status bring(far_call *c, void (*run)(void *argument)) {
    const mcpw_status brought = mcpw_request_bring(c->request, c->name, run, c, c->error);
    return brought == MCPW_OK ? c->status : brought;
}

static void run_respond(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond(c->request, c->type, c->value, c->error);
}

mcpw_status mcpw_far_respond(mcpw_request *request, const mcpw_type *type, const void *result,
                             mcpw_error *error) {
    far_call c = {.request = request, .name = "mcpw_respond", .type = type, .value = result, .error = error};
    return bring(&c, run_respond);
}

static void run_respond_json(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond_json(c->request, c->json, c->error);
}

mcpw_status mcpw_far_respond_json(mcpw_request *request, mcpw_json result, mcpw_error *error) {
    far_call c = {.request = request, .name = "mcpw_respond_json", .json = result, .error = error};
    return bring(&c, run_respond_json);
}

static void run_respond_error(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_respond_error(c->request, c->number, c->text, c->json);
}

mcpw_status mcpw_far_respond_error(mcpw_request *request, int64_t code, const char *message, mcpw_json data) {
    far_call c = {
        .request = request, .name = "mcpw_respond_error", .number = code, .text = message, .json = data};
    return bring(&c, run_respond_error);
}

static void run_refuse(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_request_refuse(c->request, c->text, c->value);
}

mcpw_status mcpw_far_refuse(mcpw_request *request, const char *prefix, const mcpw_error *why) {
    far_call c = {.request = request, .name = "mcpw_request_refuse", .text = prefix, .value = why};
    return bring(&c, run_refuse);
}

static void run_client_capabilities(void *argument) {
    far_call *const c = argument;
    c->json = mcpw_request_client_capabilities(c->request);
    c->status = MCPW_OK;
}

mcpw_json mcpw_far_client_capabilities(mcpw_request *request) {
    far_call c = {.request = request, .name = "mcpw_request_client_capabilities"};
    return bring(&c, run_client_capabilities) == MCPW_OK ? c.json : no_json;
}

static void run_can(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_request_can(c->request, c->text) ? MCPW_OK : MCPW_E_CAPABILITY;
}

bool mcpw_far_can(mcpw_request *request, const char *capability) {
    far_call c = {.request = request, .name = "mcpw_request_can", .text = capability};
    return bring(&c, run_can) == MCPW_OK;
}

static void run_on_cancel(void *argument) {
    far_call *const c = argument;
    mcpw_request_on_cancel(c->request, c->on_cancel, c->user);
    c->status = MCPW_OK;
}

void mcpw_far_on_cancel(mcpw_request *request, void (*on_cancel)(void *user, mcpw_request *request),
                        void *user) {
    far_call c = {.request = request, .name = "mcpw_request_on_cancel", .on_cancel = on_cancel, .user = user};
    mcpw_ignore(bring(&c, run_on_cancel)); /* what is wrong with it the session tells */
}

static void run_progress(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_request_progress(c->request, c->progress, c->total, c->text);
}

mcpw_status mcpw_far_progress(mcpw_request *request, double progress, double total, const char *message) {
    far_call c = {.request = request,
                  .name = "mcpw_request_progress",
                  .progress = progress,
                  .total = total,
                  .text = message};
    return bring(&c, run_progress);
}

static void run_log(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_request_log(c->request, (mcpw_log_level)c->number, c->text, c->json);
}

mcpw_status mcpw_far_log(mcpw_request *request, mcpw_log_level level, const char *logger, mcpw_json data) {
    far_call c = {
        .request = request, .name = "mcpw_request_log", .number = level, .text = logger, .json = data};
    return bring(&c, run_log);
}

static void run_ask(void *argument) {
    far_call *const c = argument;
    c->status =
        mcpw_request_ask(c->request, c->text, c->revision, (int)c->number, c->value, c->result, c->error);
}

mcpw_status mcpw_far_ask(mcpw_request *request, const char *key, const mcpw_revision *revision, int method,
                         const void *params, mcpw_result *result, mcpw_error *error) {
    far_call c = {.request = request,
                  .name = "mcpw_request_ask",
                  .text = key,
                  .revision = revision,
                  .number = method,
                  .value = params,
                  .result = result,
                  .error = error};
    result->value = NULL;
    return bring(&c, run_ask);
}

static void run_set_state(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_request_set_state(c->request, c->json);
}

mcpw_status mcpw_far_set_state(mcpw_request *request, mcpw_json state) {
    far_call c = {.request = request, .name = "mcpw_request_set_state", .json = state};
    return bring(&c, run_set_state);
}

static void run_return(void *argument) {
    far_call *const c = argument;
    c->status = mcpw_request_return(c->request, (mcpw_status)c->number);
}

mcpw_status mcpw_far_return(mcpw_request *request, mcpw_status status) {
    far_call c = {.request = request, .name = "mcpw_request_return", .number = (int)status};
    return bring(&c, run_return);
}
