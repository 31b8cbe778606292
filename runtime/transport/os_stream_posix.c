/* SPDX-License-Identifier: MIT */
/* Reading and writing descriptors. */
#define _POSIX_C_SOURCE 200809L
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* mcpw_os_stream.state */
enum {
    IS_NONBLOCKING = 1,
    IS_SOCKET = 2,
    RESTORES = 4, /* O_NONBLOCK was set here, and is to be taken back */
    SIGPIPE_IS_IGNORED = 8
};

void mcpw_os_stream_init(mcpw_os_stream *stream) { *stream = (mcpw_os_stream){MCPW_OS_NONE, 0}; }

bool mcpw_os_input_begin(mcpw_os_stream *stream, mcpw_handle handle, int *number) {
    const int flags = fcntl(handle, F_GETFL);
    if (flags < 0) {
        *number = errno;
        return false;
    }
    *stream = (mcpw_os_stream){handle, (flags & O_NONBLOCK) != 0 ? IS_NONBLOCKING : 0U};
    return true;
}

bool mcpw_os_output_begin(mcpw_os_stream *stream, mcpw_handle handle, int *number) {
    struct sigaction action;
    struct stat status;
    const int flags = fcntl(handle, F_GETFL);
    const bool is_changed = flags >= 0 && (flags & O_NONBLOCK) == 0 && isatty(handle) == 0;
    if (flags < 0 || (is_changed && fcntl(handle, F_SETFL, flags | O_NONBLOCK) < 0)) {
        *number = errno;
        return false;
    }
    *stream = (mcpw_os_stream){handle, is_changed ? RESTORES : 0U};
    stream->state |= fstat(handle, &status) == 0 && S_ISSOCK(status.st_mode) ? IS_SOCKET : 0U;
    if (sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_IGN) {
        stream->state |= SIGPIPE_IS_IGNORED;
    }
    return true;
}

void mcpw_os_signal_begin(mcpw_os_stream *stream, mcpw_handle handle) {
    *stream = (mcpw_os_stream){handle, IS_NONBLOCKING};
}

void mcpw_os_stream_end(mcpw_os_stream *stream) {
    if (stream->handle >= 0 && (stream->state & RESTORES) != 0) {
        const int flags = fcntl(stream->handle, F_GETFL);
        if (flags >= 0) {
            (void)fcntl(stream->handle, F_SETFL, flags & ~O_NONBLOCK);
        }
    }
    mcpw_os_stream_init(stream);
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

bool mcpw_os_reads_at_once(const mcpw_os_stream *stream) { return (stream->state & IS_NONBLOCKING) != 0; }

/* The meaning of a failed read. */
static ptrdiff_t explain_read(mcpw_os_stream *stream, int *number) {
    const int failed = errno;
    if (failed == EINTR) {
        return MCPW_OS_INTERRUPTED;
    }
    if (failed == EAGAIN || failed == EWOULDBLOCK) {
        stream->state |= IS_NONBLOCKING;
        return MCPW_OS_AGAIN;
    }
    /* A terminal that was hung up says EIO. */
    if (failed == ECONNRESET || (failed == EIO && isatty(stream->handle) != 0)) {
        return 0;
    }
    *number = failed;
    return MCPW_OS_FAILED;
}

ptrdiff_t mcpw_os_read(mcpw_os_stream *stream, char *bytes, size_t size, int *number) {
    const ssize_t got = read(stream->handle, bytes, size);
    return got >= 0 ? got : explain_read(stream, number);
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

/* Writes to a pipe whose reader may have gone, without raising SIGPIPE. */
static ssize_t write_guarded(int fd, const char *bytes, size_t len) {
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
/* Writes to a socket whose peer may be gone, without that signal. */
static ssize_t write_socket(int fd, const char *bytes, size_t len) {
    return send(fd, bytes, len, MSG_NOSIGNAL);
}
#else
/* The same where send has no flag for that. */
static ssize_t write_socket(int fd, const char *bytes, size_t len) { return write_guarded(fd, bytes, len); }
#endif

static ssize_t write_some(const mcpw_os_stream *stream, const char *bytes, size_t len) {
    if ((stream->state & SIGPIPE_IS_IGNORED) != 0) {
        return write(stream->handle, bytes, len);
    }
    if ((stream->state & IS_SOCKET) != 0) {
        return write_socket(stream->handle, bytes, len);
    }
    return write_guarded(stream->handle, bytes, len);
}

/* The meaning of a write that wrote nothing. */
static ptrdiff_t explain_write(ssize_t sent, int *number) {
    if (sent == 0 || errno == EAGAIN || errno == EWOULDBLOCK) {
        return MCPW_OS_AGAIN;
    }
    *number = errno;
    return errno == EPIPE || errno == ECONNRESET ? MCPW_OS_CLOSED : MCPW_OS_FAILED;
}

ptrdiff_t mcpw_os_write(mcpw_os_stream *stream, const char *bytes, size_t len, int *number) {
    const ssize_t sent = write_some(stream, bytes, len);
    if (sent > 0) {
        return sent;
    }
    return sent < 0 && errno == EINTR ? mcpw_os_write(stream, bytes, len, number)
                                      : explain_write(sent, number);
}

mcpw_status mcpw_os_without_pipe_signal(mcpw_status (*run)(void *user), void *user) {
    struct sigaction ignore;
    struct sigaction before;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &ignore, &before);
    const mcpw_status status = run(user);
    (void)sigaction(SIGPIPE, &before, NULL);
    return status;
}

/* ---- Handles ------------------------------------------------------------------------------------------- */

size_t mcpw_os_unread(mcpw_handle handle) {
    int count = 0;
    return ioctl(handle, FIONREAD, &count) == 0 && count > 0 ? (size_t)count : 0;
}

void mcpw_os_close(mcpw_handle *handle) {
    if (*handle >= 0) {
        (void)close(*handle);
        *handle = MCPW_OS_NONE;
    }
}

mcpw_handle mcpw_standard_input(void) { return STDIN_FILENO; }

mcpw_handle mcpw_standard_output(void) { return STDOUT_FILENO; }

bool mcpw_os_error_is_terminal(void) { return isatty(STDERR_FILENO) != 0; }

bool mcpw_os_write_error(mcpw_os_stream *error, const char *text, size_t len) {
    (void)error; /* the system tells whether there is room */
    struct pollfd out = {STDERR_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLOUT) != 0 &&
           write_guarded(STDERR_FILENO, text, len) >= 0;
}
