/* SPDX-License-Identifier: MIT */
/* Waking what waits, by a pipe. */
#define _POSIX_C_SOURCE 200809L
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { READ_END, WRITE_END };

static void close_both(const int fds[2]) {
    for (int i = 0; i < 2; i++) {
        if (fds[i] >= 0) {
            (void)close(fds[i]);
        }
    }
}

/* The pipe makes nobody wait. It takes the place of no standard descriptor where those are closed. */
bool mcpw_os_wakeup_begin(mcpw_os_wakeup *wakeup, int *number) {
    enum { FIRST_FREE_FD = 3 };
    int *const fds = wakeup->fds;
    int made[2];
    if (pipe(made) != 0) {
        *number = errno;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fds[i] = fcntl(made[i], F_DUPFD_CLOEXEC, FIRST_FREE_FD);
        if (fds[i] >= 0) {
            (void)fcntl(fds[i], F_SETFL, O_NONBLOCK);
        }
    }
    *number = errno;
    close_both(made);
    if (fds[READ_END] < 0 || fds[WRITE_END] < 0) {
        close_both(fds);
        return false;
    }
    return true;
}

void mcpw_os_wakeup_end(mcpw_os_wakeup *wakeup) { close_both(wakeup->fds); }

mcpw_handle mcpw_os_wakeup_handle(const mcpw_os_wakeup *wakeup) { return wakeup->fds[READ_END]; }

void mcpw_os_wakeup_set(const mcpw_os_wakeup *wakeup) {
    const int before = errno;
    ssize_t wrote;
    do {
        wrote = write(wakeup->fds[WRITE_END], "", 1);
    } while (wrote < 0 && errno == EINTR);
    errno = before; /* a full pipe is ready, too */
}

void mcpw_os_wakeup_clear(const mcpw_os_wakeup *wakeup) {
    enum { ROOM = 64 };
    char ignored[ROOM];
    ssize_t got;
    do {
        got = read(wakeup->fds[READ_END], ignored, sizeof ignored);
    } while (got == (ssize_t)sizeof ignored || (got < 0 && errno == EINTR));
}
