/* SPDX-License-Identifier: MIT */
/* A set of sockets and its handle, on connections of this machine to itself. */
#include "../../runtime/transport/os_net.h"

#include "../../runtime/transport/os.h"
#include "../../runtime/transport/os_set.h"
#include "check.h"

#include <string.h>

enum { SOON = 10000 /* ms that nothing here takes */, ONE = 11, OTHER = 22, MOST = 4, PIECE = 1 << 16 };

/* The two ends of a connection. */
typedef struct ends {
    mcpw_socket here;
    mcpw_socket there;
} ends;

static mcpw_socket listen_at_loopback(struct sockaddr_in *address) {
    socklen_t len = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const mcpw_socket listener = mcpw_net_open(AF_INET, SOCK_STREAM, 0, true);
    CHECK(bind(listener, (const struct sockaddr *)(const void *)address, sizeof *address) == 0);
    CHECK(listen(listener, 1) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)(void *)address, &len) == 0);
    return listener;
}

static ends connect_both(void) {
    struct sockaddr_in address;
    mcpw_socket listener = listen_at_loopback(&address);
    ends e = {mcpw_net_open(AF_INET, SOCK_STREAM, 0, true), MCPW_NO_SOCKET};
    CHECK(connect(e.here, (const struct sockaddr *)(const void *)&address, sizeof address) == 0);
    e.there = mcpw_net_accept(listener);
    CHECK(e.there != MCPW_NO_SOCKET);
    mcpw_net_close(&listener);
    return e;
}

static void disconnect(ends *e) {
    mcpw_net_close(&e->here);
    mcpw_net_close(&e->there);
}

static mcpw_os_set *new_set(void) {
    int number;
    mcpw_os_set *const set = mcpw_os_set_new(&number);
    CHECK(set != NULL && mcpw_os_set_handle(set) != MCPW_OS_NONE);
    return set;
}

static bool is_ready(mcpw_os_set *set, int timeout) {
    int number;
    mcpw_pollfd entry = {mcpw_os_set_handle(set), MCPW_OS_IN, 0};
    return mcpw_os_wait(&entry, 1, timeout, &number) == 1;
}

/* Takes what is ready until nothing is left to report, and whether the handle rests then. */
static bool rests(mcpw_os_set *set) {
    mcpw_os_ready ready[MOST];
    for (int i = 0; i < MOST; i++) {
        (void)mcpw_os_set_take(set, ready, MOST, 0);
        mcpw_os_set_settle(set);
    }
    return !is_ready(set, 0);
}

static void a_handle_is_ready_when_bytes_are_there(void) {
    ends e = connect_both();
    char byte;
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = new_set();
    CHECK(mcpw_os_set_put(set, (mcpw_handle)e.there, MCPW_SET_IN, ONE));
    CHECK(rests(set));
    CHECK(mcpw_net_send(e.here, "x", 1) == 1);
    CHECK(is_ready(set, SOON));
    CHECK(mcpw_os_set_take(set, ready, MOST, 0) == 1);
    CHECK(ready[0].who == ONE && ready[0].events == MCPW_SET_IN);
    CHECK(mcpw_net_receive(e.there, &byte, 1) == 1);
    mcpw_os_set_settle(set);
    CHECK(rests(set));
    mcpw_os_set_free(set);
    disconnect(&e);
}

static void bytes_that_nobody_reads_keep_the_handle_ready(void) {
    ends e = connect_both();
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = new_set();
    CHECK(mcpw_os_set_put(set, (mcpw_handle)e.there, MCPW_SET_IN, ONE));
    CHECK(mcpw_net_send(e.here, "x", 1) == 1);
    for (int i = 0; i < MOST; i++) {
        CHECK(is_ready(set, SOON));
        CHECK(mcpw_os_set_take(set, ready, MOST, 0) == 1);
        mcpw_os_set_settle(set);
    }
    mcpw_os_set_free(set);
    disconnect(&e);
}

static void each_socket_is_reported_with_its_own(void) {
    ends e = connect_both();
    ends f = connect_both();
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = new_set();
    CHECK(mcpw_os_set_put(set, (mcpw_handle)e.there, MCPW_SET_IN, ONE));
    CHECK(mcpw_os_set_put(set, (mcpw_handle)f.there, MCPW_SET_IN, OTHER));
    CHECK(mcpw_net_send(f.here, "x", 1) == 1);
    CHECK(mcpw_os_set_take(set, ready, MOST, SOON) == 1 && ready[0].who == OTHER);
    mcpw_os_set_drop(set, (mcpw_handle)f.there);
    mcpw_os_set_settle(set);
    CHECK(rests(set) && mcpw_os_set_take(set, ready, MOST, 0) == 0);
    CHECK(mcpw_net_send(e.here, "x", 1) == 1);
    CHECK(mcpw_os_set_take(set, ready, MOST, SOON) == 1 && ready[0].who == ONE);
    mcpw_os_set_free(set);
    disconnect(&e);
    disconnect(&f);
}

/* A set that still held it would keep its port. */
static void a_listener_that_was_dropped_can_be_closed(void) {
    enum { ROUNDS = 100 };
    mcpw_os_set *const set = new_set();
    for (int i = 0; i < ROUNDS; i++) {
        struct sockaddr_in address;
        mcpw_socket listener = listen_at_loopback(&address);
        CHECK(mcpw_os_set_put(set, (mcpw_handle)listener, MCPW_SET_IN, ONE));
        CHECK(rests(set));
        mcpw_os_sleep(1); /* a thread of the set waits now */
        mcpw_os_set_drop(set, (mcpw_handle)listener);
        mcpw_net_close(&listener);
        mcpw_socket again = mcpw_net_open(AF_INET, SOCK_STREAM, 0, true);
        CHECK(bind(again, (const struct sockaddr *)(const void *)&address, sizeof address) == 0);
        mcpw_net_close(&again);
    }
    mcpw_os_set_free(set);
}

static void a_peer_that_goes_is_reported(void) {
    ends e = connect_both();
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = new_set();
    CHECK(mcpw_os_set_put(set, (mcpw_handle)e.there, MCPW_SET_IN, ONE));
    CHECK(rests(set));
    mcpw_net_close(&e.here);
    CHECK(is_ready(set, SOON) && mcpw_os_set_take(set, ready, MOST, 0) == 1 && ready[0].events != 0);
    mcpw_os_set_free(set);
    disconnect(&e);
}

/* Waits until bytes are there. */
static void await_bytes(mcpw_socket socket) {
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = new_set();
    CHECK(mcpw_os_set_put(set, (mcpw_handle)socket, MCPW_SET_IN, ONE));
    CHECK(mcpw_os_set_take(set, ready, MOST, SOON) == 1);
    mcpw_os_set_drop(set, (mcpw_handle)socket);
    mcpw_os_set_free(set);
}

/* They are those of the next request, while a server prepares its response. A handle that was ready would
 * make its loop turn. */
static void bytes_that_nobody_asked_for_let_the_handle_rest(void) {
    ends e = connect_both();
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = new_set();
    CHECK(mcpw_net_send(e.here, "x", 1) == 1);
    await_bytes(e.there);
    CHECK(mcpw_os_set_put(set, (mcpw_handle)e.there, MCPW_SET_BROKEN, ONE));
    CHECK(rests(set));
    CHECK(mcpw_os_set_take(set, ready, MOST, 0) == 0);
    CHECK(mcpw_net_send(e.here, "y", 1) == 1);
    mcpw_os_sleep(1);
    CHECK(rests(set));
    CHECK(mcpw_os_set_put(set, (mcpw_handle)e.there, MCPW_SET_IN, ONE));
    CHECK(is_ready(set, SOON) && mcpw_os_set_take(set, ready, MOST, 0) == 1);
    CHECK(ready[0].events == MCPW_SET_IN);
    mcpw_os_set_free(set);
    disconnect(&e);
}

static void a_peer_that_breaks_off_after_such_bytes_is_reported(void) {
    ends e = connect_both();
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = new_set();
    CHECK(mcpw_net_send(e.here, "x", 1) == 1 && mcpw_net_send(e.there, "x", 1) == 1);
    await_bytes(e.here);
    await_bytes(e.there);
    CHECK(mcpw_os_set_put(set, (mcpw_handle)e.there, MCPW_SET_BROKEN, ONE));
    CHECK(rests(set));
    mcpw_net_close(&e.here); /* what it has not read makes the system reset the connection */
    CHECK(is_ready(set, SOON) && mcpw_os_set_take(set, ready, MOST, 0) == 1);
    CHECK(ready[0].who == ONE && (ready[0].events & MCPW_SET_BROKEN) != 0);
    mcpw_os_set_free(set);
    disconnect(&e);
}

/* Sends until the system takes no more. */
static size_t fill(mcpw_socket socket) {
    static const char zeros[PIECE];
    size_t sent = 0;
    ptrdiff_t now;
    while ((now = mcpw_net_send(socket, zeros, sizeof zeros)) > 0) {
        sent += (size_t)now;
    }
    return sent;
}

static void room_for_more_output_is_reported(void) {
    ends e = connect_both();
    char bytes[PIECE];
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = new_set();
    size_t left = fill(e.there);
    CHECK(mcpw_os_set_put(set, (mcpw_handle)e.there, MCPW_SET_OUT, ONE));
    CHECK(rests(set));
    while (left != 0) {
        const ptrdiff_t got = mcpw_net_receive(e.here, bytes, sizeof bytes);
        CHECK(got > 0);
        left -= got > 0 ? (size_t)got : left;
    }
    CHECK(is_ready(set, SOON));
    CHECK(mcpw_os_set_take(set, ready, MOST, SOON) == 1 && (ready[0].events & MCPW_SET_OUT) != 0);
    mcpw_os_set_free(set);
    disconnect(&e);
}

static void a_connection_that_is_refused_is_reported(void) {
    struct sockaddr_in address;
    mcpw_socket listener = listen_at_loopback(&address);
    mcpw_socket tried = mcpw_net_open(AF_INET, SOCK_STREAM, 0, false);
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = new_set();
    mcpw_net_close(&listener);
    (void)connect(tried, (const struct sockaddr *)(const void *)&address, sizeof address);
    CHECK(mcpw_os_set_put(set, (mcpw_handle)tried, MCPW_SET_OUT, ONE));
    CHECK(is_ready(set, SOON));
    CHECK(mcpw_os_set_take(set, ready, MOST, SOON) == 1);
    mcpw_os_set_free(set);
    mcpw_net_close(&tried);
}

static void a_set_within_another_makes_that_ready(void) {
    ends e = connect_both();
    ends f = connect_both();
    char byte;
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const outer = new_set();
    mcpw_os_set *const inner = new_set();
    CHECK(mcpw_os_set_put(outer, (mcpw_handle)e.there, MCPW_SET_IN, ONE));
    CHECK(mcpw_os_set_put(inner, (mcpw_handle)f.there, MCPW_SET_IN, OTHER));
    CHECK(mcpw_os_set_join(outer, inner));
    CHECK(rests(inner) && rests(outer));
    for (int i = 0; i < MOST; i++) {
        CHECK(mcpw_net_send(f.here, "x", 1) == 1);
        CHECK(is_ready(outer, SOON));
        CHECK(mcpw_os_set_take(outer, ready, MOST, 0) == 0); /* the other's owner takes it */
        CHECK(mcpw_os_set_take(inner, ready, MOST, SOON) == 1 && ready[0].who == OTHER);
        CHECK(mcpw_net_receive(f.there, &byte, 1) == 1);
        mcpw_os_set_settle(inner);
        mcpw_os_set_settle(outer);
        CHECK(rests(outer));
    }
    mcpw_os_set_part(outer, inner);
    CHECK(rests(inner) && rests(outer));
    CHECK(mcpw_net_send(f.here, "x", 1) == 1);
    CHECK(is_ready(inner, SOON));
    CHECK(rests(outer));
    mcpw_os_set_free(inner);
    mcpw_os_set_free(outer);
    disconnect(&e);
    disconnect(&f);
}

/* A set may have a thread, which has begun, waits or does not yet run. */
static void a_set_ends_at_any_time_after_its_handle_was_asked_for(void) {
    enum { TIMES = 200 };
    for (int i = 0; i < TIMES; i++) {
        int number;
        mcpw_os_set *const set = mcpw_os_set_new(&number);
        CHECK(set != NULL && mcpw_os_set_handle(set) != MCPW_OS_NONE);
        if (i % 2 == 0) {
            mcpw_os_sleep(1);
        }
        mcpw_os_set_free(set);
    }
}

int main(void) {
    CHECK(mcpw_net_start());
    RUN(a_handle_is_ready_when_bytes_are_there);
    RUN(bytes_that_nobody_reads_keep_the_handle_ready);
    RUN(each_socket_is_reported_with_its_own);
    RUN(a_listener_that_was_dropped_can_be_closed);
    RUN(a_peer_that_goes_is_reported);
    RUN(bytes_that_nobody_asked_for_let_the_handle_rest);
    RUN(a_peer_that_breaks_off_after_such_bytes_is_reported);
    RUN(room_for_more_output_is_reported);
    RUN(a_connection_that_is_refused_is_reported);
    RUN(a_set_within_another_makes_that_ready);
    RUN(a_set_ends_at_any_time_after_its_handle_was_asked_for);
    return check_end();
}
