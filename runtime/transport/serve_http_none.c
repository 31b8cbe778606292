/* SPDX-License-Identifier: MIT */
/* A build without the HTTP server. */
#include "serve_command.h"

int mcpw_serve_given_socket(void) { return -1; }

mcpw_status mcpw_serve_plan_http(const mcpw_serve_plan *plan, int socket, mcpw_error *error) {
    (void)plan;
    (void)socket;
    return mcpw_error_set(
        error, MCPW_E_ARGUMENT, 0,
        "--http: this mcpwire was built without its HTTP server, which needs libmicrohttpd");
}
