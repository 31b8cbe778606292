/* SPDX-License-Identifier: MIT */
/* A device without an operating system: reads a request in memory of its own, and says what it makes of it.
 */
#include <mcp/2026-07-28.h>

#include "bare.h"

enum { MEMORY = 8192 };

static unsigned char memory[MEMORY];

static const char good[] = "{\"name\":\"blink\",\"arguments\":{\"times\":3},\"_meta\":{"
                           "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                           "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"a\",\"version\":\"1\"},"
                           "\"io.modelcontextprotocol/clientCapabilities\":{}}}";
static const char bad[] = "{\"name\":7}";
static const char number[] = "{\"priority\":0.12345678901234567890123}";

int read_messages(void) {
    mcpw_arena arena;
    mcpw_error error;
    mcp_20260728_call_tool_request_params params;
    mcp_20260728_annotations annotations;
    if (mcpw_arena_use(&arena, memory, sizeof memory) != MCPW_OK) {
        return 1;
    }
    if (mcp_20260728_call_tool_request_params_decode(good, sizeof good - 1, &arena, &params, NULL, &error) !=
            MCPW_OK ||
        !mcpw_str_is(params.name, "blink")) {
        say(error.path);
        return 2;
    }
    mcpw_arena_reset(&arena);
    if (mcp_20260728_call_tool_request_params_validate(bad, sizeof bad - 1, &arena, NULL, &error) !=
            MCPW_E_TYPE ||
        strcmp(error.path, "/name") != 0) {
        return 3;
    }
    mcpw_arena_reset(&arena);
    if (mcp_20260728_annotations_decode(number, sizeof number - 1, &arena, &annotations, NULL, &error) !=
            MCPW_OK ||
        annotations.priority.value != 0.12345678901234567890123) {
        return 4;
    }
    say("ok\n");
    return 0;
}
