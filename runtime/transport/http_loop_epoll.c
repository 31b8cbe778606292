/* SPDX-License-Identifier: MIT */
/* The loop of an HTTP server by epoll. libmicrohttpd has an epoll descriptor of its own, which is in ours. */
#define _GNU_SOURCE
#include "http_serve_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MOST_EVENTS = 64 };

struct mcpw_http_loop {
    int epoll;
    int wake; /* eventfd of mcpw_http_listener_stop */
};

static mcpw_status failed(mcpw_error *error, const char *what) {
    return mcpw_error_set(error, MCPW_E_IO, 0, "%s: %s", what, strerror(errno));
}

unsigned mcpw_http_loop_flags(void) { return MHD_USE_EPOLL; }

unsigned mcpw_http_loop_most_connections(void) { return mcpw_net_most_sockets(); }

static bool look_at(const mcpw_http_loop *loop, int descriptor, const void *who) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = EPOLLIN;
    event.data.ptr = (void *)(uintptr_t)who;
    return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

mcpw_status mcpw_http_loop_begin(mcpw_http_listener *listener, mcpw_error *error) {
    const union MHD_DaemonInfo *const info = MHD_get_daemon_info(listener->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    mcpw_http_loop *const loop = malloc(sizeof *loop);
    if (loop == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory");
    }
    listener->loop = loop;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    /* Registers the descriptors that wake the loop. An event with the address of a call means that its peer
     * has hung up. The address of the loop means that the listener was stopped, and the address of a watch
     * that its descriptor is readable. */
    if (info == NULL || loop->epoll < 0 || loop->wake < 0 || !look_at(loop, info->epoll_fd, NULL) ||
        !look_at(loop, loop->wake, loop) || !look_at(loop, mcpw_queue_fd(listener->queue), NULL)) {
        return failed(error, "epoll");
    }
    for (size_t i = 0; i < MCPW_HTTP_WATCHES; i++) {
        const mcpw_http_watch *const watch = listener->watches[i];
        if (watch != NULL && !look_at(loop, watch->descriptor, listener->watches + i)) {
            return failed(error, "epoll");
        }
    }
    return MCPW_OK;
}

void mcpw_http_loop_end(mcpw_http_listener *listener) {
    mcpw_http_loop *const loop = listener->loop;
    if (loop == NULL) {
        return;
    }
    if (loop->epoll >= 0) {
        (void)close(loop->epoll);
    }
    if (loop->wake >= 0) {
        (void)close(loop->wake);
    }
    free(loop);
    listener->loop = NULL;
}

/* Handles mcpw_http_listener_stop. The event is consumed, so that it wakes the loop once. */
static void take_stop(mcpw_http_listener *listener) {
    uint64_t count;
    const ssize_t got = read(listener->loop->wake, &count, sizeof count);
    (void)got; /* epoll has reported it */
    listener->stopped = true;
}

/* Handles an event of epoll. Returns the bit of the program's descriptor that it is for; 0: another event. */
static unsigned take_event(mcpw_http_listener *listener, void *who) {
    for (size_t i = 0; i < MCPW_HTTP_WATCHES; i++) {
        if (who == listener->watches + i) {
            return 1U << i;
        }
    }
    if (who == listener->loop) {
        take_stop(listener);
    } else if (who != NULL) {
        listener->on_hang_up(who);
    }
    return 0;
}

mcpw_status mcpw_http_loop_wait(mcpw_http_listener *listener, int timeout, unsigned *readable,
                                mcpw_error *error) {
    struct epoll_event events[MOST_EVENTS];
    const int count = epoll_wait(listener->loop->epoll, events, MOST_EVENTS, timeout);
    if (count < 0 && errno != EINTR) {
        return failed(error, "epoll_wait");
    }
    *readable = 0;
    for (int i = 0; i < count; i++) {
        *readable |= take_event(listener, events[i].data.ptr);
    }
    return MCPW_OK;
}

bool mcpw_http_loop_drive(mcpw_http_listener *listener) { return MHD_run(listener->daemon) == MHD_YES; }

void mcpw_http_loop_wake(const mcpw_http_listener *listener) {
    const uint64_t one = 1;
    const int before = errno; /* of the code that a signal has interrupted */
    const ssize_t done = write(listener->loop->wake, &one, sizeof one);
    (void)done; /* it fails if the listener is stopped already */
    errno = before;
}

void mcpw_http_loop_watch(http_call *call) {
    struct epoll_event event;
    if (call->watched) {
        return;
    }
    memset(&event, 0, sizeof event);
    event.events = EPOLLRDHUP | EPOLLET;
    event.data.ptr = call;
    call->watched = epoll_ctl(call->listener->loop->epoll, EPOLL_CTL_ADD,
                              mcpw_http_call_socket(call->connection), &event) == 0;
}

void mcpw_http_loop_unwatch(http_call *call) {
    if (call->watched) {
        (void)epoll_ctl(call->listener->loop->epoll, EPOLL_CTL_DEL, mcpw_http_call_socket(call->connection),
                        NULL);
    }
}

void mcpw_http_loop_closed(mcpw_http_listener *listener, struct MHD_Connection *connection) {
    (void)listener, (void)connection; /* epoll forgets what is closed */
}
