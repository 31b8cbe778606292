/* SPDX-License-Identifier: MIT */
/* Bindings of a whole schema, beside those of the library. */
#include <mcp/2025-11-25.h>
#include <mcp/2027-02-01.h>
#include <mcpw/detail/catalogue.h>

#include <stdio.h>

int main(void) {
    static const char text[] = "{\"name\":\"n\",\"inputSchema\":{\"type\":\"object\"}}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcp_20251125_tool ours;
    mcp_20270201_tool theirs;
    const bool read = mcp_20251125_tool_decode(text, sizeof text - 1, &arena, &ours, NULL, NULL) == MCPW_OK &&
                      mcp_20270201_tool_decode(text, sizeof text - 1, &arena, &theirs, NULL, NULL) == MCPW_OK;
    if (read) {
        printf("%s, %s, %d methods\n", mcpw_revision_name(&mcp_20270201_revision), theirs.name.ptr,
               mcpw_method_count(&mcp_20270201_revision));
    }
    mcpw_arena_free(&arena);
    return read ? 0 : 1;
}
