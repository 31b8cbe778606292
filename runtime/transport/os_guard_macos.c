/* SPDX-License-Identifier: MIT */
/* On macOS the signal is for the process, and any thread may get it: it is turned off for the descriptor. */
#define _DARWIN_C_SOURCE /* F_SETNOSIGPIPE, also beside _POSIX_C_SOURCE */
#include "os_guard.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

bool mcpw_os_guard_begin(int fd) {
    return fcntl(fd, F_GETNOSIGPIPE) == 0 && fcntl(fd, F_SETNOSIGPIPE, 1) == 0;
}

void mcpw_os_guard_end(int fd) { (void)fcntl(fd, F_SETNOSIGPIPE, 0); }

ssize_t mcpw_os_guard_write(int fd, const char *bytes, size_t len) { return write(fd, bytes, len); }

ssize_t mcpw_os_guard_send(int fd, const char *bytes, size_t len) { return send(fd, bytes, len, 0); }
