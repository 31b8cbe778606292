/* SPDX-License-Identifier: MIT */
/* Worker threads that run handlers in the order of the requests. */
#define _POSIX_C_SOURCE 200809L
#include "../session/attach.h"
#include "transport_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/* Bytes of a worker's stack. Handlers decode and validate recursively, and musl gives a thread only 128 KiB.
 */
enum { LEAST_STACK = 1 << 20 };

struct mcpw_workers {
    pthread_mutex_t lock;
    pthread_cond_t given; /* there is a task, or the workers end */
    mcpw_task *first;
    mcpw_task **end;
    bool ending;
    unsigned count;
    pthread_t threads[];
};

static mcpw_task *take(mcpw_workers *w) {
    mcpw_task *task;
    (void)pthread_mutex_lock(&w->lock);
    while (w->first == NULL && !w->ending) {
        (void)pthread_cond_wait(&w->given, &w->lock);
    }
    task = w->first;
    if (task != NULL) {
        w->first = task->next;
        w->end = w->first != NULL ? w->end : &w->first;
    }
    (void)pthread_mutex_unlock(&w->lock);
    return task;
}

static void *work(void *argument) {
    mcpw_workers *const w = argument;
    for (mcpw_task *task = take(w); task != NULL; task = take(w)) {
        task->run(task);
    }
    return NULL;
}

static void submit(void *self, mcpw_task *task) {
    mcpw_workers *const w = self;
    task->next = NULL;
    (void)pthread_mutex_lock(&w->lock);
    *w->end = task;
    w->end = &task->next;
    (void)pthread_cond_signal(&w->given);
    (void)pthread_mutex_unlock(&w->lock);
}

/* Starts threads with all signals blocked, because the signals belong to the program. */
static int start_threads(mcpw_workers *w, unsigned count) {
    pthread_attr_t attributes;
    sigset_t all;
    sigset_t before;
    size_t stack = 0;
    int failed = pthread_attr_init(&attributes);
    if (failed != 0) {
        return failed;
    }
    if (pthread_attr_getstacksize(&attributes, &stack) != 0 || stack < LEAST_STACK) {
        (void)pthread_attr_setstacksize(&attributes, LEAST_STACK);
    }
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    while (failed == 0 && w->count < count) {
        failed = pthread_create(&w->threads[w->count], &attributes, work, w);
        w->count += failed == 0;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return failed;
}

mcpw_workers *mcpw_workers_new(unsigned count, mcpw_error *error) {
    enum { MOST = 1024 };
    mcpw_workers *w;
    int failed;
    if (count == 0 || count > MOST) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "there are 1 to %d workers", MOST);
        return NULL;
    }
    w = calloc(1, sizeof *w + count * sizeof w->threads[0]);
    if (w == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for workers");
        return NULL;
    }
    w->end = &w->first;
    if (pthread_mutex_init(&w->lock, NULL) != 0 || pthread_cond_init(&w->given, NULL) != 0) {
        free(w);
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for workers");
        return NULL;
    }
    failed = start_threads(w, count);
    if (failed != 0) {
        const mcpw_status status = mcpw_io_failed(error, failed, "cannot start workers");
        (void)status; /* the error is set already */
        mcpw_workers_free(w);
        return NULL;
    }
    return w;
}

void mcpw_workers_free(mcpw_workers *workers) {
    if (workers == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&workers->lock);
    workers->ending = true;
    (void)pthread_cond_broadcast(&workers->given);
    (void)pthread_mutex_unlock(&workers->lock);
    for (unsigned i = 0; i < workers->count; i++) {
        (void)pthread_join(workers->threads[i], NULL);
    }
    (void)pthread_cond_destroy(&workers->given);
    (void)pthread_mutex_destroy(&workers->lock);
    free(workers);
}

mcpw_status mcpw_session_set_workers(mcpw_session *session, mcpw_workers *workers) {
    if (mcpw_session_executor(session) == NULL) {
        return MCPW_E_STATE;
    }
    mcpw_session_set_submit(session, submit, workers);
    return MCPW_OK;
}
