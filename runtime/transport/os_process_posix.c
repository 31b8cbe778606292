/* SPDX-License-Identifier: MIT */
/*
 * Child processes with fork and exec. posix_spawn cannot set the working directory on every system, and does
 * not report whether that or the command failed. The code between fork and exec is async-signal-safe.
 */
#define _GNU_SOURCE /* pipe2 */
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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
    CANNOT_START = 127
};

/* The pipes between the processes; the last one reports why the child could not start. */
enum { TO_STDIN, FROM_STDOUT, FROM_STDERR, REPORT, PIPES };
enum { READ_END, WRITE_END };

/* The report of a child that could not start. */
typedef struct report {
    bool in_cwd; /* changing to the working directory failed, not exec */
    int number;
} report;

static void close_pipes(int pipes[PIPES][2]) {
    for (int i = 0; i < PIPES; i++) {
        mcpw_os_close(&pipes[i][READ_END]);
        mcpw_os_close(&pipes[i][WRITE_END]);
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

/* True if the child runs the command. */
static bool launch(mcpw_os_process *process, const mcpw_spawn *spawn, const char *path, int pipes[PIPES][2],
                   report *why) {
    const pid_t pid = fork_quietly(spawn, path, pipes);
    if (pid < 0) {
        why->number = errno;
        return false;
    }
    mcpw_os_close(&pipes[TO_STDIN][READ_END]);
    mcpw_os_close(&pipes[FROM_STDOUT][WRITE_END]);
    mcpw_os_close(&pipes[FROM_STDERR][WRITE_END]);
    mcpw_os_close(&pipes[REPORT][WRITE_END]);
    if (!did_start(pipes[REPORT][READ_END], why)) {
        (void)wait_for_pid(pid, NULL, 0);
        return false;
    }
    process->pid = pid;
    return true;
}

static void hand_out(int pipes[PIPES][2], mcpw_handle ends[MCPW_OS_CHILD_PIPES]) {
    ends[MCPW_OS_CHILD_STDIN] = pipes[TO_STDIN][WRITE_END];
    ends[MCPW_OS_CHILD_STDOUT] = pipes[FROM_STDOUT][READ_END];
    ends[MCPW_OS_CHILD_STDERR] = pipes[FROM_STDERR][READ_END];
    pipes[TO_STDIN][WRITE_END] = -1;
    pipes[FROM_STDOUT][READ_END] = -1;
    pipes[FROM_STDERR][READ_END] = -1;
}

bool mcpw_os_process_start(mcpw_os_process *process, const mcpw_spawn *spawn,
                           mcpw_handle ends[MCPW_OS_CHILD_PIPES], int *number, bool *in_cwd) {
    int pipes[PIPES][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    report why = {false, 0};
    char *const path = find_command(spawn->argv[0]);
    bool works = path != NULL;
    for (int i = 0; i < PIPES && works; i++) {
        works = (i == FROM_STDERR && spawn->on_stderr == NULL) || make_pipe(pipes[i]);
    }
    if (works && spawn->on_stderr != NULL) {
        (void)fcntl(pipes[FROM_STDERR][READ_END], F_SETFL, O_NONBLOCK);
    }
    why.number = errno;
    works = works && launch(process, spawn, path, pipes, &why);
    if (works) {
        hand_out(pipes, ends);
    }
    close_pipes(pipes);
    free(path);
    *number = why.number;
    *in_cwd = why.in_cwd;
    return works;
}

/* ---- The end ------------------------------------------------------------------------------------------- */

int64_t mcpw_os_process_id(const mcpw_os_process *process) { return process->pid; }

bool mcpw_os_process_exited(mcpw_os_process *process, int *status) {
    int got_status = 0;
    const pid_t got = wait_for_pid((pid_t)process->pid, &got_status, WNOHANG);
    if (got == 0) {
        return false;
    }
    *status = got > 0 ? got_status : -1;
    return true;
}

bool mcpw_os_process_ask(const mcpw_os_process *process) {
    (void)kill((pid_t)process->pid, SIGTERM);
    return true;
}

int mcpw_os_process_kill(mcpw_os_process *process) {
    int status = -1;
    (void)kill((pid_t)process->pid, SIGKILL);
    (void)wait_for_pid((pid_t)process->pid, &status, 0);
    return status;
}

void mcpw_os_process_end(mcpw_os_process *process) { process->pid = 0; }

bool mcpw_os_was_signalled(int status, int *number) {
    const bool was_signalled = WIFSIGNALED(status);
    *number = was_signalled ? WTERMSIG(status) : WEXITSTATUS(status);
    return was_signalled;
}
