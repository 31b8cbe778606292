/* SPDX-License-Identifier: MIT */
/* Signals, times and texts for the other files on hiredis. */
#define _POSIX_C_SOURCE 200809L
#include "http_redis_internal.h"

#include <stdlib.h>
#include <string.h>

char *mcpw_redis_copy(const char *text, size_t len) {
    char *const copy = text != NULL ? malloc(len + 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    return copy;
}

void mcpw_redis_guard(redis_guard *guard) {
    sigset_t pipe_signal;
    sigset_t pending;
    (void)sigemptyset(&pipe_signal);
    (void)sigaddset(&pipe_signal, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &pipe_signal, &guard->before);
    guard->was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

void mcpw_redis_unguard(const redis_guard *guard) {
    sigset_t pipe_signal;
    sigset_t pending;
    int taken;
    (void)sigemptyset(&pipe_signal);
    (void)sigaddset(&pipe_signal, SIGPIPE);
    if (!guard->was_pending && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1) {
        (void)sigwait(&pipe_signal, &taken);
    }
    (void)pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}

void mcpw_redis_expect(redis_link *link, uint64_t ms) { link->due = link->redis->now + ms; }
