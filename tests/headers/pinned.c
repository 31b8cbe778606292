/* SPDX-License-Identifier: MIT */
/* Short names stand for the pinned revision. */
#include <mcp/pinned.h>
#include <mcpw/detail/catalogue.h>

#include <stdio.h>

int main(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcp_implementation who;
    static const char text[] = "{\"name\":\"n\",\"version\":\"1\"}";
    const bool read = mcp_implementation_decode(text, sizeof text - 1, &arena, &who, NULL, NULL) == MCPW_OK;
    const bool same = read && mcpw_str_is(who.name, "n") && mcpw_revision_number(&mcp_revision) == MCPW_PIN;
    mcpw_arena_free(&arena);
    if (!same) {
        printf("pin %d, revision %s\n", MCPW_PIN, mcpw_revision_name(&mcp_revision));
    }
    return same ? 0 : 1;
}
