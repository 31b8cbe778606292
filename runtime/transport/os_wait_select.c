/* SPDX-License-Identifier: MIT */
/* Waiting on macOS, whose poll() does not know terminals and other devices: where there is one, by select().
 */
#define _POSIX_C_SOURCE 200809L
#include "os.h"

#include <errno.h>
#include <sys/select.h>
#include <sys/stat.h>

mcpw_pollfd mcpw_os_wait_input(mcpw_os_stream *stream) { return (mcpw_pollfd){stream->handle, POLLIN, 0}; }

mcpw_pollfd mcpw_os_wait_output(mcpw_os_stream *stream, short events) {
    return (mcpw_pollfd){stream->handle, events, 0};
}

static bool has_device(const mcpw_pollfd *entries, size_t count) {
    struct stat status;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].fd >= 0 && fstat(entries[i].fd, &status) == 0 && S_ISCHR(status.st_mode)) {
            return true;
        }
    }
    return false;
}

/* The descriptors to wait for. */
typedef struct sets {
    fd_set in;
    fd_set out;
    int most; /* the largest descriptor */
} sets;

/* Hang-ups alone are not waited for: select() does not tell them from input. */
static bool collect(sets *s, const mcpw_pollfd *entries, size_t count) {
    FD_ZERO(&s->in);
    FD_ZERO(&s->out);
    s->most = -1;
    for (size_t i = 0; i < count; i++) {
        const int fd = entries[i].fd;
        if (fd < 0 || entries[i].events == 0) {
            continue;
        }
        if (fd >= FD_SETSIZE) {
            return false;
        }
        if ((entries[i].events & POLLIN) != 0) {
            FD_SET(fd, &s->in);
        }
        if ((entries[i].events & POLLOUT) != 0) {
            FD_SET(fd, &s->out);
        }
        s->most = fd > s->most ? fd : s->most;
    }
    return true;
}

static int give_back(const sets *s, mcpw_pollfd *entries, size_t count) {
    int ready = 0;
    for (size_t i = 0; i < count; i++) {
        const int fd = entries[i].fd;
        const bool is_waited_for = fd >= 0 && entries[i].events != 0;
        const bool in = is_waited_for && FD_ISSET(fd, &s->in) != 0;
        const bool out = is_waited_for && FD_ISSET(fd, &s->out) != 0;
        entries[i].revents = (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0));
        ready += in || out;
    }
    return ready;
}

static int wait_by_select(mcpw_pollfd *entries, size_t count, int timeout, int *number) {
    enum { MS_IN_S = 1000, US_IN_MS = 1000 };
    sets s;
    struct timeval most = {timeout / MS_IN_S, timeout % MS_IN_S * US_IN_MS};
    if (!collect(&s, entries, count)) {
        *number = EINVAL;
        return MCPW_OS_FAILED;
    }
    if (select(s.most + 1, &s.in, &s.out, NULL, timeout >= 0 ? &most : NULL) < 0) {
        *number = errno;
        return errno == EINTR || errno == EAGAIN ? MCPW_OS_INTERRUPTED : MCPW_OS_FAILED;
    }
    return give_back(&s, entries, count);
}

int mcpw_os_wait(mcpw_pollfd *entries, size_t count, int timeout, int *number) {
    if (has_device(entries, count)) {
        return wait_by_select(entries, count, timeout, number);
    }
    const int ready = poll(entries, (nfds_t)count, timeout);
    if (ready >= 0) {
        return ready;
    }
    *number = errno;
    return errno == EINTR || errno == EAGAIN ? MCPW_OS_INTERRUPTED : MCPW_OS_FAILED;
}
