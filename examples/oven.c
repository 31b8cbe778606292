/* SPDX-License-Identifier: MIT */
/*
 * A server with a tool that takes long: each call of `bake` becomes a task, by the first lines of its
 * handler. Clients that do not know tasks wait for the same answer.
 *
 *     example_oven                     over stdio
 *     example_oven --http 8080         over HTTP, where it is built
 *     mcpwire call --task --tool bake bread=rye -- ./example_oven
 *
 * examples/baker.c is a client that follows several tasks at once.
 */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/json.h>
#include <mcpw/serve.h>
#include <mcpw/tasks.h>
#include <mcpw/thread.h>

#include <poll.h>
#include <stdio.h>

enum { STEP_MS = 500, WORKERS = 4, MOST = 40 /* bytes of a name */ };

/* Works for a while. False: the client does not want the bread any more. */
static bool work(mcpw_request *request, const char *what) {
    (void)!mcpw_request_set_task_message(request, what); /* for people; does nothing in a plain call */
    (void)poll(NULL, 0, STEP_MS);
    return !mcpw_request_is_cancelled(request);
}

static mcpw_status bake(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const char *const steps[] = {"kneading", "rising", "baking"};
    char text[128];
    mcpw_str bread;
    (void)user;
    mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    if (status != MCPW_OK) {
        return status; /* MCPW_PENDING: this function runs again, as the task */
    }
    status = mcpw_json_get_string(call->arguments, "bread", mcpw_request_arena(request), &bread);
    if (status != MCPW_OK) {
        return mcpw_respond_tool_error(request, "bake needs the name of a bread");
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (!work(request, steps[i])) {
            return MCPW_E_CANCELLED;
        }
    }
    if (mcpw_str_is(bread, "charcoal")) {
        return mcpw_respond_tool_error(request, "It is burnt.");
    }
    const int len = snprintf(text, sizeof text, "The %.*s bread is ready.",
                             (int)(bread.len < MOST ? bread.len : MOST), bread.ptr);
    return mcpw_respond_text(request, (mcpw_str){text, (size_t)len});
}

static const mcpw_tool bake_tool = {
    .struct_size = sizeof(mcpw_tool),
    .name = "bake",
    .description = "Bakes a bread, which takes its time",
    .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"bread\":{\"type\":\"string\"}},"
                              "\"required\":[\"bread\"]}"),
    .task = MCPW_TASK_OPTIONAL,
    .call = bake,
};

int main(int argc, char **argv) {
    mcpw_run_options options = MCPW_RUN_OPTIONS_INIT;
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("oven", "1.0.0", &error);
    mcpw_status status = server != NULL ? mcpw_server_add_tasks(server, NULL, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_server_add_tool(server, &bake_tool, &error);
    }
    options.workers = WORKERS; /* so that a handler may wait */
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, &options, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "oven: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
