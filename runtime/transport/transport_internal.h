/* SPDX-License-Identifier: MIT */
/* What the files of the stdio transport ask of each other. */
#ifndef MCPW_TRANSPORT_INTERNAL_H
#define MCPW_TRANSPORT_INTERNAL_H

#include <mcpw/io.h>
#include <mcpw/thread.h>

#include <poll.h>
#include <sys/types.h>

#include "../base/compiler.h"

/* ---- io_system.c ---- */

/* Fills in error with what could not be done and the system's reason for it, and returns MCPW_E_IO. */
MCPW_COLD mcpw_status mcpw_io_failed(mcpw_error *error, int number, const char *what);

/* ---- io.c ---- */

/* Writes to a pipe whose reader may be gone, without the signal that would end the process. */
ssize_t mcpw_io_write_guarded(int fd, const char *bytes, size_t len);

/* mcpw_io_step that also ends when there is something to read from one more descriptor. Its revents say so.
 */
MCPW_NODISCARD mcpw_status mcpw_io_step_beside(mcpw_io *io, int timeout, struct pollfd *beside,
                                               mcpw_error *error);

/* ---- queue.c ---- */

/* The queue of a session. Where it has none, one is made that ends with it. NULL with the reason in error. */
mcpw_queue *mcpw_queue_of(mcpw_session *session, mcpw_error *error);
/* Whether threads may use it that have no detached request. */
bool mcpw_queue_is_shared(const mcpw_queue *queue);
/* Whether something waits to be run. */
bool mcpw_queue_is_woken(const mcpw_queue *queue);
/* A queue for the sessions of a server that is about to be served, and are made on this thread. NULL with the
 * reason in error. */
mcpw_queue *mcpw_queue_for(mcpw_server *server, mcpw_error *error);
/* Ends that queue, whose sessions are gone. Does nothing for NULL. */
void mcpw_queue_end(mcpw_server *server, mcpw_queue *queue);
/* Makes the loop take a step. From any thread, and from a signal handler. */
void mcpw_queue_wake(mcpw_queue *queue);
/* Marks that something is under way on this thread: calls from other threads are mistakes now. Returns what
 * mcpw_queue_leave takes. */
bool mcpw_queue_enter(mcpw_queue *queue);
void mcpw_queue_leave(mcpw_queue *queue, bool was_held);

/* ---- alone_glibc.c, alone_none.c ---- */

/* Whether this process surely has one thread, so that nothing can happen while that waits. */
bool mcpw_is_alone(void);

/* ---- beside.c ---- */

/* What a loop does beside its session: its queue, more descriptors, timers. */
typedef struct mcpw_beside mcpw_beside;

mcpw_beside *mcpw_beside_new(mcpw_session *session, mcpw_error *error);
void mcpw_beside_free(mcpw_beside *beside);
mcpw_queue *mcpw_beside_queue(const mcpw_beside *beside);
/* Makes room for so many descriptors of the caller's, with the queue's and the others behind them. count
 * receives how many there are in all. */
struct pollfd *mcpw_beside_fds(mcpw_beside *beside, size_t own, size_t *count);
/* Takes over what poll says of these. Where poll was not asked, they are looked at here. */
void mcpw_beside_look(mcpw_beside *beside, size_t own, bool polled);
/* Runs what was ready at the last look, and what is due. */
void mcpw_beside_run(mcpw_beside *beside, mcpw_io *io);
/* When the next timer is due; UINT64_MAX: never. */
uint64_t mcpw_beside_due(const mcpw_beside *beside);
/* Whether nothing can come from other threads, descriptors and timers. */
bool mcpw_beside_is_quiet(const mcpw_beside *beside);

/* Whether the child has ended. If so, it is reaped and exit_status says how. Its descriptors stay open. */
bool mcpw_child_exited(mcpw_child *child);

#endif
