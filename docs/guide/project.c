/* SPDX-License-Identifier: MIT */
/* A value of one revision, said in another. */
#include <mcp/2024-11-05.h>
#include <mcp/2026-07-28.h>
#include <mcpw/project.h>

#include <stdio.h>

static void on_drop(void *user, const char *path) {
    (void)user;
    printf("dropped: %s\n", path);
}

/* 2024-11-05 has no audio: a text takes its place. */
static mcpw_status substitute(void *user, const mcpw_unsayable *what, mcpw_arena *arena, mcpw_json *out) {
    (void)user;
    (void)arena;
    printf("not sayable: %s at %s\n", what->alternative, what->path);
    if (strcmp(what->alternative, "AudioContent") != 0) {
        return MCPW_E_NOT_FOUND; /* the projection is refused */
    }
    *out = mcpw_json_from("{\"type\":\"text\",\"text\":\"(a recording)\"}");
    return MCPW_OK;
}

int main(void) {
    static const mcp_20260728_content_block blocks[] = {
        {.kind = MCP_20260728_CONTENT_BLOCK_AUDIO_CONTENT,
         .as.audio_content = {.data = MCPW_STR("AAAA"), .mime_type = MCPW_STR("audio/wav")}},
    };
    static const mcp_20260728_call_tool_result result = {
        .result_type = MCPW_STR("complete"),
        .content = {blocks, 1},
        .structured_content = MCPW_JSON("{\"seconds\":3}"),
    };
    mcpw_project_options options = MCPW_PROJECT_INIT;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcp_20241105_call_tool_result old;
    mcpw_error error = {.code = MCPW_OK};
    options.substitute = substitute;
    options.on_drop = on_drop;
    mcpw_status status = mcpw_project(&mcp_20260728_call_tool_result_table, &result,
                                      &mcp_20241105_call_tool_result_table, &arena, &old, &options, &error);
    if (status == MCPW_OK) {
        status = mcp_20241105_call_tool_result_encode(&old, &out, NULL, &error);
    }
    if (status == MCPW_OK) {
        printf("%.*s\n", (int)out.len, out.data);
    } else {
        printf("%s: %s\n", error.path, error.message);
    }
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
    return status == MCPW_OK ? 0 : 1;
}
