/* SPDX-License-Identifier: MIT */
/*
 * One call that serves: on standard input and output, or over HTTP, as the arguments of the program say. A
 * library of its own, mcpwire::serve. POSIX only; HTTP needs a build that has mcpwire::http.
 *
 *     int main(int argc, char **argv) {
 *         ...
 *         status = mcpw_serve(server, argc, argv, NULL, &error);
 *
 * `server` serves one client on standard input and output, `server --http 8080` many at
 * http://127.0.0.1:8080/mcp, and `server --help` lists the arguments. A socket that systemd has opened for
 * the process (LISTEN_FDS) is served over HTTP, without an argument. (MCP, "Transports".)
 *
 * Signals: SIGINT and SIGTERM end it in order: no new requests are taken, clients are told, and their last
 * answers go out. A second one ends the process at once. Afterwards the signals are as they were. One that
 * the process ignores stays ignored. Signals belong to the whole process, so one call at a time can have
 * them.
 */
#ifndef MCPW_SERVE_H
#define MCPW_SERVE_H

#include <mcpw/diagnostics.h>
#include <mcpw/io.h>
#include <mcpw/server.h>

MCPW_BEGIN_DECLS

/* Defined in <mcpw/http_serve.h>. */
struct mcpw_http_serve_options;

/* How to serve. Zero and NULL take the default. Initialise with MCPW_RUN_OPTIONS_INIT. The program's
 * arguments override these. */
typedef struct mcpw_run_options {
    size_t struct_size; /* set by MCPW_RUN_OPTIONS_INIT */
    const char *name;   /* of the program, in --help and diagnostics; default the server's name */
    const char *usage;  /* lines about the program's own arguments, for --help; NULL: none */
    /* Arguments that are not known here are passed over: they are the program's own, which must not be named
     * like one of these. False: they are refused. Arguments behind "--" are always passed over. */
    bool ignore_unknown;
    bool keep_signals;                 /* SIGINT and SIGTERM are left as they are */
    const mcpw_session_config *config; /* of sessions over either transport; role and server are set */
    /* For standard input and output. Its workers are those of --workers, where that is given; its config and
     * diagnostics are those of this struct, where it has none. */
    const mcpw_serve_options *stdio;
    /* For HTTP, likewise. Its address, port, TLS and workers are those of the arguments, where they are
     * given. Hosts of --allow-host are added to those of its config. */
    const struct mcpw_http_serve_options *http;
    /* Level and format are those of the arguments, where given. */
    const mcpw_diagnostics_options *diagnostics;
    /* Threads that run handlers over either transport, as in mcpw_serve_options, where --workers, stdio and
     * http say nothing; default 0. */
    unsigned workers;
} mcpw_run_options;

/* Everything at its default. */
#define MCPW_RUN_OPTIONS_INIT MCPW_SIZED(mcpw_run_options)

/* Serves until its client goes (standard input and output), or a signal ends it. MCPW_OK then, and after
 * --help and --version, which print to standard output. argc and argv are those of main, or 0 and NULL; they
 * are not changed. MCPW_E_ARGUMENT: an argument, which error names, is unknown or has a bad value. MCPW_E_IO:
 * a file cannot be read, or the address is not free. options and error may be NULL.
 *
 * Over HTTP the URL is written to standard error, in the form of the diagnostics; so --http 0 says which port
 * it has taken. With --bearer-file requests need a token of that file. Its lines are "TOKEN" or "PRINCIPAL
 * TOKEN", empty, or comments behind a #; at most 1000 tokens of 16 to 512 characters. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_serve(mcpw_server *server, int argc, char **argv,
                                               const mcpw_run_options *options, mcpw_error *error);

MCPW_END_DECLS

#endif
