/* SPDX-License-Identifier: MIT */
/* Makes more requests at once of a server at a URL than there are connections for, and prints how each went:
 * for servers that want something of the client before they answer. */
#include <mcpw/detail/protocol.h>
#include <mcpw/http_connect.h>

#include <stdio.h>
#include <string.h>

enum { CONNECTIONS = 2, REQUESTS = 4, FOR_ALL = 5000, STEP = 20 /* ms */ };

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    (void)session;
    ++*(int *)user;
    printf("%s\n", mcpw_status_name(reply->status));
}

int main(int argc, char **argv) {
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    const mcpw_call call = {.timeout_ms = FOR_ALL, .max_timeout_ms = FOR_ALL};
    mcpw_error error = {.code = MCPW_OK};
    int replies = 0;
    options.url = argc > 1 ? argv[1] : "";
    options.max_connections = CONNECTIONS;
    config.name = "crowd";
    config.version = "1";
    mcpw_client *const client = mcpw_client_connect(&options, &config, &error);
    if (client == NULL) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    mcpw_session *const session = mcpw_client_session(client);
    const mcpw_revision *const revision = mcpw_session_revision(session);
    const int method = mcpw_method_number(revision, "tools/list", strlen("tools/list"));
    mcpw_status status = MCPW_OK;
    for (int i = 0; i < REQUESTS && status == MCPW_OK; i++) {
        status =
            mcpw_session_request(session, revision, method, NULL, &call, on_reply, &replies, NULL, &error);
    }
    while (replies < REQUESTS && status == MCPW_OK) {
        status = mcpw_client_wait(client, STEP, &error);
    }
    mcpw_client_free(client);
    return status == MCPW_OK ? 0 : 2;
}
