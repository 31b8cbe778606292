/* SPDX-License-Identifier: MIT */
/* tcp_system.h has the functions and types of the system's sockets, by names of its own: each sample has one.
 */
#include "tcp.h"

#include <string.h>

#include "tcp_system.h"

enum { NOBODY = -1, WAIT_MS = 100, PATIENCE_MS = 5000, PIECE = 128, QUEUE = 1 };

static void say(const wire *w, const char *text) { w->config.log(w->config.user, text); }

static int listen_at(uint16_t port) {
    tcp_address address;
    const int yes = 1;
    const int listener = tcp_socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    if (listener < 0) {
        return NOBODY;
    }
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    (void)tcp_setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (tcp_bind(listener, (tcp_any_address *)&address, sizeof address) < 0 ||
        tcp_listen(listener, QUEUE) < 0) {
        tcp_close(listener);
        return NOBODY;
    }
    return listener;
}

/* Sends what waits. false: the client does not take it. */
static bool send_output(wire *w, int client) {
    const char *bytes;
    size_t len;
    while ((len = wire_output(w, &bytes)) != 0) {
        tcp_watch watch = {.fd = client, .events = TCP_CAN_SEND};
        if (tcp_poll(&watch, 1, PATIENCE_MS) != 1) {
            return false;
        }
        const long sent = (long)tcp_send(client, bytes, len, TCP_AT_ONCE);
        if (sent <= 0) {
            return false;
        }
        wire_sent(w, (size_t)sent);
    }
    return true;
}

/* Takes what has come. false: the client is gone. */
static bool receive(wire *w, int client, uint64_t now) {
    char bytes[PIECE];
    const long len = (long)tcp_receive(client, bytes, sizeof bytes, 0);
    size_t taken = 0;
    while (len > 0 && taken < (size_t)len) {
        taken += wire_take(w, bytes + taken, (size_t)len - taken, now);
        if (!send_output(w, client)) {
            return false;
        }
    }
    return len > 0;
}

/* The client that has come, in the place of the one before. */
static int take_over(wire *w, int listener, int before) {
    const int client = tcp_accept(listener, NULL, NULL);
    if (client < 0) {
        return before;
    }
    if (before != NOBODY) {
        tcp_close(before);
        say(w, "another client takes over");
    }
    if (!wire_restart(w)) {
        say(w, "no memory for a session");
    }
    return client;
}

void tcp_serve(wire *w, uint16_t port, uint64_t (*now)(void)) {
    const int listener = listen_at(port);
    int client = NOBODY;
    int ready = 0;
    if (listener == NOBODY) {
        say(w, "the port cannot be had");
        return;
    }
    say(w, "listening");
    while (ready >= 0) {
        tcp_watch watched[] = {{.fd = listener, .events = TCP_CAN_RECEIVE},
                               {.fd = client, .events = TCP_CAN_RECEIVE}};
        ready = tcp_poll(watched, client != NOBODY ? 2 : 1, WAIT_MS);
        wire_wait(w, now());
        if (ready > 0 && watched[0].revents != 0) {
            client = take_over(w, listener, client);
        } else if (client != NOBODY &&
                   ((ready > 0 && watched[1].revents != 0 && !receive(w, client, now())) ||
                    !send_output(w, client))) {
            tcp_close(client);
            client = NOBODY;
        }
    }
    tcp_close(listener);
}
