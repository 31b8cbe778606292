/* SPDX-License-Identifier: MIT */
/* A program on a user's machine: lists the tools of a server that requires a login. */
#include <mcp/client.h>
#include <mcpw/http_login.h>

#include <stdio.h>

static mcpw_status list(mcpw_client *client, mcpw_error *error) {
    const mcp_paginated_request_params params = {.cursor = {NULL, 0}};
    const mcp_list_tools_result *page = NULL;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_status status = mcp_call_tools_list(client, &params, NULL, &arena, &page, error);
    for (size_t i = 0; page != NULL && i < page->tools.count; i++) {
        printf("%.*s\n", (int)page->tools.items[i].name.len, page->tools.items[i].name.ptr);
    }
    mcpw_arena_free(&arena);
    return status;
}

int main(int argc, char **argv) {
    mcpw_http_login_options login = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_client *client = NULL;
    mcpw_error error;
    if (argc != 2) {
        fprintf(stderr, "usage: desktop URL\n");
        return 2;
    }
    config.name = "desktop";
    config.version = "1.0.0";
    login.url = options.url = argv[1];
    options.login = mcpw_http_login_new(&login, &error);
    client = options.login != NULL ? mcpw_client_connect(&options, &config, &error) : NULL;
    const mcpw_status status = client != NULL ? list(client, &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "%s: %s\n", mcpw_status_name(status), error.message);
    }
    mcpw_client_free(client);
    mcpw_http_login_free(options.login);
    return status == MCPW_OK ? 0 : 1;
}
