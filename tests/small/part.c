/* SPDX-License-Identifier: MIT */
/* A device that has no room but for requests to call a tool: it has the tables of what these reach, and no
 * paths, texts and leniency. */
#include <mcp/2026-07-28.h>

#include "bare.h"

#define META                                                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"a\",\"version\":\"1\"},"                             \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define BEGIN "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"

enum { MEMORY = 4096 };

static unsigned char memory[MEMORY];

static const char good[] = BEGIN "\"blink\",\"arguments\":{\"times\":3}," META "}}";
static const char bad[] = BEGIN "7," META "}}";

static mcpw_status decode(const char *text, mcp_20260728_call_tool_request *request, unsigned flags,
                          mcpw_error *error) {
    mcpw_arena arena;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = flags;
    const mcpw_status status = mcpw_arena_use(&arena, memory, sizeof memory);
    return status != MCPW_OK
               ? status
               : mcp_20260728_call_tool_request_decode(text, strlen(text), &arena, request, &options, error);
}

static bool reads_a_call(void) {
    mcp_20260728_call_tool_request request;
    mcpw_error error = {0};
    return decode(good, &request, 0, &error) == MCPW_OK && mcpw_str_is(request.params.name, "blink") &&
           request.id.as.integer == 1;
}

static bool says_where_a_bad_one_is_wrong_by_its_offset(void) {
    mcp_20260728_call_tool_request request;
    mcpw_error error = {0};
    return decode(bad, &request, 0, &error) == MCPW_E_TYPE && error.code == MCPW_E_TYPE &&
           error.offset == strlen(BEGIN) && error.path[0] == '\0';
}

static bool refuses_to_be_lenient(void) {
    static const unsigned flags[] = {MCPW_ALLOW_UNKNOWN, MCPW_NULL_IS_ABSENT, MCPW_PEER_DEFAULTS};
    mcp_20260728_call_tool_request request;
    mcpw_error error = {0};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (decode(good, &request, flags[i], &error) != MCPW_E_ARGUMENT) {
            return false;
        }
    }
    return true;
}

int read_messages(void) {
    if (!reads_a_call()) {
        return 1;
    }
    if (!says_where_a_bad_one_is_wrong_by_its_offset()) {
        return 2;
    }
    if (!refuses_to_be_lenient()) {
        return 3;
    }
    say("ok\n");
    return 0;
}
