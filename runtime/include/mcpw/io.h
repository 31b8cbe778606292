/* SPDX-License-Identifier: MIT */
/*
 * The stdio transport: driving sessions over file descriptors with poll(), and child processes. POSIX only.
 * (MCP, "Transports", stdio.) Works on any pair of descriptors: pipes, terminals, Unix sockets.
 *
 * Loops and clients belong to one thread each; <mcpw/thread.h> says what other threads may do.
 *
 * No function of this library changes signal dispositions of the process, except mcpw_serve_stdio, which
 * ignores SIGPIPE while it runs.
 */
#ifndef MCPW_IO_H
#define MCPW_IO_H

#include <mcpw/diagnostics.h>
#include <mcpw/frame.h>
#include <mcpw/server.h>
#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* Serves one client on standard input and output until it goes. MCPW_OK when it went in order. Nothing else
 * may write to standard output meanwhile. Notes are written to standard error: see mcpw_serve_options. error
 * may be NULL. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_serve_stdio(mcpw_server *server, mcpw_error *error);

/* What a loop does beside its session; the library's own. */
struct mcpw_beside;

/* What carries a session's messages in the place of two descriptors: HTTP, a message queue, shared memory. It
 * takes them by mcpw_session_next_message, and gives what comes by mcpw_session_receive. */
typedef struct mcpw_transport {
    void *self; /* passed to its functions */
    int fd;     /* poll() says POLLIN of it when there is something to do */
    /* Does what can be done without waiting. Another status than MCPW_OK: it is over, as error says. */
    mcpw_status (*work)(void *self, mcpw_error *error);
    /* When to work at the latest, on the clock of mcpw_io_now; UINT64_MAX: no need. */
    uint64_t (*due)(void *self);
    /* Nothing more is wanted: says good-bye, which may take a moment, and is freed. The session is closed. */
    void (*end)(void *self);
} mcpw_transport;

/* A session on two descriptors, which may be the same. Neither is closed. Output is made non-blocking unless
 * it is a terminal (mcpw_io_end takes that back); input stays as it is. Initialise with MCPW_IO_INIT. */
typedef struct mcpw_io {
    size_t struct_size;         /* set by MCPW_IO_INIT */
    mcpw_session *session;      /* the caller's; not freed */
    int in;                     /* -1 once input has ended */
    int out;                    /* -1 once output has failed */
    unsigned state;             /* what is known of the two */
    char *buffer;               /* input */
    size_t buffer_size;         /* bytes of it */
    struct mcpw_beside *beside; /* what the loop does beside the session */
    mcpw_transport transport;   /* in the place of out; work NULL: there is none */
} mcpw_io;

/* No session, no descriptors. */
#define MCPW_IO_INIT                                                                                         \
    {                                                                                                        \
        sizeof(mcpw_io), NULL, -1, -1, 0, NULL, 0, NULL, { NULL, -1, NULL, NULL, NULL }                      \
    }

/* Puts a session on two descriptors. MCPW_E_MEMORY, or MCPW_E_IO when a descriptor is not usable; then there
 * is nothing to end. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_io_begin(mcpw_io *io, mcpw_session *session, int in, int out,
                                                  mcpw_error *error);
/* Puts a session on a transport, which mcpw_io_end ends, and so does a failure of this. It is copied. For a
 * session that was not read as one stream of bytes. `in` is the transport's descriptor then, and `out` none.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_io_carry(mcpw_io *io, mcpw_session *session,
                                                  const mcpw_transport *transport, mcpw_error *error);
/* Takes the session off its descriptors, and gives the memory back. It may not be called from inside a
 * callback of the session. There mcpw_io_step, _run and _work return MCPW_E_STATE. */
MCPW_API void mcpw_io_end(mcpw_io *io);

/* Waits until something can be read or written or is due, but at most timeout ms (-1: as long as it takes),
 * and does it. MCPW_E_CLOSED when input has ended and nothing is left to send or to answer. MCPW_E_IO, with
 * errno in error, when a descriptor failed. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_io_step(mcpw_io *io, int timeout, mcpw_error *error);

/* Steps until done(user) is true (done NULL: never) or the session ends. As mcpw_io_step. Answers that are
 * still due when input has ended are refused when nothing is under way that could bring them. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_io_run(mcpw_io *io, bool (*done)(void *user), void *user,
                                                mcpw_error *error);

/* For programs that have an event loop of their own: what poll() is to wait for on the input, POLLIN or 0.
 * Leave a descriptor out while there is no interest in it: its hang-up would be told again and again. */
MCPW_API short mcpw_io_in_events(const mcpw_io *io);
/* The same for the output: POLLOUT or 0. */
MCPW_API short mcpw_io_out_events(const mcpw_io *io);
/* How many ms may pass until mcpw_io_work has something to do; -1: any number. */
MCPW_API int mcpw_io_timeout(const mcpw_io *io);
/* Reads what is there, writes what can be written, and fails what has timed out. It never waits. As
 * mcpw_io_step. After a pause without it, call mcpw_session_advance(session, mcpw_io_now()) before a request
 * is made: the timeout counts from the time that the session knows. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_io_work(mcpw_io *io, mcpw_error *error);

/* Has mcpw_io_step, _run and _work look at one more descriptor. They call on_ready with what poll() says of
 * it; events are those of poll(). For a descriptor that is watched already, all is replaced. The loop lasts
 * as long as its session, and not for these. MCPW_E_ARGUMENT, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_io_watch(mcpw_io *io, int fd, short events,
                                                  void (*on_ready)(void *user, mcpw_io *io, int fd,
                                                                   short events),
                                                  void *user);
/* Looks at a descriptor no more; before it is closed. */
MCPW_API void mcpw_io_unwatch(mcpw_io *io, int fd);

/* Has on_time called from mcpw_io_step, _run and _work when ms have passed, and again every period ms (0:
 * once). number, unless NULL, receives a number to stop it by. MCPW_E_ARGUMENT, MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_io_start_timer(mcpw_io *io, uint64_t ms, uint64_t period,
                                                        void (*on_time)(void *user, mcpw_io *io), void *user,
                                                        int64_t *number);
/* Stops a timer. Does nothing for one that has passed. */
MCPW_API void mcpw_io_stop_timer(mcpw_io *io, int64_t number);

/* How to serve. Zero and NULL take the default. Initialise with MCPW_SERVE_OPTIONS_INIT. */
typedef struct mcpw_serve_options {
    size_t struct_size; /* set by MCPW_SERVE_OPTIONS_INIT */
    /* Threads that run the handlers of tools, resources, prompts and completions, and typed slots: see
     * mcpw_workers_new in <mcpw/thread.h>. Default 0: handlers run on the thread that serves, one after the
     * other. */
    unsigned workers;
    const mcpw_session_config *config; /* of the session; its role is set, and its server */
    /* The loop is ready, nothing has been read: to watch descriptors, to start timers, to take
     * mcpw_session_queue(io->session). NULL: not told. */
    void (*on_start)(void *user, mcpw_io *io);
    /* The session has ended and is about to be freed: to stop what posts to its queue. NULL: not told. */
    void (*on_end)(void *user, mcpw_io *io);
    void *user; /* passed to both */
    /* How notes are written where the config has no on_diagnostic; NULL: to standard error, as
     * <mcpw/diagnostics.h> says. MCPW_DIAGNOSTICS_OFF as its format: not at all. */
    const mcpw_diagnostics_options *diagnostics;
} mcpw_serve_options;

/* Everything at its default. */
#define MCPW_SERVE_OPTIONS_INIT MCPW_SIZED(mcpw_serve_options)

/* mcpw_serve_stdio with options. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_serve_stdio_with(mcpw_server *server,
                                                          const mcpw_serve_options *options,
                                                          mcpw_error *error);

/* ms of the clock that the functions above use (CLOCK_MONOTONIC). */
MCPW_API uint64_t mcpw_io_now(void);

/* ---- Child processes ----------------------------------------------------------------------------------- */

/* How to start a server. */
typedef struct mcpw_spawn {
    size_t struct_size;      /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *const *argv; /* NULL-terminated; argv[0] is looked up in this process's PATH, or, when it
                                holds a slash, from cwd */
    const char *const *env;  /* NULL-terminated "NAME=value"; NULL: the environment of this process */
    const char *cwd;         /* NULL: that of this process */
    /* What the child writes to standard error: given line by line while mcpw_child_stderr is called; NULL: it
     * goes where that of this process goes. */
    void (*on_stderr)(void *user, mcpw_str line);
    void *user;     /* passed to on_stderr */
    bool own_group; /* a process group of its own: what a terminal sends to the group of this process does not
                       reach it, such as SIGINT of Ctrl-C */
} mcpw_spawn;

/* A child process and the pipes to it. Initialise with MCPW_CHILD_INIT; end it with mcpw_child_stop. */
typedef struct mcpw_child {
    size_t struct_size; /* set by MCPW_CHILD_INIT */
    int64_t pid;        /* 0: none */
    int in;             /* reads what the child writes to standard output */
    int out;            /* writes to its standard input */
    int err;            /* reads its standard error; -1: not taken */
    int exit_status;    /* after mcpw_child_stop: as waitpid gives it; -1: someone else has reaped it */
    void (*on_stderr)(void *user, mcpw_str line); /* as in mcpw_spawn */
    void *user;                                   /* passed to on_stderr */
    struct mcpw_stderr *lines;                    /* of its standard error, unfinished */
} mcpw_child;

/* No child. */
#define MCPW_CHILD_INIT                                                                                      \
    { sizeof(mcpw_child), 0, -1, -1, -1, 0, NULL, NULL, NULL }

/* Starts a process with its standard input and output piped. MCPW_E_IO, with the command and the system's
 * reason in error, when it cannot be started. Its descriptors are not inherited by other children. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_child_start(mcpw_child *child, const mcpw_spawn *spawn,
                                                     mcpw_error *error);

/* Reads what the child wrote to standard error, without waiting, and gives its lines to on_stderr. */
MCPW_API void mcpw_child_stderr(mcpw_child *child);

/* Ends the child: closes its standard input, waits patience ms, sends SIGTERM, waits again, sends SIGKILL.
 * (MCP, "Lifecycle", shutdown.) Its standard error is read to the end. */
MCPW_API void mcpw_child_stop(mcpw_child *child, unsigned patience);

/* ---- A client that waits ------------------------------------------------------------------------------- */

/* A client of a server that it starts itself, whose calls wait for their answers. */
typedef struct mcpw_client mcpw_client;

/* Starts the server and negotiates. config is that of a session (its role is set, its name is required), but
 * on_open is not called. NULL with why in error. */
MCPW_NODISCARD MCPW_API mcpw_client *mcpw_client_start(const mcpw_spawn *spawn,
                                                       const mcpw_session_config *config, mcpw_error *error);
/* The same on descriptors, such as a connected Unix socket. */
MCPW_NODISCARD MCPW_API mcpw_client *mcpw_client_attach(int in, int out, const mcpw_session_config *config,
                                                        mcpw_error *error);

/* The same over a transport, which begin makes for the session. It is ended with the client. */
MCPW_NODISCARD MCPW_API mcpw_client *mcpw_client_over(
    mcpw_status (*begin)(void *user, mcpw_session *session, mcpw_transport *transport, mcpw_error *error),
    void *user, const mcpw_session_config *config, mcpw_error *error);

/* Closes the session and ends the server. Does nothing for NULL. */
MCPW_API void mcpw_client_free(mcpw_client *client);

/* Makes a request and waits for its end. result, which may be NULL, receives a value and its type in the
 * given revision. The value lives in arena. The type says what is wanted: the method's result, or the task
 * result of params that carry a task. For the latter the server must have declared that it makes tasks of
 * this method, else MCPW_E_CAPABILITY. Params that ask for the other of the two are refused with
 * MCPW_E_ARGUMENT before anything is sent. MCPW_E_TYPE: an extension has answered by a result of its own,
 * which only a type of NULL receives. MCPW_E_REMOTE: the error is the peer's, as text in error, and as
 * it came in mcpw_client_remote_error. call may be NULL. Its on_progress gets the user pointer of the config.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_client_request(mcpw_client *client, const mcpw_revision *revision,
                                                        int method, const void *params, const mcpw_call *call,
                                                        mcpw_arena *arena, mcpw_result *result,
                                                        mcpw_error *error);

/* The error of the peer's that the last request of this client failed with, its code and data included; NULL
 * where it ended in another way. The generated calls and those below are such requests. It lives until the
 * next one; data is absent where there was no memory for it. */
MCPW_API const mcpw_rpc_error *mcpw_client_remote_error(const mcpw_client *client);

/* Whether the server answers: mcpw_session_ping, with timeout ms to answer (0: as in the config). */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_client_ping(mcpw_client *client, uint64_t timeout,
                                                     mcpw_error *error);
/* Says from which level on log messages are wanted: mcpw_session_set_log_level, and waits where that is a
 * request. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_client_set_log_level(mcpw_client *client, mcpw_log_level level,
                                                              mcpw_error *error);

/* Reads and answers what comes for up to timeout ms: notifications and the server's requests. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_client_wait(mcpw_client *client, int timeout, mcpw_error *error);

/* Ends the call of mcpw_client_request or mcpw_client_wait that another thread is waiting in: with
 * MCPW_E_CANCELLED, and the server is told. It may be called from any thread, or a signal handler. Where
 * nobody waits it does nothing. The client must live until this returns. (MCP, "Cancellation".) */
MCPW_API void mcpw_client_cancel(mcpw_client *client);

/* ---- Several clients in one loop ----------------------------------------------------------------------- */

/* Of <poll.h>. */
struct pollfd;
enum { MCPW_CLIENT_FDS = 4 /* descriptors that a client waits for at most */ };

/* What poll() is to wait for on behalf of a client, at most MCPW_CLIENT_FDS; their number is returned. They
 * change from one step to the next. 0 once the connection is gone. */
MCPW_API size_t mcpw_client_fds(const mcpw_client *client, struct pollfd *fds);
/* How many ms may pass until mcpw_client_work has something to do; -1: any number. */
MCPW_API int mcpw_client_timeout(const mcpw_client *client);
/* Does what can be done without waiting: reads and answers what has come, writes, and fails what has timed
 * out. Requests are made by mcpw_session_request, on mcpw_client_session. After a pause call
 * mcpw_session_advance(session, mcpw_io_now()) first. Returns the status of mcpw_client_request when the
 * connection is gone. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_client_work(mcpw_client *client, mcpw_error *error);

/* The session of a client, which goes with it. */
MCPW_API mcpw_session *mcpw_client_session(mcpw_client *client);
/* The child of a client that started its server; NULL where it was attached. */
MCPW_API const mcpw_child *mcpw_client_child(const mcpw_client *client);

MCPW_END_DECLS

#endif
