/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "call_link.h"

#include "call_http.h"

#include "text.h"

#include <mcpw/codec.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PATIENCE = 2000,      /* ms that a server has to end, and again after SIGTERM */
    LEAST_PATIENCE = 100, /* after the deadline */
    LAST_WORDS = 500,     /* ms for sending the remaining output */
    EXIT_LOOKS = 20,      /* number of checks for the exit of a server whose output has ended */
    EXIT_LOOK_PAUSE = 10, /* ms between two checks */
    SIGNAL_BASE = 128
};

/* ---- signals ---- */

/* Globals, because a signal handler can reach nothing else: the signal, and the pipe that wakes the loop. */
static volatile sig_atomic_t caught = 0;
static volatile sig_atomic_t wake_fd = -1;
static volatile sig_atomic_t server_pid = 0;

static void on_signal(int number) {
    const int saved = errno;
    const char byte = (char)number;
    if (caught != 0) {
        if (server_pid != 0) {
            (void)kill((pid_t)server_pid, SIGTERM);
        }
        _exit(SIGNAL_BASE + number);
    }
    caught = number;
    const ssize_t written = write(wake_fd, &byte, 1);
    (void)written; /* the pipe is empty, because this is the first signal */
    errno = saved;
}

static bool catch_signals(server_link *l) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    int ends[2];
    struct sigaction action;
    struct sigaction before;
    if (pipe(ends) != 0) {
        return false;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    l->wake = ends[0];
    wake_fd = ends[1];
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        /* A signal that is ignored, as under nohup, stays ignored. */
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            (void)sigaction(ending[i], &action, NULL);
        }
    }
    return true;
}

int link_signal(void) { return (int)caught; }

/* ---- time ---- */

static uint64_t left(const server_link *l) {
    const uint64_t now = mcpw_io_now();
    return l->deadline == UINT64_MAX ? UINT64_MAX : l->deadline > now ? l->deadline - now : 0;
}

/* The timeout of poll in ms, up to the next deadline of the session or the link. */
static int nap(const server_link *l) {
    const int due = mcpw_io_timeout(&l->io);
    const uint64_t rest = left(l);
    const int most = rest < INT_MAX ? (int)rest : -1;
    return due < 0 || (most >= 0 && most < due) ? most : due;
}

/* ---- the end of the server ---- */

static bool has_ended(const mcpw_child *child) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

static bool ends_soon(const server_link *l) {
    for (int i = 0; i < EXIT_LOOKS && !has_ended(&l->child); i++) {
        (void)poll(NULL, 0, EXIT_LOOK_PAUSE);
    }
    return has_ended(&l->child);
}

/* Sets the error to the server's exit status and its last line of standard error. */
static void explain_end(server_link *l) {
    char *const out = l->why.message;
    const size_t size = sizeof l->why.message;
    l->why.code = MCPW_E_CLOSED;
    if (l->child.pid == 0 || !ends_soon(l)) {
        (void)snprintf(out, size, "the server has closed the connection");
        return;
    }
    server_pid = 0;
    mcpw_child_stop(&l->child, 0); /* reads the rest of its standard error */
    const int status = l->child.exit_status;
    const char *const colon = l->last_line[0] != '\0' ? ": " : "";
    if (status == -1) {
        (void)snprintf(out, size, "the server has ended%s%s", colon, l->last_line);
    } else if (WIFSIGNALED(status)) {
        (void)snprintf(out, size, "the server was ended by signal %d%s%s", WTERMSIG(status), colon,
                       l->last_line);
    } else {
        (void)snprintf(out, size, "the server exited with status %d%s%s", WEXITSTATUS(status), colon,
                       l->last_line);
    }
}

/* Ends the connection: fails the waiting requests, and keeps the reason. */
static void finish(server_link *l, mcpw_status status) {
    const bool by_server = status == MCPW_E_CLOSED && (l->io.in < 0 || l->io.out < 0);
    mcpw_io_end(&l->io);
    if (by_server && l->child.pid != 0) {
        explain_end(l);
    }
    const mcpw_error why = l->why; /* closing would replace the reason */
    mcpw_session_close(l->session);
    l->why = why;
}

/* ---- the loop ---- */

/* Takes one step of the loop. */
static void step(server_link *l) {
    enum { IN, OUT, ERR, WAKE, COUNT };
    const short in = mcpw_io_in_events(&l->io);
    const short out = mcpw_io_out_events(&l->io);
    struct pollfd fds[COUNT] = {{in != 0 ? l->io.in : -1, in, 0},
                                {out != 0 ? l->io.out : -1, out, 0},
                                {l->child.err, POLLIN, 0},
                                {caught == 0 ? l->wake : -1, POLLIN, 0}};
    if (poll(fds, COUNT, nap(l)) < 0 && errno != EINTR && errno != EAGAIN) {
        l->why.code = MCPW_E_IO;
        (void)snprintf(l->why.message, sizeof l->why.message, "cannot wait: %s", strerror(errno));
        finish(l, MCPW_E_IO);
        return;
    }
    if (fds[ERR].revents != 0) {
        mcpw_child_stderr(&l->child);
    }
    const mcpw_status status = mcpw_io_work(&l->io, &l->why);
    if (status != MCPW_OK) {
        finish(l, status);
    }
}

static bool is_over(const server_link *l) { return l->io.buffer == NULL; }

/* ---- start and stop ---- */

static void on_stderr(void *user, mcpw_str line) {
    server_link *const l = user;
    if (l->on_stderr != NULL) {
        l->on_stderr(line);
        return;
    }
    const size_t len = text_cut(line.ptr, line.len, sizeof l->last_line - 1);
    memcpy(l->last_line, line.ptr, len);
    l->last_line[len] = '\0';
}

static void on_open(void *user, mcpw_session *session, mcpw_status status, const mcpw_error *error) {
    server_link *const l = user;
    (void)session;
    l->opened = true;
    l->open_status = status;
    if (error != NULL) {
        l->why = *error;
    }
}

/* The reason to stop waiting, as a status; MCPW_OK: none. */
static mcpw_status must_end(const server_link *l) {
    return caught != 0 ? MCPW_E_CANCELLED : left(l) == 0 ? MCPW_E_TIMEOUT : MCPW_OK;
}

static mcpw_status fail(server_link *l, mcpw_status status) {
    l->why.code = status;
    l->why.path[0] = '\0';
    (void)snprintf(l->why.message, sizeof l->why.message, "%s",
                   status == MCPW_E_TIMEOUT ? "the server did not answer in time" : mcpw_status_text(status));
    return status;
}

/* Waits until the negotiation has ended. */
static mcpw_status negotiate(server_link *l) {
    mcpw_status status = mcpw_session_open(l->session);
    while (status == MCPW_OK && !l->opened && !is_over(l)) {
        step(l);
        status = l->opened ? MCPW_OK : must_end(l);
    }
    if (status != MCPW_OK) {
        return fail(l, status);
    }
    if (!l->opened) {
        return l->why.code;
    }
    if (l->open_status == MCPW_E_CLOSED && !is_over(l)) {
        explain_end(l); /* its output has ended, so the reason is its exit */
    } else if (l->open_status != MCPW_OK && l->why.code == MCPW_OK) {
        return fail(l, l->open_status);
    }
    return l->open_status;
}

static mcpw_status spawn_server(server_link *l, const link_target *to) {
    mcpw_spawn spawn;
    memset(&spawn, 0, sizeof spawn);
    spawn.argv = to->argv;
    spawn.on_stderr = to->inherit_stderr ? NULL : on_stderr;
    spawn.user = l;
    spawn.own_group = true; /* Ctrl-C goes to this process only, which then ends the server */
    if (mcpw_child_start(&l->child, &spawn, &l->why) != MCPW_OK) {
        return l->why.code;
    }
    server_pid = (sig_atomic_t)l->child.pid;
    (void)fcntl(l->child.in, F_SETFL, O_NONBLOCK); /* this end of the pipe is not shared */
    return MCPW_OK;
}

static mcpw_status begin(server_link *l, const link_target *to, mcpw_session_config *config) {
    if (!catch_signals(l)) {
        return fail(l, MCPW_E_IO);
    }
    if (to->argv != NULL && spawn_server(l, to) != MCPW_OK) {
        return l->why.code;
    }
    config->user = l;
    config->role = MCPW_ROLE_CLIENT;
    config->on_open = on_open;
    l->session = mcpw_session_new(config, &l->why);
    if (l->session == NULL) {
        return l->why.code;
    }
    return to->argv != NULL ? mcpw_io_begin(&l->io, l->session, l->child.in, l->child.out, &l->why)
                            : call_http_begin(l, to, &l->why);
}

mcpw_status link_open(server_link *l, const link_target *to, mcpw_session_config *config, uint64_t timeout,
                      mcpw_error *error) {
    l->io = (mcpw_io)MCPW_IO_INIT;
    l->child = (mcpw_child)MCPW_CHILD_INIT;
    l->deadline = timeout != UINT64_MAX ? mcpw_io_now() + timeout : UINT64_MAX;
    mcpw_status status = begin(l, to, config);
    if (status == MCPW_OK) {
        status = negotiate(l);
    }
    *error = l->why;
    return status;
}

/* Sends the remaining output while the server accepts it. */
static void say_last_words(server_link *l) {
    const uint64_t due = mcpw_io_now() + LAST_WORDS;
    mcpw_session_close(l->session);
    while (!is_over(l) && mcpw_io_out_events(&l->io) != 0 && mcpw_io_now() < due) {
        struct pollfd out = {l->io.out, POLLOUT, 0};
        if (poll(&out, 1, (int)(due - mcpw_io_now())) > 0 && mcpw_io_work(&l->io, NULL) != MCPW_OK) {
            break;
        }
    }
}

void link_close(server_link *l) {
    if (l->session != NULL) {
        say_last_words(l);
    }
    const uint64_t rest = left(l) / 2;
    mcpw_io_end(&l->io);
    mcpw_child_stop(&l->child, rest >= PATIENCE         ? PATIENCE
                               : rest >= LEAST_PATIENCE ? (unsigned)rest
                                                        : LEAST_PATIENCE);
    server_pid = 0;
    mcpw_session_free(l->session);
    l->session = NULL;
}

/* ---- requests ---- */

typedef struct waiting {
    mcpw_arena *arena;
    mcpw_result *result;
    mcpw_error *error;
    mcpw_status status;
    bool done;
} waiting;

static mcpw_status keep_result(const waiting *w, const mcpw_reply *reply) {
    void *const copy = mcpw_arena_alloc(w->arena, mcpw_type_size(reply->type));
    if (copy == NULL) {
        (void)snprintf(w->error->message, sizeof w->error->message, "out of memory");
        return MCPW_E_MEMORY;
    }
    w->result->type = reply->type;
    w->result->value = copy;
    return mcpw_copy(reply->type, reply->value, w->arena, copy, w->error);
}

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    waiting *const w = user;
    mcpw_error *const e = w->error;
    (void)session;
    w->done = true;
    w->status = reply->status;
    if (reply->status == MCPW_OK) {
        w->status = keep_result(w, reply);
    } else if (reply->status == MCPW_E_REMOTE) {
        const mcpw_str said = reply->remote.message;
        (void)snprintf(e->message, sizeof e->message, "the server answered %lld: %.*s",
                       (long long)reply->remote.code, (int)text_cut(said.ptr, said.len, LAST_LINE_SIZE),
                       said.ptr);
    } else if (reply->error != NULL) {
        *e = *reply->error;
    } else {
        (void)snprintf(e->message, sizeof e->message, "%s", mcpw_status_text(reply->status));
    }
}

mcpw_status link_request(server_link *l, const mcpw_revision *revision, int method, const void *params,
                         const mcpw_call *call, mcpw_arena *arena, mcpw_result *result, mcpw_error *error) {
    waiting w = {arena, result, error, MCPW_PENDING, false};
    mcpw_call timed = *call;
    int64_t number = 0;
    mcpw_status status = is_over(l) ? l->why.code : must_end(l);
    memset(error, 0, sizeof *error);
    if (status != MCPW_OK) {
        if (!is_over(l)) {
            (void)fail(l, status);
        }
        *error = l->why;
        return status;
    }
    if (l->deadline != UINT64_MAX) {
        timed.timeout_ms = timed.max_timeout_ms = left(l);
    }
    mcpw_session_advance(l->session, mcpw_io_now());
    status = mcpw_session_request(l->session, revision, method, params, &timed, on_reply, &w, &number, error);
    while (status == MCPW_OK && !w.done) { /* a failed step closes the session, which ends the request */
        step(l);
        if (must_end(l) != MCPW_OK && !w.done) {
            status = mcpw_session_cancel(l->session, number, NULL);
        }
    }
    if (status != MCPW_OK && !w.done) {
        return status;
    }
    if (w.status == MCPW_E_CANCELLED) {
        w.status = fail(l, must_end(l));
        *error = l->why;
    }
    if (w.status == MCPW_E_CLOSED) {
        if (!is_over(l)) { /* the server's output has ended */
            explain_end(l);
        }
        *error = l->why;
    }
    return w.status;
}

bool link_wait_for_input(const server_link *l, int fd) {
    struct pollfd fds[] = {{fd, POLLIN, 0}, {l->wake, POLLIN, 0}};
    int ready = 0;
    do {
        const uint64_t rest = left(l);
        ready = poll(fds, 2, rest < INT_MAX ? (int)rest : -1);
    } while (ready < 0 && errno == EINTR && caught == 0);
    return ready > 0 && caught == 0 && fds[0].revents != 0;
}
