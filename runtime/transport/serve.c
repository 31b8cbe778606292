/* SPDX-License-Identifier: MIT */
/* A server on standard input and output, which ends with its client. */
#include "serve_diagnostics.h"
#include "transport_internal.h"

/* The arguments of run. */
typedef struct work {
    mcpw_session *session;
    const mcpw_serve_options *options;
    mcpw_error *error;
} work;

static mcpw_status run(void *argument) {
    const work *const w = argument;
    const mcpw_serve_options *const options = w->options;
    mcpw_io io = MCPW_IO_INIT;
    mcpw_status status =
        mcpw_io_begin(&io, w->session, mcpw_standard_input(), mcpw_standard_output(), w->error);
    if (status != MCPW_OK) {
        return status;
    }
    if (options->on_start != NULL) {
        options->on_start(options->user, &io);
    }
    status = mcpw_io_run(&io, NULL, NULL, w->error);
    if (options->on_end != NULL) {
        options->on_end(options->user, &io);
    }
    mcpw_io_end(&io);
    return status == MCPW_E_CLOSED ? MCPW_OK : status; /* the client has gone */
}

/* Serves until the end of input. A closed output is no reason to end the process. */
static mcpw_status serve(mcpw_session *session, const mcpw_serve_options *options, mcpw_error *error) {
    work w = {session, options, error};
    return mcpw_os_without_pipe_signal(run, &w);
}

/* Ends the session before its workers, because the session waits for their work. */
static mcpw_status serve_with_workers(const mcpw_session_config *config, mcpw_queue *queue,
                                      mcpw_session *session, const mcpw_serve_options *options,
                                      mcpw_error *error) {
    mcpw_workers *workers = NULL;
    mcpw_status status = MCPW_OK;
    if (options->workers != 0) {
        workers = mcpw_workers_new(options->workers, error);
        status = workers != NULL ? mcpw_session_set_workers(session, workers) : error->code;
    }
    if (status == MCPW_OK) {
        status = serve(session, options, error);
    }
    mcpw_session_free(session);
    mcpw_server_unset_queue(config->server, queue); /* ends what extensions have on the workers */
    mcpw_workers_free(workers);
    return status;
}

/* The queue is created before the session and freed after it, so other threads may announce changes at any
 * time. */
static mcpw_status serve_by_queue(const mcpw_session_config *config, const mcpw_serve_options *options,
                                  mcpw_error *error) {
    mcpw_queue *const queue = mcpw_queue_for(config->server, error);
    mcpw_session *const session = queue != NULL ? mcpw_session_new(config, error) : NULL;
    mcpw_status status = session != NULL ? mcpw_session_set_queue(session, queue) : error->code;
    if (status == MCPW_OK) {
        status = serve_with_workers(config, queue, session, options, error);
    } else {
        mcpw_session_free(session);
        mcpw_server_unset_queue(config->server, queue);
    }
    mcpw_queue_free(queue);
    return status;
}

/* Writes diagnostics unless the program takes them itself. */
static mcpw_status serve_with_diagnostics(mcpw_server *server, const mcpw_serve_options *options,
                                          mcpw_session_config *config, mcpw_error *error) {
    mcpw_diagnostics *diagnostics = NULL;
    mcpw_status status = MCPW_OK;
    if (config->on_diagnostic == NULL) {
        status = mcpw_serve_diagnostics(server, options->diagnostics, &diagnostics, error);
        config->on_diagnostic = diagnostics != NULL ? mcpw_diagnostics_write : NULL;
        config->diagnostic_user = diagnostics;
    }
    if (status == MCPW_OK) {
        status = serve_by_queue(config, options, error);
    }
    mcpw_diagnostics_free(diagnostics);
    return status;
}

mcpw_status mcpw_serve_stdio_with(mcpw_server *server, const mcpw_serve_options *options, mcpw_error *error) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_serve_options own = MCPW_SERVE_OPTIONS_INIT;
    mcpw_error why;
    if (server == NULL || !MCPW_TAKE(&own, diagnostics, options)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s",
                              server == NULL
                                  ? "mcpw_serve_stdio needs a server: see mcpw_server_new"
                                  : "the options were not initialised with MCPW_SERVE_OPTIONS_INIT");
    }
    if (!MCPW_TAKE(&config, diagnostic_user, own.config)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s",
                              "the config was not initialised with MCPW_SESSION_CONFIG_INIT");
    }
    config.role = MCPW_ROLE_SERVER;
    config.server = server;
    const mcpw_status status = serve_with_diagnostics(server, &own, &config, &why);
    if (status != MCPW_OK && error != NULL) {
        *error = why;
    }
    return status;
}

mcpw_status mcpw_serve_stdio(mcpw_server *server, mcpw_error *error) {
    return mcpw_serve_stdio_with(server, NULL, error);
}
