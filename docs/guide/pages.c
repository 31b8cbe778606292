/* SPDX-License-Identifier: MIT */
/* A client that shows pages: it lists the tools that have one, with the policy under which it must be shown.
 * Usage: pages SERVER [ARGUMENT]... */
#include <mcp/client.h>
#include <mcpw/apps.h>

#include <stdio.h>

static mcpw_status print_page(const mcp_text_resource_contents *page, mcpw_arena *arena, mcpw_error *error) {
    mcpw_page_ui ui = MCPW_SIZED(mcpw_page_ui);
    mcpw_str policy;
    mcpw_status status = mcpw_page_ui_read(page->meta, arena, &ui, error);
    if (status == MCPW_E_NOT_FOUND) { /* the strictest policy */
        status = MCPW_OK;
    }
    if (status == MCPW_OK) {
        status = mcpw_page_policy(&ui, arena, &policy, error);
    }
    if (status == MCPW_OK) {
        printf("  %s, %zu bytes of HTML\n  %s\n", page->uri.ptr, page->text.len, policy.ptr);
    }
    return status;
}

static mcpw_status read_page(mcpw_client *client, const char *uri, mcpw_arena *arena, mcpw_error *error) {
    const mcp_read_resource_request_params params = {.uri = mcpw_str_from(uri)};
    const mcp_read_resource_result *result;
    mcpw_status status = mcp_call_resources_read(client, &params, NULL, arena, &result, error);
    for (size_t i = 0; status == MCPW_OK && i < result->contents.count; i++) {
        const mcp_read_resource_result_contents_item *const item = &result->contents.items[i];
        if (item->kind == MCP_READ_RESOURCE_RESULT_CONTENTS_ITEM_TEXT_RESOURCE_CONTENTS &&
            mcpw_str_is(item->as.text_resource_contents.mime_type, MCPW_PAGE_MIME_TYPE)) {
            status = print_page(&item->as.text_resource_contents, arena, error);
        }
    }
    return status;
}

static mcpw_status list_pages(mcpw_client *client, mcpw_error *error) {
    const mcp_list_tools_result *result;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_status status = mcp_call_tools_list(client, NULL, NULL, &arena, &result, error);
    for (size_t i = 0; status == MCPW_OK && i < result->tools.count; i++) {
        const mcp_tool *const tool = &result->tools.items[i];
        mcpw_tool_ui ui = MCPW_SIZED(mcpw_tool_ui);
        const mcpw_status found = mcpw_tool_ui_read(tool->meta, &arena, &ui, error);
        if (found != MCPW_OK && found != MCPW_E_NOT_FOUND) { /* the server has made it wrong: no page */
            fprintf(stderr, "%s: %s: %s\n", tool->name.ptr, error->path, error->message);
        }
        if (found != MCPW_OK || ui.resource_uri == NULL) {
            continue;
        }
        printf("%s%s\n", tool->name.ptr,
               (ui.visibility & MCPW_VISIBLE_TO_MODEL) == 0 ? ", for the page" : "");
        status = read_page(client, ui.resource_uri, &arena, error);
    }
    mcpw_arena_free(&arena);
    return status;
}

int main(int argc, char **argv) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_spawn spawn = {.argv = (const char *const *)(argv + 1)};
    mcpw_client *client = NULL;
    mcpw_error error;
    if (argc < 2) {
        fprintf(stderr, "usage: %s SERVER [ARGUMENT]...\n", argv[0]);
        return 2;
    }
    config.name = "pages";
    config.version = "1.0.0";
    mcpw_status status = mcpw_client_add_apps(&config, &error);
    if (status == MCPW_OK) {
        client = mcpw_client_start(&spawn, &config, &error);
        status = client != NULL ? list_pages(client, &error) : error.code;
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "%s: %s\n", mcpw_status_name(status), error.message);
    }
    mcpw_client_free(client);
    mcpw_extensions_free(config.extensions);
    return status == MCPW_OK ? 0 : 1;
}
