/* SPDX-License-Identifier: MIT */
/* Sets of sockets on systems of Windows that report less than others. */
#include "../../runtime/transport/os_net_win.h"

#include "check.h"

/* Whether WSAPoll() keeps silent about connections that were refused, as it does before Windows 10 2004. */
static bool is_old;

static int poll_sockets(WSAPOLLFD *polled, ULONG count, INT timeout) {
    const int ready = WSAPoll(polled, count, timeout);
    for (ULONG i = 0; is_old && i < count; i++) {
        polled[i].revents = 0;
    }
    return is_old && ready > 0 ? 0 : ready;
}

#define WSAPoll poll_sockets
#include "../../runtime/transport/os_set_win.c"

enum { SOON = 10000 /* ms that nothing here takes */, ONE = 11, MOST = 4, PIECE = 1 << 16 };

static SOCKET listen_at_loopback(struct sockaddr_in *address) {
    int len = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const SOCKET listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listener, (const struct sockaddr *)(const void *)address, sizeof *address) == 0);
    CHECK(listen(listener, 1) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)(void *)address, &len) == 0);
    return listener;
}

static SOCKET connect_at_once(const struct sockaddr_in *address) {
    u_long yes = 1;
    const SOCKET tried = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(ioctlsocket(tried, (long)FIONBIO, &yes) == 0);
    (void)connect(tried, (const struct sockaddr *)(const void *)address, sizeof *address);
    return tried;
}

static void a_refused_connection_is_reported_until_it_is_dropped(void) {
    int number;
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = mcpw_os_set_new(&number);
    struct sockaddr_in address;
    const SOCKET listener = listen_at_loopback(&address);
    CHECK(closesocket(listener) == 0);
    const SOCKET tried = connect_at_once(&address);
    is_old = true;
    CHECK(mcpw_os_set_put(set, (mcpw_handle)tried, MCPW_SET_OUT, ONE));
    CHECK(mcpw_os_set_take(set, ready, MOST, SOON) <= 1); /* that it was put makes the handle ready once */
    for (int i = 0; i < MOST; i++) {
        CHECK(mcpw_os_set_take(set, ready, MOST, SOON) == 1);
        CHECK(ready[0].who == ONE && ready[0].events == (MCPW_SET_OUT | MCPW_SET_BROKEN));
        mcpw_os_set_settle(set);
    }
    mcpw_os_set_drop(set, (mcpw_handle)tried);
    CHECK(mcpw_os_set_take(set, ready, MOST, 0) == 0);
    is_old = false;
    mcpw_os_set_free(set);
    (void)closesocket(tried);
}

/* Fills the connection, and reads all of it. Returns false if the set was not to be looked at meanwhile. */
static bool fill_and_empty(mcpw_os_set *set, SOCKET from, SOCKET to) {
    static char bytes[PIECE];
    mcpw_os_ready ready[MOST];
    uint64_t begun = 0;
    int left = 0;
    CHECK(mcpw_os_set_put(set, (mcpw_handle)from, MCPW_SET_OUT, ONE));
    CHECK(WSAEventSelect(from, NULL, 0) == 0); /* so that nothing is reported */
    do {
        const int sent = send(from, bytes, sizeof bytes, 0);
        left += sent > 0 ? sent : 0;
        begun = mcpw_os_now();
    } while (mcpw_os_set_take(set, ready, MOST, SOON) != 0); /* the system may move some of it on */
    const bool is_due = mcpw_os_set_due(set) <= mcpw_os_now() + LOOK_AGAIN && mcpw_os_now() - begun < SOON;
    while (left > 0) {
        const int got = recv(to, bytes, sizeof bytes, 0);
        CHECK(got > 0);
        left -= got > 0 ? got : left;
    }
    return is_due;
}

static void output_is_looked_for_where_the_system_does_not_report_it(void) {
    int number;
    mcpw_os_ready ready[MOST];
    struct sockaddr_in address;
    const SOCKET listener = listen_at_loopback(&address);
    mcpw_os_set *const set = mcpw_os_set_new(&number);
    const SOCKET from = connect_at_once(&address);
    const SOCKET to = accept(listener, NULL, NULL);
    CHECK(mcpw_os_set_put(set, (mcpw_handle)from, MCPW_SET_OUT, ONE));
    CHECK(mcpw_os_set_take(set, ready, MOST, SOON) == 1 && mcpw_os_set_due(set) == UINT64_MAX);
    mcpw_os_set_drop(set, (mcpw_handle)from);
    CHECK(fill_and_empty(set, from, to));
    const uint64_t begun = mcpw_os_now();
    size_t taken = 0;
    while (taken == 0 && mcpw_os_now() - begun < SOON) {
        taken = mcpw_os_set_take(set, ready, MOST, SOON);
    }
    CHECK(taken == 1 && ready[0].events == MCPW_SET_OUT && mcpw_os_now() - begun < SOON);
    CHECK(mcpw_os_set_due(set) == UINT64_MAX);
    mcpw_os_set_free(set);
    (void)closesocket(listener);
    (void)closesocket(from);
    (void)closesocket(to);
}

int main(void) {
    WSADATA data;
    CHECK(WSAStartup(MAKEWORD(2, 2), &data) == 0);
    RUN(a_refused_connection_is_reported_until_it_is_dropped);
    RUN(output_is_looked_for_where_the_system_does_not_report_it);
    return check_end();
}
