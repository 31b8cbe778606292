/* SPDX-License-Identifier: MIT */
/* Bindings that were generated when this was built. */
#include <mcp/pinned.h>

#include <stdio.h>

int main(void) {
    static const char text[] = "{\"name\":\"lamp\",\"watts\":60}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    mcp_device device;
    const bool read = mcp_device_decode(text, sizeof text - 1, &arena, &device, NULL, &error) == MCPW_OK;
    if (read) {
        printf("pin %d, %s: %s\n", MCPW_PIN, mcpw_revision_name(&mcp_revision), device.name.ptr);
    } else {
        printf("%s: %s\n", error.path, error.message);
    }
    mcpw_arena_free(&arena);
    return read ? 0 : 1;
}
