/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define _DARWIN_C_SOURCE 1 /* MSG_DONTWAIT on macOS */

#include "tap_sink.h"

#include "../runtime/transport/os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

sink sink_of(int fd) {
    sink s = {fd, false, _POSIX_PIPE_BUF, NULL};
    struct stat about;
    const int flags = fcntl(fd, F_GETFL);
    const bool known = fstat(fd, &about) == 0;
    s.socket = known && S_ISSOCK(about.st_mode);
    if (s.socket || (flags != -1 && (flags & O_NONBLOCK) != 0) || (known && S_ISREG(about.st_mode))) {
        s.portion = SSIZE_MAX;
    }
#ifdef PIPE_BUF
    else {
        s.portion = PIPE_BUF;
    }
#endif
    return s;
}

bool sink_wait(const sink *s, int ms) {
    mcpw_pollfd p = {s->fd, POLLOUT, 0};
    int number = 0;
    return mcpw_os_wait(&p, 1, ms, &number) == 1;
}

void sink_finish(const sink *s, int ms) { (void)s, (void)ms; }

/* Makes one write; 0: it would wait. */
static ssize_t write_once(const sink *s, const char *bytes, size_t len) {
    ssize_t n;
    if (s->socket) {
        n = send(s->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    } else {
        if (!sink_wait(s, 0)) {
            return 0;
        }
        n = write(s->fd, bytes, len < s->portion ? len : s->portion);
    }
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : n;
}

ptrdiff_t sink_write(const sink *s, const char *bytes, size_t len) {
    size_t done = 0;
    while (done < len) {
        const ssize_t n = write_once(s, bytes + done, len - done);
        if (n < 0 && done == 0) {
            return -1;
        }
        if (n <= 0) {
            break;
        }
        done += (size_t)n;
    }
    return (ptrdiff_t)done;
}

void sink_close(sink *s) {
    if (s->fd >= 0) {
        (void)close(s->fd);
        s->fd = -1;
    }
}
