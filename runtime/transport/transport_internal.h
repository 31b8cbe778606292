/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the stdio transport share. */
#ifndef MCPW_TRANSPORT_INTERNAL_H
#define MCPW_TRANSPORT_INTERNAL_H

#include <mcpw/io.h>
#include <mcpw/thread.h>

#include "../base/compiler.h"
#include "os.h"

/* ---- io_system.c ---- */

/* Sets error to the failed action and the system's reason, and returns MCPW_E_IO. */
MCPW_COLD mcpw_status mcpw_io_failed(mcpw_error *error, int number, const char *what);

/* ---- io.c ---- */

/* A mcpw_io_step that also ends when one more descriptor is ready; its revents are set. */
MCPW_NODISCARD mcpw_status mcpw_io_step_beside(mcpw_io *io, int timeout, mcpw_pollfd *beside,
                                               mcpw_error *error);

/* ---- client.c ---- */

/* The child of a client that started its server; NULL if the client was attached. */
const mcpw_child *mcpw_client_child(const mcpw_client *client);

/* ---- queue.c ---- */

/* The queue of a session. If it has none, the call creates one that ends with the session. NULL: error
 * explains why. */
mcpw_queue *mcpw_queue_of(mcpw_session *session, mcpw_error *error);
/* True if threads without a detached request may use the queue. */
bool mcpw_queue_is_shared(const mcpw_queue *queue);
/* True if the queue has entries to run. */
bool mcpw_queue_is_woken(const mcpw_queue *queue);
/* Creates a queue for the sessions of a server, which this thread creates later. NULL: error explains why. */
mcpw_queue *mcpw_queue_for(mcpw_server *server, mcpw_error *error);
/* Makes the loop take a step. It may be called from any thread and from a signal handler. */
void mcpw_queue_wake(mcpw_queue *queue);
/* Marks that this thread is inside a call: calls from other threads are errors now. Returns the argument of
 * mcpw_queue_leave. */
bool mcpw_queue_enter(mcpw_queue *queue);
void mcpw_queue_leave(mcpw_queue *queue, bool was_held);

/* ---- alone_glibc.c, alone_none.c ---- */

/* True if this process has only one thread, so that nothing can happen while it waits. */
bool mcpw_is_alone(void);

/* ---- beside.c ---- */

struct mcpw_watch;
struct mcpw_io_timer;

/* The streams of a loop, and its other sources: its queue, more descriptors and timers. */
typedef struct mcpw_beside {
    mcpw_os_stream in;
    mcpw_os_stream out;
    mcpw_queue *queue;
    struct mcpw_watch *watches;
    size_t watch_count;
    struct mcpw_io_timer *timers;
    size_t timer_count;
    int64_t last_number;
    mcpw_pollfd *fds;
    size_t fd_count; /* room for them */
    bool is_called;  /* the last look found calls from other threads */
} mcpw_beside;

mcpw_beside *mcpw_beside_new(mcpw_session *session, mcpw_error *error);
void mcpw_beside_free(mcpw_beside *beside);
mcpw_queue *mcpw_beside_queue(const mcpw_beside *beside);
/* Makes an array with room for the caller's own descriptors, followed by the queue's and the others. count
 * receives the total number. */
mcpw_pollfd *mcpw_beside_fds(mcpw_beside *beside, size_t own, size_t *count);
/* Takes the results of the wait. Without `polled` it looks at the descriptors itself. */
void mcpw_beside_look(mcpw_beside *beside, size_t own, bool polled);
/* Calls the callbacks of the ready descriptors and the expired timers. */
void mcpw_beside_run(mcpw_beside *beside, mcpw_io *io);
/* The time of the next timer; UINT64_MAX: never. */
uint64_t mcpw_beside_due(const mcpw_beside *beside);
/* True if nothing can arrive from other threads, descriptors and timers. */
bool mcpw_beside_is_quiet(const mcpw_beside *beside);

/* ---- child.c ---- */

/* True if the child has ended: it is reaped and exit_status is set. Its descriptors stay open. */
bool mcpw_child_exited(mcpw_child *child);
/* The entry of the child's standard error for a wait. */
mcpw_pollfd mcpw_child_wait_stderr(const mcpw_child *child);

/* Begins something that ends by a call of on_reply. *number is that of a request that can be cancelled; it
 * may stay 0. */
typedef mcpw_status mcpw_client_begin(void *what, mcpw_session *session, mcpw_on_reply on_reply, void *user,
                                      int64_t *number, mcpw_error *error);
/* Begins it, and waits for its end, as mcpw_client_request does. */
MCPW_NODISCARD mcpw_status mcpw_client_wait_for(mcpw_client *client, mcpw_client_begin *begin, void *what,
                                                mcpw_arena *arena, mcpw_result *result, mcpw_error *error);

#endif
