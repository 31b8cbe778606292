/* SPDX-License-Identifier: MIT */
/* A server for tasks_load.py: a tool that echoes, and one whose calls are tasks that never end. */
#include <mcpw/json.h>
#include <mcpw/serve.h>
#include <mcpw/tasks.h>

#include <stdio.h>

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    if (mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message) != MCPW_OK) {
        return MCPW_E_TYPE;
    }
    return mcpw_respond_text(request, message);
}

static mcpw_status keep(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_request_detach_as_task(request, NULL);
}

int main(int argc, char **argv) {
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},\"required\":[\"message\"]}";
    static const mcpw_tool tools[] = {
        {.struct_size = sizeof(mcpw_tool), .name = "echo", .input_schema = MCPW_JSON(schema), .call = echo},
        {.struct_size = sizeof(mcpw_tool), .name = "keep", .task = MCPW_TASK_OPTIONAL, .call = keep}};
    enum { TOOLS = sizeof tools / sizeof *tools };
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("bench", "1", &error);
    mcpw_status status = server != NULL ? mcpw_server_add_tasks(server, NULL, &error) : error.code;
    for (int i = 0; status == MCPW_OK && i < TOOLS; i++) {
        status = mcpw_server_add_tool(server, tools + i, &error);
    }
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error);
    }
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "tasks_server: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
