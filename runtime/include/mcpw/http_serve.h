/* SPDX-License-Identifier: MIT */
/*
 * An HTTP server for <mcpw/http.h>, by libmicrohttpd. It is a library of its own, mcpwire::http, for POSIX
 * and Windows.
 *
 *     mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
 *     options.port = 8080;
 *     status = mcpw_serve_http(server, &options, &error);
 *
 * One thread serves all connections. By default only this machine can reach it.
 */
#ifndef MCPW_HTTP_SERVE_H
#define MCPW_HTTP_SERVE_H

#include <mcpw/diagnostics.h>
#include <mcpw/http.h>
#include <mcpw/server.h>
#include <mcpw/thread.h>

MCPW_BEGIN_DECLS

/* A listener takes connections and serves them. */
typedef struct mcpw_http_listener mcpw_http_listener;

/* How to serve. Zero and NULL take the default. Initialise with MCPW_HTTP_SERVE_OPTIONS_INIT. Everything that
 * they point at must live until the called function returns. */
typedef struct mcpw_http_serve_options {
    size_t struct_size;  /* set by MCPW_HTTP_SERVE_OPTIONS_INIT */
    const char *address; /* to bind to, in digits: "0.0.0.0", "::1"; default "127.0.0.1" */
    uint16_t port;       /* 0: any free port; mcpw_http_listener_port returns it */
    /* A socket that already listens, such as one from systemd, in place of address and port; 0, -1: none. It
     * is closed with the listener, or if no listener can be made. */
    int socket;
    /* TLS: the certificate as PEM text, followed by its chain of issuers. NULL: no TLS. */
    const char *certificate;
    const char *key;          /* the certificate's key, as PEM text without a password */
    unsigned max_connections; /* at once; more wait; default: as many as there are descriptors */
    unsigned max_per_address; /* connections from one address; default: no limit */
    /* ms without a byte after which a connection is closed; default 30000; rounded up to whole seconds. It
     * applies to a connection without a complete request, and to one that does not read. A connection is also
     * closed if its next head is not complete after twice that time. The same holds for the rest of a body
     * whose request was answered early. */
    unsigned idle_timeout_ms;
    unsigned grace_ms; /* ms to send the last responses after mcpw_http_listener_stop; default 2000 */
    unsigned workers;  /* threads that run handlers, as in mcpw_serve_options; default 0 */
    /* How to serve, with the limits; for mcpw_serve_http without endpoint. Each connection takes max_head and
     * 4 KiB of memory. The default of max_head is 8192 here. */
    const mcpw_http_config *http;
    /* For mcpw_serve_http only: the config of the endpoint. Its role and server are set by the call. */
    const mcpw_session_config *sessions;
    /* For mcpw_serve_http only: called when the listener begins to take connections. The callback may read
     * the port, or keep the listener to stop it. May be NULL. */
    void (*on_start)(void *user, mcpw_http_listener *listener);
    void *user; /* passed to on_start and on_end */
    /* For mcpw_serve_http only: how diagnostics are written if `sessions` has no on_diagnostic. NULL: to
     * standard error, as in <mcpw/diagnostics.h>. The format MCPW_DIAGNOSTICS_OFF writes none. */
    const mcpw_diagnostics_options *diagnostics;
    /* For mcpw_serve_http only: called when the listener has ended and is about to be freed. Code that stops
     * the listener from elsewhere must then forget it. May be NULL. */
    void (*on_end)(void *user, mcpw_http_listener *listener);
} mcpw_http_serve_options;

/* Everything at its default. */
#define MCPW_HTTP_SERVE_OPTIONS_INIT MCPW_SIZED(mcpw_http_serve_options)

/* Serves until mcpw_http_listener_stop is called, then returns MCPW_OK. error may be NULL. Errors as for
 * mcpw_http_listener_new and _run.
 */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_serve_http(mcpw_server *server,
                                                           const mcpw_http_serve_options *options,
                                                           mcpw_error *error);

/* Binds and listens. options->http->endpoint is required and must outlive the listener. Returns NULL on
 * failure, with the reason in error. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_http_listener *
mcpw_http_listener_new(const mcpw_http_serve_options *options, mcpw_error *error);
/* For options->socket: the first socket that systemd has opened for this process (LISTEN_PID and LISTEN_FDS);
 * -1: none that listens. Child processes do not inherit it. */
MCPW_STATIC_API int mcpw_http_given_socket(void);
/* The port of the listener; 0 for a socket that has none. */
MCPW_STATIC_API uint16_t mcpw_http_listener_port(const mcpw_http_listener *listener);
/* The queue of the thread that runs the listener. Any thread may post a call to it by mcpw_queue_post, for
 * example to add a tool. It is closed and freed with the listener. */
MCPW_STATIC_API mcpw_queue *mcpw_http_listener_queue(const mcpw_http_listener *listener);

/* Serves until mcpw_http_listener_stop is called, then returns MCPW_OK. It cannot run again. MCPW_E_IO: error
 * has the system's reason. A client that closes its half of a connection is gone, and its request is handled
 * as in mcpw_http_close. A request whose body does not come in time ends with its connection. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_http_listener_run(mcpw_http_listener *listener,
                                                                  mcpw_error *error);
/* Stops the listener. It takes no more connections, and requests under way end as in mcpw_http_server_stop.
 * Any thread may call this, and a signal handler. */
MCPW_STATIC_API void mcpw_http_listener_stop(mcpw_http_listener *listener);
/* Closes all connections and frees the listener. It must not be running. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_http_listener_free(mcpw_http_listener *listener);

MCPW_END_DECLS

#endif
