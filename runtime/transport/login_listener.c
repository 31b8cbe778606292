/* SPDX-License-Identifier: MIT */
/* The receiver of the redirect on this machine: one GET of one path. It implements only the HTTP that this
 * needs. Browsers open connections in advance, so there may be several. (RFC 8252, sections 7.3 and 8.3.) */
#include "os_net.h"

#include "../base/wipe.h"
#include "login_internal.h"

#include <mcpw/io.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_CONNECTIONS = 4,
    HEAD_SIZE = 16384,     /* bytes of a request's head; a code may be long */
    TIME_LIMIT_MS = 10000, /* of a connection */
    BACKLOG = 8,
    OK = 200,
    BAD_REQUEST = 400,
    NOT_FOUND = 404,
    TOO_LONG = 431
};

static const char cannot_listen[] =
    "redirect_uri: its port cannot be listened at; another program may have it";

/* A connection of a browser. */
typedef struct connection {
    mcpw_socket socket; /* MCPW_NO_SOCKET: none */
    uint64_t due;
    size_t len;
    bool has_response; /* the rest of its input is skipped */
    char head[HEAD_SIZE];
} connection;

enum { IPV4, IPV6, FAMILIES };

struct mcpw_login_listener {
    bool is_wanted[FAMILIES];
    mcpw_socket sockets[FAMILIES]; /* MCPW_NO_SOCKET: none */
    unsigned port;
    mcpw_os_set *set; /* its owner's; who is the socket */
    bool is_open;
    char path[MCPW_LOGIN_URI_SIZE];
    connection connections[MOST_CONNECTIONS];
};

/* ---- Opening ------------------------------------------------------------------------------------------- */

typedef union any_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} any_address;

/* An address of this machine. */
static socklen_t local_address(any_address *address, bool is_v6, unsigned port) {
    memset(address, 0, sizeof *address);
    if (is_v6) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_addr = in6addr_loopback;
        address->v6.sin6_port = htons((uint16_t)port);
        return sizeof address->v6;
    }
    address->v4.sin_family = AF_INET;
    address->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address->v4.sin_port = htons((uint16_t)port);
    return sizeof address->v4;
}

/* Binds a socket, whose port is then known. MCPW_NO_SOCKET: mcpw_net_error has the reason. */
static mcpw_socket bind_to(bool is_v6, unsigned *port) {
    any_address address;
    socklen_t len = local_address(&address, is_v6, *port);
    mcpw_socket made = mcpw_net_open(address.any.sa_family, SOCK_STREAM, 0, false);
    if (made == MCPW_NO_SOCKET) {
        return made;
    }
    if (!mcpw_net_take_port(made) || bind(made, &address.any, len) != 0 ||
        getsockname(made, &address.any, &len) != 0) {
        mcpw_net_close(&made);
        return made;
    }
    *port = ntohs(is_v6 ? address.v6.sin6_port : address.v4.sin_port);
    return made;
}

/* Reads a URI that a listener can take. */
static bool read_uri(const char *uri, mcpw_login_url *url) {
    return mcpw_login_url_read(uri, url) && !url->is_https && (url->is_v4 || url->is_v6) && url->port != 0 &&
           !url->has_query;
}

bool mcpw_login_can_listen_at(const char *uri) {
    mcpw_login_url url;
    return read_uri(uri, &url);
}

/* Binds the wanted sockets. A family that this machine lacks is not wanted any more. */
static bool bind_sockets(mcpw_login_listener *listener) {
    bool is_any = false;
    for (size_t i = 0; i < FAMILIES; i++) {
        mcpw_socket *const socket = listener->sockets + i;
        if (listener->is_wanted[i] && *socket == MCPW_NO_SOCKET) {
            *socket = bind_to(i == IPV6, &listener->port);
            listener->is_wanted[i] = *socket != MCPW_NO_SOCKET || !mcpw_net_lacks_address(mcpw_net_error());
            if (listener->is_wanted[i] && *socket == MCPW_NO_SOCKET) {
                return false;
            }
        }
        is_any = is_any || *socket != MCPW_NO_SOCKET;
    }
    return is_any;
}

/* Chooses the path, the port and the addresses. A random port is written to the URI. A browser may resolve
 * "localhost" to either address, so both are taken. */
static bool prepare(mcpw_login_listener *listener, char uri[MCPW_LOGIN_URI_SIZE]) {
    static const char own_path[] = "/callback";
    mcpw_login_url url;
    if (uri[0] != '\0') {
        if (!read_uri(uri, &url)) {
            return false;
        }
        listener->is_wanted[IPV4] = url.is_v4;
        listener->is_wanted[IPV6] = url.is_v6;
        listener->port = url.port;
        memcpy(listener->path, url.path, sizeof listener->path);
        return bind_sockets(listener);
    }
    memcpy(listener->path, own_path, sizeof own_path);
    listener->is_wanted[IPV4] = true;
    listener->is_wanted[IPV6] = !bind_sockets(listener); /* where there is no IPv4 */
    listener->is_wanted[IPV4] = !listener->is_wanted[IPV6];
    const bool is_bound = bind_sockets(listener);
    (void)snprintf(uri, MCPW_LOGIN_URI_SIZE, "http://%s:%u%s",
                   listener->is_wanted[IPV6] ? "[::1]" : "127.0.0.1", listener->port, own_path);
    return is_bound;
}

static void leave(const mcpw_login_listener *listener, mcpw_socket *socket) {
    if (*socket != MCPW_NO_SOCKET) {
        mcpw_os_set_drop(listener->set, (mcpw_handle)*socket);
    }
    mcpw_net_close(socket);
}

static bool join(const mcpw_login_listener *listener, mcpw_socket socket) {
    return mcpw_os_set_put(listener->set, (mcpw_handle)socket, MCPW_SET_IN, (uintptr_t)socket);
}

static void close_sockets(mcpw_login_listener *listener) {
    for (size_t i = 0; i < FAMILIES; i++) {
        leave(listener, listener->sockets + i);
    }
}

mcpw_login_listener *mcpw_login_listener_new(char uri[MCPW_LOGIN_URI_SIZE], mcpw_os_set *set,
                                             mcpw_error *error) {
    mcpw_login_listener *const listener = calloc(1, sizeof *listener);
    if (listener == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a listener");
        return NULL;
    }
    listener->sockets[IPV4] = listener->sockets[IPV6] = MCPW_NO_SOCKET;
    listener->set = set;
    for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
        listener->connections[i].socket = MCPW_NO_SOCKET;
    }
    if (!prepare(listener, uri)) {
        mcpw_error_set(error, MCPW_E_IO, 0, cannot_listen);
        mcpw_login_listener_free(listener);
        return NULL;
    }
    return listener;
}

static bool begin_listening(const mcpw_login_listener *listener) {
    for (size_t i = 0; i < FAMILIES; i++) {
        const mcpw_socket socket = listener->sockets[i];
        if (socket != MCPW_NO_SOCKET && (listen(socket, BACKLOG) != 0 || !join(listener, socket))) {
            return false;
        }
    }
    return true;
}

mcpw_status mcpw_login_listener_open(mcpw_login_listener *listener, mcpw_error *error) {
    if (listener->is_open) {
        return MCPW_OK;
    }
    if (!bind_sockets(listener) || !begin_listening(listener)) {
        close_sockets(listener);
        return mcpw_error_set(error, MCPW_E_IO, 0, cannot_listen);
    }
    listener->is_open = true;
    return MCPW_OK;
}

/* ---- Connections ------------------------------------------------------------------------------------------
 */

static void disconnect(const mcpw_login_listener *listener, connection *c) {
    if (c->socket != MCPW_NO_SOCKET) {
        leave(listener, &c->socket);
        mcpw_wipe(c->head, c->len); /* it may have a code in it */
    }
    c->len = 0;
}

void mcpw_login_listener_free(mcpw_login_listener *listener) {
    if (listener == NULL) {
        return;
    }
    for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
        disconnect(listener, &listener->connections[i]);
    }
    close_sockets(listener);
    free(listener);
}

void mcpw_login_listener_close(mcpw_login_listener *listener) {
    if (listener == NULL || !listener->is_open) {
        return;
    }
    for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
        if (!listener->connections[i].has_response) { /* the others end when the browser has its page */
            disconnect(listener, &listener->connections[i]);
        }
    }
    close_sockets(listener);
    listener->is_open = false;
    (void)bind_sockets(listener); /* keeps the port for the next login, which tries it again */
}

bool mcpw_login_listener_has(const mcpw_login_listener *listener, uintptr_t socket) {
    const mcpw_socket it = (mcpw_socket)socket;
    bool has = listener != NULL && (listener->sockets[IPV4] == it || listener->sockets[IPV6] == it);
    for (size_t i = 0; listener != NULL && i < MOST_CONNECTIONS; i++) {
        has = has || listener->connections[i].socket == it;
    }
    return has;
}

uint64_t mcpw_login_listener_due(const mcpw_login_listener *listener) {
    uint64_t due = UINT64_MAX;
    for (size_t i = 0; listener != NULL && i < MOST_CONNECTIONS; i++) {
        const connection *const c = &listener->connections[i];
        due = c->socket != MCPW_NO_SOCKET && c->due < due ? c->due : due;
    }
    return due;
}

/* A free slot. If there is none, the oldest connection is closed. */
static connection *free_slot(mcpw_login_listener *listener) {
    connection *oldest = &listener->connections[0];
    for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
        connection *const c = &listener->connections[i];
        if (c->socket == MCPW_NO_SOCKET) {
            return c;
        }
        oldest = c->due < oldest->due ? c : oldest;
    }
    disconnect(listener, oldest);
    return oldest;
}

static void accept_connections(mcpw_login_listener *listener, mcpw_socket from, uint64_t now) {
    for (size_t i = 0; from != MCPW_NO_SOCKET && i < MOST_CONNECTIONS; i++) {
        const mcpw_socket made = mcpw_net_accept(from);
        if (made == MCPW_NO_SOCKET) {
            return;
        }
        connection *const c = free_slot(listener);
        c->socket = made;
        c->due = now + TIME_LIMIT_MS;
        c->len = 0;
        c->has_response = false;
        if (!join(listener, made)) {
            disconnect(listener, c);
        }
    }
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

/* Responds with a page that repeats nothing of the request. */
static void respond(connection *c, int status, const char *words) {
    char page[HEAD_SIZE / 4];
    const char *const reason = status == BAD_REQUEST ? "Bad Request"
                               : status == NOT_FOUND ? "Not Found"
                               : status == TOO_LONG  ? "Request Header Fields Too Large"
                                                     : "OK";
    const int len =
        snprintf(page, sizeof page,
                 "HTTP/1.1 %d %s\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n"
                 "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n"
                 "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
                 "<!DOCTYPE html><title>Login</title><p>%s</p>\n",
                 status, reason, words);
    if (len > 0 && (size_t)len < sizeof page) {
        (void)mcpw_net_send(c->socket, page, (size_t)len); /* it fits into the buffer of a new socket */
    }
    (void)shutdown(c->socket, MCPW_NET_WRITING);
    c->has_response = true;
    mcpw_wipe(c->head, c->len);
    c->len = 0;
}

/* The query of a GET of the path, with its question mark; absent: it is another request. */
static mcpw_str query_of(const mcpw_login_listener *listener, mcpw_str head) {
    static const char get[] = "GET ";
    const size_t path_len = strlen(listener->path);
    mcpw_str query = {NULL, 0};
    if (head.len > sizeof get && memcmp(head.ptr, get, sizeof get - 1) == 0) {
        const char *const begin = head.ptr + sizeof get - 1;
        const char *const line_end = memchr(begin, '\r', (size_t)(head.ptr + head.len - begin));
        const char *const end = line_end != NULL ? memchr(begin, ' ', (size_t)(line_end - begin)) : NULL;
        if (end != NULL && (size_t)(end - begin) > path_len && memcmp(begin, listener->path, path_len) == 0 &&
            begin[path_len] == '?') {
            query = (mcpw_str){begin + path_len, (size_t)(end - begin) - path_len};
        }
    }
    return query;
}

static void serve(const mcpw_login_listener *listener, connection *c, mcpw_oauth *oauth) {
    const mcpw_str query = query_of(listener, (mcpw_str){c->head, c->len});
    if (query.ptr == NULL) {
        respond(c, NOT_FOUND, "There is nothing here.");
        return;
    }
    switch (mcpw_oauth_redirected(oauth, query, NULL)) {
    case MCPW_OK:
        respond(c, OK, "The login is done. You may close this window and return to the program.");
        break;
    case MCPW_E_STATE:
        respond(c, NOT_FOUND, "No login is under way. You may close this window.");
        break;
    default:
        respond(c, BAD_REQUEST, "This does not belong to the login. You may close this window.");
        break;
    }
}

/* True if the head is complete. */
static bool has_blank_line(const connection *c) {
    static const char blank[] = "\r\n\r\n";
    enum { LEN = sizeof blank - 1 };
    for (size_t i = 0; i + LEN <= c->len; i++) {
        if (memcmp(c->head + i, blank, LEN) == 0) {
            return true;
        }
    }
    return false;
}

/* Reads the bytes that are there. */
static void receive(const mcpw_login_listener *listener, connection *c, mcpw_oauth *oauth) {
    const ptrdiff_t got = mcpw_net_receive(c->socket, c->head + c->len, sizeof c->head - c->len);
    if (got == 0) {
        disconnect(listener, c);
    } else if (got > 0 && !c->has_response) {
        c->len += (size_t)got;
        if (has_blank_line(c)) {
            serve(listener, c, oauth);
        } else if (c->len == sizeof c->head) {
            respond(c, TOO_LONG, "The request is too long.");
        }
    }
}

void mcpw_login_listener_work(mcpw_login_listener *listener, mcpw_oauth *oauth, uint64_t now) {
    if (listener == NULL) {
        return;
    }
    for (size_t i = 0; listener->is_open && i < FAMILIES; i++) {
        accept_connections(listener, listener->sockets[i], now);
    }
    for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
        connection *const c = &listener->connections[i];
        if (c->socket != MCPW_NO_SOCKET) {
            receive(listener, c, oauth);
        }
        if (c->socket != MCPW_NO_SOCKET && c->due <= now) {
            disconnect(listener, c);
        }
    }
}
