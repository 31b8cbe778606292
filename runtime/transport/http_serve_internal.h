/* SPDX-License-Identifier: MIT */
/* What the files of the server by libmicrohttpd ask of each other. */
#ifndef MCPW_HTTP_SERVE_INTERNAL_H
#define MCPW_HTTP_SERVE_INTERNAL_H

#include <mcpw/http_serve.h>

#include <microhttpd.h>

/* A request on its connection. */
typedef struct http_call {
    struct http_call *next;
    struct http_call *before;
    mcpw_http_listener *listener;
    struct MHD_Connection *connection;
    mcpw_http_exchange *exchange;
    struct MHD_Response *response; /* has come before the end of the body */
    int status;
    mcpw_str rest;  /* of what is to be sent: not yet taken */
    size_t passed;  /* bytes of the body so far */
    size_t given;   /* bytes of the response so far */
    bool complete;  /* the body has come */
    bool suspended; /* libmicrohttpd leaves the connection alone */
    bool watched;   /* epoll tells when the peer hangs up */
    bool gone;      /* the peer has hung up, or there is no more time */
    bool closes;    /* nothing more is read from the connection: the answer goes out at once */
} http_call;

/* The parts of a request line, as libmicrohttpd gives them. */
typedef struct http_line {
    const char *method;
    const char *url; /* the target without its query, nothing decoded */
    const char *version;
} http_line;

/* A connection, and those whose next head has not come. */
typedef struct http_peer http_peer;
typedef struct http_heads {
    http_peer *first;
    http_peer *last;
    uint64_t now;
    uint64_t patience; /* ms from the start, or from the end of a request, until the next head is there */
} http_heads;

struct mcpw_http_listener {
    struct MHD_Daemon *daemon;
    mcpw_http_server *http;
    mcpw_queue *queue;
    mcpw_server *server; /* whose changes come by the queue; NULL: there is none */
    mcpw_workers *workers;
    bool resumed;     /* a call goes on in the next turn, or a connection has ended */
    bool stopped;     /* mcpw_http_listener_stop was called */
    http_call *calls; /* all that are under way */
    http_heads heads;
    mcpw_http_config config;
    int epoll;
    int wake; /* eventfd of mcpw_http_listener_stop */
    uint16_t port;
    unsigned grace;
    const mcpw_http_watch *watch; /* NULL: none */
    uint64_t trims;               /* when freed memory goes back to the system; UINT64_MAX: none is to */
};

/* The functions that libmicrohttpd calls; self is the listener. */
enum MHD_Result mcpw_http_call_take(void *self, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *bytes, size_t *len,
                                    void **state);
void mcpw_http_call_completed(void *self, struct MHD_Connection *connection, void **state,
                              enum MHD_RequestTerminationCode why);

/* A connection begins and ends; state is that of libmicrohttpd. */
void mcpw_http_heads_open(http_heads *heads, struct MHD_Connection *connection, void **state);
void mcpw_http_heads_close(http_heads *heads, void **state);
/* A head has come; a request is over. */
void mcpw_http_heads_came(http_heads *heads, struct MHD_Connection *connection);
void mcpw_http_heads_next(http_heads *heads, struct MHD_Connection *connection);
/* The length of the target that has come on a connection. */
void mcpw_http_heads_has_target(struct MHD_Connection *connection, size_t len);
size_t mcpw_http_heads_target(struct MHD_Connection *connection);
/* When the first is late; UINT64_MAX: nobody is waited for. */
uint64_t mcpw_http_heads_deadline(const http_heads *heads);
/* Ends the connections whose heads are late. */
void mcpw_http_heads_advance(http_heads *heads, uint64_t now);

/* Gives freed memory of the process back to the system. */
void mcpw_http_trim(void);

/* Lets a call go on that waits. One that waits for its body has waited too long: its connection ends. */
void mcpw_http_call_go_on(http_call *call);
/* Ends a call whose peer is gone. */
void mcpw_http_call_hang_up(http_call *call);

/* For libmicrohttpd: it tells the target before anything of it is changed, and leaves escapes as they are. */
void *mcpw_http_wire_target(void *self, const char *target, struct MHD_Connection *connection);
size_t mcpw_http_wire_leave(void *self, struct MHD_Connection *connection, char *text);
/* Whether a head was written so that every reader cuts it alike. The fields are in the order in which they
 * came. */
MCPW_NODISCARD bool mcpw_http_wire_is_plain(struct MHD_Connection *connection, const http_line *line,
                                            const mcpw_http_field *fields, size_t count);

#endif
