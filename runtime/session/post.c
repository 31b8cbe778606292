/* SPDX-License-Identifier: MIT */
/* Calls about a detached request, from the thread that has it to the session's. */
#include "post.h"

#include "threads.h"

/* A call with its outcome and its arguments, of which each function has some. It lies on the caller's stack,
 * and the caller waits, so what it points at stays, too. */
typedef struct posted_call {
    mcpw_request *request;
    const char *name; /* of the function */
    union {           /* the function that is brought */
        mcpw_status (*respond)(mcpw_request *, const mcpw_type *, const void *, mcpw_error *);
        mcpw_status (*respond_json)(mcpw_request *, mcpw_json, mcpw_error *);
        mcpw_status (*respond_error)(mcpw_request *, int64_t, const char *, mcpw_json);
        mcpw_status (*refuse)(mcpw_request *, const char *, const mcpw_error *);
        mcpw_json (*client_capabilities)(mcpw_request *);
        bool (*can)(mcpw_request *, const char *);
        void (*on_cancel)(mcpw_request *, void (*)(void *, mcpw_request *), void *);
        mcpw_status (*progress)(mcpw_request *, double, double, const char *);
        mcpw_status (*log)(mcpw_request *, mcpw_log_level, const char *, mcpw_json);
        mcpw_status (*ask)(mcpw_request *, const char *, const mcpw_revision *, int, const void *,
                           mcpw_result *, mcpw_error *);
        mcpw_status (*set_state)(mcpw_request *, mcpw_json);
        mcpw_status (*give_back)(mcpw_request *, mcpw_status);
    } to;
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
} posted_call;

static mcpw_status bring(posted_call *c, void (*run)(void *argument)) {
    const mcpw_status brought = mcpw_request_post(c->request, c->name, run, c, c->error);
    return brought == MCPW_OK ? c->status : brought;
}

static void run_respond(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.respond(c->request, c->type, c->value, c->error);
}

mcpw_status
mcpw_post_respond(mcpw_status (*to)(mcpw_request *, const mcpw_type *, const void *, mcpw_error *),
                  mcpw_request *request, const mcpw_type *type, const void *result, mcpw_error *error) {
    posted_call c = {.request = request,
                     .to.respond = to,
                     .name = "mcpw_respond",
                     .type = type,
                     .value = result,
                     .error = error};
    return bring(&c, run_respond);
}

static void run_respond_json(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.respond_json(c->request, c->json, c->error);
}

mcpw_status mcpw_post_respond_json(mcpw_status (*to)(mcpw_request *, mcpw_json, mcpw_error *),
                                   mcpw_request *request, mcpw_json result, mcpw_error *error) {
    posted_call c = {.request = request,
                     .to.respond_json = to,
                     .name = "mcpw_respond_json",
                     .json = result,
                     .error = error};
    return bring(&c, run_respond_json);
}

static void run_respond_error(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.respond_error(c->request, c->number, c->text, c->json);
}

mcpw_status mcpw_post_respond_error(mcpw_status (*to)(mcpw_request *, int64_t, const char *, mcpw_json),
                                    mcpw_request *request, int64_t code, const char *message,
                                    mcpw_json data) {
    posted_call c = {.request = request,
                     .to.respond_error = to,
                     .name = "mcpw_respond_error",
                     .number = code,
                     .text = message,
                     .json = data};
    return bring(&c, run_respond_error);
}

static void run_refuse(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.refuse(c->request, c->text, c->value);
}

mcpw_status mcpw_post_refuse(mcpw_status (*to)(mcpw_request *, const char *, const mcpw_error *),
                             mcpw_request *request, const char *prefix, const mcpw_error *why) {
    posted_call c = {
        .request = request, .to.refuse = to, .name = "mcpw_request_refuse", .text = prefix, .value = why};
    return bring(&c, run_refuse);
}

static void run_client_capabilities(void *argument) {
    posted_call *const c = argument;
    c->json = c->to.client_capabilities(c->request);
    c->status = MCPW_OK;
}

mcpw_json mcpw_post_client_capabilities(mcpw_json (*to)(mcpw_request *), mcpw_request *request) {
    posted_call c = {
        .request = request, .to.client_capabilities = to, .name = "mcpw_request_client_capabilities"};
    return bring(&c, run_client_capabilities) == MCPW_OK ? c.json : no_json;
}

static void run_can(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.can(c->request, c->text) ? MCPW_OK : MCPW_E_CAPABILITY;
}

bool mcpw_post_can(bool (*to)(mcpw_request *, const char *), mcpw_request *request, const char *capability) {
    posted_call c = {.request = request, .to.can = to, .name = "mcpw_request_can", .text = capability};
    return bring(&c, run_can) == MCPW_OK;
}

static void run_on_cancel(void *argument) {
    posted_call *const c = argument;
    c->to.on_cancel(c->request, c->on_cancel, c->user);
    c->status = MCPW_OK;
}

void mcpw_post_on_cancel(void (*to)(mcpw_request *, void (*)(void *, mcpw_request *), void *),
                         mcpw_request *request, void (*on_cancel)(void *user, mcpw_request *request),
                         void *user) {
    posted_call c = {.request = request,
                     .to.on_cancel = to,
                     .name = "mcpw_request_on_cancel",
                     .on_cancel = on_cancel,
                     .user = user};
    mcpw_ignore(bring(&c, run_on_cancel)); /* the session tells what is wrong with it */
}

static void run_progress(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.progress(c->request, c->progress, c->total, c->text);
}

mcpw_status mcpw_post_progress(mcpw_status (*to)(mcpw_request *, double, double, const char *),
                               mcpw_request *request, double progress, double total, const char *message) {
    posted_call c = {.request = request,
                     .to.progress = to,
                     .name = "mcpw_request_progress",
                     .progress = progress,
                     .total = total,
                     .text = message};
    return bring(&c, run_progress);
}

static void run_log(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.log(c->request, (mcpw_log_level)c->number, c->text, c->json);
}

mcpw_status mcpw_post_log(mcpw_status (*to)(mcpw_request *, mcpw_log_level, const char *, mcpw_json),
                          mcpw_request *request, mcpw_log_level level, const char *logger, mcpw_json data) {
    posted_call c = {.request = request,
                     .to.log = to,
                     .name = "mcpw_request_log",
                     .number = level,
                     .text = logger,
                     .json = data};
    return bring(&c, run_log);
}

static void run_ask(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.ask(c->request, c->text, c->revision, (int)c->number, c->value, c->result, c->error);
}

mcpw_status mcpw_post_ask(mcpw_status (*to)(mcpw_request *, const char *, const mcpw_revision *, int,
                                            const void *, mcpw_result *, mcpw_error *),
                          mcpw_request *request, const char *key, const mcpw_revision *revision, int method,
                          const void *params, mcpw_result *result, mcpw_error *error) {
    posted_call c = {.request = request,
                     .to.ask = to,
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
    posted_call *const c = argument;
    c->status = c->to.set_state(c->request, c->json);
}

mcpw_status mcpw_post_set_state(mcpw_status (*to)(mcpw_request *, mcpw_json), mcpw_request *request,
                                mcpw_json state) {
    posted_call c = {.request = request, .to.set_state = to, .name = "mcpw_request_set_state", .json = state};
    return bring(&c, run_set_state);
}

static void run_return(void *argument) {
    posted_call *const c = argument;
    c->status = c->to.give_back(c->request, (mcpw_status)c->number);
}

mcpw_status mcpw_post_return(mcpw_status (*to)(mcpw_request *, mcpw_status), mcpw_request *request,
                             mcpw_status status) {
    posted_call c = {
        .request = request, .to.give_back = to, .name = "mcpw_request_return", .number = (int)status};
    return bring(&c, run_return);
}
