/* SPDX-License-Identifier: MIT */
/* Usage: fixture [--revisions "R R ..."] [--page-size N]. See fixture.h. */
#include "fixture.h"

#include <mcpw/io.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct options {
    const char *revisions; /* NULL: all */
    size_t page_size;      /* 0: lists in one piece */
} options;

/* A client that is gone is an error of a write, and no signal. */
#ifdef SIGPIPE
static void ignore_closed_pipes(void) { (void)signal(SIGPIPE, SIG_IGN); }
#else
static void ignore_closed_pipes(void) {}
#endif

static bool read_options(int argc, char **argv, options *out) {
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--revisions") == 0) {
            out->revisions = argv[i + 1];
        } else if (i + 1 < argc && strcmp(argv[i], "--page-size") == 0) {
            out->page_size = (size_t)strtoul(argv[i + 1], NULL, 10);
        } else {
            fprintf(stderr, "usage: %s [--revisions \"REVISION ...\"] [--page-size N]\n", argv[0]);
            return false;
        }
    }
    return true;
}

/* The faults of the client, except members that its revision lacks: they are left out on purpose. */
static void on_diagnostic(void *user, mcpw_session *session, const mcpw_diagnostic *note) {
    (void)user;
    (void)session;
    if (note->kind != MCPW_DIAGNOSTIC_DROPPED) {
        fprintf(stderr, "fixture: %.*s: %s %s\n", (int)note->method.len,
                note->method.ptr != NULL ? note->method.ptr : "",
                note->error != NULL ? note->error->path : "",
                note->error != NULL ? note->error->message : "");
    }
}

/* Serves until the client goes. */
static mcpw_status serve(fixture *f, mcpw_session *session, mcpw_error *error) {
    mcpw_io io = MCPW_IO_INIT;
    mcpw_status status = mcpw_io_begin(&io, session, mcpw_standard_input(), mcpw_standard_output(), error);
    while (status == MCPW_OK) {
        status = mcpw_io_step(&io, fixture_run_timers(f), error);
    }
    mcpw_io_end(&io);
    return status == MCPW_E_CLOSED ? MCPW_OK : status;
}

int main(int argc, char **argv) {
    options options = {NULL, 0};
    if (!read_options(argc, argv, &options)) {
        return 2;
    }
    ignore_closed_pipes();

    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    config.name = "mcpwire-fixture";
    config.version = "1.0.0";
    config.instructions = "Only for tests.";
    config.page_size = options.page_size;
    fixture f = {.server = mcpw_server_new_with(&config, NULL)};
    mcpw_server_will_log(f.server);

    mcpw_error error = {.code = MCPW_E_MEMORY, .message = "no memory"};
    mcpw_status status = f.server != NULL ? fixture_keep_tasks(&f, true, &error) : MCPW_E_MEMORY;
    status = status == MCPW_OK ? fixture_add_tools(&f, &error) : status;
    if (status == MCPW_OK) {
        status = fixture_add_input_requests(&f, &error);
    }
    if (status == MCPW_OK) {
        status = fixture_add_content(&f, &error);
    }
    status = status == MCPW_OK ? fixture_add_tasks(&f, &error) : status;

    mcpw_session_config session_config = MCPW_SESSION_CONFIG_INIT;
    session_config.role = MCPW_ROLE_SERVER;
    session_config.server = f.server;
    session_config.revisions = options.revisions;
    session_config.on_diagnostic = on_diagnostic;
    session_config.principal = mcpw_str_from("the client");
    mcpw_session *session = status == MCPW_OK ? mcpw_session_new(&session_config, &error) : NULL;
    status = session != NULL ? serve(&f, session, &error) : MCPW_E_ARGUMENT;
    mcpw_session_free(session);
    (void)fixture_run_timers(&f); /* frees those of requests that the session gave up */
    mcpw_server_free(f.server);
    if (status != MCPW_OK) {
        fprintf(stderr, "fixture: %s %s\n", error.path, error.message);
    }
    return status == MCPW_OK ? 0 : 1;
}
