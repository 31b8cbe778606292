/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "session_peer.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_IN_FLIGHT = 64 };

static double seconds_of(clockid_t clock) {
    struct timespec t = {0, 0};
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double bench_now(void) { return seconds_of(CLOCK_MONOTONIC); }

static bool fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return false;
}

/* ---- The process ---- */

static bool make_pipes(int to_child[2], int from_child[2]) {
    if (pipe(to_child) != 0) {
        return false;
    }
    if (pipe(from_child) != 0) {
        (void)close(to_child[0]);
        (void)close(to_child[1]);
        return false;
    }
    for (int i = 0; i < 2; i++) { /* other servers must not hold them open */
        (void)fcntl(to_child[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(from_child[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

bool bench_start(bench_process *process, char *const *argv) {
    int to_child[2];
    int from_child[2];
    posix_spawn_file_actions_t actions;
    if (!make_pipes(to_child, from_child)) {
        return fail("pipe");
    }
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, to_child[0], STDIN_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, from_child[1], STDOUT_FILENO);
    /* Not fork: the time that it takes grows with this process. */
    const int error = posix_spawnp(&process->pid, argv[0], &actions, NULL, argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(to_child[0]);
    (void)close(from_child[1]);
    process->in = from_child[0];
    process->out = to_child[1];
    if (error != 0) {
        (void)close(process->in);
        (void)close(process->out);
        errno = error;
        return fail(argv[0]);
    }
    return true;
}

bool bench_stop(bench_process *process) {
    int status = 0;
    (void)close(process->out);
    (void)close(process->in);
    if (waitpid(process->pid, &status, 0) != process->pid) {
        return fail("waitpid");
    }
    if (status != 0) {
        fprintf(stderr, "a server ended with status %d\n", status);
    }
    return status == 0;
}

bench_memory bench_memory_of(const bench_process *process) {
    bench_memory memory = {0, 0};
    char path[sizeof "/proc/9223372036854775807/status"];
    char line[BENCH_LINE];
    (void)snprintf(path, sizeof path, "/proc/%ld/status", (long)process->pid);
    FILE *const file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, "VmRSS: %ld", &memory.kilobytes);
        (void)sscanf(line, "VmHWM: %ld", &memory.peak);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return memory;
}

/* ---- Calls ---- */

static bool write_all(int fd, const char *bytes, size_t len) {
    while (len != 0) {
        const ssize_t wrote = write(fd, bytes, len);
        if (wrote < 0 && errno != EINTR) {
            return fail("cannot write to a server");
        }
        bytes += wrote > 0 ? wrote : 0;
        len -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

static size_t count_lines(const char *bytes, size_t len) {
    size_t lines = 0;
    for (const char *const end = bytes + len; bytes < end; bytes++) {
        bytes = memchr(bytes, '\n', (size_t)(end - bytes));
        if (bytes == NULL) {
            break;
        }
        lines++;
    }
    return lines;
}

/* Reads what there is, at least one byte, after what was captured; returns the lines that it ended, or -1.
 */
static long capture_some(const bench_process *process, bench_capture *capture) {
    if (capture->len == capture->room) {
        fprintf(stderr, "the answers are larger than expected\n");
        return -1;
    }
    const ssize_t got = read(process->in, capture->bytes + capture->len, capture->room - capture->len);
    if (got <= 0) {
        (void)fprintf(stderr, "a server went without an answer\n");
        return -1;
    }
    const size_t lines = count_lines(capture->bytes + capture->len, (size_t)got);
    capture->len += (size_t)got;
    return (long)lines;
}

bool bench_open(const bench_process *process, const bench_dialect *dialect, bench_capture *capture) {
    const size_t len = strlen(dialect->opening);
    capture->len = 0;
    if (len == 0) {
        return true;
    }
    if (!write_all(process->out, dialect->opening, len)) {
        return false;
    }
    for (long lines = 0; lines == 0;) {
        lines = capture_some(process, capture);
        if (lines < 0) {
            return false;
        }
    }
    return true;
}

/* The next calls, from a template: writing them costs the driver less than answering costs any server. */
typedef struct call_writer {
    char lines[MOST_IN_FLIGHT * BENCH_LINE];
    char line[BENCH_LINE];
    size_t len;
    size_t digits[2]; /* where the two numbers stand */
    size_t width;
    long id;
} call_writer;

static void set_up(call_writer *w, const bench_dialect *dialect, long first) {
    static const char id_key[] = "\"id\":";
    static const char before_number[] = "message number ";
    w->len = bench_put_call(w->line, dialect, first);
    w->width = sizeof "1000000" - 1;
    w->digits[0] = (size_t)(strstr(w->line, before_number) - w->line) + sizeof before_number - 1;
    w->digits[1] = (size_t)(strstr(w->line, id_key) - w->line) + sizeof id_key - 1;
    w->id = first;
}

static bool send_calls(call_writer *w, const bench_process *process, size_t count, bool together) {
    enum { DECIMAL = 10 };
    char *at = w->lines;
    for (size_t i = 0; i < count; i++, at += w->len) {
        long rest = w->id++;
        for (size_t digit = w->width; digit-- > 0; rest /= DECIMAL) {
            w->line[w->digits[0] + digit] = w->line[w->digits[1] + digit] = (char)('0' + rest % DECIMAL);
        }
        memcpy(at, w->line, w->len);
        if (!together && !write_all(process->out, at, w->len)) {
            return false;
        }
    }
    return !together || write_all(process->out, w->lines, (size_t)(at - w->lines));
}

bool bench_drive(const bench_process *process, const bench_dialect *dialect, long first, size_t calls,
                 size_t in_flight, bool together, bench_capture *capture, bench_lap *lap) {
    static call_writer writer;
    clockid_t cpu;
    size_t sent = 0;
    if (clock_getcpuclockid(process->pid, &cpu) != 0) {
        return fail("no clock of the server's CPU time");
    }
    set_up(&writer, dialect, first);
    capture->len = 0;
    const double cpu_before = seconds_of(cpu);
    const double before = bench_now();
    for (size_t due = 0; sent < calls || due > 0;) {
        const size_t free_places = in_flight - due;
        const size_t more = calls - sent < free_places ? calls - sent : free_places;
        if (more != 0 && !send_calls(&writer, process, more, together)) {
            return false;
        }
        sent += more;
        due += more;
        const long answered = capture_some(process, capture);
        if (answered < 0 || (size_t)answered > due) {
            return false;
        }
        due -= (size_t)answered;
    }
    lap->calls = calls;
    lap->seconds = bench_now() - before;
    lap->cpu = seconds_of(cpu) - cpu_before;
    return true;
}
