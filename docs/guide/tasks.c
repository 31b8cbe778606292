/* SPDX-License-Identifier: MIT */
/* A server whose tools take long: their calls may be tasks. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/ask.h>
#include <mcpw/io.h>
#include <mcpw/json.h>
#include <mcpw/tasks.h>
#include <mcpw/thread.h>

#include <poll.h>
#include <stdio.h>

enum { PARTS = 3, PART_MS = 100, WORKERS = 4 };

/* Writes a report, which takes its time. */
static mcpw_status write_report(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    const mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    if (status != MCPW_OK) {
        return status;
    }
    for (int part = 1; part <= PARTS; part++) {
        (void)poll(NULL, 0, PART_MS); /* the work */
        if (mcpw_request_is_cancelled(request)) {
            return MCPW_E_CANCELLED;
        }
        (void)mcpw_request_progress(request, part, PARTS, NULL); /* nothing depends on it */
        (void)!mcpw_request_set_task_message(request, part < PARTS ? "writing" : "written");
    }
    return mcpw_respond_text(request, mcpw_str_from("The report is written."));
}

/* Deletes old reports, if the user agrees. */
static mcpw_status clean_up(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_json form = MCPW_JSON(
        "{\"type\":\"object\",\"properties\":{\"sure\":{\"type\":\"boolean\"}},\"required\":[\"sure\"]}");
    mcpw_task_options options = MCPW_TASK_OPTIONS_INIT;
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    bool sure = false;
    (void)call;
    (void)user;
    options.ttl_ms = 600000; /* ten minutes for an answer */
    options.status_message = "waiting for the user";
    mcpw_status status = mcpw_request_detach_as_task(request, &options);
    if (status == MCPW_OK) {
        status = mcpw_ask_form(request, "sure", "Delete all reports?", form, &answer);
    }
    if (status != MCPW_OK) {
        return status; /* MCPW_PENDING among them */
    }
    const bool agreed = answer.action == MCPW_ASK_ACCEPT &&
                        mcpw_json_get_bool(answer.content, "sure", &sure) == MCPW_OK && sure;
    return mcpw_respond_text(request, mcpw_str_from(agreed ? "They are deleted." : "They are kept."));
}

static mcpw_status offer(mcpw_server *server, mcpw_error *error) {
    const mcpw_tool tools[] = {
        {.struct_size = sizeof(mcpw_tool),
         .name = "write_report",
         .task = MCPW_TASK_OPTIONAL,
         .call = write_report},
        {.struct_size = sizeof(mcpw_tool), .name = "clean_up", .task = MCPW_TASK_OPTIONAL, .call = clean_up},
    };
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.max_tasks = 100; /* of one principal */
    config.ttl_ms = 3600000;
    mcpw_status status = mcpw_server_add_tasks(server, &config, error);
    for (size_t i = 0; i < sizeof tools / sizeof tools[0] && status == MCPW_OK; i++) {
        status = mcpw_server_add_tool(server, &tools[i], error);
    }
    return status;
}

int main(void) {
    mcpw_serve_options options = MCPW_SERVE_OPTIONS_INIT;
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("reports", "1.0.0", &error);
    mcpw_status status = server != NULL ? offer(server, &error) : error.code;
    options.workers = WORKERS; /* so that a handler may wait */
    if (status == MCPW_OK) {
        status = mcpw_serve_stdio_with(server, &options, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "reports: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
