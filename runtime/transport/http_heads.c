/* SPDX-License-Identifier: MIT */
/* The time limit of request heads. libmicrohttpd closes a silent connection, but a client that sends a byte
 * now and then could stay for hours without a complete request. */
#include "os_net.h"

#include "http_serve_internal.h"

#include <stdlib.h>

/* A connection. All have the same time limit, so the waiting ones are listed in the order of their deadlines.
 */
struct http_peer {
    http_peer *next;
    http_peer *before;
    struct MHD_Connection *connection;
    size_t target; /* bytes of the last target */
    uint64_t due;  /* the deadline of the head */
    bool waits;    /* it is in the list */
};

static http_peer *peer_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static void stop_waiting(http_heads *heads, http_peer *peer) {
    if (!peer->waits) {
        return;
    }
    *(peer->before != NULL ? &peer->before->next : &heads->first) = peer->next;
    *(peer->next != NULL ? &peer->next->before : &heads->last) = peer->before;
    peer->waits = false;
}

static void wait_for(http_heads *heads, http_peer *peer) {
    stop_waiting(heads, peer);
    peer->due = heads->now + heads->patience;
    peer->waits = true;
    peer->next = NULL;
    peer->before = heads->last;
    *(heads->last != NULL ? &heads->last->next : &heads->first) = peer;
    heads->last = peer;
}

static void hang_up(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info != NULL) {
        (void)shutdown(info->connect_fd, MCPW_NET_BOTH);
    }
}

void mcpw_http_heads_open(http_heads *heads, struct MHD_Connection *connection, void **state) {
    http_peer *const peer = calloc(1, sizeof *peer);
    *state = peer;
    if (peer == NULL) {
        hang_up(connection);
        return;
    }
    peer->connection = connection;
    wait_for(heads, peer);
}

void mcpw_http_heads_close(http_heads *heads, void **state) {
    http_peer *const peer = *state;
    *state = NULL;
    if (peer != NULL) {
        stop_waiting(heads, peer);
        free(peer);
    }
}

void mcpw_http_heads_came(http_heads *heads, struct MHD_Connection *connection) {
    http_peer *const peer = peer_of(connection);
    if (peer != NULL) {
        stop_waiting(heads, peer);
    }
}

void mcpw_http_heads_next(http_heads *heads, struct MHD_Connection *connection) {
    http_peer *const peer = peer_of(connection);
    if (peer != NULL) {
        wait_for(heads, peer);
    }
}

void mcpw_http_heads_has_target(struct MHD_Connection *connection, size_t len) {
    http_peer *const peer = peer_of(connection);
    if (peer != NULL) {
        peer->target = len;
    }
}

size_t mcpw_http_heads_target(struct MHD_Connection *connection) {
    const http_peer *const peer = peer_of(connection);
    return peer != NULL ? peer->target : 0;
}

uint64_t mcpw_http_heads_deadline(const http_heads *heads) {
    return heads->first != NULL ? heads->first->due : UINT64_MAX;
}

void mcpw_http_heads_advance(http_heads *heads, uint64_t now) {
    heads->now = now;
    while (heads->first != NULL && heads->first->due <= now) {
        http_peer *const late = heads->first;
        stop_waiting(heads, late);
        hang_up(late->connection);
    }
}
