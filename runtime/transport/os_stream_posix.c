/* SPDX-License-Identifier: MIT */
/* Reading and writing descriptors. */
#define _POSIX_C_SOURCE 200809L
#include "os.h"
#include "os_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* mcpw_os_stream.state */
enum {
    IS_NONBLOCKING = 1,
    IS_SOCKET = 2,
    RESTORES = 4, /* O_NONBLOCK was set here, and is to be taken back */
    SIGPIPE_IS_IGNORED = 8,
    IS_GUARDED = 16 /* mcpw_os_guard_end is due */
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
    } else if (mcpw_os_guard_begin(handle)) {
        stream->state |= IS_GUARDED;
    }
    return true;
}

void mcpw_os_signal_begin(mcpw_os_stream *stream, mcpw_handle handle) {
    *stream = (mcpw_os_stream){handle, IS_NONBLOCKING};
}

void mcpw_os_stream_end(mcpw_os_stream *stream) {
    if (stream->handle >= 0 && (stream->state & IS_GUARDED) != 0) {
        mcpw_os_guard_end(stream->handle);
    }
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

static ssize_t write_some(const mcpw_os_stream *stream, const char *bytes, size_t len) {
    if ((stream->state & SIGPIPE_IS_IGNORED) != 0) {
        return write(stream->handle, bytes, len);
    }
    if ((stream->state & IS_SOCKET) != 0) {
        return mcpw_os_guard_send(stream->handle, bytes, len);
    }
    return mcpw_os_guard_write(stream->handle, bytes, len);
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
    (void)mcpw_os_guard_begin(STDERR_FILENO); /* for good, because other threads may write as well */
    return poll(&out, 1, 0) == 1 && (out.revents & POLLOUT) != 0 &&
           mcpw_os_guard_write(STDERR_FILENO, text, len) >= 0;
}
