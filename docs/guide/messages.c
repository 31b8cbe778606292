/* SPDX-License-Identifier: MIT */
/* Whole JSON-RPC messages: a request is read, and answered; then the answer is read. */
#include <mcp/pinned.h>

#include <stdio.h>

static const char request_text[] =
    "{\"jsonrpc\":\"2.0\",\"id\":\"7a\",\"method\":\"completion/complete\",\"params\":{"
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
    "\"io.modelcontextprotocol/clientCapabilities\":{}},"
    "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":\"who\",\"value\":\"wo\"}}}";

/* Reads a request, and writes its response. */
static mcpw_status answer(mcpw_arena *arena, mcpw_buffer *out, mcpw_error *error) {
    mcpw_message message;
    mcpw_status status =
        mcp_message_decode(request_text, sizeof request_text - 1, arena, NULL, NULL, &message, NULL, error);
    if (status != MCPW_OK) {
        return status;
    }
    const mcp_complete_request_params *const params = mcp_params_completion_complete(&message);
    if (params == NULL) {
        return MCPW_E_METHOD; /* another message */
    }
    printf("id %s, %s so far: %s\n", message.id.as.string.ptr, params->argument.name.ptr,
           params->argument.value.ptr);

    const mcpw_str values[] = {MCPW_STR("world")};
    const mcp_complete_result result = {
        .result_type = MCPW_STR("complete"),
        .completion = {.values = {values, 1}},
    };
    const mcpw_message response = {
        .kind = MCPW_MESSAGE_RESULT,
        .id = message.id, /* as it came: a string stays a string */
        .type = &mcp_complete_result_table,
        .value = &result,
    };
    return mcpw_message_encode(&mcp_revision, &response, out, NULL, error);
}

/* A response does not say what it answers: the caller does. */
static mcpw_answered_request what_was_asked(void *user, const mcpw_id *id) {
    const mcpw_answered_request asked = {MCP_METHOD_COMPLETION_COMPLETE, false};
    const mcpw_answered_request unknown = {0, false};
    (void)user;
    return id->kind == MCPW_ID_STRING && mcpw_str_is(id->as.string, "7a") ? asked : unknown;
}

static mcpw_status read_answer(const mcpw_buffer *text, mcpw_arena *arena, mcpw_error *error) {
    mcpw_message message;
    const mcpw_status status =
        mcp_message_decode(text->data, text->len, arena, what_was_asked, NULL, &message, NULL, error);
    const mcp_complete_result *const result =
        status == MCPW_OK ? mcp_result_completion_complete(&message) : NULL;
    if (result != NULL) {
        printf("suggested: %s\n", result->completion.values.items[0].ptr);
    }
    return status;
}

int main(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error = {.code = MCPW_OK};
    mcpw_status status = answer(&arena, &out, &error);
    if (status == MCPW_OK) {
        printf("%.*s\n", (int)out.len, out.data);
        status = read_answer(&out, &arena, &error);
    }
    if (status != MCPW_OK) {
        printf("%s: %s\n", error.path, error.message);
    }
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
    return status == MCPW_OK ? 0 : 1;
}
