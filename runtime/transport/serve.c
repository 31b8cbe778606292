/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "transport_internal.h"

#include <signal.h>
#include <unistd.h>

static mcpw_status serve(mcpw_session *session, mcpw_error *error) {
    mcpw_io io = MCPW_IO_INIT;
    struct sigaction ignore;
    struct sigaction before;
    mcpw_status status;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &ignore, &before);
    status = mcpw_io_begin(&io, session, STDIN_FILENO, STDOUT_FILENO, error);
    if (status == MCPW_OK) {
        status = mcpw_io_run(&io, NULL, NULL, error);
    }
    mcpw_io_end(&io);
    (void)sigaction(SIGPIPE, &before, NULL);
    return status == MCPW_E_CLOSED ? MCPW_OK : status; /* the client went */
}

mcpw_status mcpw_serve_stdio(mcpw_server *server, mcpw_error *error) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_session *session;
    mcpw_error why;
    mcpw_status status;
    config.role = MCPW_ROLE_SERVER;
    config.server = server;
    if (server == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "mcpw_serve_stdio needs a server: see mcpw_server_new");
        return MCPW_E_ARGUMENT;
    }
    session = mcpw_session_new(&config, &why);
    status = session != NULL ? serve(session, &why) : why.code;
    mcpw_session_free(session);
    if (status != MCPW_OK && error != NULL) {
        *error = why;
    }
    return status;
}
