/* SPDX-License-Identifier: MIT */
/*
 * The stdio transport: driving sessions over file descriptors with poll(), and child processes. POSIX and
 * Windows. (MCP, "Transports", stdio.) Works on any pair of descriptors: pipes, terminals, Unix sockets, on
 * Windows pipes, consoles and files.
 *
 * A loop or client belongs to one thread. <mcpw/thread.h> describes what other threads may do.
 *
 * No function of this library changes signal dispositions of the process, except mcpw_serve_stdio, which
 * ignores SIGPIPE while it runs.
 */
#ifndef MCPW_IO_H
#define MCPW_IO_H

#include <mcpw/client_tasks.h>
#include <mcpw/diagnostics.h>
#include <mcpw/frame.h>
#include <mcpw/server.h>
#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* Serves one client on standard input and output until the client disconnects. MCPW_OK if it did so normally.
 * Nothing else may write to standard output meanwhile. Diagnostics are written to standard error: see
 * mcpw_serve_options. error may be NULL. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_serve_stdio(mcpw_server *server, mcpw_error *error);

/* The standard input of this process, for mcpw_io_begin: 0 on POSIX, a HANDLE on Windows. */
MCPW_SESSION_API mcpw_handle mcpw_standard_input(void);

/* The standard output of this process, for mcpw_io_begin: 1 on POSIX, a HANDLE on Windows. */
MCPW_SESSION_API mcpw_handle mcpw_standard_output(void);

#ifdef _WIN32
/* Something to wait for, with the members of a pollfd. The program ignores events and revents. */
typedef struct mcpw_pollfd {
    mcpw_handle fd; /* for WaitForMultipleObjects */
    short events;   /* the library's own */
    short revents;  /* the library's own */
} mcpw_pollfd;
#else
/* As in <poll.h>. */
struct pollfd;
/* Something to wait for: an entry for poll(), on Windows a handle for WaitForMultipleObjects. */
typedef struct pollfd mcpw_pollfd;
#endif

/* The other work of a loop; the library's own. */
struct mcpw_beside;

/* A transport carries a session's messages in place of two descriptors: HTTP, a message queue, shared memory.
 * It takes them by mcpw_session_next_message, and passes in the peer's by mcpw_session_receive. */
typedef struct mcpw_transport {
    void *self;     /* passed to its functions */
    mcpw_handle fd; /* poll() reports POLLIN for it when there is something to do */
    /* Does the work that is possible without waiting. Any status but MCPW_OK ends the transport; error has
     * the reason. */
    mcpw_status (*work)(void *self, mcpw_error *error);
    /* The time by which work must be called, on the clock of mcpw_io_now; UINT64_MAX: never. */
    uint64_t (*due)(void *self);
    /* Ends the transport: it disconnects, which may take a moment, and frees itself. The session is closed
     * already. */
    void (*end)(void *self);
} mcpw_transport;

/* A session on two descriptors, which may be the same. Neither is closed. Output is made non-blocking unless
 * it is a terminal (mcpw_io_end undoes that). Input is not changed. Initialise with MCPW_IO_INIT. */
typedef struct mcpw_io {
    size_t struct_size;         /* set by MCPW_IO_INIT */
    mcpw_session *session;      /* the caller's; not freed */
    mcpw_handle in;             /* -1 once input has ended */
    mcpw_handle out;            /* -1 once output has failed */
    unsigned state;             /* flags of the two */
    char *buffer;               /* input */
    size_t buffer_size;         /* bytes of it */
    struct mcpw_beside *beside; /* the other work of the loop */
    mcpw_transport transport;   /* in place of out; work NULL: none */
} mcpw_io;

/* No session, no descriptors. */
#define MCPW_IO_INIT                                                                                         \
    {                                                                                                        \
        sizeof(mcpw_io), NULL, -1, -1, 0, NULL, 0, NULL, { NULL, -1, NULL, NULL, NULL }                      \
    }

/* Puts a session on two descriptors. MCPW_E_IO: a descriptor is not usable. MCPW_E_ARGUMENT: session is NULL,
 * a descriptor is negative, or io was not initialised. MCPW_E_STATE: io is in use. MCPW_E_MEMORY. After a
 * failure mcpw_io_end is not needed. On Windows the system cancels output on an overlapped handle when the
 * thread that began it ends. Such a thread must not end before mcpw_io_out_events returns 0; otherwise the
 * output may fail with MCPW_E_IO. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_io_begin(mcpw_io *io, mcpw_session *session, mcpw_handle in,
                                                          mcpw_handle out, mcpw_error *error);
/* Puts a session on a transport. mcpw_io_end ends the transport, and so does a failure of this call, unless
 * the transport lacks a function (MCPW_E_ARGUMENT). The transport is copied. The session must not have been
 * read as one stream of bytes. `in` is then the transport's descriptor, and `out` is none.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_io_carry(mcpw_io *io, mcpw_session *session,
                                                          const mcpw_transport *transport, mcpw_error *error);
/* Takes the session off its descriptors and frees the memory. It must not be called inside a callback of the
 * session. (mcpw_io_step, _run and _work return MCPW_E_STATE there.) */
MCPW_SESSION_API void mcpw_io_end(mcpw_io *io);

/* Waits until something can be read or written or is due, at most timeout_ms (-1: no limit), and does it.
 * MCPW_E_CLOSED if input has ended and nothing is left to send or to answer. MCPW_E_IO, with errno in error,
 * if a descriptor failed. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_io_step(mcpw_io *io, int timeout_ms, mcpw_error *error);

/* Steps until done(user) is true (done NULL: never) or the session ends. Errors as for mcpw_io_step. When
 * input has ended, unanswered requests are refused if nothing is under way that could answer them. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_io_run(mcpw_io *io, bool (*done)(void *user), void *user,
                                                        mcpw_error *error);

/* For programs with their own event loop: the events of poll() to wait for on the input, POLLIN or 0. While
 * the events are 0, leave the descriptor out of poll(), which would else report its hang-up again and again.
 */
MCPW_SESSION_API short mcpw_io_in_events(const mcpw_io *io);
/* The same for the output: POLLOUT or 0. */
MCPW_SESSION_API short mcpw_io_out_events(const mcpw_io *io);
/* Whether the other end has read all that was sent, as far as the system tells; false if output has failed. A
 * client with a loop of its own learns by it that a server has ended because of what it was sent: see
 * mcpw_client_start. Call it before mcpw_io_end. */
MCPW_SESSION_API bool mcpw_io_was_read(const mcpw_io *io);
/* The ms until mcpw_io_work has something to do; -1: no limit. */
MCPW_SESSION_API int mcpw_io_timeout(const mcpw_io *io);
/* Reads and writes as much as is possible without waiting, and fails requests that have timed out. Errors as
 * for mcpw_io_step. After a pause without it, call mcpw_session_advance(session, mcpw_io_now()) before you
 * make a request, because its timeout counts from the session's last time. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_io_work(mcpw_io *io, mcpw_error *error);

/* Makes mcpw_io_step, _run and _work watch one more descriptor. They call on_ready with the events that
 * poll() reports for it; events are those of poll(). If the descriptor is already watched, its events and
 * callback are replaced. A watched descriptor does not keep the loop running after its session.
 * MCPW_E_ARGUMENT, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_io_watch(mcpw_io *io, mcpw_handle fd, short events,
                                                          void (*on_ready)(void *user, mcpw_io *io,
                                                                           mcpw_handle fd, short events),
                                                          void *user);
/* Stops watching a descriptor. Call it before the descriptor is closed. */
MCPW_SESSION_API void mcpw_io_unwatch(mcpw_io *io, mcpw_handle fd);

/* Starts a timer: mcpw_io_step, _run and _work call on_time when first_ms have passed, and again every
 * period_ms (0: once). number, unless NULL, receives a number for mcpw_io_stop_timer. MCPW_E_ARGUMENT,
 * MCPW_E_MEMORY.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_io_start_timer(mcpw_io *io, uint64_t first_ms,
                                                                uint64_t period_ms,
                                                                void (*on_time)(void *user, mcpw_io *io),
                                                                void *user, int64_t *number);
/* Stops a timer. Does nothing for one that has passed. */
MCPW_SESSION_API void mcpw_io_stop_timer(mcpw_io *io, int64_t number);

/* How to serve. Zero and NULL take the default. Initialise with MCPW_SERVE_OPTIONS_INIT. */
typedef struct mcpw_serve_options {
    size_t struct_size; /* set by MCPW_SERVE_OPTIONS_INIT */
    /* The number of threads that run the handlers of tools, resources, prompts and completions, and typed
     * slots: see mcpw_workers_new in <mcpw/thread.h>. At most 1024. Default 0: handlers run one after the
     * other on the serving thread. */
    unsigned workers;
    const mcpw_session_config *config; /* of the session; the call sets its role and server */
    /* Called when the loop is ready and before anything is read. The callback may watch descriptors, start
     * timers, and get mcpw_session_queue(io->session). May be NULL. */
    void (*on_start)(void *user, mcpw_io *io);
    /* Called when the session has ended and is about to be freed. The callback stops threads that post to its
     * queue. May be NULL. */
    void (*on_end)(void *user, mcpw_io *io);
    void *user; /* passed to both */
    /* How diagnostics are written if the config has no on_diagnostic. NULL: to standard error, as in
     * <mcpw/diagnostics.h>. The format MCPW_DIAGNOSTICS_OFF writes none. */
    const mcpw_diagnostics_options *diagnostics;
} mcpw_serve_options;

/* Everything at its default. */
#define MCPW_SERVE_OPTIONS_INIT MCPW_SIZED(mcpw_serve_options)

/* mcpw_serve_stdio with options. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_serve_stdio_with(mcpw_server *server,
                                                                  const mcpw_serve_options *options,
                                                                  mcpw_error *error);

/* The time in ms, on the clock of the functions above (CLOCK_MONOTONIC). */
MCPW_SESSION_API uint64_t mcpw_io_now(void);

/* ---- Child processes ----------------------------------------------------------------------------------- */

/* How to start a server. */
typedef struct mcpw_spawn {
    size_t struct_size; /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    /* NULL-terminated. argv[0] is looked up in this process's PATH; with a slash in it, it is a path relative
     * to cwd (on Windows, to that of this process). On Windows the endings of PATHEXT are tried. A batch file
     * gets no argument with a quotation mark, a percent sign, an exclamation mark or a line end: MCPW_E_IO.
     */
    const char *const *argv;
    const char *const *env; /* NULL-terminated "NAME=value"; NULL: the environment of this process */
    const char *cwd;        /* NULL: that of this process */
    /* Called by mcpw_child_stderr for each line that the child wrote to standard error. A line of more than
     * 64 KiB is replaced by a note. NULL: the child inherits the standard error of this process. */
    void (*on_stderr)(void *user, mcpw_str line);
    void *user; /* passed to on_stderr */
    /* The child gets a process group of its own. Signals from a terminal to the group of this process, such
     * as SIGINT by Ctrl-C, do not reach it. */
    bool own_group;
} mcpw_spawn;

/* A child process and the pipes to it. Initialise with MCPW_CHILD_INIT; end it with mcpw_child_stop. */
typedef struct mcpw_child {
    size_t struct_size; /* set by MCPW_CHILD_INIT */
    int64_t pid;        /* 0: none */
    mcpw_handle in;     /* reads the child's standard output */
    mcpw_handle out;    /* writes to its standard input */
    mcpw_handle err;    /* reads its standard error; -1: not piped */
    /* After mcpw_child_stop: the status of waitpid, on Windows the exit code; -1: other code has reaped the
     * child. */
    int exit_status;
    void (*on_stderr)(void *user, mcpw_str line); /* as in mcpw_spawn */
    void *user;                                   /* passed to on_stderr */
    struct mcpw_stderr *lines;                    /* the library's own, until mcpw_child_stop */
} mcpw_child;

/* No child. */
#define MCPW_CHILD_INIT                                                                                      \
    { sizeof(mcpw_child), 0, -1, -1, -1, 0, NULL, NULL, NULL }

/* Starts a process with its standard input and output piped. MCPW_E_IO, with the command and the system's
 * reason in error, if it cannot be started. MCPW_E_ARGUMENT: the options or child were not initialised, or
 * there is no command. MCPW_E_STATE: child is in use. MCPW_E_MEMORY. Other children do not inherit its
 * descriptors. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_child_start(mcpw_child *child, const mcpw_spawn *spawn,
                                                             mcpw_error *error);

/* Reads the child's standard error without waiting, and calls on_stderr for each line. */
MCPW_SESSION_API void mcpw_child_stderr(mcpw_child *child);

/* Ends the child: closes its standard input, waits patience_ms, sends SIGTERM, waits again, sends SIGKILL.
 * (MCP, "Lifecycle", shutdown.) Its standard error is read to the end. Windows has Ctrl-Break, for a child
 * with a group of its own, in place of SIGTERM; at last the child and all processes that it has started are
 * ended. */
MCPW_SESSION_API void mcpw_child_stop(mcpw_child *child, unsigned patience_ms);

/* ---- A client that waits ------------------------------------------------------------------------------- */

/* A client whose calls wait for their answers. It can start its server itself. */
typedef struct mcpw_client mcpw_client;

/* Starts the server and negotiates. config is that of a session. Its role is set by this call, its name is
 * required, and on_open is not called. Returns NULL on failure, with the reason in error.
 *
 * Some servers of revisions with a handshake exit when their first request is server/discover. A server that
 * has read this request and then exited without an answer is started once more, with these revisions alone.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_client *
mcpw_client_start(const mcpw_spawn *spawn, const mcpw_session_config *config, mcpw_error *error);
/* The same on descriptors, such as a connected Unix socket. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_client *
mcpw_client_attach(mcpw_handle in, mcpw_handle out, const mcpw_session_config *config, mcpw_error *error);

/* The same over a transport. begin makes the transport for the session. It ends with the client. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_client *mcpw_client_over(
    mcpw_status (*begin)(void *user, mcpw_session *session, mcpw_transport *transport, mcpw_error *error),
    void *user, const mcpw_session_config *config, mcpw_error *error);

/* Closes the session and ends the server. It waits for the end of the server, for 4 seconds at most. Does
 * nothing for NULL. */
MCPW_SESSION_API void mcpw_client_free(mcpw_client *client);

/* Makes a request and waits for its end. result may be NULL. It receives a value, which lives in arena, and
 * the type of that value in the given revision. On input its type selects the result: the method's result, or
 * the task result if the params carry a task. For a task result the server must have declared that it makes
 * tasks of this method; else MCPW_E_CAPABILITY. If the params ask for the other of the two, the call returns
 * MCPW_E_ARGUMENT before anything is sent. MCPW_E_TYPE: an extension has answered with a result of its own,
 * which only a type of NULL receives. MCPW_E_REMOTE: the peer answered with an error. Its text is in error,
 * and mcpw_client_remote_error returns all of it. call may be NULL. Its on_progress gets the user pointer of
 * the config.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_request(mcpw_client *client,
                                                                const mcpw_revision *revision, int method,
                                                                const void *params, const mcpw_call *call,
                                                                mcpw_arena *arena, mcpw_result *result,
                                                                mcpw_error *error);

/* The same for a method that an extension adds, by name and as text (<mcpw/extension.h>). params absent: {}.
 * result may be NULL; it lives in arena. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_request_named(mcpw_client *client, const char *method,
                                                                      mcpw_json params, const mcpw_call *call,
                                                                      mcpw_arena *arena, mcpw_json *result,
                                                                      mcpw_error *error);

/* The error from the peer that the last request of this client failed with, including its code and data. NULL
 * if the request ended in another way. The generated calls and those below are such requests. The error lives
 * until the next request. Its data is absent if there was no memory for it. */
MCPW_SESSION_API const mcpw_rpc_error *mcpw_client_remote_error(const mcpw_client *client);

/* Checks whether the server answers a ping. It has timeout_ms to answer (0: as in the config). MCPW_E_METHOD
 * if the revision has no ping (2026-07-28). (MCP, "Ping".) */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_ping(mcpw_client *client, uint64_t timeout_ms,
                                                             mcpw_error *error);
/* Sets the lowest level of log messages, by mcpw_session_set_log_level. It waits for the response if that
 * sends a request. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_set_log_level(mcpw_client *client,
                                                                      mcpw_log_level level,
                                                                      mcpw_error *error);

/* Reads and answers messages for up to timeout_ms (-1: without an end): notifications and the server's
 * requests. MCPW_OK: the time has passed. MCPW_E_CANCELLED: mcpw_client_cancel was called. MCPW_E_STATE:
 * inside a callback. Any other status: the connection has ended. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_wait(mcpw_client *client, int timeout_ms,
                                                             mcpw_error *error);

/* Cancels the call of mcpw_client_request or mcpw_client_wait that another thread is waiting in. That call
 * returns MCPW_E_CANCELLED, and the server is notified. Any thread may call this, and a signal handler. If no
 * thread waits, it does nothing. The client must live until this returns. (MCP, "Cancellation".) */
MCPW_SESSION_API void mcpw_client_cancel(mcpw_client *client);

/* ---- A client that waits for tasks --------------------------------------------------------------------- */

/* mcpw_session_call_task, and waits for its end. If the server has answered by a task, *task is the handle,
 * which the program frees before the client. Else *task is NULL, and result is the result of the call, as for
 * mcpw_client_request. call may be NULL. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_call_task(mcpw_client *client,
                                                                  const mcpw_revision *revision,
                                                                  const void *params, const mcpw_call *call,
                                                                  mcpw_arena *arena, mcpw_result *result,
                                                                  mcpw_task **task, mcpw_error *error);
/* mcpw_task_follow, and waits until the task has ended. result is that of the tool; it may be NULL. options
 * may be NULL; their on_status gets the user pointer of the config. mcpw_client_cancel cancels the task, and
 * the call returns MCPW_E_CANCELLED. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_wait_task(mcpw_client *client, mcpw_task *task,
                                                                  const mcpw_revision *revision,
                                                                  const mcpw_task_follow_options *options,
                                                                  mcpw_arena *arena, mcpw_result *result,
                                                                  mcpw_error *error);
/* mcpw_task_get, and waits for the answer; mcpw_task_last has it then. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_get_task(mcpw_client *client, mcpw_task *task,
                                                                 mcpw_error *error);
/* mcpw_task_cancel, and waits for the answer. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_cancel_task(mcpw_client *client, mcpw_task *task,
                                                                    mcpw_error *error);

/* ---- Several clients in one loop ----------------------------------------------------------------------- */

enum { MCPW_CLIENT_FDS = 4 /* the most descriptors that a client waits for */ };

/* Fills in the entries that poll() must wait for, at most MCPW_CLIENT_FDS, and returns their number. They
 * change from one step to the next. Returns 0 when the connection is gone. */
MCPW_SESSION_API size_t mcpw_client_fds(const mcpw_client *client, mcpw_pollfd *fds);
/* The ms until mcpw_client_work has something to do; -1: no limit. */
MCPW_SESSION_API int mcpw_client_timeout(const mcpw_client *client);
/* Does the work that is possible without waiting: it reads and answers messages, writes, and fails requests
 * that have timed out. Make requests by mcpw_session_request on mcpw_client_session. After a pause call
 * mcpw_session_advance(session, mcpw_io_now()) first. If the connection is gone, it returns the status that
 * mcpw_client_request would return. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_work(mcpw_client *client, mcpw_error *error);

/* The session of a client. It lives as long as the client. */
MCPW_SESSION_API mcpw_session *mcpw_client_session(mcpw_client *client);

MCPW_END_DECLS

#endif
