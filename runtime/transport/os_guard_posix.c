/* SPDX-License-Identifier: MIT */
/* The signal is for the thread that writes, so it is blocked there, and taken. */
#define _POSIX_C_SOURCE 200809L
#include "os_guard.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

bool mcpw_os_guard_begin(int fd) {
    (void)fd;
    return false;
}

void mcpw_os_guard_end(int fd) { (void)fd; }

ssize_t mcpw_os_guard_write(int fd, const char *bytes, size_t len) {
    sigset_t pipe_signal;
    sigset_t before;
    sigset_t pending;
    ssize_t wrote;
    bool was_pending = false;
    int number;
    (void)sigemptyset(&pipe_signal);
    (void)sigaddset(&pipe_signal, SIGPIPE);
    if (pthread_sigmask(SIG_BLOCK, &pipe_signal, &before) != 0) {
        return -1;
    }
    if (sigismember(&before, SIGPIPE) == 1 && sigpending(&pending) == 0) {
        was_pending = sigismember(&pending, SIGPIPE) == 1;
    }
    wrote = write(fd, bytes, len);
    number = errno;
    if (wrote < 0 && number == EPIPE && !was_pending && sigpending(&pending) == 0 &&
        sigismember(&pending, SIGPIPE) == 1) {
        int taken;
        (void)sigwait(&pipe_signal, &taken);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return wrote;
}

#ifdef MSG_NOSIGNAL
ssize_t mcpw_os_guard_send(int fd, const char *bytes, size_t len) {
    return send(fd, bytes, len, MSG_NOSIGNAL);
}
#else
/* The same where send has no flag for that. */
ssize_t mcpw_os_guard_send(int fd, const char *bytes, size_t len) {
    return mcpw_os_guard_write(fd, bytes, len);
}
#endif
