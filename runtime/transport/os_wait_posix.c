/* SPDX-License-Identifier: MIT */
/* Waiting by poll(). */
#define _POSIX_C_SOURCE 200809L
#include "os.h"

#include <errno.h>

mcpw_pollfd mcpw_os_wait_input(mcpw_os_stream *stream) { return (mcpw_pollfd){stream->handle, POLLIN, 0}; }

mcpw_pollfd mcpw_os_wait_output(mcpw_os_stream *stream, short events) {
    return (mcpw_pollfd){stream->handle, events, 0};
}

int mcpw_os_wait(mcpw_pollfd *entries, size_t count, int timeout, int *number) {
    const int ready = poll(entries, (nfds_t)count, timeout);
    if (ready >= 0) {
        return ready;
    }
    *number = errno;
    return errno == EINTR || errno == EAGAIN ? MCPW_OS_INTERRUPTED : MCPW_OS_FAILED;
}
