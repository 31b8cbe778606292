/* SPDX-License-Identifier: MIT */
/* An extension that this program brings: a client calls the tool of a server, which makes a task of it where
 * both have the bindings of the extension. Short names are those of the overlay. */
#include <mcp/pinned.h>

#include <mcpw/frame.h>
#include <mcpw/library.h>

#include <stdio.h>

static mcpw_status call_tool(mcpw_request *request, const mcp_call_tool_request_params *params, void *user) {
    static const mcp_content_block hello = {.kind = MCP_CONTENT_BLOCK_TEXT_CONTENT,
                                            .as.text_content = {.text = MCPW_STR("hello")}};
    const mcp_create_task_result task = {
        .task_id = MCPW_STR("1"),
        .status = MCP_TASK_STATUS_WORKING,
        .created_at = MCPW_STR("2026-07-28T00:00:00Z"),
        .last_updated_at = MCPW_STR("2026-07-28T00:00:00Z"),
        .ttl_ms = {.kind = MCP_CREATE_TASK_RESULT_TTL_MS_NULL},
    };
    const mcp_call_tool_result result = {.content = {&hello, 1}};
    (void)params;
    (void)user;
    return mcpw_request_can(request, "extensions.io.modelcontextprotocol/tasks")
               ? mcp_respond_task(request, &task, NULL)
               : mcp_respond_tools_call(request, &result, NULL);
}

static mcpw_status get_task(mcpw_request *request, const mcp_get_task_request_params *params, void *user) {
    mcp_get_task_result result = {.kind = MCP_GET_TASK_RESULT_CANCELLED};
    (void)user;
    result.as.cancelled.task_id = params->task_id;
    result.as.cancelled.created_at = mcpw_str_from("2026-07-28T00:00:00Z");
    result.as.cancelled.last_updated_at = result.as.cancelled.created_at;
    result.as.cancelled.ttl_ms.kind = MCP_GET_TASK_RESULT_CANCELLED_TTL_MS_NULL;
    return mcp_respond_tasks_get(request, &result, NULL);
}

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const mcp_create_task_result *const task = mcp_reply_task(reply);
    (void)user;
    printf("%s: %s\n", mcpw_revision_name(mcpw_session_revision(session)),
           task != NULL                          ? task->task_id.ptr
           : mcp_reply_tools_call(reply) != NULL ? "no task"
           : mcp_reply_tasks_get(reply) != NULL  ? "a task"
                                                 : "failed");
}

/* Carries what one end has to say to the other; false: nothing. */
static bool carry(mcpw_session *from, mcpw_session *to) {
    const char *bytes;
    size_t len;
    bool any = false;
    while ((len = mcpw_session_output(from, &bytes)) != 0) {
        any = true;
        if (mcpw_session_feed(to, bytes, len) != MCPW_OK) {
            return false;
        }
        mcpw_session_sent(from, len);
    }
    return any;
}

static void pump(mcpw_session *a, mcpw_session *b) {
    while (carry(a, b) || carry(b, a)) {
    }
}

/* A call, and where it became a task, a question after that. */
static bool talk(const mcpw_library *library, const char *declares) {
    static const mcp_server_handlers handlers = {.tools_call = call_tool, .tasks_get = get_task};
    const mcp_call_tool_request_params params = {.name = MCPW_STR("t")};
    const mcp_get_task_request_params task = {.task_id = MCPW_STR("1")};
    mcpw_session_config here = MCPW_SESSION_CONFIG_INIT;
    mcpw_session_config there = MCPW_SESSION_CONFIG_INIT;
    here.role = MCPW_ROLE_CLIENT;
    there.role = MCPW_ROLE_SERVER;
    here.name = here.version = there.name = there.version = "1";
    here.library = there.library = library;
    here.declares = declares;
    there.dispatch = &mcp_server_dispatch;
    there.handlers = &handlers;
    mcpw_session *const server = mcpw_session_new(&there, NULL);
    mcpw_session *const client = mcpw_session_new(&here, NULL);
    bool asked = false;
    if (server != NULL && client != NULL && mcpw_session_open(client) == MCPW_OK) {
        pump(client, server);
        asked = mcp_request_tools_call(client, &params, NULL, on_reply, NULL, NULL, NULL) == MCPW_OK;
        pump(client, server);
        const mcpw_status status = mcp_request_tasks_get(client, &task, NULL, on_reply, NULL, NULL, NULL);
        asked = asked && (status == MCPW_OK) == (declares != NULL);
        pump(client, server);
    }
    mcpw_session_free(client);
    mcpw_session_free(server);
    return asked;
}

int main(void) {
    mcpw_error error;
    mcpw_library library;
    mcpw_library_init(&library);
    const bool added = mcpw_library_add(&library, &mcp_revision, &error) == MCPW_OK;
    const bool done =
        added && talk(&library, "extensions.io.modelcontextprotocol/tasks") && talk(&library, NULL);
    printf("pin %d\n", MCPW_PIN);
    return done ? 0 : 1;
}
