/* SPDX-License-Identifier: MIT */
/*
 * The loop of an HTTP server where there is no epoll. Before each wait libmicrohttpd says which sockets it
 * waits for, and afterwards it is told which of them are ready. The list is made again for each wait, so a
 * wait takes time for each connection.
 */
#include "os_net.h"

#include "http_fdsets.h"
#include "http_serve_internal.h"
#include "os.h"
#include "os_set_list.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

struct mcpw_http_loop {
    mcpw_os_set *set; /* who is the socket, or the address of a call whose peer may hang up */
    mcpw_http_fdsets *fdsets;
    mcpw_socket listens;
    mcpw_os_ready *ready;
    size_t room;
    mcpw_os_wakeup wake; /* of mcpw_http_listener_stop */
    bool has_wake;
};

unsigned mcpw_http_loop_flags(void) { return 0; }

unsigned mcpw_http_loop_most_connections(void) {
    const unsigned sockets = mcpw_net_most_sockets();
    const unsigned room = mcpw_http_fdsets_most();
    return sockets < room ? sockets : room;
}

mcpw_status mcpw_http_loop_begin(mcpw_http_listener *listener, mcpw_error *error) {
    const union MHD_DaemonInfo *const info = MHD_get_daemon_info(listener->daemon, MHD_DAEMON_INFO_LISTEN_FD);
    int number = 0;
    mcpw_http_loop *const loop = calloc(1, sizeof *loop);
    if (loop == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory");
    }
    listener->loop = loop;
    loop->listens = info != NULL ? info->listen_fd : MCPW_NO_SOCKET;
    loop->set = mcpw_os_set_new(&number);
    loop->fdsets = loop->set != NULL ? mcpw_http_fdsets_new() : NULL;
    loop->has_wake = loop->fdsets != NULL && mcpw_os_wakeup_begin(&loop->wake, &number);
    if (!loop->has_wake) {
        mcpw_http_loop_end(listener); /* so that the daemon is driven without it */
        return mcpw_error_set(error, MCPW_E_IO, 0, "the system lacks memory or handles");
    }
    return MCPW_OK;
}

void mcpw_http_loop_end(mcpw_http_listener *listener) {
    mcpw_http_loop *const loop = listener->loop;
    if (loop == NULL) {
        return;
    }
    if (loop->has_wake) {
        mcpw_os_wakeup_end(&loop->wake);
    }
    mcpw_os_set_free(loop->set);
    mcpw_http_fdsets_free(loop->fdsets);
    free(loop->ready);
    free(loop);
    listener->loop = NULL;
}

/* ---- The list of sockets ------------------------------------------------------------------------------- */

/* libmicrohttpd would close a connection that is one too many, which is to wait instead. */
static bool add(void *self, mcpw_socket socket, unsigned events) {
    const mcpw_http_listener *const listener = self;
    const mcpw_http_loop *const loop = listener->loop;
    const bool waits = socket == loop->listens && listener->connections >= listener->most_connections;
    return waits || mcpw_os_set_put(loop->set, (mcpw_handle)socket, events, (uintptr_t)socket);
}

/* Lists the sockets of libmicrohttpd, and those of calls that it has suspended, which it does not look at. */
static bool list_sockets(mcpw_http_listener *listener) {
    mcpw_http_loop *const loop = listener->loop;
    mcpw_os_set_renew(loop->set);
    bool is_listed = mcpw_http_fdsets_ask(loop->fdsets, listener->daemon, add, listener);
    for (http_call *call = listener->calls; call != NULL; call = call->next) {
        if (call->suspended) {
            const mcpw_handle socket = (mcpw_handle)mcpw_http_call_socket(call->connection);
            is_listed = mcpw_os_set_put(loop->set, socket, MCPW_SET_BROKEN, (uintptr_t)call) && is_listed;
        }
    }
    mcpw_os_set_renewed(loop->set);
    const size_t count = mcpw_os_set_count(loop->set);
    if (count > loop->room) {
        const size_t room = 2 * count > FIRST_ROOM ? 2 * count : FIRST_ROOM;
        mcpw_os_ready *const more = realloc(loop->ready, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        loop->ready = more;
        loop->room = room;
    }
    return is_listed;
}

/* The call at an address, if it is one that is suspended. */
static http_call *call_at(const mcpw_http_listener *listener, uintptr_t who) {
    http_call *call = listener->calls;
    while (call != NULL && (uintptr_t)call != who) {
        call = call->next;
    }
    return call != NULL && call->suspended ? call : NULL;
}

static void take(mcpw_http_listener *listener, const mcpw_os_ready *ready) {
    http_call *const call = ready->events == MCPW_SET_BROKEN ? call_at(listener, ready->who) : NULL;
    if (call != NULL) {
        listener->on_hang_up(call);
    } else {
        mcpw_http_fdsets_mark(listener->loop->fdsets, (mcpw_socket)ready->who, ready->events);
    }
}

/* ---- The loop ------------------------------------------------------------------------------------------ */

mcpw_status mcpw_http_loop_wait(mcpw_http_listener *listener, int timeout, unsigned *readable,
                                mcpw_error *error) {
    enum { WAKE, QUEUE, WATCHES, COUNT = WATCHES + MCPW_HTTP_WATCHES };
    mcpw_http_loop *const loop = listener->loop;
    mcpw_pollfd others[COUNT];
    if (!list_sockets(listener)) {
        return mcpw_error_set(error, MCPW_E_IO, 0, "the sockets of libmicrohttpd cannot be watched");
    }
    others[WAKE] = (mcpw_pollfd){mcpw_os_wakeup_handle(&loop->wake), MCPW_OS_IN, 0};
    others[QUEUE] = (mcpw_pollfd){mcpw_queue_fd(listener->queue), MCPW_OS_IN, 0};
    for (size_t i = 0; i < MCPW_HTTP_WATCHES; i++) {
        const mcpw_http_watch *const watch = listener->watches[i];
        others[WATCHES + i] = (mcpw_pollfd){watch != NULL ? watch->descriptor : MCPW_OS_NONE, MCPW_OS_IN, 0};
    }
    const size_t count = mcpw_os_set_take_beside(loop->set, loop->ready, loop->room, others, COUNT, timeout);
    mcpw_http_fdsets_clear(loop->fdsets);
    for (size_t i = 0; i < count; i++) {
        take(listener, loop->ready + i);
    }
    *readable = 0;
    for (size_t i = 0; i < MCPW_HTTP_WATCHES; i++) {
        *readable |= others[WATCHES + i].revents != 0 ? 1U << i : 0U;
    }
    if (others[WAKE].revents != 0) {
        mcpw_os_wakeup_clear(&loop->wake);
        listener->stopped = true;
    }
    return MCPW_OK;
}

bool mcpw_http_loop_drive(mcpw_http_listener *listener) {
    if (listener->loop == NULL) {
        return MHD_run(listener->daemon) == MHD_YES;
    }
    return mcpw_http_fdsets_run(listener->loop->fdsets, listener->daemon);
}

void mcpw_http_loop_wake(const mcpw_http_listener *listener) { mcpw_os_wakeup_set(&listener->loop->wake); }

void mcpw_http_loop_watch(http_call *call) { (void)call; /* the list has what is suspended */ }

void mcpw_http_loop_unwatch(http_call *call) { (void)call; }

void mcpw_http_loop_closed(mcpw_http_listener *listener, struct MHD_Connection *connection) {
    if (listener->loop != NULL) {
        mcpw_os_set_drop(listener->loop->set, (mcpw_handle)mcpw_http_call_socket(connection));
    }
}
