/* SPDX-License-Identifier: MIT */
/* A service without a user: calls a tool of a server with credentials of its own. */
#include <mcp/client.h>
#include <mcpw/http_login.h>

#include <stdio.h>
#include <stdlib.h>

/* The login of a client whose secret is in the environment. NULL: error has the reason. */
static mcpw_http_login *log_in(const char *url, const char *issuer, mcpw_error *error) {
    mcpw_http_login_options login = MCPW_HTTP_LOGIN_OPTIONS_INIT;
    mcpw_oauth_config oauth = MCPW_OAUTH_CONFIG_INIT;
    const mcpw_oauth_credential self = {
        .issuer = issuer, /* the secret goes to this issuer and no other */
        .client_id = getenv("CLIENT_ID"),
        .client_secret = getenv("CLIENT_SECRET"),
    };
    oauth.grant = MCPW_OAUTH_CLIENT_CREDENTIALS;
    oauth.issuer = issuer;
    oauth.credentials = &self;
    oauth.credential_count = 1;
    login.url = url;
    login.oauth = &oauth;
    login.directory = ""; /* tokens stay in memory; each process gets its own */
    return mcpw_http_login_new(&login, error);
}

static mcpw_status call(mcpw_client *client, const char *tool, mcpw_error *error) {
    const mcp_call_tool_request_params params = {.name = mcpw_str_from(tool)};
    const mcp_call_tool_result *result = NULL;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_status status = mcp_call_tools_call(client, &params, NULL, &arena, &result, error);
    for (size_t i = 0; result != NULL && i < result->content.count; i++) {
        if (result->content.items[i].kind == MCP_CONTENT_BLOCK_TEXT_CONTENT) {
            printf("%s\n", result->content.items[i].as.text_content.text.ptr);
        }
    }
    mcpw_arena_free(&arena);
    return status;
}

int main(int argc, char **argv) {
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_client *client = NULL;
    mcpw_error error;
    if (argc != 4 || getenv("CLIENT_ID") == NULL || getenv("CLIENT_SECRET") == NULL) {
        fprintf(stderr, "usage: CLIENT_ID=ID CLIENT_SECRET=SECRET service URL ISSUER TOOL\n");
        return 2;
    }
    config.name = "service";
    config.version = "1.0.0";
    options.url = argv[1];
    options.login = log_in(argv[1], argv[2], &error);
    client = options.login != NULL ? mcpw_client_connect(&options, &config, &error) : NULL;
    const mcpw_status status = client != NULL ? call(client, argv[3], &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "%s: %s\n", mcpw_status_name(status), error.message);
    }
    mcpw_client_free(client);
    mcpw_http_login_free(options.login);
    return status == MCPW_OK ? 0 : 1;
}
