/* SPDX-License-Identifier: MIT */
/* Worker threads that run handlers in the order of the requests. */
#include "../session/attach.h"
#include "transport_internal.h"

#include <stdlib.h>

struct mcpw_workers {
    mcpw_os_mutex lock;
    mcpw_os_condition given; /* there is a job, or the workers end */
    mcpw_job *first;
    mcpw_job **end;
    bool ending;
    unsigned count;
    mcpw_os_thread threads[];
};

static mcpw_job *take(mcpw_workers *w) {
    mcpw_job *job;
    mcpw_os_lock(&w->lock);
    while (w->first == NULL && !w->ending) {
        mcpw_os_condition_wait(&w->given, &w->lock);
    }
    job = w->first;
    if (job != NULL) {
        w->first = job->next;
        w->end = w->first != NULL ? w->end : &w->first;
    }
    mcpw_os_unlock(&w->lock);
    return job;
}

static void work(void *argument) {
    mcpw_workers *const w = argument;
    for (mcpw_job *job = take(w); job != NULL; job = take(w)) {
        job->run(job);
    }
}

static void submit(void *self, mcpw_job *job) {
    mcpw_workers *const w = self;
    job->next = NULL;
    mcpw_os_lock(&w->lock);
    *w->end = job;
    w->end = &job->next;
    mcpw_os_condition_wake_one(&w->given);
    mcpw_os_unlock(&w->lock);
}

mcpw_workers *mcpw_workers_new(unsigned count, mcpw_error *error) {
    enum { MOST = 1024 };
    mcpw_workers *w;
    int failed = 0;
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
    if (!mcpw_os_mutex_begin(&w->lock) || !mcpw_os_condition_begin(&w->given)) {
        free(w);
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for workers");
        return NULL;
    }
    while (failed == 0 && w->count < count) {
        failed = mcpw_os_thread_start(&w->threads[w->count], work, w);
        w->count += failed == 0;
    }
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
    mcpw_os_lock(&workers->lock);
    workers->ending = true;
    mcpw_os_condition_wake_all(&workers->given);
    mcpw_os_unlock(&workers->lock);
    for (unsigned i = 0; i < workers->count; i++) {
        mcpw_os_thread_join(&workers->threads[i]);
    }
    mcpw_os_condition_end(&workers->given);
    mcpw_os_mutex_end(&workers->lock);
    free(workers);
}

mcpw_status mcpw_session_set_workers(mcpw_session *session, mcpw_workers *workers) {
    if (mcpw_session_executor(session) == NULL) {
        return MCPW_E_STATE;
    }
    mcpw_session_set_submit(session, submit, workers);
    return MCPW_OK;
}
