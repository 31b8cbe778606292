/* SPDX-License-Identifier: MIT */
/*
 * A client of a server over HTTP that wants a login: lists its tools.
 *
 *     http_login https://mcp.example.com/mcp            logs in when the server asks for it
 *     http_login https://mcp.example.com/mcp --again    asks the user in any case, and says what was granted
 *     http_login https://mcp.example.com/mcp --paste    for a machine without a browser: open the page
 *                                                       elsewhere, and paste the URL that it ends at
 */
#include <mcp/client.h>
#include <mcpw/http_login.h>

#include <stdio.h>

enum { MOST_LINE = 4096 };

/* Shows the page, and reads the URL that it has led to. */
static mcpw_status paste(void *user, mcpw_http_login *login, const char *url) {
    char line[MOST_LINE];
    mcpw_error error;
    (void)user;
    printf("Open %s\nand paste the URL of the page after it: ", url);
    (void)fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL) {
        return MCPW_E_CLOSED;
    }
    line[strcspn(line, "\r\n")] = '\0';
    const mcpw_status status = mcpw_http_login_redirected(login, mcpw_str_from(line), &error);
    if (status != MCPW_OK) {
        fprintf(stderr, "http_login: %s\n", error.message);
    }
    return status;
}

static mcpw_status log_in(mcpw_http_login *login, mcpw_error *error) {
    mcpw_oauth_login state = MCPW_OAUTH_LOGIN_INIT;
    mcpw_status status = mcpw_http_login_run(login, true, error);
    status = status == MCPW_OK ? mcpw_oauth_read(mcpw_http_login_oauth(login), &state) : status;
    if (status == MCPW_OK) {
        printf("%.*s has granted: %.*s\n", (int)state.issuer.len, state.issuer.ptr, (int)state.scopes.len,
               state.scopes.ptr != NULL ? state.scopes.ptr : "");
    }
    return status;
}

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
    const bool is_again = argc == 3 && strcmp(argv[2], "--again") == 0;
    const bool is_pasted = argc == 3 && strcmp(argv[2], "--paste") == 0;
    if (argc != 2 && !is_again && !is_pasted) {
        fprintf(stderr, "usage: http_login URL [--again|--paste]\n");
        return 2;
    }
    login.url = argv[1];
    login.browser = is_pasted ? "" : NULL;
    login.on_open = is_pasted ? paste : NULL;
    options.url = argv[1];
    options.login = mcpw_http_login_new(&login, &error);
    config.name = "example-http-login";
    config.version = "1.0.0";
    mcpw_status status = options.login != NULL ? MCPW_OK : error.code;
    status = status == MCPW_OK && is_again ? log_in(options.login, &error) : status;
    if (status == MCPW_OK) {
        client = mcpw_client_connect(&options, &config, &error);
        status = client != NULL ? list(client, &error) : error.code;
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "http_login: %s\n", error.message);
    }
    mcpw_client_free(client);
    mcpw_http_login_free(options.login);
    return status == MCPW_OK ? 0 : 1;
}
