/* SPDX-License-Identifier: MIT */
/* Making sockets where the system takes their modes as flags. */
#define _GNU_SOURCE /* accept4 */
#include "os_net.h"

mcpw_socket mcpw_net_open(int family, int type, int protocol, bool waits) {
    return socket(family, type | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), protocol);
}

mcpw_socket mcpw_net_accept(mcpw_socket listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

ptrdiff_t mcpw_net_send(mcpw_socket socket, const char *bytes, size_t len) {
    return send(socket, bytes, len, MSG_NOSIGNAL);
}
