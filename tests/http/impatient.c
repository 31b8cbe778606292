/* SPDX-License-Identifier: MIT */
/* Calls a tool of a server at a URL with a second for it, waits for half a second more, and prints how each
 * went: for servers that never stop talking. */
#include <mcpw/detail/protocol.h>
#include <mcpw/http_connect.h>

#include <stdio.h>
#include <string.h>

enum { FOR_CALL = 1000, FOR_REST = 500 /* ms */ };

int main(int argc, char **argv) {
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_call call = {.timeout_ms = FOR_CALL, .max_timeout_ms = FOR_CALL};
    mcpw_error error = {.code = MCPW_OK};
    options.url = argc > 1 ? argv[1] : "";
    config.name = "impatient";
    config.version = "1";
    mcpw_client *const client = mcpw_client_connect(&options, &config, &error);
    if (client == NULL) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    const mcpw_revision *const revision = mcpw_session_revision(mcpw_client_session(client));
    const int method = mcpw_method_number(revision, "tools/list", strlen("tools/list"));
    mcpw_status status = mcpw_client_request(client, revision, method, NULL, &call, &arena, NULL, &error);
    printf("%s\n", mcpw_status_name(status));
    status = mcpw_client_wait(client, FOR_REST, &error);
    printf("%s\n", mcpw_status_name(status));
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
    return 0;
}
