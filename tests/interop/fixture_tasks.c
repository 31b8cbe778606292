/* SPDX-License-Identifier: MIT */
/* Tools whose calls may be tasks. */
#include "fixture.h"

#include <mcpw/json.h>
#include <mcpw/tasks.h>

enum { MS_IN_S = 1000, MOST_SECONDS = 3600 };

#define FORM(message, name)                                                                                  \
    "{\"message\":\"" message "\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"" name          \
    "\":{\"type\":\"boolean\"}},\"required\":[\"" name "\"]}}"
#define NAME_FORM                                                                                            \
    "{\"message\":\"What is your name?\",\"requestedSchema\":{\"type\":\"object\","                          \
    "\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}"
#define NAME_SCHEMA                                                                                          \
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}"
#define COMPUTE_SCHEMA                                                                                       \
    "{\"type\":\"object\",\"properties\":{\"seconds\":{\"type\":\"number\",\"minimum\":0},"                  \
    "\"label\":{\"type\":\"string\"}},\"required\":[\"seconds\"]}"
#define FILE_SCHEMA                                                                                          \
    "{\"type\":\"object\",\"properties\":{\"filename\":{\"type\":\"string\"}},\"required\":[\"filename\"]}"

static const mcpw_str no_message = {NULL, 0};

static mcpw_status greet(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str name;
    (void)user;
    if (mcpw_json_get_string(call->arguments, "name", mcpw_request_arena(request), &name) != MCPW_OK) {
        return fixture_refuse(request, "name", "expected a string");
    }
    return fixture_say(request, "Hello, %.*s!", (int)name.len, name.ptr);
}

static mcpw_status computed(mcpw_request *request, unsigned turn, unsigned delay) {
    (void)turn;
    return fixture_say(request, "computed for %u ms", delay);
}

static mcpw_status slow_compute(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    double seconds = 0;
    const mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    if (status != MCPW_OK) {
        return status;
    }
    if (mcpw_json_get_double(call->arguments, "seconds", &seconds) != MCPW_OK || seconds > MOST_SECONDS) {
        return fixture_refuse(request, "seconds", "expected at most 3600");
    }
    (void)mcpw_request_progress(request, 0, 1, "computing"); /* nothing depends on it */
    return fixture_later(user, request, (unsigned)(seconds * MS_IN_S), computed);
}

static mcpw_status failing_job(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call, (void)user;
    return mcpw_respond_tool_error(request, "The job has failed");
}

static mcpw_status protocol_error_job(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call, (void)user;
    return mcpw_respond_error(request, MCPW_RPC_INTERNAL_ERROR, "The job broke", mcpw_json_from(NULL));
}

/* Whether the user has accepted. */
static mcpw_status ask(mcpw_request *request, const char *key, const char *form, bool *accepted) {
    const mcp_elicit_result *result = NULL;
    const mcpw_status status = fixture_ask_user(request, key, form, no_message, &result);
    *accepted = status == MCPW_OK && result->action == MCP_ELICIT_RESULT_ACTION_ACCEPT;
    return status;
}

static mcpw_status confirm_delete(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str name;
    bool accepted = false;
    (void)user;
    mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    status =
        status == MCPW_OK ? ask(request, "confirm", FORM("Delete the file?", "confirm"), &accepted) : status;
    if (status != MCPW_OK) {
        return status;
    }
    if (mcpw_json_get_string(call->arguments, "filename", mcpw_request_arena(request), &name) != MCPW_OK) {
        return fixture_refuse(request, "filename", "expected a string");
    }
    return fixture_say(request, "%.*s is %s", (int)name.len, name.ptr, accepted ? "deleted" : "kept");
}

static mcpw_status multi_input(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    bool first = false;
    bool second = false;
    (void)call, (void)user;
    const mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_status one = ask(request, "first", FORM("The first?", "confirm"), &first);
    const mcpw_status two = ask(request, "second", FORM("The second?", "confirm"), &second);
    if (one != MCPW_OK || two != MCPW_OK) {
        return one != MCPW_OK ? one : two;
    }
    return fixture_say(request, "%d of 2 were accepted", (int)first + (int)second);
}

static mcpw_status ask_then_detach(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcp_elicit_result *result = NULL;
    (void)call, (void)user;
    mcpw_status status = fixture_ask_user(request, "user_name", NAME_FORM, no_message, &result);
    status = status == MCPW_OK ? mcpw_request_detach_as_task(request, NULL) : status;
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_str name = fixture_given(result, "name");
    return fixture_say(request, "Hello, %.*s!", (int)name.len, name.ptr != NULL ? name.ptr : "");
}

static const mcpw_tool tools[] = {
    {.struct_size = sizeof(mcpw_tool),
     .name = "greet",
     .description = "Greets at once",
     .input_schema = MCPW_JSON(NAME_SCHEMA),
     .call = greet},
    {.struct_size = sizeof(mcpw_tool),
     .name = "slow_compute",
     .description = "Takes some seconds",
     .input_schema = MCPW_JSON(COMPUTE_SCHEMA),
     .task = MCPW_TASK_OPTIONAL,
     .call = slow_compute},
    {.struct_size = sizeof(mcpw_tool),
     .name = "failing_job",
     .description = "Fails as a tool, and only as a task",
     .task = MCPW_TASK_REQUIRED,
     .call = failing_job},
    {.struct_size = sizeof(mcpw_tool),
     .name = "protocol_error_job",
     .description = "Fails with an error",
     .task = MCPW_TASK_PREFERRED,
     .call = protocol_error_job},
    {.struct_size = sizeof(mcpw_tool),
     .name = "confirm_delete",
     .description = "Asks before it acts",
     .input_schema = MCPW_JSON(FILE_SCHEMA),
     .task = MCPW_TASK_OPTIONAL,
     .call = confirm_delete},
    {.struct_size = sizeof(mcpw_tool),
     .name = "multi_input",
     .description = "Asks two things at once",
     .task = MCPW_TASK_OPTIONAL,
     .call = multi_input},
    {.struct_size = sizeof(mcpw_tool),
     .name = "test_tool_with_task",
     .description = "Asks for a name, and then becomes a task",
     .task = MCPW_TASK_OPTIONAL,
     .call = ask_then_detach},
};

mcpw_status fixture_add_tasks(fixture *f, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof tools[0]; i++) {
        mcpw_tool tool = tools[i];
        tool.user = f;
        status = mcpw_server_add_tool(f->server, &tool, error);
    }
    return status;
}

mcpw_status fixture_keep_tasks(fixture *f, bool lists, mcpw_error *error) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    config.lists = lists ? MCPW_ON : MCPW_DEFAULT;
    return mcpw_server_add_tasks(f->server, &config, error);
}
