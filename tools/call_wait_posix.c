/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "call_wait.h"

#include "../runtime/transport/os.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNAL_BASE = 128 };

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

bool wait_begin(server_link *l) {
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

int wait_signal(void) { return (int)caught; }

void wait_guard(int64_t pid) { server_pid = (sig_atomic_t)pid; }

/* ---- the server ---- */

void wait_prepare(mcpw_spawn *spawn) { (void)spawn; }

void wait_started(const mcpw_child *child) {
    (void)fcntl(child->in, F_SETFL, O_NONBLOCK); /* this end of the pipe is not shared */
}

bool wait_has_ended(const mcpw_child *child) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

void wait_sleep(unsigned ms) { (void)poll(NULL, 0, (int)ms); }

const char *wait_explain(int status, int *number) {
    const bool is_signal = WIFSIGNALED(status);
    *number = is_signal ? WTERMSIG(status) : WEXITSTATUS(status);
    return is_signal ? "was ended by signal" : "exited with status";
}

/* ---- waits ---- */

bool wait_for_link(server_link *l, int timeout, const char **why) {
    enum { IN, OUT, ERR, WAKE, COUNT };
    const short in = mcpw_io_in_events(&l->io);
    const short out = mcpw_io_out_events(&l->io);
    int number = 0;
    mcpw_pollfd fds[COUNT] = {{in != 0 ? l->io.in : -1, in, 0},
                              {out != 0 ? l->io.out : -1, out, 0},
                              {l->child.err, POLLIN, 0},
                              {caught == 0 ? l->wake : -1, POLLIN, 0}};
    if (mcpw_os_wait(fds, COUNT, timeout, &number) == MCPW_OS_FAILED) {
        *why = strerror(number);
        return false;
    }
    if (fds[ERR].revents != 0) {
        mcpw_child_stderr(&l->child);
    }
    return true;
}

bool wait_for_output(server_link *l, int timeout) {
    int number = 0;
    mcpw_pollfd out = {l->io.out, POLLOUT, 0};
    return mcpw_os_wait(&out, 1, timeout, &number) > 0;
}

bool wait_for_input(const server_link *l, int fd, int timeout) {
    mcpw_pollfd fds[] = {{fd, POLLIN, 0}, {l->wake, POLLIN, 0}};
    int number = 0;
    int ready = 0;
    do {
        ready = mcpw_os_wait(fds, 2, timeout, &number);
    } while (ready == MCPW_OS_INTERRUPTED && caught == 0);
    return ready > 0 && caught == 0 && fds[0].revents != 0;
}
