/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "tap_relay.h"

#include "../runtime/transport/os.h"
#include "tap_signal.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNAL_BASE = 128, STDERR = 1 + 2 * SIDES, OUTLETS, POLLED = OUTLETS + RELAY_OUTLETS };

typedef struct relay_direction {
    int in; /* -1: closed */
    sink out;
    char buffer[RELAY_BUFFER];
    const char *bytes; /* bytes[begin .. end) is unwritten: in buffer or in shown */
    size_t begin;
    size_t end;
    bool escapes; /* out is a terminal: control characters are escaped */
    size_t kept;  /* bytes of an unfinished character at the beginning of buffer, if it escapes */
    text shown;   /* the escaped buffer */
} relay_direction;

typedef struct relay_own {
    relay_direction directions[SIDES]; /* by the sending side */
    int wake;                          /* readable after a signal */
    bool child_gone;
    bool leave; /* a signal arrived after the child's end */
} relay_own;

/* ---- signals ---- */

/* The write end of the pipe that wakes the loop; a global, because a signal handler can reach nothing else.
 */
static volatile sig_atomic_t wake_fd = -1;

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};

enum { PASSED_ON = sizeof passed_on / sizeof passed_on[0] };

static void on_signal(int number, siginfo_t *info, void *context) {
    const int saved = errno;
    const char byte = (char)number;
    (void)context;
    /* The terminal sends Ctrl-C to all processes in the foreground, so the child receives it directly. */
    if (number != SIGINT || !tap_sent_by_terminal(info)) {
        const ssize_t written = write(wake_fd, &byte, 1);
        (void)written; /* a full pipe wakes the loop as well */
    }
    errno = saved;
}

static bool catch_signals(relay *r) {
    int ends[2];
    struct sigaction action;
    struct sigaction before;
    if (pipe(ends) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (fcntl(ends[i], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[i], F_SETFL, O_NONBLOCK) != 0) {
            return false;
        }
    }
    r->own->wake = ends[0];
    wake_fd = ends[1];
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGCHLD, &action, NULL);
    for (size_t i = 0; i < PASSED_ON; i++) {
        /* A signal that is ignored, as under nohup, stays ignored. */
        if (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            (void)sigaction(passed_on[i], &action, NULL);
        }
    }
    return true;
}

/* True if the child has ended; it is not reaped. */
static bool has_ended(const mcpw_child *child) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

static void take_signals(relay *r) {
    char numbers[BUFSIZ];
    ssize_t n;
    while ((n = read(r->own->wake, numbers, sizeof numbers)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            if (numbers[i] == SIGCHLD) {
                continue;
            }
            if (r->own->child_gone) {
                r->own->leave = true;
            } else {
                (void)kill((pid_t)r->child->pid, numbers[i]);
            }
        }
    }
    r->own->child_gone = r->own->child_gone || has_ended(r->child);
}

/* ---- the two directions ---- */

static bool has_more(const relay_direction *direction) { return direction->begin < direction->end; }

static void close_input(relay_direction *direction) {
    if (direction->in >= 0) {
        (void)close(direction->in);
        direction->in = -1;
    }
}

/* Closes the input when the reader has gone, so that the writer notices. */
static void give_up(relay_direction *direction) {
    direction->begin = direction->end = 0;
    close_input(direction);
    sink_close(&direction->out);
}

static void write_on(relay_direction *direction) {
    if (direction->out.fd >= 0 && has_more(direction)) {
        const ptrdiff_t n = sink_write(&direction->out, direction->bytes + direction->begin,
                                       direction->end - direction->begin);
        if (n < 0) {
            give_up(direction);
            return;
        }
        direction->begin += (size_t)n;
    }
    if (direction->in < 0 && !has_more(direction)) { /* everything was written */
        sink_close(&direction->out);
    }
}

/* Offers the first bytes of the buffer for writing. */
static void offer(relay_direction *direction, size_t len) {
    direction->begin = 0;
    direction->end = len;
    direction->bytes = direction->buffer;
    if (direction->escapes) {
        text_clear(&direction->shown);
        text_safe_lines(&direction->shown, direction->buffer, len);
        direction->bytes = direction->shown.buffer.data;
        direction->end = direction->shown.buffer.len;
    }
}

static void read_on(relay *r, side from) {
    relay_direction *const direction = &r->own->directions[from];
    char *const fresh = direction->buffer + direction->kept;
    const ssize_t n = read(direction->in, fresh, sizeof direction->buffer - direction->kept);
    if (n < 0 && (errno == EINTR || ((errno == EAGAIN || errno == EWOULDBLOCK) && !r->own->child_gone))) {
        return;
    }
    if (n <= 0) { /* the end, or an error */
        close_input(direction);
        offer(direction, direction->kept);
        direction->kept = 0;
        write_on(direction);
        r->on_bytes(r->user, from, NULL, 0);
        return;
    }
    const size_t held = direction->kept + (size_t)n;
    const size_t whole = direction->escapes ? text_whole(direction->buffer, held) : held;
    offer(direction, whole);
    write_on(direction);
    r->on_bytes(r->user, from, fresh, (size_t)n);
    direction->kept = held - whole;
    memmove(direction->buffer, direction->buffer + whole,
            direction->kept); /* the waiting bytes are in shown */
}

/* ---- the loop ---- */

/* Sets up the wait. A direction is read only when it has no unwritten bytes. Unused descriptors are -1,
 * because poll() always reports a hang-up. */
static void prepare(const relay *r, mcpw_pollfd fds[POLLED]) {
    fds[0].fd = r->own->wake;
    fds[0].events = POLLIN;
    for (unsigned i = 0; i < SIDES; i++) {
        const relay_direction *const direction = &r->own->directions[i];
        mcpw_pollfd *const in = &fds[1 + 2 * i];
        in->fd = has_more(direction) ? -1 : direction->in;
        in->events = POLLIN;
        in[1].fd = direction->out.fd;
        in[1].events = has_more(direction) ? POLLOUT : 0;
    }
    fds[STDERR].fd = r->aside != NULL && !outlet_waits(r->aside) ? r->child->err : -1;
    fds[STDERR].events = POLLIN;
    for (unsigned i = 0; i < RELAY_OUTLETS; i++) {
        const outlet *const o = r->outlets[i];
        fds[OUTLETS + i].fd = o != NULL && outlet_waits(o) ? o->out.fd : -1;
        fds[OUTLETS + i].events = POLLOUT;
    }
}

static void work(relay *r, const mcpw_pollfd fds[POLLED]) {
    if (fds[0].revents != 0) {
        take_signals(r);
    }
    for (unsigned i = 0; i < SIDES; i++) {
        relay_direction *const direction = &r->own->directions[i];
        const short in = fds[1 + 2 * i].revents;
        const short out = fds[2 + 2 * i].revents;
        if ((out & POLLOUT) != 0) {
            write_on(direction);
        } else if (out != 0) {
            give_up(direction);
        }
        if (in != 0 && direction->in >= 0 && !has_more(direction)) {
            read_on(r, (side)i);
        }
    }
    if (fds[STDERR].revents != 0) {
        mcpw_child_stderr(r->child);
        outlet_flush(r->aside);
    }
    for (unsigned i = 0; i < RELAY_OUTLETS; i++) {
        if (fds[OUTLETS + i].revents != 0) {
            outlet_flush(r->outlets[i]);
        }
    }
}

/* True if the relay is over. After the child's end its output is read completely, although another process
 * may still have its pipe. */
static bool is_over(relay *r) {
    relay_direction *const from_child = &r->own->directions[SERVER];
    if (!r->own->child_gone) {
        return false;
    }
    give_up(&r->own->directions[CLIENT]);
    while (from_child->in >= 0 && !has_more(from_child)) {
        read_on(r, SERVER);
    }
    write_on(from_child);
    return r->own->leave || !has_more(from_child);
}

bool relay_run(relay *r) {
    mcpw_pollfd fds[POLLED];
    int number = 0;
    r->own->child_gone = has_ended(r->child);
    while (!is_over(r)) {
        prepare(r, fds);
        const int ready = mcpw_os_wait(fds, POLLED, -1, &number);
        if (ready >= 0) {
            work(r, fds);
        } else if (ready != MCPW_OS_INTERRUPTED) {
            tool_complain("tap: waiting failed: %s", strerror(number));
            return false;
        }
    }
    return true;
}

/* Shows a line of the child's standard error. */
static void show_aside(void *user, mcpw_str line) {
    relay *const r = user;
    text *const t = outlet_begin(r->aside);
    if (t != NULL) {
        text_safe_lines(t, line.ptr, line.len);
        text_add(t, "\n");
        outlet_end(r->aside);
    }
}

bool relay_start(relay *r, mcpw_child *child, const char *const *argv) {
    mcpw_error error;
    mcpw_spawn spawn;
    memset(&error, 0, sizeof error);
    memset(&spawn, 0, sizeof spawn);
    spawn.argv = argv;
    spawn.on_stderr = r->aside != NULL ? show_aside : NULL;
    spawn.user = r;
    r->child = child;
    r->own = calloc(1, sizeof *r->own);
    if (r->own == NULL || !catch_signals(r)) {
        tool_complain("tap: %s", strerror(errno));
        free(r->own);
        return false;
    }
    if (mcpw_child_start(child, &spawn, &error) != MCPW_OK) {
        tool_complain("%s", error.message);
        free(r->own);
        return false;
    }
    (void)fcntl(child->in, F_SETFL, O_NONBLOCK); /* these ends of the pipes are not shared */
    (void)fcntl(child->out, F_SETFL, O_NONBLOCK);
    r->own->directions[CLIENT].in = STDIN_FILENO;
    r->own->directions[CLIENT].out = sink_of(child->out);
    r->own->directions[SERVER].in = child->in;
    r->own->directions[SERVER].out = sink_of(STDOUT_FILENO);
    r->own->directions[SERVER].shown = (text)TEXT_INIT;
    r->own->directions[SERVER].escapes = isatty(STDOUT_FILENO) != 0;
    child->in = child->out = -1; /* the relay closes them */
    return true;
}

int relay_finish(relay *r) {
    for (unsigned i = 0; i < SIDES; i++) {
        give_up(&r->own->directions[i]);
        text_free(&r->own->directions[i].shown);
    }
    free(r->own);
    r->own = NULL;
    mcpw_child_stop(r->child, 0);
    const int status = r->child->exit_status;
    return WIFEXITED(status)     ? WEXITSTATUS(status)
           : WIFSIGNALED(status) ? SIGNAL_BASE + WTERMSIG(status)
                                 : TOOL_FAILED;
}
