/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the libmicrohttpd server share. */
#ifndef MCPW_HTTP_SERVE_INTERNAL_H
#define MCPW_HTTP_SERVE_INTERNAL_H

#include "os_net.h"

#include <mcpw/http_serve.h>

#include <microhttpd.h>

/* A request on its connection. */
typedef struct http_call {
    struct http_call *next;
    struct http_call *before;
    mcpw_http_listener *listener;
    struct MHD_Connection *connection;
    mcpw_http_exchange *exchange;
    struct MHD_Response *response; /* it arrived before the end of the body */
    int status;
    mcpw_str rest;  /* the unsent part of the current output */
    size_t passed;  /* bytes of the body so far */
    size_t given;   /* bytes of the response so far */
    bool complete;  /* the body is complete, or its rest is not read */
    bool suspended; /* libmicrohttpd has suspended the connection */
    bool watched;   /* of http_loop_epoll.c: a hang-up of the peer is reported */
    bool gone;      /* the peer has hung up, or the time is over */
    bool closes;    /* nothing more is read from the connection: the response is sent at once */
} http_call;

/* The parts of a request line, as libmicrohttpd passes them. */
typedef struct http_line {
    const char *method;
    const char *url; /* the target without its query, not decoded */
    const char *version;
} http_line;

/* A connection, and the list of connections that wait for their next head. */
typedef struct http_peer http_peer;
typedef struct http_heads {
    http_peer *first;
    http_peer *last;
    uint64_t now;
    uint64_t patience; /* ms from the start, or from the end of a request, to the end of the next head */
} http_heads;

enum { MCPW_HTTP_WATCHES = 2 /* descriptors besides the connections */ };

struct mcpw_http_listener {
    struct MHD_Daemon *daemon;
    mcpw_http_server *http;
    mcpw_queue *queue;
    mcpw_server *server; /* its changes arrive by the queue; NULL: none */
    mcpw_workers *workers;
    bool resumed;     /* a call continues in the next turn, or a connection has ended */
    bool stopped;     /* mcpw_http_listener_stop was called */
    http_call *calls; /* all open ones */
    http_heads heads;
    unsigned connections;
    unsigned most_connections;
    mcpw_http_config config;
    struct mcpw_http_loop *loop;
    void (*on_hang_up)(http_call *call); /* the loop calls it when the peer of a call has gone */
    uint16_t port;
    unsigned grace;
    const mcpw_http_watch *watches[MCPW_HTTP_WATCHES]; /* of the cluster and of the verifier; NULL: none */
    uint64_t trims; /* the time to return freed memory to the system; UINT64_MAX: none */
};

/* The functions that libmicrohttpd calls; self is the listener. */
enum MHD_Result mcpw_http_call_take(void *self, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *bytes, size_t *len,
                                    void **state);
void mcpw_http_call_completed(void *self, struct MHD_Connection *connection, void **state,
                              enum MHD_RequestTerminationCode why);

/* Begins and ends a connection; state belongs to libmicrohttpd. */
void mcpw_http_heads_open(http_heads *heads, struct MHD_Connection *connection, void **state);
void mcpw_http_heads_close(http_heads *heads, void **state);
/* Reports that a head is complete, and that a request has ended. */
void mcpw_http_heads_came(http_heads *heads, struct MHD_Connection *connection);
void mcpw_http_heads_next(http_heads *heads, struct MHD_Connection *connection);
/* Sets and returns the length of the target that has arrived on a connection. */
void mcpw_http_heads_has_target(struct MHD_Connection *connection, size_t len);
size_t mcpw_http_heads_target(struct MHD_Connection *connection);
/* The next deadline; UINT64_MAX: none. */
uint64_t mcpw_http_heads_deadline(const http_heads *heads);
/* Closes the connections whose heads are late. */
void mcpw_http_heads_advance(http_heads *heads, uint64_t now);

/* Returns freed memory of the process to the system. */
void mcpw_http_trim(void);

/* Continues a suspended call. One that waits for its body keeps its response until then, unless the time for
 * the body is over: then its connection ends. */
void mcpw_http_call_go_on(http_call *call);
/* Ends a call whose peer has gone. */
void mcpw_http_call_hang_up(http_call *call);

/* The socket of a connection. */
static inline mcpw_socket mcpw_http_call_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : MCPW_NO_SOCKET;
}

/* ---- http_loop_epoll.c, http_loop_poll.c: the wait of the loop. A build has one of them. ----------------
 */

typedef struct mcpw_http_loop mcpw_http_loop;

/* The flags of the daemon, and the most connections that it can have. */
unsigned mcpw_http_loop_flags(void);
unsigned mcpw_http_loop_most_connections(void);
/* Begins to look at the daemon and all else that wakes the loop. After a failure it is ended as well. */
MCPW_NODISCARD mcpw_status mcpw_http_loop_begin(mcpw_http_listener *listener, mcpw_error *error);
void mcpw_http_loop_end(mcpw_http_listener *listener);
/* Waits at most timeout ms (-1: no limit). It notes that the listener was stopped, hangs up the calls whose
 * peers have gone, and sets the bits of the watches whose descriptors are readable. */
MCPW_NODISCARD mcpw_status mcpw_http_loop_wait(mcpw_http_listener *listener, int timeout, unsigned *readable,
                                               mcpw_error *error);
/* Lets libmicrohttpd work. False: it cannot. */
MCPW_NODISCARD bool mcpw_http_loop_drive(mcpw_http_listener *listener);
/* Ends the wait as stopped. Any thread may call it, and a signal handler. */
void mcpw_http_loop_wake(const mcpw_http_listener *listener);
/* Begins and ends to look for a hang-up of a call's peer: libmicrohttpd does not look at a suspended
 * connection. */
void mcpw_http_loop_watch(http_call *call);
void mcpw_http_loop_unwatch(http_call *call);
/* A connection is about to be closed. */
void mcpw_http_loop_closed(mcpw_http_listener *listener, struct MHD_Connection *connection);

/* ---- http_wire.c ----------------------------------------------------------------------------------------
 */

/* Callbacks of libmicrohttpd: the first receives the raw target, the second leaves escapes as they are. */
void *mcpw_http_wire_target(void *self, const char *target, struct MHD_Connection *connection);
size_t mcpw_http_wire_leave(void *self, struct MHD_Connection *connection, char *text);
/* True if every reader splits the head in the same manner. The fields are in the order of the head. */
MCPW_NODISCARD bool mcpw_http_wire_is_plain(struct MHD_Connection *connection, const http_line *line,
                                            const mcpw_http_field *fields, size_t count);

#endif
