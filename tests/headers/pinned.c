/* SPDX-License-Identifier: MIT */
/* Short names stand for the pinned revision. */
#include <mcp/pinned.h>

#include <stdio.h>

int main(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcp_implementation who;
    static const char text[] = "{\"name\":\"n\",\"version\":\"1\"}";
    const bool read = mcp_implementation_decode(text, sizeof text - 1, &arena, &who, NULL, NULL) == MCPW_OK;
    const bool same = read && mcpw_str_is(who.name, "n") && mcp_revision.number == MCPW_PIN;
    mcpw_arena_free(&arena);
    if (!same) {
        printf("pin %d, revision %s\n", MCPW_PIN, mcp_revision.name);
    }
    return same ? 0 : 1;
}
