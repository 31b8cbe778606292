/* SPDX-License-Identifier: MIT */
/*
 * One call that serves on standard input and output or over HTTP, as the program's arguments select. It is a
 * library of its own, mcpwire::serve. HTTP needs a build that has mcpwire::http.
 *
 *     int main(int argc, char **argv) {
 *         ...
 *         status = mcpw_serve(server, argc, argv, NULL, &error);
 *
 * `server` serves one client on standard input and output. `server --http 8080` serves many clients at
 * http://127.0.0.1:8080/mcp. `server --help` lists the arguments. A socket that systemd has opened for the
 * process (LISTEN_FDS) is served over HTTP, without an argument. (MCP, "Transports".)
 *
 * Signals: SIGINT and SIGTERM end it in order; on Windows Ctrl-C, Ctrl-Break and the end of the console do.
 * It takes no new requests, notifies clients and sends their last answers. A second signal ends the process
 * at once. Afterwards the signal handlers are restored. A signal that the process ignores stays ignored.
 * Signals belong to the whole process, so only one call at a time can handle them.
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
    /* Unknown arguments are ignored, because they are the program's own. Those must not have the name of an
     * argument of this call. False: unknown arguments are refused. Arguments after "--" are always ignored.
     */
    bool ignore_unknown;
    bool keep_signals;                 /* SIGINT and SIGTERM are not handled */
    const mcpw_session_config *config; /* of sessions over either transport; the call sets role and server */
    /* For standard input and output. --workers overrides its workers. If it has no config or diagnostics,
     * those of this struct count. */
    const mcpw_serve_options *stdio;
    /* For HTTP, likewise. Arguments override its address, port, TLS and workers. Hosts of --allow-host are
     * added to those of its config. */
    const struct mcpw_http_serve_options *http;
    /* How diagnostics are written. Arguments override level and format. */
    const mcpw_diagnostics_options *diagnostics;
    /* The number of threads that run handlers over either transport, as in mcpw_serve_options. --workers,
     * stdio and http override it. Default 0. */
    unsigned workers;
} mcpw_run_options;

/* Everything at its default. */
#define MCPW_RUN_OPTIONS_INIT MCPW_SIZED(mcpw_run_options)

/* Serves until its client disconnects (standard input and output) or a signal ends it, then returns MCPW_OK.
 * It also returns MCPW_OK after --help and --version, which print to standard output. argc and argv are those
 * of main, or 0 and NULL; they are not changed. MCPW_E_ARGUMENT: an argument is unknown or has a bad value;
 * error names it. MCPW_E_IO: a file cannot be read, or the address is not free. options and error may be
 * NULL.
 *
 * Over HTTP the URL is written to standard error, in the format of the diagnostics. So --http 0 reports the
 * port that it uses. With --bearer-file requests need a token of that file. Each of its lines is "TOKEN" or
 * "PRINCIPAL TOKEN", is empty, or begins with #. It has 1 to 1000 tokens of 16 to 512 characters; a principal
 * has at most 256 bytes. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_serve(mcpw_server *server, int argc, char **argv,
                                                      const mcpw_run_options *options, mcpw_error *error);

MCPW_END_DECLS

#endif
