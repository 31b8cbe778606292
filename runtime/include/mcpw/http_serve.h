/* SPDX-License-Identifier: MIT */
/*
 * A server of HTTP that serves <mcpw/http.h>, by libmicrohttpd; a library of its own, mcpwire::http. Linux.
 *
 *     mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
 *     options.port = 8080;
 *     status = mcpw_serve_http(server, &options, &error);
 *
 * One thread serves all connections. By default it is reached from this machine alone.
 */
#ifndef MCPW_HTTP_SERVE_H
#define MCPW_HTTP_SERVE_H

#include <mcpw/diagnostics.h>
#include <mcpw/http.h>
#include <mcpw/server.h>
#include <mcpw/thread.h>

MCPW_BEGIN_DECLS

/* What takes connections, and serves them. */
typedef struct mcpw_http_listener mcpw_http_listener;

/* How to serve. Zero and NULL take the default. Initialise with MCPW_HTTP_SERVE_OPTIONS_INIT. What it points
 * at must live as long as the call that it is given to. */
typedef struct mcpw_http_serve_options {
    size_t struct_size;  /* set by MCPW_HTTP_SERVE_OPTIONS_INIT */
    const char *address; /* to bind to, in digits: "0.0.0.0", "::1"; default "127.0.0.1" */
    uint16_t port;       /* 0: any that is free; mcpw_http_listener_port says which */
    int socket; /* one that listens already, in the place of address and port, as systemd gives it; 0, -1:
                   none. It is closed with the listener, or when none can be made. */
    /* TLS: the certificate as PEM text, with those that vouch for it behind it. NULL: none. */
    const char *certificate;
    const char *key;          /* that of the certificate, as PEM text without a password */
    unsigned max_connections; /* at once; more wait. Default: as many as there are descriptors for */
    unsigned max_per_address; /* of them from one address; default: no limit */
    unsigned idle_timeout_ms; /* without a byte, after which a connection is closed whose request is not
                                 complete, or that has none, or that does not read; default 30000. It counts
                                 in whole seconds, upwards. Whose next head is not complete after twice that
                                 time is closed too. */
    unsigned grace;   /* ms that responses have to go out after mcpw_http_listener_stop; default 2000 */
    unsigned workers; /* threads that run handlers, as in mcpw_serve_options; default 0 */
    const mcpw_http_config *http; /* what is served, and its limits; of mcpw_serve_http: without endpoint.
                                     Each connection takes its max_head and 4 KiB; the default here is 8192 */
    const mcpw_session_config
        *sessions; /* mcpw_serve_http alone: of the endpoint; its role and server are set */
    /* mcpw_serve_http alone: connections are taken from now on. For those who want to know the port, or to
     * stop it. NULL: not told. */
    void (*on_start)(void *user, mcpw_http_listener *listener);
    void *user; /* passed to on_start and on_end */
    /* mcpw_serve_http alone: how notes are written where `sessions` has no on_diagnostic; NULL: to standard
     * error, as <mcpw/diagnostics.h> says. MCPW_DIAGNOSTICS_OFF as its format: not at all. */
    const mcpw_diagnostics_options *diagnostics;
    /* mcpw_serve_http alone: the listener has ended and is about to be freed. Use it
     * in code that stops the listener from elsewhere. NULL: not called. */
    void (*on_end)(void *user, mcpw_http_listener *listener);
} mcpw_http_serve_options;

/* Everything at its default. */
#define MCPW_HTTP_SERVE_OPTIONS_INIT MCPW_SIZED(mcpw_http_serve_options)

/* Serves until mcpw_http_listener_stop. MCPW_OK then. error may be NULL. As mcpw_http_listener_new and _run.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_serve_http(mcpw_server *server,
                                                    const mcpw_http_serve_options *options,
                                                    mcpw_error *error);

/* Binds and listens. options->http->endpoint is required and must outlive it. NULL with why in error. */
MCPW_NODISCARD MCPW_API mcpw_http_listener *mcpw_http_listener_new(const mcpw_http_serve_options *options,
                                                                   mcpw_error *error);
/* For options->socket: the first socket that systemd has opened for this process, by LISTEN_PID and
 * LISTEN_FDS; -1: none that listens. What it starts does not inherit it. */
MCPW_API int mcpw_http_given_socket(void);
/* The port that it listens on; 0 for a socket that has none. */
MCPW_API uint16_t mcpw_http_listener_port(const mcpw_http_listener *listener);
/* To have something called on the thread that runs it, such as a change of what the server offers:
 * mcpw_queue_post, from any thread. It is closed and freed with the listener. */
MCPW_API mcpw_queue *mcpw_http_listener_queue(const mcpw_http_listener *listener);

/* Serves until mcpw_http_listener_stop; MCPW_OK then, and it cannot run again. MCPW_E_IO with the system's
 * reason. A client that closes its half of a connection is gone: its request is cancelled, as
 * mcpw_http_close says. A request whose body does not come in time ends with its connection. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_http_listener_run(mcpw_http_listener *listener, mcpw_error *error);
/* Ends it: no more connections, what is under way is answered as mcpw_http_server_stop says. From any thread,
 * and from a signal handler. */
MCPW_API void mcpw_http_listener_stop(mcpw_http_listener *listener);
/* Closes all connections, and frees what serves them. It must not be running. Does nothing for NULL. */
MCPW_API void mcpw_http_listener_free(mcpw_http_listener *listener);

MCPW_END_DECLS

#endif
