#include <mcp/pinned.h>
#include <stdio.h>

int main(void) {
    const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"prompts/list\",\"params\":{\"_meta\":{"
                        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        "\"io.modelcontextprotocol/clientCapabilities\":{}},\"cursor\":\"page-2\"}}";
    mcpw_arena arena = MCPW_ARENA_INIT; /* owns everything that is decoded */
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_message message;
    mcpw_error error;

    if (mcp_message_decode(text, sizeof text - 1, &arena, NULL, NULL, &message, NULL, &error) != MCPW_OK) {
        printf("%s: %s\n", error.path, error.message);
        return 1;
    }
    const mcp_paginated_request_params *params = mcp_params_prompts_list(&message);
    printf("request %d asks for prompts from %s on\n", (int)message.id.as.integer, params->cursor.ptr);

    static const mcp_prompt prompts[] = {{.name = MCPW_STR("greet"), .title = MCPW_STR("Say hello")}};
    mcp_list_prompts_result result = {.result_type = MCPW_STR("complete"), .prompts = {prompts, 1}};
    result.cache_scope = MCP_LIST_PROMPTS_RESULT_CACHE_SCOPE_PUBLIC;
    if (mcp_list_prompts_result_encode(&result, &out, NULL, &error) == MCPW_OK) {
        printf("%.*s\n", (int)out.len, out.data);
    }
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
    return 0;
}
