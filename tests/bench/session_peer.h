/* SPDX-License-Identifier: MIT */
/* A server process of the session bench, and what is measured on it. */
#ifndef BENCH_SESSION_PEER_H
#define BENCH_SESSION_PEER_H

#include "session_load.h"

#include <sys/types.h>

/* A process with its standard input and output piped. */
typedef struct bench_process {
    pid_t pid;
    int in;  /* reads what it writes */
    int out; /* writes what it reads */
} bench_process;

/* A block of memory for answers, so that they can be checked after the clock has stopped. */
typedef struct bench_capture {
    char *bytes;
    size_t room;
    size_t len;
} bench_capture;

/* The costs of some calls. */
typedef struct bench_lap {
    size_t calls;
    double seconds;
    double cpu; /* seconds of the server's */
} bench_lap;

typedef struct bench_memory {
    long kilobytes; /* resident; 0: not known */
    long peak;
} bench_memory;

/* Each says on stderr what went wrong and returns false then. */
bool bench_start(bench_process *process, char *const *argv);
/* Sends what opens a session and reads what answers it. */
bool bench_open(const bench_process *process, const bench_dialect *dialect, bench_capture *capture);
/* Makes that many calls with so many in flight. Answers are in capture. together: requests that may go at
 * once go in one write; else in one each, as SDKs write them. */
bool bench_drive(const bench_process *process, const bench_dialect *dialect, long first, size_t calls,
                 size_t in_flight, bool together, bench_capture *capture, bench_lap *lap);
bench_memory bench_memory_of(const bench_process *process);
/* Closes its input and waits until it has ended; false when it did not end by itself with status 0. */
bool bench_stop(bench_process *process);

double bench_now(void);

#endif
