/* SPDX-License-Identifier: MIT */
/* The part of a revision that tools/call and Tool reach. */
#include <mcp/2027-03-01.h>
#include <mcpw/detail/catalogue.h>

#include <stdio.h>

#define META                                                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2027-03-01\","                                 \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"a\",\"version\":\"1\"},"                             \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

static mcpw_status read_message(const char *text, mcpw_arena *arena, mcpw_message *message,
                                mcpw_error *error) {
    return mcp_20270301_message_decode(text, strlen(text), arena, NULL, NULL, message, NULL, error);
}

static bool read_calls(mcpw_arena *arena) {
    static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                               "\"blink\"," META "}}";
    static const char bad[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":7," META "}}";
    mcpw_message message;
    mcpw_error error;
    if (read_message(call, arena, &message, NULL) != MCPW_OK) {
        return false;
    }
    printf("call: %s\n", mcp_20270301_params_tools_call(&message)->name.ptr);
    if (read_message(bad, arena, &message, &error) != MCPW_E_TYPE) {
        return false;
    }
    printf("bad call: %s\n", error.path);
    return true;
}

static bool read_others(mcpw_arena *arena) {
    static const char tool[] = "{\"name\":\"lamp\",\"inputSchema\":{\"type\":\"object\"}}";
    static const char other[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/get\",\"params\":{}}";
    mcp_20270301_tool found;
    mcpw_message message;
    if (mcp_20270301_tool_decode(tool, sizeof tool - 1, arena, &found, NULL, NULL) != MCPW_OK) {
        return false;
    }
    printf("tool: %s\n", found.name.ptr);
    if (read_message(other, arena, &message, NULL) != MCPW_OK) {
        return false;
    }
    printf("prompts/get: %s\n", message.method == 0 ? "unknown" : "known");
    return true;
}

int main(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    printf("%d method\n", mcpw_method_count(&mcp_20270301_revision));
    const bool read = read_calls(&arena) && read_others(&arena);
    mcpw_arena_free(&arena);
    return read ? 0 : 1;
}
