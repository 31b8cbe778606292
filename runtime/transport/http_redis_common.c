/* SPDX-License-Identifier: MIT */
/* Signals, times and texts for the other files on hiredis. */
#define _POSIX_C_SOURCE 200809L
#include "http_redis_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 1 << 16 /* of an array: many times what any question asks for */ };

/* hiredis counts elements in int up to 0.14, and in size_t since 1.0. */
#if HIREDIS_MAJOR < 1
typedef int element_count;
#else
typedef size_t element_count;
#endif

/* An array of a reply, made by hiredis. It has memory for all elements that the server announces, before the
 * first of them has come, and looks at all of them when it is freed: a line of ten digits would cost
 * gigabytes and seconds. */
static void *make_array(const redisReadTask *task, element_count count) {
    const redisReplyObjectFunctions *const own = task->privdata;
    return (size_t)count <= MOST_ELEMENTS ? own->createArray(task, count) : NULL;
}

void mcpw_redis_limit(redisReader *reader, redisReplyObjectFunctions *limited) {
    *limited = *reader->fn;
    limited->createArray = make_array;
    reader->privdata = reader->fn;
    reader->fn = limited;
}

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
