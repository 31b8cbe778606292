/* SPDX-License-Identifier: MIT */
/*
 * Child processes with fork and exec. posix_spawn cannot set the working directory on every system, and does
 * not report whether that or the command failed. The code between fork and exec is async-signal-safe.
 */
#define _GNU_SOURCE /* pipe2 */
#include "../base/sized.h"
#include "transport_internal.h"

#include <mcpw/detail/framer.h>
#include <mcpw/detail/text.h>
#include <mcpw/frame.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
#define HAVE_PIPE2 1
#endif

#ifndef NSIG
#define NSIG 65
#endif

extern char **environ;

enum {
    FIRST_FREE_FD = 3, /* above the standard ones */
    CANNOT_START = 127,
    STDERR_LINE = 1 << 16, /* maximum bytes of a line of standard error */
    STDERR_READ = 1 << 12,
    STDERR_MOST = 1 << 20, /* maximum bytes of one read: the capacity of a pipe */
    LONGEST_PAUSE = 16     /* ms between two checks of a child */
};

struct mcpw_stderr {
    mcpw_framer framer;
};

/* The pipes between the processes; the last one reports why the child could not start. */
enum { TO_STDIN, FROM_STDOUT, FROM_STDERR, REPORT, PIPES };
enum { READ_END, WRITE_END };

/* The report of a child that could not start. */
typedef struct report {
    bool in_cwd; /* changing to the working directory failed, not exec */
    int number;
} report;

static void close_fd(int *fd) {
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

static void close_pipes(int pipes[PIPES][2]) {
    for (int i = 0; i < PIPES; i++) {
        close_fd(&pipes[i][READ_END]);
        close_fd(&pipes[i][WRITE_END]);
    }
}

#ifdef HAVE_PIPE2
/* Makes a pipe that other children do not inherit. */
static bool open_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0; }
#else
/* Makes a pipe in two steps. A child that another thread starts between them inherits the pipe. */
static bool open_pipe(int ends[2]) {
    if (pipe(ends) != 0) {
        return false;
    }
    (void)fcntl(ends[READ_END], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[WRITE_END], F_SETFD, FD_CLOEXEC);
    return true;
}
#endif

/* Makes a pipe whose ends are no standard descriptors, even if those are closed. So the child can move them
 * to their places in any order. */
static bool make_pipe(int ends[2]) {
    if (!open_pipe(ends)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (ends[i] < FIRST_FREE_FD) {
            const int low = ends[i];
            ends[i] = fcntl(low, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
            (void)close(low);
        }
    }
    return ends[READ_END] >= 0 && ends[WRITE_END] >= 0;
}

/* ---- The command --------------------------------------------------------------------------------------- */

static mcpw_status cannot_start(mcpw_error *error, int number, const mcpw_spawn *spawn, bool in_cwd) {
    char what[MCPW_ERROR_MESSAGE_SIZE];
    char command[MCPW_EXCERPT_SIZE];
    char cwd[MCPW_EXCERPT_SIZE];
    (void)mcpw_excerpt(command, spawn->argv[0], strlen(spawn->argv[0]));
    if (in_cwd) {
        (void)mcpw_excerpt(cwd, spawn->cwd, strlen(spawn->cwd));
        (void)snprintf(what, sizeof what, "cannot start '%s' in '%s'", command, cwd);
    } else {
        (void)snprintf(what, sizeof what, "cannot start '%s'", command);
    }
    return mcpw_io_failed(error, number, what);
}

static bool is_command(const char *path) {
    struct stat status;
    return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Finds the path of the command, which the caller frees: execvp may not be called after fork. NULL: errno is
 * set. */
static char *find_command(const char *name) {
    const char *folder = strchr(name, '/') == NULL ? getenv("PATH") : NULL;
    const size_t name_size = strlen(name) + 1;
    char *path;
    if (strchr(name, '/') != NULL) {
        return strdup(name);
    }
    folder = folder != NULL ? folder : "/usr/bin:/bin";
    path = malloc(strlen(folder) + 1 + name_size);
    while (path != NULL) {
        const size_t len = strcspn(folder, ":");
        memcpy(path, folder, len);
        path[len] = '/';
        memcpy(path + (len != 0 ? len + 1 : 0), name, name_size); /* an empty entry is the current folder */
        if (is_command(path)) {
            return path;
        }
        if (folder[len] == '\0') {
            free(path);
            errno = ENOENT;
            return NULL;
        }
        folder += len + 1;
    }
    return NULL;
}

/* ---- In the child, before exec ------------------------------------------------------------------------- */

static _Noreturn void give_up(int fd, bool in_cwd, int number) {
    const report why = {in_cwd, number};
    const ssize_t wrote = write(fd, &why, sizeof why);
    (void)wrote;
    _exit(CANNOT_START);
}

/* Resets the signals for a new program: none is blocked, no handler of this program remains, and SIGPIPE is
 * not ignored. Other ignored signals stay ignored, as nohup expects. */
static void reset_signals(void) {
    struct sigaction action;
    sigset_t none;
    for (int signal = 1; signal < NSIG; signal++) {
        if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
            (action.sa_handler != SIG_IGN || signal == SIGPIPE)) {
            memset(&action, 0, sizeof action);
            action.sa_handler = SIG_DFL;
            (void)sigaction(signal, &action, NULL);
        }
    }
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void become(const mcpw_spawn *spawn, const char *path, int pipes[PIPES][2]) {
    char *const *const env = spawn->env != NULL ? (char *const *)spawn->env : environ;
    const int report_to = pipes[REPORT][WRITE_END];
    if (dup2(pipes[TO_STDIN][READ_END], STDIN_FILENO) < 0 ||
        dup2(pipes[FROM_STDOUT][WRITE_END], STDOUT_FILENO) < 0 ||
        (spawn->on_stderr != NULL && dup2(pipes[FROM_STDERR][WRITE_END], STDERR_FILENO) < 0)) {
        give_up(report_to, false, errno);
    }
    /* Without a standard error here, the first file that the child opens must not become its standard error.
     */
    if (fcntl(STDERR_FILENO, F_GETFD) < 0 && open("/dev/null", O_WRONLY) < 0) {
        give_up(report_to, false, errno);
    }
    if (spawn->own_group) {
        (void)setpgid(0, 0); /* it cannot fail: a new process leads no session */
    }
    if (spawn->cwd != NULL && chdir(spawn->cwd) != 0) {
        give_up(report_to, true, errno);
    }
    reset_signals();
    (void)execve(path, (char *const *)spawn->argv, env);
    give_up(report_to, false, errno);
}

/* ---- Starting ------------------------------------------------------------------------------------------ */

static pid_t wait_for_pid(pid_t pid, int *status, int options) {
    pid_t got;
    do {
        got = waitpid(pid, status, options);
    } while (got < 0 && errno == EINTR);
    return got;
}

/* Forks with all signals blocked, so that no handler of this process runs in the child. */
static pid_t fork_quietly(const mcpw_spawn *spawn, const char *path, int pipes[PIPES][2]) {
    sigset_t all;
    sigset_t before;
    pid_t pid;
    int number;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid == 0) {
        become(spawn, path, pipes);
    }
    number = errno;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return pid;
}

/* True if the child has become the command: exec has closed the other end of the report. */
static bool did_start(int fd, report *why) {
    ssize_t got;
    do {
        got = read(fd, why, sizeof *why);
    } while (got < 0 && errno == EINTR);
    return got != (ssize_t)sizeof *why;
}

static mcpw_status launch(mcpw_child *child, const mcpw_spawn *spawn, const char *path, int pipes[PIPES][2],
                          mcpw_error *error) {
    report why = {false, 0};
    const pid_t pid = fork_quietly(spawn, path, pipes);
    if (pid < 0) {
        return cannot_start(error, errno, spawn, false);
    }
    close_fd(&pipes[TO_STDIN][READ_END]);
    close_fd(&pipes[FROM_STDOUT][WRITE_END]);
    close_fd(&pipes[FROM_STDERR][WRITE_END]);
    close_fd(&pipes[REPORT][WRITE_END]);
    if (!did_start(pipes[REPORT][READ_END], &why)) {
        (void)wait_for_pid(pid, NULL, 0);
        return cannot_start(error, why.number, spawn, why.in_cwd);
    }
    child->pid = pid;
    child->in = pipes[FROM_STDOUT][READ_END];
    child->out = pipes[TO_STDIN][WRITE_END];
    child->err = pipes[FROM_STDERR][READ_END];
    child->exit_status = 0;
    child->on_stderr = spawn->on_stderr;
    child->user = spawn->user;
    pipes[FROM_STDOUT][READ_END] = -1;
    pipes[TO_STDIN][WRITE_END] = -1;
    pipes[FROM_STDERR][READ_END] = -1;
    return MCPW_OK;
}

static mcpw_status start(mcpw_child *child, const mcpw_spawn *spawn, const char *path, mcpw_error *error) {
    int pipes[PIPES][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    mcpw_status status = MCPW_OK;
    for (int i = 0; i < PIPES && status == MCPW_OK; i++) {
        if ((i != FROM_STDERR || spawn->on_stderr != NULL) && !make_pipe(pipes[i])) {
            status = cannot_start(error, errno, spawn, false);
        }
    }
    if (status == MCPW_OK && spawn->on_stderr != NULL) {
        (void)fcntl(pipes[FROM_STDERR][READ_END], F_SETFL, O_NONBLOCK);
        child->lines = calloc(1, sizeof *child->lines);
        if (child->lines == NULL) {
            mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for standard error");
            status = MCPW_E_MEMORY;
        } else {
            child->lines->framer = (mcpw_framer)MCPW_FRAMER_INIT;
            child->lines->framer.limit = STDERR_LINE;
        }
    }
    if (status == MCPW_OK) {
        status = launch(child, spawn, path, pipes, error);
    }
    if (status != MCPW_OK) {
        free(child->lines);
        child->lines = NULL;
    }
    close_pipes(pipes);
    return status;
}

mcpw_status mcpw_child_start(mcpw_child *child, const mcpw_spawn *given, mcpw_error *error) {
    mcpw_spawn own = {0};
    const mcpw_spawn *const spawn = &own;
    char *path;
    mcpw_status status;
    if (child == NULL || !MCPW_HAS_ALL(child, lines) || !MCPW_TAKE(&own, own_group, given) ||
        spawn->argv == NULL || spawn->argv[0] == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "mcpw_child_start needs a command in argv[0]");
    }
    if (child->pid != 0 || child->in >= 0) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "this child is in use: call mcpw_child_stop first");
    }
    path = find_command(spawn->argv[0]);
    if (path == NULL) {
        return cannot_start(error, errno, spawn, false);
    }
    status = start(child, spawn, path, error);
    free(path);
    return status;
}

/* ---- Standard error ------------------------------------------------------------------------------------ */

static void give_line(const mcpw_child *child, mcpw_status status, mcpw_str line) {
    static const mcpw_str lost = MCPW_STR("(a line that is too long was left out)");
    if (status == MCPW_OK || status == MCPW_E_SIZE) {
        child->on_stderr(child->user, status == MCPW_OK ? line : lost);
    }
}

/* Ends standard error, and passes on a last line without line end. */
static void end_stderr(mcpw_child *child) {
    mcpw_str line = {NULL, 0};
    if (child->lines != NULL) {
        give_line(child, mcpw_framer_end(&child->lines->framer, &line), line);
        mcpw_framer_free(&child->lines->framer);
        free(child->lines);
        child->lines = NULL;
    }
    close_fd(&child->err);
}

void mcpw_child_stderr(mcpw_child *child) {
    char bytes[STDERR_READ];
    size_t total = 0;
    while (child != NULL && child->err >= 0 && total < STDERR_MOST) {
        const ssize_t got = read(child->err, bytes, sizeof bytes);
        const char *at = bytes;
        size_t len = got > 0 ? (size_t)got : 0;
        mcpw_status status = got > 0 ? MCPW_OK : MCPW_PENDING;
        mcpw_str line = {NULL, 0};
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        }
        total += len;
        while (status != MCPW_PENDING) {
            status = mcpw_framer_next(&child->lines->framer, &at, &len, &line);
            give_line(child, status, line);
        }
        if (got == 0 || (got < 0 && errno != EINTR)) {
            end_stderr(child);
        }
    }
}

/* ---- Stopping ------------------------------------------------------------------------------------------ */

bool mcpw_child_exited(mcpw_child *child) {
    int status = 0;
    pid_t got;
    if (child->pid == 0) {
        return true;
    }
    got = wait_for_pid((pid_t)child->pid, &status, WNOHANG);
    if (got == 0) {
        return false;
    }
    child->exit_status = got > 0 ? status : -1; /* -1: another part of the program has reaped it */
    child->pid = 0;
    return true;
}

/* Reads the child's remaining output, so that the child need not wait for this process. */
static void discard_output(mcpw_child *child, int nap) {
    char bytes[STDERR_READ];
    struct pollfd fds[2] = {{child->in, POLLIN, 0}, {child->err, POLLIN, 0}};
    if (poll(fds, 2, nap) <= 0) {
        return;
    }
    if (fds[0].revents != 0 && read(child->in, bytes, sizeof bytes) <= 0) {
        close_fd(&child->in);
    }
    mcpw_child_stderr(child);
}

static bool ended_within(mcpw_child *child, unsigned patience) {
    const uint64_t due = mcpw_io_now() + patience;
    uint64_t now = 0;
    int nap = 0;
    while (!mcpw_child_exited(child)) {
        now = mcpw_io_now();
        if (now >= due) {
            return false;
        }
        nap = nap == 0 ? 1 : nap < LONGEST_PAUSE ? 2 * nap : LONGEST_PAUSE;
        discard_output(child, due - now < (uint64_t)nap ? (int)(due - now) : nap);
    }
    return true;
}

void mcpw_child_stop(mcpw_child *child, unsigned patience_ms) {
    if (child == NULL) {
        return;
    }
    close_fd(&child->out);
    if (!ended_within(child, patience_ms)) {
        (void)kill((pid_t)child->pid, SIGTERM);
        if (!ended_within(child, patience_ms)) {
            (void)kill((pid_t)child->pid, SIGKILL);
            child->exit_status = -1;
            (void)wait_for_pid((pid_t)child->pid, &child->exit_status, 0);
            child->pid = 0;
        }
    }
    mcpw_child_stderr(child);
    end_stderr(child);
    close_fd(&child->in);
}
