/* SPDX-License-Identifier: MIT */
/* Tasks over HTTP while their store fails: requests get an error of the protocol, and the server goes on. */
#include <mcpw/ask.h>
#include <mcpw/tasks.h>

#include "http_harness.h"

#define WITH_TASKS                                                                                           \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                                       \
    "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{'form':{}},"                               \
    "'extensions':{'io.modelcontextprotocol/tasks':{}}}}"
#define FAILED "'error':{'code':-32603,'message':'Internal error: the "

/* A store in memory of which one function fails. */
typedef struct failing {
    mcpw_task_store base;
    mcpw_task_store *store;
    bool creates_not;
    bool reads_not;
    bool replaces_not;
} failing;

typedef struct world {
    site site;
    failing failing;
    int runs;
} world;

static world w;

static mcpw_status create(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits) {
    const failing *const f = self;
    return f->creates_not ? MCPW_E_IO : f->store->create(f->store->self, entry, limits);
}

static mcpw_status read_entry(void *self, mcpw_str id, size_t most, mcpw_take_task *take, void *user) {
    const failing *const f = self;
    return f->reads_not ? MCPW_E_IO : f->store->read(f->store->self, id, most, take, user);
}

static mcpw_status replace(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits) {
    const failing *const f = self;
    return f->replaces_not ? MCPW_E_IO : f->store->replace(f->store->self, entry, limits);
}

static mcpw_status list(void *self, mcpw_str principal, mcpw_str after, size_t count, size_t most,
                        mcpw_take_task *take, void *user) {
    const failing *const f = self;
    return f->store->list(f->store->self, principal, after, count, most, take, user);
}

static mcpw_status remove_entry(void *self, mcpw_str id) {
    const failing *const f = self;
    return f->store->remove(f->store->self, id);
}

/* Asks the client, as a task. */
static mcpw_status job(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_json form = MCPW_JSON("{\"type\":\"object\",\"properties\":{}}");
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    (void)call;
    mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    ((world *)user)->runs += status == MCPW_OK;
    status = status == MCPW_OK ? mcpw_ask_form(request, "sure", "Sure?", form, &answer) : status;
    return status == MCPW_OK ? mcpw_respond_text(request, mcpw_str_from("done")) : status;
}

static void begin(void) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    const mcpw_tool tool = {
        .struct_size = sizeof tool, .name = "job", .task = MCPW_TASK_OPTIONAL, .call = job, .user = &w};
    memset(&w, 0, sizeof w);
    failing *const f = &w.failing;
    f->base.struct_size = sizeof f->base;
    f->store = mcpw_task_memory_new(NULL, NULL);
    CHECK(f->store != NULL);
    f->base.self = f;
    f->base.worker = f->store->worker;
    f->base.create = create;
    f->base.read = read_entry;
    f->base.replace = replace;
    f->base.list = list;
    f->base.remove = remove_entry;
    config.store = &f->base;
    CHECK(site_offer(&w.site));
    CHECK(mcpw_server_add_tasks(w.site.tools, &config, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_tool(w.site.tools, &tool, NULL) == MCPW_OK);
    CHECK(site_open(&w.site));
}

static void finish(void) {
    site_stop(&w.site);
    mcpw_task_memory_free(w.failing.store);
}

static const response *send(const char *method, const char *name, const char *members) {
    static char lines[HTTP_TEXT];
    static char body[HTTP_TEXT];
    (void)snprintf(lines, sizeof lines, "Mcp-Method: %s\nMcp-Name: %s", method, name);
    (void)snprintf(body, sizeof body, "{'jsonrpc':'2.0','id':1,'method':'%s','params':{%s," WITH_TASKS "}}",
                   method, members);
    return site_finish(site_post(&w.site, lines, body, HTTP_TEXT));
}

static const response *call_job(void) { return send("tools/call", "job", "'name':'job'"); }

static const response *ask(const char *method, const char *id, const char *more) {
    static char members[HTTP_TEXT];
    (void)snprintf(members, sizeof members, "'taskId':'%s'%s", id, more);
    return send(method, id, members);
}

/* The id of a new task. */
static const char *created(void) {
    static char id[MCPW_TASK_ID_LEN + 1];
    const response *const r = call_job();
    const char *const at = strstr(r->body, "\"taskId\":\"");
    CHECK(r->status == 200 && at != NULL);
    (void)snprintf(id, sizeof id, "%s", at != NULL ? at + strlen("\"taskId\":\"") : "");
    return id;
}

static void check_failure(const response *r, const char *why) {
    CHECK(r->status == 200); /* HTTP has worked; it is the task that cannot be had */
    CHECK(r->ended);
    CHECK(site_has(r->body, FAILED));
    CHECK(site_has(r->body, why));
}

#define ANSWER ",'inputResponses':{'sure':{'action':'accept','content':{}}}"

static void a_task_that_cannot_be_stored_is_not_begun(void) {
    begin();
    w.failing.creates_not = true;
    check_failure(call_job(), "the task could not be stored");
    CHECK(w.runs == 0);
    CHECK(site_has(site_finish(site_call(&w.site, "hello", ""))->body, "'text':'hello'"));
    w.failing.creates_not = false;
    CHECK(site_has(ask("tasks/get", created(), "")->body, "'status':'input_required'"));
    CHECK(w.runs == 1);
    finish();
}

static void a_task_that_cannot_be_read_is_there_later(void) {
    static const char *const methods[] = {"tasks/get", "tasks/update", "tasks/cancel"};
    begin();
    const char *const id = created();
    w.failing.reads_not = true;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        check_failure(ask(methods[i], id, ANSWER), "the store of tasks does not answer");
    }
    w.failing.reads_not = false;
    CHECK(site_has(ask("tasks/get", id, "")->body, "'status':'input_required'"));
    CHECK(ask("tasks/update", id, ANSWER)->status == 200);
    CHECK(site_has(ask("tasks/get", id, "")->body, "'text':'done'"));
    finish();
}

static void an_answer_that_cannot_be_stored_is_given_again(void) {
    begin();
    const char *const id = created();
    w.failing.replaces_not = true;
    check_failure(ask("tasks/update", id, ANSWER), "the store of tasks does not answer");
    CHECK(site_has(ask("tasks/get", id, "")->body, "'status':'input_required'"));
    w.failing.replaces_not = false;
    CHECK(ask("tasks/update", id, ANSWER)->status == 200);
    CHECK(site_has(ask("tasks/get", id, "")->body, "'text':'done'"));
    CHECK(w.runs == 2);
    finish();
}

static void a_cancellation_that_cannot_be_stored_changes_nothing(void) {
    begin();
    const char *const id = created();
    w.failing.replaces_not = true;
    check_failure(ask("tasks/cancel", id, ""), "the store of tasks does not answer");
    w.failing.replaces_not = false;
    CHECK(site_has(ask("tasks/get", id, "")->body, "'status':'input_required'"));
    CHECK(ask("tasks/cancel", id, "")->status == 200);
    CHECK(site_has(ask("tasks/get", id, "")->body, "'status':'cancelled'"));
    finish();
}

int main(void) {
    mcpw_error error;
    mcpw_task_store *const any = mcpw_task_memory_new(NULL, &error);
    if (any == NULL) {
        (void)fprintf(stderr, "skipped: %s\n", error.message);
        return CHECK_SKIPPED;
    }
    mcpw_task_memory_free(any);
    RUN(a_task_that_cannot_be_stored_is_not_begun);
    RUN(a_task_that_cannot_be_read_is_there_later);
    RUN(an_answer_that_cannot_be_stored_is_given_again);
    RUN(a_cancellation_that_cannot_be_stored_changes_nothing);
    return check_end();
}
