/* SPDX-License-Identifier: MIT */
/* A client that starts a server and calls one of its tools. Usage: client SERVER [ARGUMENT]... */
#include <mcp/client.h>

#include <stdio.h>

/* Notifications of the server come to the slots while a call waits. */
static void log_message(mcpw_session *session, const mcp_logging_message_notification_params *params,
                        void *user) {
    (void)session;
    (void)user;
    fprintf(stderr, "server: %.*s\n", (int)params->data.len, params->data.ptr);
}

static void print_text(const mcp_call_tool_result *result) {
    for (size_t i = 0; i < result->content.count; i++) {
        const mcp_content_block *const block = &result->content.items[i];
        if (block->kind == MCP_CONTENT_BLOCK_TEXT_CONTENT) {
            printf("%s\n", block->as.text_content.text.ptr);
        }
    }
}

static mcpw_status call_add(mcpw_client *client, mcpw_error *error) {
    const mcp_call_tool_request_params params = {
        .name = MCPW_STR("add"),
        .arguments = MCPW_JSON("{\"a\":40,\"b\":2}"),
    };
    const mcpw_call patience = {.timeout_ms = 5000};
    const mcp_call_tool_result *result;
    mcpw_arena arena = MCPW_ARENA_INIT; /* keeps the result */
    const mcpw_status status = mcp_call_tools_call(client, &params, &patience, &arena, &result, error);
    if (status == MCPW_OK) {
        print_text(result);
    }
    mcpw_arena_free(&arena);
    return status;
}

int main(int argc, char **argv) {
    const mcp_client_handlers handlers = {.notifications_message = log_message};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_spawn spawn = {.argv = (const char *const *)(argv + 1)};
    mcpw_error error;
    mcpw_status status;
    if (argc < 2) {
        fprintf(stderr, "usage: %s SERVER [ARGUMENT]...\n", argv[0]);
        return 2;
    }
    config.name = "guide";
    config.version = "1.0.0";
    config.dispatch = &mcp_client_dispatch;
    config.handlers = &handlers;
    mcpw_client *const client = mcpw_client_start(&spawn, &config, &error); /* negotiates */
    status = client != NULL ? call_add(client, &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "%s: %s\n", mcpw_status_name(status), error.message);
    }
    mcpw_client_free(client); /* closes, waits, signals; NULL does nothing */
    return status == MCPW_OK ? 0 : 1;
}
