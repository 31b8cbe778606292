/* SPDX-License-Identifier: MIT */
/* A gateway passes on calls that tasks answer, and requests about tasks. It has no types for them, and loses
 * nothing. */
#include "client_tasks_harness.h"

#define STRANGE "'org.x/n':[9007199254740993,1.50e2,null]"
#define DECLARES "{'extensions':{'io.modelcontextprotocol/tasks':{}}}"

/* `front` has a client, `back` a server. */
static end *front;
static end *back;

static mcpw_status relay_call(end *e, mcpw_request *request, const void *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    return mcpw_request_relay(request, revision,
                              mcpw_method_number(revision, "tools/call", strlen("tools/call")), params,
                              back->session);
}

static mcpw_status relay_named(mcpw_request *request, const mcpw_extension_call *what, void *user) {
    (void)user;
    return mcpw_request_relay_named(request, what->method.ptr, what->params, back->session);
}

static end *gateway_end(mcpw_role role, bool relays) {
    const mcpw_extension_method methods[] = {
        {.name = "tasks/get", .request = relays ? relay_named : NULL},
        {.name = "tasks/cancel", .request = relays ? relay_named : NULL}};
    const mcpw_extension_result results[] = {{.method = "tools/call", .value = "task"}};
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    end *const e = end_make(role, MODERN, MODERN);
    mcpw_error error = {0};
    extension.id = "io.modelcontextprotocol/tasks";
    extension.methods = methods;
    extension.method_count = sizeof methods / sizeof *methods;
    extension.results = results;
    extension.result_count = 1;
    CHECK(mcpw_client_add_extension(&e->config, &extension, &error) == MCPW_OK);
    e->unchecked = true;
    return e;
}

static void open_gateway(void) {
    is_core = false;
    back = gateway_end(MCPW_ROLE_CLIENT, false);
    open_client_as(back, EXTENDED);
    front = gateway_end(MCPW_ROLE_SERVER, true);
    front->dispatch.relays = true;
    end_serve(front, "tools/call", relay_call);
    open_server(front);
}

static void close_gateway(void) {
    end_free(front);
    end_free(back);
}

static void a_task_passes_unchanged(void) {
    const char *const made = fmt("{'resultType':'task',%s}", task("working", "," STRANGE));
    open_gateway();
    say_request_as(front, "1", "tools/call", "'name':'t'", DECLARES, "");
    respond(back, hear(back, "tools/call"), made);
    const char *line = heard(front);
    CHECK_HAS(line, "'resultType':'task'");
    CHECK_HAS(line, "'taskId':'t1'");
    CHECK_HAS(line, STRANGE);
    say_request_as(front, "2", "tasks/get", "'taskId':'t1','more':1.50", DECLARES, "");
    line = heard(back);
    CHECK_HAS(line, "'method':'tasks/get'");
    CHECK_HAS(line, "'taskId':'t1','more':1.50");
    respond(back, id_in(line), stands("completed", ",'result':{" CONTENT "}," STRANGE));
    line = heard(front);
    CHECK_HAS(line, "'id':2,'result'");
    CHECK_HAS(line, "'result':{" CONTENT "}");
    CHECK_HAS(line, STRANGE);
    close_gateway();
}

static void a_client_that_has_not_declared_tasks_gets_none(void) {
    open_gateway();
    say_request_as(front, "1", "tools/call", "'name':'t'", "{}", "");
    respond(back, hear(back, "tools/call"), created("working"));
    const char *const line = heard(front);
    CHECK_HAS(line, "'error'");
    CHECK(!has(line, "taskId"));
    close_gateway();
}

int main(void) {
    RUN(a_task_passes_unchanged);
    RUN(a_client_that_has_not_declared_tasks_gets_none);
    return check_end();
}
