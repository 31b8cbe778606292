/* SPDX-License-Identifier: MIT */
/* All five revisions in one C file, against the shared library: each reads a ping by its own tables. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include <stdio.h>

static const char progress[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
                               "\"params\":{\"progressToken\":\"t\",\"progress\":0.5}}";

/* The progress that the revision reads, or a negative number. */
static double read_progress(const mcpw_revision *revision, mcpw_arena *arena) {
    mcpw_message m;
    if (mcpw_message_decode(revision, progress, sizeof progress - 1, arena, NULL, NULL, &m, NULL, NULL) !=
        MCPW_OK) {
        return -1;
    }
    if (revision == &mcp_20241105_revision) {
        return mcp_20241105_params_notifications_progress(&m)->progress;
    }
    if (revision == &mcp_20250326_revision) {
        return mcp_20250326_params_notifications_progress(&m)->progress;
    }
    if (revision == &mcp_20250618_revision) {
        return mcp_20250618_params_notifications_progress(&m)->progress;
    }
    if (revision == &mcp_20251125_revision) {
        return mcp_20251125_params_notifications_progress(&m)->progress;
    }
    return mcp_20260728_params_notifications_progress(&m)->progress;
}

int main(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    size_t count = 0;
    int failed = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        const double got = read_progress(revisions[i], &arena);
        if (!(got > 0.49 && got < 0.51)) {
            printf("%s read %f\n", mcpw_revision_name(revisions[i]), got);
            failed = 1;
        }
    }
    mcpw_arena_free(&arena);
    return failed || count != 5;
}
