/* SPDX-License-Identifier: MIT */
/* A program that uses the codec: what it prints is checked. Builds for every pin. */
#include <mcp/pinned.h>

#include <stdio.h>

static const char text[] = "{\"type\":\"text\",\"text\":\"hello\"}";

#if MCPW_PIN >= 20260728
static const char age[] = "stateless";
#else
static const char age[] = "handshake";
#endif

int main(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcp_text_content content;
    mcpw_error error;
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    int failed = 1;

    for (size_t i = 0; i < count; i++) {
        printf("holds %s %s\n", mcpw_revision_name(revisions[i]), mcpw_revision_sha256(revisions[i]));
    }
    if (mcp_text_content_decode(text, sizeof text - 1, &arena, &content, NULL, &error) == MCPW_OK &&
        mcp_text_content_encode(&content, &out, NULL, &error) == MCPW_OK) {
        printf("mcpwire %s, pin %s (%d, %s): %s, %.*s\n", MCPW_VERSION, mcpw_revision_name(&mcp_revision),
               MCPW_PIN, age, content.text.ptr, (int)out.len, out.data);
        failed = 0;
    }
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
    return failed;
}
