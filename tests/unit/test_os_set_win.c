/* SPDX-License-Identifier: MIT */
/* Sets of sockets on systems of Windows that report less than this one. */
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

enum { SOON = 10000 /* ms that nothing here takes */, ONE = 11, MOST = 4 };

static void put_address(struct sockaddr_in *address) {
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

/* A socket that connects to a port at which nothing listens. */
static SOCKET connect_to_none(void) {
    struct sockaddr_in address;
    int len = sizeof address;
    u_long yes = 1;
    put_address(&address);
    const SOCKET listener = socket(AF_INET, SOCK_STREAM, 0);
    const SOCKET tried = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listener, (const struct sockaddr *)(const void *)&address, sizeof address) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)(void *)&address, &len) == 0);
    CHECK(closesocket(listener) == 0 && ioctlsocket(tried, (long)FIONBIO, &yes) == 0);
    (void)connect(tried, (const struct sockaddr *)(const void *)&address, sizeof address);
    return tried;
}

static void a_refused_connection_is_reported_until_it_is_dropped(void) {
    int number;
    mcpw_os_ready ready[MOST];
    mcpw_os_set *const set = mcpw_os_set_new(&number);
    const SOCKET tried = connect_to_none();
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

int main(void) {
    WSADATA data;
    CHECK(WSAStartup(MAKEWORD(2, 2), &data) == 0);
    RUN(a_refused_connection_is_reported_until_it_is_dropped);
    return check_end();
}
