/* SPDX-License-Identifier: MIT */
/*
 * A server written against the types of the pinned revision, one slot a method; it serves clients of every
 * revision all the same. Its tool greets whom it is told to greet. If it gets no name it asks the user, in
 * the way of the client's revision, and greets the world if the client has none.
 */
#include <mcp/pinned.h>
#include <mcpw/ask.h>
#include <mcpw/json.h>
#include <mcpw/serve.h>

#include <stdio.h>

static mcpw_status tools_list(mcpw_request *request, const mcp_paginated_request_params *params, void *user) {
    static const mcp_tool greet = {
        .name = MCPW_STR("greet"),
        .description = MCPW_STR("Greets somebody; asks the user whom, if it is not told"),
        .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}"),
    };
    static const mcp_list_tools_result result = {.tools = {&greet, 1}};
    (void)params;
    (void)user;
    return mcp_respond_tools_list(request, &result, NULL);
}

/* Asks the user for a name. Absent when there is none. */
static mcpw_status ask_name(mcpw_request *request, mcpw_str *name) {
    static const mcpw_json form =
        MCPW_JSON("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"title\":\"Name\"}}}");
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    const mcpw_status status = mcpw_ask_form(request, "name", "Who shall be greeted?", form, &answer);
    return status == MCPW_OK && answer.action == MCPW_ASK_ACCEPT
               ? mcpw_json_get_string(answer.content, "name", mcpw_request_arena(request), name)
               : status;
}

static mcpw_status tools_call(mcpw_request *request, const mcp_call_tool_request_params *params, void *user) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcp_content_block block = {.kind = MCP_CONTENT_BLOCK_TEXT_CONTENT};
    const mcp_call_tool_result result = {.content = {&block, 1}};
    mcpw_str name = {NULL, 0};
    (void)user;
    if (!mcpw_str_is(params->name, "greet")) {
        return mcpw_respond_error(request, MCPW_RPC_INVALID_PARAMS, "There is no such tool",
                                  mcpw_json_from(NULL));
    }
    if (mcpw_json_get_string(params->arguments, "name", arena, &name) != MCPW_OK &&
        ask_name(request, &name) == MCPW_PENDING) {
        return MCPW_PENDING; /* this function runs again, from its beginning, when the answer is there */
    }
    name = name.ptr != NULL ? name : mcpw_str_from("world");
    const size_t size = name.len + sizeof "Hello, !";
    char *const text = mcpw_arena_alloc(arena, size);
    if (text == NULL) {
        return MCPW_E_MEMORY;
    }
    (void)snprintf(text, size, "Hello, %.*s!", (int)name.len, name.ptr);
    block.as.text_content.text = mcpw_str_from(text);
    return mcp_respond_tools_call(request, &result, NULL);
}

int main(int argc, char **argv) {
    const mcp_server_handlers handlers = {.tools_list = tools_list, .tools_call = tools_call};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_run_options options = MCPW_RUN_OPTIONS_INIT;
    mcpw_error error;
    mcpw_server *const server =
        mcpw_server_new("typed", "1.0.0", &error); /* without tools: the slots have them */
    config.dispatch = &mcp_server_dispatch;
    config.handlers = &handlers;
    options.config = &config;
    const mcpw_status status = server != NULL ? mcpw_serve(server, argc, argv, &options, &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "typed: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
