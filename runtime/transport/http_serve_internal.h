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
    bool complete;  /* the body has come */
    bool suspended; /* libmicrohttpd leaves the connection alone */
    bool watched;   /* epoll tells when the peer hangs up */
    bool gone;      /* the peer has hung up, or there is no more time */
} http_call;

struct mcpw_http_listener {
    struct MHD_Daemon *daemon;
    mcpw_http_server *http;
    mcpw_queue *queue;
    mcpw_workers *workers;
    bool resumed;     /* a call goes on in the next turn, or a connection has ended */
    http_call *calls; /* all that are under way */
    mcpw_http_config config;
    int epoll;
    int wake; /* eventfd of mcpw_http_listener_stop */
    uint16_t port;
    unsigned grace;
    const mcpw_http_watch *watch; /* NULL: none */
};

/* The functions that libmicrohttpd calls; self is the listener. */
enum MHD_Result mcpw_http_call_take(void *self, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *bytes, size_t *len,
                                    void **state);
void mcpw_http_call_completed(void *self, struct MHD_Connection *connection, void **state,
                              enum MHD_RequestTerminationCode why);

/* Lets a call go on that waits. One that waits for its body has waited too long: its connection ends. */
void mcpw_http_call_go_on(http_call *call);
/* Ends a call whose peer is gone. */
void mcpw_http_call_hang_up(http_call *call);

#endif
