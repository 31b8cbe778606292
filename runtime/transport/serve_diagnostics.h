/* SPDX-License-Identifier: MIT */
/* The default diagnostics of a server whose program sets none. */
#ifndef MCPW_SERVE_DIAGNOSTICS_H
#define MCPW_SERVE_DIAGNOSTICS_H

#include <mcpw/detail/session.h>
#include <mcpw/diagnostics.h>
#include <mcpw/server.h>

/* Creates diagnostics with the server's name, unless the options have one. *out is NULL if they are off. */
MCPW_NODISCARD static inline mcpw_status mcpw_serve_diagnostics(const mcpw_server *server,
                                                                const mcpw_diagnostics_options *options,
                                                                mcpw_diagnostics **out, mcpw_error *error) {
    mcpw_diagnostics_options own = MCPW_DIAGNOSTICS_OPTIONS_INIT;
    *out = NULL;
    if (!MCPW_TAKE(&own, user, options)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                       "the diagnostics were not initialised with MCPW_DIAGNOSTICS_OPTIONS_INIT");
        return MCPW_E_ARGUMENT;
    }
    if (own.format == MCPW_DIAGNOSTICS_OFF) {
        return MCPW_OK;
    }
    own.name = own.name != NULL ? own.name : mcpw_server_name(server);
    *out = mcpw_diagnostics_new(&own, error);
    return *out != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

#endif
