/* SPDX-License-Identifier: MIT */
/*
 * A client: starts a server of any revision, lists its tools, calls some of them and prints the results.
 *
 *     example_client [TOOL ARGUMENTS]... -- SERVER [ARGUMENT]...
 *     example_client echo '{"message":"hello"}' -- ./example_echo
 *
 * Where the server asks the user to fill in a form, the defaults of the form are the answer.
 * Exits with 0, with 1 when something failed, with 2 when it is used wrongly.
 */
#include <mcp/client.h>

#include <stdio.h>

static void print(const char *label, mcpw_str text) { printf("%s%.*s\n", label, (int)text.len, text.ptr); }

/* ---- What the server may ask ---- */

/* False where the field has no default. */
static bool get_default(const mcp_primitive_schema_definition *field, mcp_elicit_result_content_value *out) {
    out->kind = MCP_ELICIT_RESULT_CONTENT_VALUE_STRING;
    switch (field->kind) {
    case MCP_PRIMITIVE_SCHEMA_DEFINITION_STRING_SCHEMA:
        out->as.string = field->as.string_schema.default_;
        return out->as.string.ptr != NULL;
    case MCP_PRIMITIVE_SCHEMA_DEFINITION_UNTITLED_SINGLE_SELECT_ENUM_SCHEMA:
        out->as.string = field->as.untitled_single_select_enum_schema.default_;
        return out->as.string.ptr != NULL;
    case MCP_PRIMITIVE_SCHEMA_DEFINITION_TITLED_SINGLE_SELECT_ENUM_SCHEMA:
        out->as.string = field->as.titled_single_select_enum_schema.default_;
        return out->as.string.ptr != NULL;
    case MCP_PRIMITIVE_SCHEMA_DEFINITION_NUMBER_SCHEMA:
        out->kind = MCP_ELICIT_RESULT_CONTENT_VALUE_NUMBER;
        out->as.number = field->as.number_schema.default_.value;
        return field->as.number_schema.default_.set;
    case MCP_PRIMITIVE_SCHEMA_DEFINITION_BOOLEAN_SCHEMA:
        out->kind = MCP_ELICIT_RESULT_CONTENT_VALUE_BOOLEAN;
        out->as.boolean = field->as.boolean_schema.default_.value;
        return field->as.boolean_schema.default_.set;
    default:
        return false; /* a choice of several: left open */
    }
}

static mcpw_status fill_in(mcpw_request *request, const mcp_elicit_request_params *params, void *user) {
    mcp_elicit_result result = {.action = MCP_ELICIT_RESULT_ACTION_DECLINE};
    (void)user;
    if (params->kind == MCP_ELICIT_REQUEST_PARAMS_ELICIT_REQUEST_FORM_PARAMS) {
        const mcp_elicit_request_form_params *const form = &params->as.elicit_request_form_params;
        const size_t count = form->requested_schema.properties.count;
        mcp_elicit_result_content_value_entry *const entries =
            mcpw_arena_alloc(mcpw_request_arena(request), (count + 1) * sizeof *entries);
        if (entries == NULL) {
            return MCPW_E_MEMORY;
        }
        print("asked: ", form->message);
        result.action = MCP_ELICIT_RESULT_ACTION_ACCEPT;
        result.content.items = entries;
        for (size_t i = 0; i < count; i++) {
            const mcp_primitive_schema_definition_entry *const field =
                &form->requested_schema.properties.items[i];
            entries[result.content.count].key = field->key;
            if (get_default(&field->value, &entries[result.content.count].value)) {
                result.content.count++;
            }
        }
    }
    return mcp_respond_elicitation_create(request, &result, NULL);
}

/* ---- What the client does ---- */

/* Prints the tools, page by page. */
static mcpw_status list_tools(mcpw_client *client, mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT; /* keeps the results, and so the cursors */
    mcp_paginated_request_params params = {.cursor = {NULL, 0}};
    mcpw_status status;
    do {
        const mcp_list_tools_result *page = NULL;
        status = mcp_call_tools_list(client, &params, NULL, &arena, &page, error);
        for (size_t i = 0; status == MCPW_OK && i < page->tools.count; i++) {
            print("tool: ", page->tools.items[i].name);
        }
        params.cursor = status == MCPW_OK ? page->next_cursor : mcpw_str_from(NULL);
    } while (params.cursor.ptr != NULL);
    mcpw_arena_free(&arena);
    return status;
}

static void print_block(const mcp_content_block *block) {
    switch (block->kind) {
    case MCP_CONTENT_BLOCK_TEXT_CONTENT:
        print("text: ", block->as.text_content.text);
        break;
    case MCP_CONTENT_BLOCK_IMAGE_CONTENT:
        print("image: ", block->as.image_content.mime_type);
        break;
    case MCP_CONTENT_BLOCK_AUDIO_CONTENT:
        print("audio: ", block->as.audio_content.mime_type);
        break;
    case MCP_CONTENT_BLOCK_RESOURCE_LINK:
        print("resource: ", block->as.resource_link.uri);
        break;
    default:
        printf("content of another kind\n");
        break;
    }
}

static mcpw_status call_tool(mcpw_client *client, const char *name, const char *arguments,
                             mcpw_error *error) {
    const mcp_call_tool_request_params params = {.name = mcpw_str_from(name),
                                                 .arguments = mcpw_json_from(arguments)};
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcp_call_tool_result *result = NULL;
    const mcpw_status status = mcp_call_tools_call(client, &params, NULL, &arena, &result, error);
    if (status == MCPW_OK) {
        printf("%s %s\n", name, result->is_error.value ? "failed:" : "answered:");
        for (size_t i = 0; i < result->content.count; i++) {
            print_block(&result->content.items[i]);
        }
        if (result->structured_content.ptr != NULL) {
            printf("structured: %.*s\n", (int)result->structured_content.len, result->structured_content.ptr);
        }
    }
    mcpw_arena_free(&arena);
    return status;
}

int main(int argc, char **argv) {
    const mcp_client_handlers handlers = {.elicitation_create = fill_in};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_spawn spawn = {0};
    mcpw_error error;
    int calls = 1; /* where they end */
    while (calls < argc && strcmp(argv[calls], "--") != 0) {
        calls += 2;
    }
    if (calls + 1 >= argc) {
        fprintf(stderr, "usage: %s [TOOL ARGUMENTS]... -- SERVER [ARGUMENT]...\n", argv[0]);
        return 2;
    }
    spawn.argv = (const char *const *)(argv + calls + 1);
    config.name = "client";
    config.version = "1.0.0";
    config.dispatch = &mcp_client_dispatch;
    config.handlers = &handlers;
    mcpw_client *const client = mcpw_client_start(&spawn, &config, &error);
    mcpw_status status = client != NULL ? MCPW_OK : error.code;
    if (status == MCPW_OK) {
        printf("revision: %s\n", mcpw_revision_name(mcpw_session_revision(mcpw_client_session(client))));
        status = list_tools(client, &error);
    }
    for (int i = 1; status == MCPW_OK && i < calls; i += 2) {
        status = call_tool(client, argv[i], argv[i + 1], &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "%s: %s%s%s\n", argv[0], error.path, error.path[0] != '\0' ? ": " : "",
                error.message);
    }
    mcpw_client_free(client);
    return status == MCPW_OK ? 0 : 1;
}
