/* SPDX-License-Identifier: MIT */
/* Several revisions in one C file, against the shared library: each reads a message by its own tables. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>
#include <mcpw/session.h>

#include <stdio.h>

/* The codes that the library sends by name are those of the revision that has them all. */
_Static_assert(MCPW_RPC_PARSE_ERROR == (int)MCP_20260728_ERROR_PARSE_ERROR, "as generated");
_Static_assert(MCPW_RPC_INVALID_REQUEST == (int)MCP_20260728_ERROR_INVALID_REQUEST, "as generated");
_Static_assert(MCPW_RPC_METHOD_NOT_FOUND == (int)MCP_20260728_ERROR_METHOD_NOT_FOUND, "as generated");
_Static_assert(MCPW_RPC_INVALID_PARAMS == (int)MCP_20260728_ERROR_INVALID_PARAMS, "as generated");
_Static_assert(MCPW_RPC_INTERNAL_ERROR == (int)MCP_20260728_ERROR_INTERNAL_ERROR, "as generated");
_Static_assert(MCPW_RPC_HEADER_MISMATCH == (int)MCP_20260728_ERROR_HEADER_MISMATCH, "as generated");
_Static_assert(MCPW_RPC_MISSING_CAPABILITY == (int)MCP_20260728_ERROR_MISSING_REQUIRED_CLIENT_CAPABILITY,
               "as generated");
_Static_assert(MCPW_RPC_UNSUPPORTED_VERSION == (int)MCP_20260728_ERROR_UNSUPPORTED_PROTOCOL_VERSION,
               "as generated");

static const char progress[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
                               "\"params\":{\"progressToken\":\"t\",\"progress\":0.5}}";

static double of_2024_11_05(const mcpw_message *m) {
    return mcp_20241105_params_notifications_progress(m)->progress;
}

static double of_2025_03_26(const mcpw_message *m) {
    return mcp_20250326_params_notifications_progress(m)->progress;
}

static double of_2025_06_18(const mcpw_message *m) {
    return mcp_20250618_params_notifications_progress(m)->progress;
}

static double of_2025_11_25(const mcpw_message *m) {
    return mcp_20251125_params_notifications_progress(m)->progress;
}

static double of_2026_07_28(const mcpw_message *m) {
    return mcp_20260728_params_notifications_progress(m)->progress;
}

/* The progress that a revision reads, or a negative number. */
static double read_progress(const mcpw_revision *revision, double (*get)(const mcpw_message *),
                            mcpw_arena *arena) {
    mcpw_message m;
    const mcpw_status status =
        mcpw_message_decode(revision, progress, sizeof progress - 1, arena, NULL, NULL, &m, NULL, NULL);
    return status == MCPW_OK ? get(&m) : -1;
}

int main(void) {
    const struct {
        const mcpw_revision *revision;
        double (*get)(const mcpw_message *);
    } all[] = {
        {&mcp_20241105_revision, of_2024_11_05}, {&mcp_20250326_revision, of_2025_03_26},
        {&mcp_20250618_revision, of_2025_06_18}, {&mcp_20251125_revision, of_2025_11_25},
        {&mcp_20260728_revision, of_2026_07_28},
    };
    mcpw_arena arena = MCPW_ARENA_INIT;
    int failed = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const double got = read_progress(all[i].revision, all[i].get, &arena);
        if (!(got > 0.49 && got < 0.51)) {
            printf("%s read %f\n", mcpw_revision_name(all[i].revision), got);
            failed = 1;
        }
    }
    mcpw_arena_free(&arena);
    return failed;
}
