/* SPDX-License-Identifier: MIT */
/* An HTTP server with libmicrohttpd: its socket, its loop and its end. */
#define _POSIX_C_SOURCE 200809L /* getaddrinfo */
#include "os_net.h"

#include "http_serve_internal.h"
#include "serve_diagnostics.h"

#include <mcpw/detail/session.h>
#include <mcpw/http_protect.h>
#include <mcpw/io.h>
#include <mcpw/limits.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that libmicrohttpd allocates for each connection and clears for each request: the head, and beside
 * it the list of its fields, a part of the body and the head of the response. */
enum { DEFAULT_MAX_HEAD = 8192, BESIDE_HEAD = 4096 };
enum { DEFAULT_IDLE_TIMEOUT = 30, MS = 1000, DEFAULT_GRACE = 2000, PORT_TEXT = 8, WHY = 128 };

static mcpw_status misused(mcpw_error *error, const char *why) {
    return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", why);
}

/* The socket that the options give; MCPW_NO_SOCKET: none. */
static mcpw_socket given_socket(const mcpw_http_serve_options *options) {
    return options->socket > 0 ? (mcpw_socket)options->socket : MCPW_NO_SOCKET;
}

static void close_given(const mcpw_http_serve_options *options) {
    mcpw_socket socket = given_socket(options);
    mcpw_net_close(&socket);
}

/* ---- Parts --------------------------------------------------------------------------------------------- */

/* Binds a socket and listens. MCPW_NO_SOCKET: it failed. */
static mcpw_socket listen_at(const struct addrinfo *found, const char *address, const char *port,
                             mcpw_error *error) {
    mcpw_socket made = mcpw_net_open(found->ai_family, SOCK_STREAM, 0, false);
    char why[WHY];
    if (made == MCPW_NO_SOCKET) {
        mcpw_net_explain(why, sizeof why);
        (void)mcpw_error_set(error, MCPW_E_IO, 0, "socket: %s", why);
    } else if (!mcpw_net_take_port(made) || bind(made, found->ai_addr, (socklen_t)found->ai_addrlen) != 0 ||
               listen(made, SOMAXCONN) != 0) {
        const bool has_colons = strchr(address, ':') != NULL;
        mcpw_net_explain(why, sizeof why);
        mcpw_error_set(error, MCPW_E_IO, 0, "cannot listen on %s%s%s:%s: %s", has_colons ? "[" : "", address,
                       has_colons ? "]" : "", port, why);
        mcpw_net_close(&made);
    }
    return made;
}

/* Opens a listening socket; MCPW_NO_SOCKET: it failed. */
static mcpw_socket open_socket(const mcpw_http_serve_options *options, mcpw_error *error) {
    const char *const address = options->address != NULL ? options->address : "127.0.0.1";
    struct addrinfo hints;
    struct addrinfo *found = NULL;
    char port[PORT_TEXT];
    memset(&hints, 0, sizeof hints);
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    (void)snprintf(port, sizeof port, "%u", options->port);
    const int why = mcpw_net_start() ? getaddrinfo(address, port, &hints, &found) : EAI_FAIL;
    if (why != 0) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "cannot bind to %s: %s", address, gai_strerror(why));
        return MCPW_NO_SOCKET;
    }
    const mcpw_socket made = listen_at(found, address, port, error);
    freeaddrinfo(found);
    return made;
}

static uint16_t port_of(mcpw_socket socket) {
    struct sockaddr_storage name;
    socklen_t len = sizeof name;
    char port[PORT_TEXT];
    memset(&name, 0, sizeof name);
    if (getsockname(socket, (struct sockaddr *)&name, &len) != 0 ||
        getnameinfo((struct sockaddr *)&name, len, NULL, 0, port, sizeof port, NI_NUMERICSERV) != 0) {
        return 0;
    }
    return (uint16_t)strtoul(port, NULL, 10);
}

/* Attaches a session to the listener's thread. Without a queue its handlers run there. */
static void prepare(void *self, mcpw_session *session) {
    const mcpw_http_listener *const listener = self;
    if (mcpw_session_set_queue(session, listener->queue) == MCPW_OK && listener->workers != NULL &&
        mcpw_session_set_workers(session, listener->workers) != MCPW_OK) {
        return;
    }
    if (listener->config.on_session != NULL) {
        listener->config.on_session(listener->config.user, session);
    }
}

static bool authorize(void *self, const mcpw_http_exchange *exchange, mcpw_str token,
                      mcpw_http_grant *grant) {
    const mcpw_http_listener *const listener = self;
    return listener->config.authorize(listener->config.user, exchange, token, grant);
}

/* The descriptor of a verifier; NULL: it has none. mcpw_http_server_new refuses structs that are not
 * initialised. */
static const mcpw_http_watch *verifier_watch(const mcpw_http_protect *given) {
    mcpw_http_protect protect = MCPW_HTTP_PROTECT_INIT;
    mcpw_http_verifier verifier = MCPW_HTTP_VERIFIER_INIT;
    const bool is_taken =
        MCPW_TAKE(&protect, max_waiting_bytes, given) && MCPW_TAKE(&verifier, watch, protect.verifier);
    return is_taken ? verifier.watch : NULL;
}

static mcpw_status make_core(mcpw_http_listener *listener, const mcpw_http_serve_options *options,
                             mcpw_error *error) {
    mcpw_http_config own;
    if (!MCPW_TAKE(&listener->config, protect, options->http)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "http was not initialised with MCPW_HTTP_CONFIG_INIT");
    }
    listener->watches[0] = options->http->cluster != NULL ? options->http->cluster->watch : NULL;
    listener->watches[1] = verifier_watch(listener->config.protect);
    if (listener->config.max_body == 0) {
        listener->config.max_body = MCPW_DEFAULT_BYTES;
    }
    if (listener->config.max_head == 0) {
        listener->config.max_head = DEFAULT_MAX_HEAD;
    }
    own = listener->config;
    own.on_session = prepare;
    own.authorize = own.authorize != NULL ? authorize : NULL;
    own.user = listener;
    listener->queue = mcpw_queue_new(error);
    if (listener->queue == NULL) {
        return MCPW_E_IO;
    }
    listener->server = options->http->endpoint != NULL ? mcpw_endpoint_server(options->http->endpoint) : NULL;
    if (listener->server != NULL && mcpw_server_set_queue(listener->server, listener->queue) != MCPW_OK) {
        listener->server = NULL;
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory");
    }
    if (options->workers != 0) {
        listener->workers = mcpw_workers_new(options->workers, error);
        if (listener->workers == NULL) {
            return MCPW_E_IO;
        }
    }
    listener->http = mcpw_http_server_new(&own, error);
    if (listener->http == NULL) {
        return MCPW_E_ARGUMENT;
    }
    mcpw_http_advance(listener->http, mcpw_io_now());
    return MCPW_OK;
}

/* The maximum number of connections. The default of libmicrohttpd is the limit of select. */
static unsigned most_connections(const mcpw_http_serve_options *options) {
    const unsigned most = mcpw_http_loop_most_connections();
    return options->max_connections != 0 && options->max_connections < most ? options->max_connections : most;
}

/* At the maximum number of connections, libmicrohttpd accepts the next one only when it runs again. */
static void on_connection(void *self, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode what) {
    mcpw_http_listener *const listener = self;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        listener->connections++;
        mcpw_http_heads_open(&listener->heads, connection, state);
    } else {
        mcpw_http_heads_close(&listener->heads, state);
        listener->connections--;
        mcpw_http_loop_closed(listener, connection);
    }
    listener->resumed = listener->resumed || what == MHD_CONNECTION_NOTIFY_CLOSED;
}

/* Creates the daemon, which takes over the socket. */
static mcpw_status make_daemon(mcpw_http_listener *listener, const mcpw_http_serve_options *options,
                               mcpw_socket *socket, mcpw_error *error) {
    unsigned flags = mcpw_http_loop_flags() | MHD_ALLOW_SUSPEND_RESUME;
    const unsigned idle =
        options->idle_timeout_ms != 0 ? (options->idle_timeout_ms - 1) / MS + 1 : DEFAULT_IDLE_TIMEOUT;
    /* A client that begins its next request just before the idle timeout has that time again for its head. */
    listener->most_connections = most_connections(options);
    listener->heads.now = mcpw_io_now();
    listener->heads.patience = (uint64_t)2 * idle * MS;
    struct MHD_OptionItem items[] = {
        {MHD_OPTION_LISTEN_SOCKET, (intptr_t)*socket, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)(listener->config.max_head + BESIDE_HEAD), NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)idle, NULL},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT, (intptr_t)options->max_per_address, NULL},
        {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)listener->most_connections, NULL},
        {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem secrets[] = {
        {options->certificate != NULL ? MHD_OPTION_HTTPS_MEM_CERT : MHD_OPTION_END, 0,
         (void *)(uintptr_t)options->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)options->key},
        {MHD_OPTION_END, 0, NULL}};
    if (options->certificate != NULL) {
        flags |= MHD_USE_TLS;
    }
    listener->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, mcpw_http_call_take, listener, MHD_OPTION_NOTIFY_COMPLETED,
        mcpw_http_call_completed, listener, MHD_OPTION_NOTIFY_CONNECTION, on_connection, listener,
        MHD_OPTION_URI_LOG_CALLBACK, mcpw_http_wire_target, NULL, MHD_OPTION_UNESCAPE_CALLBACK,
        mcpw_http_wire_leave, NULL, MHD_OPTION_ARRAY, items, MHD_OPTION_ARRAY, secrets, MHD_OPTION_END);
    if (listener->daemon == NULL) {
        return mcpw_error_set(error, MCPW_E_IO, 0, "%s",
                              options->certificate != NULL
                                  ? "libmicrohttpd does not start: the certificate or its key cannot be used"
                                  : "libmicrohttpd does not start");
    }
    *socket = MCPW_NO_SOCKET;
    return MCPW_OK;
}

/* Checks the options; NULL: they are valid. own has the defaults, and receives the options. */
static const char *wrong_with(mcpw_http_serve_options *own, const mcpw_http_serve_options *given) {
    const mcpw_http_serve_options *const options = own;
    if (given == NULL || !MCPW_TAKE(own, on_end, given)) {
        return "the options were not initialised with MCPW_HTTP_SERVE_OPTIONS_INIT";
    }
    if (options->http == NULL) {
        return "the options have no mcpw_http_config to serve";
    }
    if ((options->certificate == NULL) != (options->key == NULL)) {
        return "a certificate needs its key, and a key its certificate";
    }
    return NULL;
}

mcpw_http_listener *mcpw_http_listener_new(const mcpw_http_serve_options *given, mcpw_error *error) {
    mcpw_http_serve_options own = MCPW_HTTP_SERVE_OPTIONS_INIT;
    const mcpw_http_serve_options *const options = &own;
    const char *const wrong = wrong_with(&own, given);
    mcpw_http_listener *const listener = wrong == NULL ? calloc(1, sizeof *listener) : NULL;
    mcpw_status status = MCPW_OK;
    if (listener == NULL) {
        if (wrong != NULL) {
            (void)misused(error, wrong);
        } else {
            mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory");
        }
        close_given(options);
        return NULL;
    }
    listener->on_hang_up = mcpw_http_call_hang_up;
    listener->trims = UINT64_MAX;
    listener->grace = options->grace_ms != 0 ? options->grace_ms : DEFAULT_GRACE;
    mcpw_socket socket = given_socket(options);
    socket = socket == MCPW_NO_SOCKET ? open_socket(options, error) : socket;
    if (socket == MCPW_NO_SOCKET) {
        status = MCPW_E_IO;
    } else {
        listener->port = port_of(socket);
        status = make_core(listener, options, error);
    }
    if (status == MCPW_OK) {
        status = make_daemon(listener, options, &socket, error);
    }
    if (status == MCPW_OK) {
        status = mcpw_http_loop_begin(listener, error);
    }
    mcpw_net_close(&socket);
    if (status != MCPW_OK) {
        mcpw_http_listener_free(listener);
        return NULL;
    }
    return listener;
}

uint16_t mcpw_http_listener_port(const mcpw_http_listener *listener) { return listener->port; }

mcpw_queue *mcpw_http_listener_queue(const mcpw_http_listener *listener) { return listener->queue; }

/* ---- The loop ------------------------------------------------------------------------------------------ */

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t deadline_of(const mcpw_http_watch *watch) {
    return watch != NULL ? watch->deadline(watch->self) : UINT64_MAX;
}

static uint64_t watch_deadline(const mcpw_http_listener *listener) {
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < MCPW_HTTP_WATCHES; i++) {
        first = earlier(first, deadline_of(listener->watches[i]));
    }
    return first;
}

/* Runs the program's descriptors that are readable or due. */
static void run_watches(const mcpw_http_listener *listener, unsigned readable, uint64_t now) {
    for (size_t i = 0; i < MCPW_HTTP_WATCHES; i++) {
        const mcpw_http_watch *const watch = listener->watches[i];
        if (watch != NULL && ((readable >> i & 1U) != 0 || deadline_of(watch) <= now)) {
            watch->run(watch->self, now);
        }
    }
}

static int wait_for(const mcpw_http_listener *listener, uint64_t end) {
    const uint64_t now = mcpw_io_now();
    const uint64_t due =
        earlier(earlier(mcpw_http_deadline(listener->http), watch_deadline(listener)), listener->trims);
    const uint64_t first = earlier(earlier(due, mcpw_http_heads_deadline(&listener->heads)), end);
    unsigned long long most;
    uint64_t wait = first == UINT64_MAX ? UINT64_MAX : first > now ? first - now : 0;
    if (listener->resumed) { /* libmicrohttpd does not always report it */
        return 0;
    }
    if (MHD_get_timeout(listener->daemon, &most) == MHD_YES && most < wait) {
        wait = most;
    }
    return wait == UINT64_MAX ? -1 : wait < INT_MAX ? (int)wait : INT_MAX;
}

/* Continues the calls that have output. */
static void go_on(mcpw_http_listener *listener) {
    mcpw_http_exchange *exchange = mcpw_http_ready(listener->http);
    while (exchange != NULL) {
        http_call *const call = mcpw_http_user(exchange);
        if (call != NULL) {
            mcpw_http_call_go_on(call);
        }
        exchange = mcpw_http_ready(listener->http);
    }
}

/* Runs the loop once. Only libmicrohttpd frees calls, so what the wait reports stays valid until it works. */
static mcpw_status turn(mcpw_http_listener *listener, uint64_t end, mcpw_error *error) {
    unsigned readable = 0;
    const mcpw_status status = mcpw_http_loop_wait(listener, wait_for(listener, end), &readable, error);
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_queue_run(listener->queue);
    const uint64_t now = mcpw_io_now();
    run_watches(listener, readable, now);
    mcpw_http_advance(listener->http, now);
    mcpw_http_heads_advance(&listener->heads, now);
    listener->resumed = false;
    if (!mcpw_http_loop_drive(listener)) {
        return mcpw_error_set(error, MCPW_E_IO, 0, "libmicrohttpd does not work");
    }
    go_on(listener);
    if (listener->trims <= now) {
        listener->trims = UINT64_MAX;
        mcpw_http_trim();
    }
    return MCPW_OK;
}

mcpw_status mcpw_http_listener_run(mcpw_http_listener *listener, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    listener->stopped = false;
    while (status == MCPW_OK && !listener->stopped) {
        status = turn(listener, UINT64_MAX, error);
    }
    mcpw_socket socket = MHD_quiesce_daemon(listener->daemon);
    mcpw_net_close(&socket);
    mcpw_http_server_stop(listener->http);
    go_on(listener);
    const uint64_t end = mcpw_io_now() + listener->grace;
    while (status == MCPW_OK && listener->calls != NULL && mcpw_io_now() < end) {
        status = turn(listener, end, error);
    }
    return status;
}

void mcpw_http_listener_stop(mcpw_http_listener *listener) { mcpw_http_loop_wake(listener); }

void mcpw_http_listener_free(mcpw_http_listener *listener) {
    if (listener == NULL) {
        return;
    }
    for (http_call *call = listener->calls; call != NULL; call = call->next) {
        mcpw_http_call_hang_up(call);
    }
    if (listener->daemon != NULL) {
        (void)!mcpw_http_loop_drive(listener); /* it cannot stop with suspended connections */
        MHD_stop_daemon(listener->daemon);
    }
    mcpw_http_server_free(listener->http);
    mcpw_server_unset_queue(listener->server, listener->queue); /* ends what extensions have on the workers */
    mcpw_workers_free(listener->workers);
    mcpw_queue_free(listener->queue);
    mcpw_http_loop_end(listener);
    free(listener);
}

/* ---- The public call ----------------------------------------------------------------------------------- */

static mcpw_status serve(const mcpw_http_serve_options *options, mcpw_error *error) {
    mcpw_http_listener *const listener = mcpw_http_listener_new(options, error);
    mcpw_status status = error->code;
    if (listener != NULL) {
        if (options->on_start != NULL) {
            options->on_start(options->user, listener);
        }
        status = mcpw_http_listener_run(listener, error);
        if (options->on_end != NULL) {
            options->on_end(options->user, listener);
        }
    }
    mcpw_http_listener_free(listener);
    return status;
}

mcpw_status mcpw_serve_http(mcpw_server *server, const mcpw_http_serve_options *options, mcpw_error *error) {
    mcpw_http_serve_options own = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_diagnostics *diagnostics = NULL;
    mcpw_error why;
    if (!MCPW_TAKE(&own, on_end, options)) {
        return misused(error, "the options were not initialised with MCPW_HTTP_SERVE_OPTIONS_INIT");
    }
    if (server == NULL) {
        close_given(&own);
        return misused(error, "mcpw_serve_http needs a server: see mcpw_server_new");
    }
    if (!MCPW_TAKE(&http, protect, own.http) || !MCPW_TAKE(&sessions, diagnostic_user, own.sessions)) {
        close_given(&own);
        return misused(error, "http or sessions of the options was not initialised with its _INIT macro");
    }
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = server;
    mcpw_status status = MCPW_OK;
    if (sessions.on_diagnostic == NULL) {
        status = mcpw_serve_diagnostics(server, own.diagnostics, &diagnostics, &why);
        sessions.on_diagnostic = diagnostics != NULL ? mcpw_diagnostics_write : NULL;
        sessions.diagnostic_user = diagnostics;
    }
    if (status == MCPW_OK) {
        http.endpoint = mcpw_endpoint_new(&sessions, &why);
        own.http = &http;
        status = http.endpoint != NULL ? MCPW_OK : why.code;
    }
    if (status == MCPW_OK) {
        status = serve(&own, &why);
    } else {
        close_given(&own);
    }
    mcpw_endpoint_free(http.endpoint);
    mcpw_diagnostics_free(diagnostics);
    if (status != MCPW_OK && error != NULL) {
        *error = why;
    }
    return status;
}
