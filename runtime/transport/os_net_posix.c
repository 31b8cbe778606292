/* SPDX-License-Identifier: MIT */
/* Sockets on POSIX. */
#define _POSIX_C_SOURCE 200809L
#include "os_net.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

bool mcpw_net_start(void) { return true; }

void mcpw_net_close(mcpw_socket *socket) {
    const int before = errno;
    if (*socket >= 0) {
        (void)close(*socket);
    }
    *socket = MCPW_NO_SOCKET;
    errno = before;
}

int mcpw_net_error(void) { return errno; }

void mcpw_net_explain(char *text, size_t size) { (void)snprintf(text, size, "%s", strerror(errno)); }

bool mcpw_net_lacks_address(int number) { return number == EAFNOSUPPORT || number == EADDRNOTAVAIL; }

bool mcpw_net_take_port(mcpw_socket socket) {
    const int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0;
}

unsigned mcpw_net_most_sockets(void) {
    struct rlimit files;
    return getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < INT_MAX ? (unsigned)files.rlim_cur
                                                                             : INT_MAX;
}

ptrdiff_t mcpw_net_receive(mcpw_socket socket, char *bytes, size_t room) {
    return recv(socket, bytes, room, 0);
}
