/* SPDX-License-Identifier: MIT */
/* Serves standard input and output until the client goes or a signal arrives. */
#include "serve_command.h"

enum { GRACE = 2000 /* ms for sending the last responses */ };

typedef struct stage {
    mcpw_serve_options given; /* the callbacks are the program's */
    bool keeps_signals;
    mcpw_os_signals *signals; /* NULL: not handled here */
} stage;

/* Drops the remaining output, because its reader does not read. */
static void drop_output(void *user, mcpw_io *io) {
    const char *bytes = NULL;
    (void)user;
    for (size_t len = mcpw_session_output(io->session, &bytes); len != 0;
         len = mcpw_session_output(io->session, &bytes)) {
        mcpw_session_sent(io->session, len);
    }
}

static void on_stop(void *user, mcpw_io *io, mcpw_handle fd, short events) {
    (void)user;
    (void)events;
    mcpw_io_unwatch(io, fd);
    mcpw_session_close(io->session);
    const mcpw_status status = mcpw_io_start_timer(io, GRACE, 0, drop_output, NULL, NULL);
    if (status != MCPW_OK) {
        drop_output(NULL, io);
    }
}

static void on_start(void *user, mcpw_io *io) {
    stage *const s = user;
    s->signals = s->keeps_signals ? NULL : mcpw_os_signals_begin(NULL, NULL);
    if (s->signals != NULL &&
        mcpw_io_watch(io, mcpw_os_signals_handle(s->signals), MCPW_OS_IN, on_stop, s) != MCPW_OK) {
        mcpw_os_signals_end(s->signals);
        s->signals = NULL;
    }
    if (s->given.on_start != NULL) {
        s->given.on_start(s->given.user, io);
    }
}

static void on_end(void *user, mcpw_io *io) {
    stage *const s = user;
    if (s->given.on_end != NULL) {
        s->given.on_end(s->given.user, io);
    }
    mcpw_os_signals_end(s->signals);
    s->signals = NULL;
}

mcpw_status mcpw_serve_plan_stdio(const mcpw_serve_plan *plan, mcpw_error *error) {
    stage s;
    memset(&s, 0, sizeof s);
    s.given = (mcpw_serve_options)MCPW_SERVE_OPTIONS_INIT;
    s.keeps_signals = plan->options->keep_signals;
    if (!MCPW_TAKE(&s.given, diagnostics, plan->options->stdio)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the options for stdio were not initialised with MCPW_SERVE_OPTIONS_INIT");
    }
    mcpw_serve_options own = s.given;
    own.workers = mcpw_serve_plan_workers(plan, own.workers);
    own.config = own.config != NULL ? own.config : plan->options->config;
    own.diagnostics = own.diagnostics != NULL ? own.diagnostics : plan->diagnostics;
    own.on_start = on_start;
    own.on_end = on_end;
    own.user = &s;
    return mcpw_serve_stdio_with(plan->server, &own, error);
}
