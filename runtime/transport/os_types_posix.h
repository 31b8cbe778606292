/* SPDX-License-Identifier: MIT */
/* The types of the port layer on POSIX. */
#ifndef MCPW_OS_TYPES_POSIX_H
#define MCPW_OS_TYPES_POSIX_H

#include <poll.h>
#include <pthread.h>

#include <mcpw/io.h>

enum { MCPW_OS_IN = POLLIN, MCPW_OS_OUT = POLLOUT };

typedef struct mcpw_os_stream {
    mcpw_handle handle;
    unsigned state; /* flags of os_stream_posix.c */
} mcpw_os_stream;

typedef struct mcpw_os_wakeup {
    int fds[2]; /* a pipe */
} mcpw_os_wakeup;

typedef struct mcpw_os_process {
    int64_t pid;
} mcpw_os_process;

typedef pthread_mutex_t mcpw_os_mutex;
typedef pthread_cond_t mcpw_os_condition;

typedef struct mcpw_os_thread {
    pthread_t handle;
    void (*run)(void *user);
    void *user;
} mcpw_os_thread;

#endif
