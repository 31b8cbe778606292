/* SPDX-License-Identifier: MIT */
/* Two revisions in one C file: a tool read as one and, field by field, written as the other. */
#include <mcp/2024-11-05.h>
#include <mcp/2026-07-28.h>

#include <stdio.h>

static const char newer[] = "{\"name\":\"add\",\"title\":\"Add\",\"inputSchema\":{\"type\":\"object\"}}";
static const char older[] = "{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\"}}";

int main(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcp_20260728_tool from;
    mcp_20241105_tool to = {0};
    int failed = 1;
    if (mcp_20260728_tool_decode(newer, sizeof newer - 1, &arena, &from, NULL, NULL) == MCPW_OK) {
        to.name = from.name;
        to.input_schema = from.input_schema;
        if (mcp_20241105_tool_encode(&to, &out, NULL, NULL) == MCPW_OK) {
            failed = out.len != sizeof older - 1 || memcmp(out.data, older, out.len) != 0;
        }
    }
    if (failed) {
        printf("got %.*s\n", (int)out.len, out.data != NULL ? out.data : "");
    }
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
    return failed;
}
