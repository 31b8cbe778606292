/* SPDX-License-Identifier: MIT */
/* Making sockets where their modes are set one by one, as on macOS. A child that another thread starts in
 * between inherits the socket. */
#include "os_net.h"

#include <fcntl.h>

static mcpw_socket prepare(mcpw_socket made, bool waits) {
    const int on = 1;
    if (made >= 0 &&
        (fcntl(made, F_SETFD, FD_CLOEXEC) != 0 || (!waits && fcntl(made, F_SETFL, O_NONBLOCK) != 0) ||
         setsockopt(made, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) != 0)) {
        mcpw_net_close(&made);
    }
    return made;
}

mcpw_socket mcpw_net_open(int family, int type, int protocol, bool waits) {
    return prepare(socket(family, type, protocol), waits);
}

mcpw_socket mcpw_net_accept(mcpw_socket listener) { return prepare(accept(listener, NULL, NULL), false); }

ptrdiff_t mcpw_net_send(mcpw_socket socket, const char *bytes, size_t len) {
    return send(socket, bytes, len, 0); /* without a signal, as SO_NOSIGPIPE says */
}
