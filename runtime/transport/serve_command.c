/* SPDX-License-Identifier: MIT */
/* mcpw_serve_command: one call that serves either transport (<mcpw/serve.h>). */
#include "serve_command.h"

#include <mcpw/detail/session.h>
#include <stdio.h>

static mcpw_status print_version(const char *name, const mcpw_server *server) {
    const char *const version = mcpw_server_version(server);
    (void)printf("%s%s%s (mcpwire %s)\n", name, version != NULL ? " " : "", version != NULL ? version : "",
                 mcpw_version());
    return MCPW_OK;
}

static mcpw_status serve(mcpw_server *server, const mcpw_serve_arguments *arguments,
                         const mcpw_run_options *options, mcpw_error *error) {
    mcpw_diagnostics_options diagnostics = MCPW_DIAGNOSTICS_OPTIONS_INIT;
    const mcpw_serve_plan plan = {server, arguments, options, &diagnostics};
    if (!MCPW_TAKE(&diagnostics, user, options->diagnostics)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the diagnostics were not initialised with MCPW_DIAGNOSTICS_OPTIONS_INIT");
    }
    diagnostics.name = diagnostics.name != NULL ? diagnostics.name : options->name;
    diagnostics.level = arguments->level != 0 ? arguments->level : diagnostics.level;
    diagnostics.format = arguments->has_format ? arguments->format : diagnostics.format;
    const int socket = mcpw_serve_given_socket();
    if (arguments->over_http || socket >= 0) {
        return mcpw_serve_plan_http(&plan, socket, error);
    }
    if (arguments->http_only != NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s needs --http", arguments->http_only);
    }
    return mcpw_serve_plan_stdio(&plan, error);
}

static mcpw_status run(mcpw_server *server, const mcpw_serve_arguments *arguments,
                       const mcpw_run_options *options, mcpw_error *error) {
    const char *const name = options->name != NULL ? options->name : mcpw_server_name(server);
    mcpw_status status = MCPW_OK;
    if (arguments->wants_help) {
        mcpw_serve_arguments_print(name, options->usage);
    } else if (arguments->wants_version) {
        status = print_version(name, server);
    } else {
        return serve(server, arguments, options, error);
    }
    if (fflush(stdout) != 0) {
        mcpw_error_set(error, MCPW_E_IO, 0, "cannot write to standard output");
        status = MCPW_E_IO;
    }
    return status;
}

mcpw_status mcpw_serve(mcpw_server *server, int argc, char **argv, const mcpw_run_options *options,
                       mcpw_error *error) {
    mcpw_run_options own = MCPW_RUN_OPTIONS_INIT;
    mcpw_serve_arguments arguments;
    if (server == NULL || !MCPW_TAKE(&own, workers, options)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s",
                              server == NULL ? "mcpw_serve needs a server: see mcpw_server_new"
                                             : "the options were not initialised with MCPW_RUN_OPTIONS_INIT");
    }
    mcpw_status status = mcpw_serve_arguments_read(&arguments, argc, argv, own.ignore_unknown, error);
    status = status == MCPW_OK ? run(server, &arguments, &own, error) : status;
    mcpw_serve_arguments_free(&arguments);
    return status;
}
