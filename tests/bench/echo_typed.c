/* SPDX-License-Identifier: MIT */
/* The same server with a typed slot in place of a registry, on a session of its own. */
#include "echo.h"

#include <mcpw/io.h>
#include <stdio.h>

enum { STANDARD_INPUT = 0, STANDARD_OUTPUT = 1 };

int main(void) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_io io = MCPW_IO_INIT;
    mcpw_error error;
    config.role = MCPW_ROLE_SERVER;
    config.name = "echo";
    config.version = "1.0.0";
    config.dispatch = &mcp_20260728_server_dispatch;
    config.handlers = &bench_echo_handlers;
    mcpw_session *const session = mcpw_session_new(&config, &error);
    mcpw_status status =
        session != NULL ? mcpw_io_begin(&io, session, STANDARD_INPUT, STANDARD_OUTPUT, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_io_run(&io, NULL, NULL, &error);
    }
    if (status != MCPW_E_CLOSED) {
        fprintf(stderr, "echo_typed: %s\n", error.message);
    }
    mcpw_io_end(&io);
    mcpw_session_free(session);
    return status == MCPW_E_CLOSED ? 0 : 1;
}
