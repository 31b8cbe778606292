/* SPDX-License-Identifier: MIT */
/* Finds a listening socket that the parent process has opened (socket activation). */
#define _GNU_SOURCE
#include <mcpw/http_serve.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST = 3, BASE = 10 }; /* FIRST: defined by sd_listen_fds(3) */

static long number_of(const char *name) {
    const char *const text = getenv(name);
    return text != NULL ? strtol(text, NULL, BASE) : 0;
}

int mcpw_http_given_socket(void) {
    int listens = 0;
    socklen_t len = sizeof listens;
    /* A child inherits the variables, but they count only for the process that they name. */
    if (number_of("LISTEN_PID") != (long)getpid() || number_of("LISTEN_FDS") < 1 ||
        getsockopt(FIRST, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) != 0 || listens == 0 ||
        fcntl(FIRST, F_SETFD, FD_CLOEXEC) != 0) {
        return -1;
    }
    return FIRST;
}
