/* SPDX-License-Identifier: MIT */
/*
 * A set of sockets that one handle stands for: the handle is ready while one of the sockets is.
 * os_set_epoll.c, os_set_poll.c and os_set_win.c implement it, and a build has one of them. A set belongs to
 * one thread.
 */
#ifndef MCPW_OS_SET_H
#define MCPW_OS_SET_H

#include <mcpw/io.h>
#include <stddef.h>

typedef struct mcpw_os_set mcpw_os_set;

/* Events of a socket. MCPW_SET_BROKEN need not be asked for: it has failed, or its peer has gone. */
enum { MCPW_SET_IN = 1, MCPW_SET_OUT = 2, MCPW_SET_BROKEN = 4 };

typedef struct mcpw_os_ready {
    uintptr_t who; /* as it was put */
    unsigned events;
} mcpw_os_ready;

/* NULL: *number is the system's error number. */
mcpw_os_set *mcpw_os_set_new(int *number);
/* Does nothing for NULL. */
void mcpw_os_set_free(mcpw_os_set *set);
/* The handle, for mcpw_os_wait with MCPW_OS_IN; MCPW_OS_NONE: the system lacks something. */
mcpw_handle mcpw_os_set_handle(mcpw_os_set *set);

/* Adds a socket, or changes its events and who is told; who is not UINTPTR_MAX. False: the system lacks
 * something. */
MCPW_NODISCARD bool mcpw_os_set_put(mcpw_os_set *set, mcpw_handle socket, unsigned events, uintptr_t who);
/* Removes a socket if it is there. Call it before the socket is closed. */
void mcpw_os_set_drop(mcpw_os_set *set, mcpw_handle socket);

/* Reports sockets that are ready, at most `most` of them, and waits for one at most timeout ms (-1: no
 * limit). Returns their number; 0 also after a signal, and when mcpw_os_set_due says so. */
size_t mcpw_os_set_take(mcpw_os_set *set, mcpw_os_ready *ready, size_t most, int timeout);

/* Call it when what was taken has been processed, before the handle is waited for again. */
void mcpw_os_set_settle(mcpw_os_set *set);

/* When the owner has to take from the set even if its handle is not ready, in ms of mcpw_io_now; UINT64_MAX:
 * never. Windows may not report that a socket takes output again. */
uint64_t mcpw_os_set_due(const mcpw_os_set *set);

/* Makes the handle of a set ready also while one of another set is, whose owner takes from both. A set has
 * at most one other. */
MCPW_NODISCARD bool mcpw_os_set_join(mcpw_os_set *set, mcpw_os_set *other);
/* Undoes that. */
void mcpw_os_set_part(mcpw_os_set *set, mcpw_os_set *other);

#endif
