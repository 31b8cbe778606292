/* SPDX-License-Identifier: MIT */
#include "echo.h"

#include <mcpw/json.h>
#include <stdio.h>

/* ---- As an entry of the registry ---- */

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message);
    return status == MCPW_OK ? mcpw_respond_text(request, message) : status;
}

static const mcpw_tool echo_tool = {
    .name = "echo",
    .description = "Gives back the message that it gets",
    .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},"
                              "\"required\":[\"message\"]}"),
    .call = echo};

mcpw_server *bench_echo_server(mcpw_allocator allocator) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    mcpw_error error;
    config.name = "echo";
    config.version = "1.0.0";
    config.allocator = allocator;
    mcpw_server *const server = mcpw_server_new_with(&config, NULL);
    if (server == NULL || mcpw_server_add_tool(server, &echo_tool, &error) != MCPW_OK) {
        fprintf(stderr, "echo: %s\n", server != NULL ? error.message : "no memory for a server");
        mcpw_server_free(server);
        return NULL;
    }
    return server;
}

/* ---- As a typed slot ---- */

static mcpw_status typed_echo(mcpw_request *request, const mcp_20260728_call_tool_request_params *params,
                              void *user) {
    mcp_20260728_content_block block = {.kind = MCP_20260728_CONTENT_BLOCK_TEXT_CONTENT};
    mcp_20260728_call_tool_result result = {.content = {&block, 1}};
    (void)user;
    const mcpw_status status = mcpw_json_get_string(params->arguments, "message", mcpw_request_arena(request),
                                                    &block.as.text_content.text);
    return status == MCPW_OK ? mcp_20260728_respond_tools_call(request, &result, NULL) : status;
}

const mcp_20260728_server_handlers bench_echo_handlers = {.tools_call = typed_echo};
