/* SPDX-License-Identifier: MIT */
/*
 * A client of a server over HTTP, of any revision: lists its tools, or calls one and prints its result.
 *
 *     http_client http://localhost:8080/mcp
 *     http_client http://localhost:8080/mcp echo '{"message":"hello"}'
 *
 * A token in the environment variable MCP_TOKEN is sent with each request.
 */
#include <mcp/client.h>
#include <mcpw/http_connect.h>

#include <stdio.h>
#include <stdlib.h>

static mcpw_str token(void *user, mcpw_str challenge) {
    (void)user;
    return mcpw_str_from(challenge.ptr == NULL ? getenv("MCP_TOKEN") : NULL); /* there is no other */
}

static void warn(void *user, const char *message) {
    (void)user;
    fprintf(stderr, "http_client: %s\n", message);
}

static mcpw_status list(mcpw_client *client, mcpw_arena *arena, mcpw_error *error) {
    const mcp_paginated_request_params params = {.cursor = {NULL, 0}};
    const mcp_list_tools_result *page = NULL;
    const mcpw_status status = mcp_call_tools_list(client, &params, NULL, arena, &page, error);
    for (size_t i = 0; page != NULL && i < page->tools.count; i++) {
        printf("%.*s\n", (int)page->tools.items[i].name.len, page->tools.items[i].name.ptr);
    }
    return status;
}

static mcpw_status call(mcpw_client *client, const char *name, const char *arguments, mcpw_arena *arena,
                        mcpw_error *error) {
    const mcp_call_tool_request_params params = {.name = mcpw_str_from(name),
                                                 .arguments = mcpw_json_from(arguments)};
    const mcp_call_tool_result *result = NULL;
    const mcpw_status status = mcp_call_tools_call(client, &params, NULL, arena, &result, error);
    for (size_t i = 0; result != NULL && i < result->content.count; i++) {
        const mcp_content_block *const block = &result->content.items[i];
        if (block->kind == MCP_CONTENT_BLOCK_TEXT_CONTENT) {
            printf("%.*s\n", (int)block->as.text_content.text.len, block->as.text_content.text.ptr);
        }
    }
    return status;
}

int main(int argc, char **argv) {
    mcpw_http_client_config http = MCPW_HTTP_CLIENT_CONFIG_INIT;
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: http_client URL [TOOL ARGUMENTS]\n");
        return 2;
    }
    http.token = token;
    http.on_warning = warn;
    options.url = argv[1];
    options.http = &http;
    config.name = "example-http-client";
    config.version = "1.0.0";
    mcpw_client *const client = mcpw_client_connect(&options, &config, &error);
    mcpw_status status = client != NULL ? MCPW_OK : error.code;
    if (status == MCPW_OK) {
        status = argc == 2 ? list(client, &arena, &error) : call(client, argv[2], argv[3], &arena, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "http_client: %s\n", error.message);
    }
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
    return status == MCPW_OK ? 0 : 1;
}
