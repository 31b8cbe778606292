/* SPDX-License-Identifier: MIT */
/*
 * Answers from any thread. A session and its server belong to one thread. A handler that must wait for a
 * database or a file hands its request to another thread, so that the session goes on with the next one:
 *
 *     static mcpw_status handle(mcpw_request *request, const mcpw_tool_call *call, void *user) {
 *         const mcpw_status status = mcpw_request_detach(request);
 *         return status == MCPW_OK ? give_to_a_thread(user, request, call) : status;
 *     }
 *
 * That thread may call functions for the request (answers, input requests, progress, log messages). Each call
 * runs on the session's thread while the caller waits, and returns the exact status. The thread ends with
 * mcpw_request_return. The handlers may also run on a few threads of the library: see `workers` of
 * mcpw_serve_options in <mcpw/io.h>.
 *
 * Sessions that <mcpw/io.h> drives have all that. A program with its own loop uses mcpw_queue. POSIX and
 * Windows.
 */
#ifndef MCPW_THREAD_H
#define MCPW_THREAD_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* ---- A request that another thread has ----------------------------------------------------------------- */

/* Detaches a request from the session's thread. A handler calls this on the session's thread, gives the
 * request to another thread and returns MCPW_OK. (Any other status means that it has not given the request
 * away, and has its usual effect.) From then on one other thread at a time has the request. The request and
 * its params live until mcpw_request_return, even if the peer cancels it or disconnects.
 *
 * The other thread may call all functions of <mcpw/session.h> and <mcpw/server.h> that take a request. They
 * return MCPW_E_CANCELLED if the peer has cancelled the request, and MCPW_E_CLOSED if the session is closed.
 * on_cancel runs on the session's thread. It may set a flag or interrupt the other thread. If it is set after
 * the cancellation, it is called at once. Both threads call the config's allocator.
 *
 * In a handler that runs on a worker (mcpw_workers) the request is already detached. This call then keeps it
 * detached after the handler has returned MCPW_OK, until mcpw_request_return.
 *
 * MCPW_E_STATE outside of a handler, or if the session has no queue; MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_detach(mcpw_request *request);

/* Returns a detached request to the session's thread. Another thread calls this exactly once, and must not
 * touch the request afterwards. status has the same meaning as the status of a handler. MCPW_OK: the request
 * is answered, or kept on the session's thread. MCPW_PENDING: the handler runs again, from its beginning and
 * on the session's thread, when the answers have come. Any other status is an error, and is sent if the
 * request has no answer yet. The call returns MCPW_E_STATE if the request is not detached. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_return(mcpw_request *request, mcpw_status status);

/* Whether the peer has cancelled the request, or its session is closed. Any thread that has the request may
 * call this often. It takes no lock and does not wait. */
MCPW_SESSION_API bool mcpw_request_is_cancelled(const mcpw_request *request);

/* ---- The way to the session's thread ------------------------------------------------------------------- */

/* A queue of calls from other threads to the thread that runs it. One queue may serve many sessions. It
 * belongs to the thread that made it until another thread runs it. So do its sessions and their servers. If
 * another thread calls a function that changes one of them, the call does nothing, except for a detached
 * request. It returns MCPW_E_THREAD if it returns a status, and on_diagnostic is called. */
typedef struct mcpw_queue mcpw_queue;

/* A new queue; NULL on failure, with the reason in error. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_queue *mcpw_queue_new(mcpw_error *error);
/* Runs all posted calls and frees the queue. Its sessions must be gone. Does nothing for NULL. */
MCPW_SESSION_API void mcpw_queue_free(mcpw_queue *queue);

/* A descriptor to wait for. It is readable when there is a call to run. (On Windows it is an event.) */
MCPW_SESSION_API mcpw_handle mcpw_queue_fd(const mcpw_queue *queue);
/* Runs the calls that were posted so far; never waits. mcpw_io_step and the like do this themselves. */
MCPW_SESSION_API void mcpw_queue_run(mcpw_queue *queue);

/* Posts a call of run(user) to the queue's thread. Calls run in the order of posting. It does not wait, and
 * any thread may use it. MCPW_E_CLOSED after mcpw_queue_close, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_queue_post(mcpw_queue *queue, void (*run)(void *user),
                                                            void *user);
/* Closes the queue: mcpw_queue_post fails from now on. Calls that were posted still run, and detached
 * requests go on. Any thread may call this. */
MCPW_SESSION_API void mcpw_queue_close(mcpw_queue *queue);

/* Declares that the sessions of a server will run on this queue's thread. From now on any thread may report
 * changes: see mcpw_server_resource_updated. Call it before the first session is made. mcpw_serve_stdio,
 * mcpw_serve_http and mcpw_http_listener_new do this themselves, and so does mcpw_session_set_queue.
 * MCPW_E_ARGUMENT, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_set_queue(mcpw_server *server, mcpw_queue *queue);
/* Undoes mcpw_server_set_queue. Call it when the sessions are gone and before the queue is freed. */
MCPW_SESSION_API void mcpw_server_unset_queue(mcpw_server *server, mcpw_queue *queue);

/* Sets the queue of a session, before its first message. The queue must outlive the session. mcpw_io_begin
 * makes a queue for a session without one. With a queue, mcpw_session_free waits until every detached request
 * has been returned, and runs the queue meanwhile. MCPW_E_STATE if the session already has a queue,
 * MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_set_queue(mcpw_session *session, mcpw_queue *queue);
/* The queue of a session, to post to; NULL: none. Call it on the session's thread, before other threads use
 * the queue. */
MCPW_SESSION_API mcpw_queue *mcpw_session_queue(mcpw_session *session);

/* ---- Threads that run handlers ------------------------------------------------------------------------- */

/* A few threads that run the handlers of tools, resources, prompts and completions, and typed slots. Each
 * thread handles one request at a time. */
typedef struct mcpw_workers mcpw_workers;

/* Starts count threads, from 1 to 1024. They block all signals. Returns NULL on failure, with the reason in
 * error. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_workers *mcpw_workers_new(unsigned count, mcpw_error *error);
/* Ends the threads after their current requests. Sessions that use them must be gone. Does nothing for NULL.
 */
MCPW_SESSION_API void mcpw_workers_free(mcpw_workers *workers);
/* Makes the handlers of a session run on workers, which must outlive the session. The session needs a queue.
 * Handlers follow the rules of mcpw_request_detach. They may call other functions of the session or the
 * server only by mcpw_queue_post. MCPW_E_STATE without a queue. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_set_workers(mcpw_session *session,
                                                                     mcpw_workers *workers);

MCPW_END_DECLS

#endif
