/* SPDX-License-Identifier: MIT */
/*
 * Changes of a server that its thread has yet to report, because another thread stated them. They wait here,
 * under a lock, and the loops of the server's sessions are woken. A change that is stated again while it
 * waits is reported once. server_changes.c reports them.
 */
#ifndef MCPW_CHANGES_H
#define MCPW_CHANGES_H

#include "../attach.h"
#include <mcpw/system.h>

enum {
    MCPW_WAITING_URIS = 1024 /* at most: of more changes, every resource that is watched counts as changed */
};

/* A resource whose change waits. Its URI lies after it, with a NUL. */
typedef struct mcpw_waiting_uri {
    struct mcpw_waiting_uri *next;
    size_t len;
} mcpw_waiting_uri;

/* Changes that wait to be reported. */
typedef struct mcpw_waiting {
    mcpw_waiting_uri *first; /* in the order in which they were said */
    mcpw_waiting_uri **end;
    size_t count;
    unsigned lists;      /* a bit for each mcpw_change of a list */
    bool all;            /* every resource that is watched */
    const char *misused; /* the function that was called on a wrong thread; NULL: none */
} mcpw_waiting;

/* A loop that drives sessions of a server. */
typedef struct mcpw_server_loop mcpw_server_loop;

/* Callbacks by which changes reach their server. */
typedef struct mcpw_changes_callbacks {
    void (*tell)(mcpw_server *server);                  /* on the thread of a loop: reports waiting changes */
    bool (*is_marked_ready)(const mcpw_server *server); /* whether its changes have a listener */
    void (*left)(mcpw_server *server, void *self);      /* on the thread of a loop that has ended */
} mcpw_changes_callbacks;

typedef struct mcpw_changes {
    mcpw_server *server;
    const mcpw_changes_callbacks *callbacks;
    const mcpw_allocator *allocator;
    mcpw_lock *lock;
    mcpw_server_loop *loops;
    mcpw_waiting waiting;
} mcpw_changes;

/* MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_changes_begin(mcpw_changes *changes, mcpw_server *server,
                                              const mcpw_changes_callbacks *callbacks,
                                              const mcpw_allocator *allocator);
void mcpw_changes_end(mcpw_changes *changes);

/* mcpw_server_join and mcpw_server_leave of attach.h. */
MCPW_NODISCARD mcpw_status mcpw_changes_join(mcpw_changes *changes, const mcpw_executor *executor,
                                             void *self);
void mcpw_changes_leave(mcpw_changes *changes, const void *self);

/* From any thread: whether the caller has nothing to do, because the server's thread will report a change,
 * which waits from now on, or because there is no listener. False: the caller, which is on that thread,
 * reports it. So it is where sessions have no loop. */
bool mcpw_changes_wait(mcpw_changes *changes, mcpw_change change, mcpw_str uri);
/* From any thread: whether the caller is certainly on a wrong one. The name of the function that it called
 * waits to be noted then. */
bool mcpw_changes_misused(mcpw_changes *changes, const char *function);
/* MCPW_E_THREAD then. */
static inline mcpw_status mcpw_changes_check_thread(mcpw_changes *changes, const char *function,
                                                    mcpw_error *error) {
    return !mcpw_changes_misused(changes, function)
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_THREAD, 0, "%s was called on another thread than its server's",
                                function);
}
/* On the server's thread: takes what waits. */
mcpw_waiting mcpw_changes_take(mcpw_changes *changes);
/* Gives the memory back. */
void mcpw_waiting_free(mcpw_changes *changes, mcpw_waiting *waiting);

#endif
