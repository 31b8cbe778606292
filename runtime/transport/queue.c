/* SPDX-License-Identifier: MIT */
/*
 * How other threads reach the one that a session belongs to: a list under a lock, and a descriptor that wakes
 * the loop. Whoever calls waits for the outcome, so its entry lies on its stack.
 */
#include "../session/attach.h"
#include "transport_internal.h"

#include <stdatomic.h>
#include <stdlib.h>

/* One thing to run. */
typedef struct entry {
    struct entry *next;
    void (*run)(void *user);
    void *user;
    uint64_t number;
    mcpw_os_condition *done; /* wakes its waiter; NULL: there is none, and it is freed */
    bool is_done;
} entry;

struct mcpw_queue {
    mcpw_os_mutex lock;
    mcpw_os_condition left; /* there are no callers any more */
    size_t callers;         /* threads inside of call */
    entry *first;
    entry **end;
    uint64_t last_number;
    mcpw_job *jobs; /* in the order in which they were handed over */
    mcpw_job **jobs_end;
    size_t job_count;
    atomic_bool woken;   /* the loop is woken: the wake-up is set... */
    atomic_bool prodded; /* ...or mcpw_queue_wake has been called */
    bool closed;         /* nothing more is posted */
    mcpw_os_wakeup wakeup;
    atomic_uintptr_t owner;  /* the thread that it belongs to */
    atomic_uintptr_t inside; /* the thread that is inside of a step; 0: none is */
    atomic_bool held;        /* a call from any other thread is a mistake now */
    bool shared;             /* threads may use it that have no request of the session's */
};

/* A number for the calling thread while it lives: the address of something of the thread's own. */
static uintptr_t this_thread(void) {
    static _Thread_local const char here = 0;
    return (uintptr_t)&here;
}

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static void destroy(mcpw_queue *queue) {
    mcpw_os_condition_end(&queue->left);
    mcpw_os_mutex_end(&queue->lock);
    free(queue);
}

static mcpw_queue *make_queue(mcpw_error *error) {
    mcpw_queue *const queue = calloc(1, sizeof *queue);
    int number = 0;
    if (queue == NULL || !mcpw_os_mutex_begin(&queue->lock) || !mcpw_os_condition_begin(&queue->left)) {
        free(queue);
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a queue");
        return NULL;
    }
    if (!mcpw_os_wakeup_begin(&queue->wakeup, &number)) {
        const mcpw_status failed = mcpw_io_failed(error, number, "cannot make a queue");
        (void)failed; /* error has it */
        destroy(queue);
        return NULL;
    }
    queue->end = &queue->first;
    queue->jobs_end = &queue->jobs;
    atomic_init(&queue->owner, this_thread());
    atomic_init(&queue->inside, 0);
    atomic_init(&queue->held, false);
    atomic_init(&queue->prodded, false);
    atomic_init(&queue->woken, false);
    return queue;
}

mcpw_queue *mcpw_queue_new(mcpw_error *error) {
    mcpw_queue *const queue = make_queue(error);
    if (queue != NULL) {
        atomic_store(&queue->held, true);
        queue->shared = true;
    }
    return queue;
}

void mcpw_queue_free(mcpw_queue *queue) {
    if (queue == NULL) {
        return;
    }
    mcpw_queue_close(queue);
    mcpw_queue_run(queue);
    mcpw_os_lock(&queue->lock);
    while (queue->callers != 0) { /* their calls have been run, but they may not have woken up yet */
        mcpw_os_condition_wait(&queue->left, &queue->lock);
    }
    mcpw_os_unlock(&queue->lock);
    mcpw_os_wakeup_end(&queue->wakeup);
    destroy(queue);
}

mcpw_handle mcpw_queue_fd(const mcpw_queue *queue) { return mcpw_os_wakeup_handle(&queue->wakeup); }

bool mcpw_queue_is_shared(const mcpw_queue *queue) { return queue->shared; }

bool mcpw_queue_is_woken(const mcpw_queue *queue) {
    return atomic_load_explicit(&queue->woken, memory_order_relaxed) ||
           atomic_load_explicit(&queue->prodded, memory_order_relaxed);
}

/* ---- Into it ------------------------------------------------------------------------------------------- */

void mcpw_queue_wake(mcpw_queue *queue) {
    atomic_store(&queue->prodded, true);
    mcpw_os_wakeup_set(&queue->wakeup);
}

/* With the lock held. */
static void wake_loop(mcpw_queue *queue) {
    if (!atomic_exchange(&queue->woken, true)) {
        mcpw_os_wakeup_set(&queue->wakeup);
    }
}

/* With the lock held. */
static void put(mcpw_queue *queue, entry *e) {
    e->next = NULL;
    e->number = ++queue->last_number;
    *queue->end = e;
    queue->end = &e->next;
    wake_loop(queue);
}

mcpw_status mcpw_queue_post(mcpw_queue *queue, void (*run)(void *user), void *user) {
    entry *const e = malloc(sizeof *e);
    bool closed;
    if (e == NULL) {
        return MCPW_E_MEMORY;
    }
    *e = (entry){NULL, run, user, 0, NULL, false};
    mcpw_os_lock(&queue->lock);
    closed = queue->closed;
    if (!closed) {
        put(queue, e);
    }
    mcpw_os_unlock(&queue->lock);
    if (closed) {
        free(e);
    }
    return closed ? MCPW_E_CLOSED : MCPW_OK;
}

void mcpw_queue_close(mcpw_queue *queue) {
    mcpw_os_lock(&queue->lock);
    queue->closed = true;
    mcpw_os_unlock(&queue->lock);
}

/* ---- Out of it ----------------------------------------------------------------------------------------- */

/* With the lock held. */
static void drain(mcpw_queue *queue) {
    const bool was_prodded = atomic_exchange(&queue->prodded, false);
    if (atomic_exchange(&queue->woken, false) || was_prodded) {
        mcpw_os_wakeup_clear(&queue->wakeup);
    }
}

/* Takes the first entry, unless it came after the one of that number. */
static entry *take(mcpw_queue *queue, uint64_t last) {
    entry *e;
    mcpw_os_lock(&queue->lock);
    e = queue->first;
    if (e != NULL && e->number > last) {
        e = NULL;
    }
    if (e != NULL) {
        queue->first = e->next;
        queue->end = queue->first != NULL ? queue->end : &queue->first;
    }
    mcpw_os_unlock(&queue->lock);
    return e;
}

/* Takes the first job; NULL: there is none. */
static mcpw_job *take_job(mcpw_queue *queue) {
    mcpw_os_lock(&queue->lock);
    mcpw_job *const job = queue->jobs;
    if (job != NULL) {
        queue->jobs = job->next;
        queue->jobs_end = queue->jobs != NULL ? queue->jobs_end : &queue->jobs;
        queue->job_count--;
    }
    mcpw_os_unlock(&queue->lock);
    return job;
}

static void finish(mcpw_queue *queue, entry *e) {
    if (e->done == NULL) {
        free(e);
        return;
    }
    mcpw_os_lock(&queue->lock);
    e->is_done = true;
    mcpw_os_condition_wake_one(e->done);
    mcpw_os_unlock(&queue->lock);
}

/* A called function may come here again, so each entry is taken by itself. */
void mcpw_queue_run(mcpw_queue *queue) {
    const uintptr_t before = atomic_exchange(&queue->inside, this_thread());
    uint64_t last;
    atomic_store(&queue->owner, this_thread());
    mcpw_os_lock(&queue->lock);
    drain(queue);
    last = queue->last_number;
    const size_t jobs = queue->job_count;
    mcpw_os_unlock(&queue->lock);
    for (entry *e = take(queue, last); e != NULL; e = take(queue, last)) {
        e->run(e->user);
        finish(queue, e);
    }
    mcpw_job *job = jobs != 0 ? take_job(queue) : NULL;
    for (size_t left = jobs; job != NULL; job = --left != 0 ? take_job(queue) : NULL) {
        job->run(job); /* and may be gone */
    }
    atomic_store(&queue->inside, before);
}

/* ---- What sessions ask --------------------------------------------------------------------------------- */

static bool is_away(void *self, bool surely) {
    mcpw_queue *const queue = self;
    return (surely || atomic_load_explicit(&queue->held, memory_order_relaxed)) &&
           atomic_load_explicit(&queue->owner, memory_order_relaxed) != this_thread();
}

static void call(void *self, void (*run)(void *argument), void *argument) {
    mcpw_queue *const queue = self;
    mcpw_os_condition done;
    entry e = {NULL, run, argument, 0, &done, false};
    while (!mcpw_os_condition_begin(&done)) {
        mcpw_os_sleep(1); /* the system lacks something, and there is no other way to wait */
    }
    mcpw_os_lock(&queue->lock);
    queue->callers++;
    put(queue, &e);
    while (!e.is_done) {
        mcpw_os_condition_wait(&done, &queue->lock);
    }
    queue->callers--;
    if (queue->callers == 0) {
        mcpw_os_condition_wake_one(&queue->left);
    }
    mcpw_os_unlock(&queue->lock);
    mcpw_os_condition_end(&done);
}

static void wait_for_calls(void *self) {
    mcpw_queue *const queue = self;
    mcpw_pollfd fd = {mcpw_queue_fd(queue), MCPW_OS_IN, 0};
    int ignored = 0;
    mcpw_os_lock(&queue->lock);
    const bool has_some = queue->first != NULL;
    mcpw_os_unlock(&queue->lock);
    (void)mcpw_os_wait(&fd, 1, has_some ? 0 : -1, &ignored);
    mcpw_queue_run(queue);
}

static void wake(void *self) { mcpw_queue_wake(self); }

static bool is_within(void *self) {
    mcpw_queue *const queue = self;
    return atomic_load_explicit(&queue->inside, memory_order_relaxed) == this_thread();
}

static void hand_over(void *self, mcpw_job *job) {
    mcpw_queue *const queue = self;
    mcpw_os_lock(&queue->lock);
    job->next = NULL;
    *queue->jobs_end = job;
    queue->jobs_end = &job->next;
    queue->job_count++;
    wake_loop(queue);
    mcpw_os_unlock(&queue->lock);
}

static void withdraw(void *self, mcpw_job *job) {
    mcpw_queue *const queue = self;
    mcpw_os_lock(&queue->lock);
    mcpw_job **at = &queue->jobs;
    while (*at != NULL && *at != job) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        *at = job->next;
        queue->jobs_end = *at != NULL ? queue->jobs_end : at;
        queue->job_count--;
    }
    mcpw_os_unlock(&queue->lock);
}

static void take_over(void *self) {
    mcpw_queue *const queue = self;
    atomic_store(&queue->owner, this_thread());
}

static void release(void *self) { mcpw_queue_free(self); }

static const mcpw_executor executor = {is_away, call,      wait_for_calls, wake,    take_over,
                                       NULL,    is_within, hand_over,      withdraw};
static const mcpw_executor own_executor = {is_away, call,      wait_for_calls, wake,    take_over,
                                           release, is_within, hand_over,      withdraw};

mcpw_status mcpw_session_set_queue(mcpw_session *session, mcpw_queue *queue) {
    return mcpw_session_set_executor(session, &executor, queue);
}

mcpw_status mcpw_server_set_queue(mcpw_server *server, mcpw_queue *queue) {
    return server != NULL && queue != NULL ? mcpw_server_join(server, &executor, queue) : MCPW_E_ARGUMENT;
}

void mcpw_server_unset_queue(mcpw_server *server, mcpw_queue *queue) {
    if (server != NULL && queue != NULL) {
        mcpw_server_leave(server, queue);
    }
}

mcpw_queue *mcpw_queue_of(mcpw_session *session, mcpw_error *error) {
    mcpw_queue *queue = mcpw_session_executor(session);
    if (queue == NULL) {
        queue = make_queue(error);
        if (queue != NULL && mcpw_session_set_executor(session, &own_executor, queue) != MCPW_OK) {
            mcpw_queue_free(queue);
            queue = NULL;
        }
    }
    return queue;
}

mcpw_queue *mcpw_session_queue(mcpw_session *session) {
    mcpw_queue *const queue = mcpw_session_executor(session);
    if (queue != NULL) {
        queue->shared = true;
    }
    return queue;
}

mcpw_queue *mcpw_queue_for(mcpw_server *server, mcpw_error *error) {
    mcpw_queue *const queue = make_queue(error);
    if (queue != NULL && mcpw_server_set_queue(server, queue) != MCPW_OK) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a queue");
        mcpw_queue_free(queue);
        return NULL;
    }
    return queue;
}

bool mcpw_queue_enter(mcpw_queue *queue) {
    /* One thread at a time calls this. So it is enough that each store is seen whole. */
    const bool was_held = atomic_load_explicit(&queue->held, memory_order_relaxed);
    atomic_store_explicit(&queue->owner, this_thread(), memory_order_relaxed);
    atomic_store_explicit(&queue->inside, this_thread(), memory_order_relaxed);
    atomic_store_explicit(&queue->held, true, memory_order_release);
    return was_held;
}

void mcpw_queue_leave(mcpw_queue *queue, bool was_held) {
    atomic_store_explicit(&queue->inside, 0, memory_order_relaxed);
    atomic_store_explicit(&queue->held, was_held, memory_order_release);
}
