/* SPDX-License-Identifier: MIT */
/*
 * Answers from any thread. A session and its server belong to one thread; a handler that has to wait for a
 * database or a file hands its request to another thread, and goes on with the next:
 *
 *     static mcpw_status handle(mcpw_request *request, const mcpw_tool_call *call, void *user) {
 *         const mcpw_status status = mcpw_request_detach(request);
 *         return status == MCPW_OK ? give_to_a_thread(user, request, call) : status;
 *     }
 *
 * What that thread calls for the request (answers, input requests, progress, log messages) runs on the
 * session's thread while it waits, so that it gets the exact status; and it ends with mcpw_request_return. Or
 * the handlers run on a few threads of the library's own: `workers` of mcpw_serve_options in <mcpw/io.h>.
 *
 * Sessions that <mcpw/io.h> drives have all that. For a loop of your own: mcpw_queue. POSIX only.
 */
#ifndef MCPW_THREAD_H
#define MCPW_THREAD_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* ---- A request that another thread has ----------------------------------------------------------------- */

/* In a handler, on the session's thread: from now on one other thread at a time has the request; the handler
 * gives it away and returns MCPW_OK. (If it returns anything else it has not given it away, and that is its
 * status as ever.) The request and its params live until mcpw_request_return, whatever the peer does.
 *
 * What the other thread may call: all functions of <mcpw/session.h> and <mcpw/server.h> that take a request.
 * Once the peer has cancelled the request they return MCPW_E_CANCELLED, once the session is closed
 * MCPW_E_CLOSED. on_cancel runs on the session's thread: it may set a flag or interrupt what the other thread
 * does; where it is set too late, it is called at once. An allocator of the config's is called by both
 * threads.
 *
 * In a handler that runs on a worker (mcpw_workers) the request is detached already: this says that it stays
 * so when the handler returns MCPW_OK, and mcpw_request_return will be called.
 *
 * MCPW_E_STATE outside of a handler, or where the session has no queue; MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_request_detach(mcpw_request *request);

/* Ends what another thread does for a detached request, exactly once. That thread may not touch the request
 * after it. status means what it means when a handler returns it. MCPW_OK: it is answered, or kept on the
 * session's thread. MCPW_PENDING: the handler runs again, from its beginning and on the session's thread,
 * when the answers are in. Any other is an error, which is answered where there was no answer yet.
 * MCPW_E_STATE where the request is not detached. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_request_return(mcpw_request *request, mcpw_status status);

/* Whether the peer has cancelled the request, or its session is closed. Any thread that has the request may
 * ask, as often as it likes: it takes no lock and does not wait. */
MCPW_API bool mcpw_request_is_cancelled(const mcpw_request *request);

/* ---- The way to the session's thread ------------------------------------------------------------------- */

/* Brings calls from other threads to the one that runs it. One queue may serve many sessions. It belongs to
 * the thread that made it, until another one runs it. So do its sessions and their servers. A call from
 * elsewhere that changes one of them, but for a detached request, returns MCPW_E_THREAD (or nothing where it
 * returns no status), and is told to on_diagnostic. */
typedef struct mcpw_queue mcpw_queue;

/* A new queue; NULL with why in error. */
MCPW_NODISCARD MCPW_API mcpw_queue *mcpw_queue_new(mcpw_error *error);
/* Runs what was posted, and ends the queue. Its sessions must be gone. Does nothing for NULL. */
MCPW_API void mcpw_queue_free(mcpw_queue *queue);

/* A descriptor to wait for: there is something to read when there is something to run. */
MCPW_API int mcpw_queue_fd(const mcpw_queue *queue);
/* Runs what other threads have asked for so far; never waits. mcpw_io_step and the like do it themselves. */
MCPW_API void mcpw_queue_run(mcpw_queue *queue);

/* From any thread: has run(user) called on the queue's thread, in the order of posting; does not wait for it.
 * MCPW_E_CLOSED after mcpw_queue_close, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_queue_post(mcpw_queue *queue, void (*run)(void *user), void *user);
/* From any thread: nothing more is posted. What was posted is still run; detached requests go on. */
MCPW_API void mcpw_queue_close(mcpw_queue *queue);

/* The sessions of a server will run on this queue's thread. From now on any thread may tell of changes: see
 * mcpw_server_resource_updated. Call it before the first session is made. mcpw_serve_stdio, mcpw_serve_http
 * and mcpw_http_listener_new do it themselves, and a session that is given a queue does it from then on.
 * MCPW_E_ARGUMENT, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_set_queue(mcpw_server *server, mcpw_queue *queue);
/* Undoes mcpw_server_set_queue. Call it when the sessions are gone and before the queue is freed. */
MCPW_API void mcpw_server_unset_queue(mcpw_server *server, mcpw_queue *queue);

/* Gives a session its queue, before its first message; the queue must outlive it. mcpw_io_begin gives a
 * session one that has none. mcpw_session_free then waits until every detached request has been returned,
 * running the queue meanwhile. MCPW_E_STATE when the session has one, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_set_queue(mcpw_session *session, mcpw_queue *queue);
/* The queue of a session, to post to; NULL: none. On the session's thread, before others use it. */
MCPW_API mcpw_queue *mcpw_session_queue(mcpw_session *session);

/* ---- Threads that run handlers ------------------------------------------------------------------------- */

/* A few threads that run the handlers of requests, each for one request at a time: those of tools, resources,
 * prompts and completions, and typed slots. */
typedef struct mcpw_workers mcpw_workers;

/* Starts count threads, at least one. They block all signals. NULL with why in error. */
MCPW_NODISCARD MCPW_API mcpw_workers *mcpw_workers_new(unsigned count, mcpw_error *error);
/* Ends the threads, when what they were given is done. Sessions that use them must be gone. NULL does nothing.
 */
MCPW_API void mcpw_workers_free(mcpw_workers *workers);
/* Has the handlers of a session run on workers, which must outlive it. The session needs a queue. Handlers
 * keep to the rules of mcpw_request_detach, and call nothing of the session or the server but by
 * mcpw_queue_post. MCPW_E_STATE without a queue. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_session_set_workers(mcpw_session *session, mcpw_workers *workers);

MCPW_END_DECLS

#endif
