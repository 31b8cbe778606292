/* SPDX-License-Identifier: MIT */
/* A server of HTTP that is not run. */
#include <mcpw/http_serve.h>

#include <stdio.h>

int main(void) {
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_server *const server = mcpw_server_new("consumer", "1", NULL);
    mcpw_http_listener *listener;
    mcpw_error error;
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = server;
    http.endpoint = mcpw_endpoint_new(&sessions, &error);
    options.http = &http;
    listener = mcpw_http_listener_new(&options, &error);
    if (listener != NULL && mcpw_http_listener_port(listener) != 0) {
        printf("it listens\n");
    }
    mcpw_http_listener_free(listener);
    mcpw_endpoint_free(http.endpoint);
    mcpw_server_free(server);
    return 0;
}
