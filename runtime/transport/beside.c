/* SPDX-License-Identifier: MIT */
/* The other work of a loop beside its session: calls from other threads, descriptors and timers of the
 * program. */
#include "transport_internal.h"

#include <stdlib.h>

typedef struct mcpw_watch {
    mcpw_handle fd;
    short events;
    short seen;
    void (*on_ready)(void *user, mcpw_io *io, mcpw_handle fd, short events);
    void *user;
} watch;

typedef struct mcpw_io_timer {
    int64_t number;
    uint64_t due;
    uint64_t period; /* 0: it runs once */
    void (*on_time)(void *user, mcpw_io *io);
    void *user;
} timer;

enum { WATCH_ROOM = 4 /* lists grow by so many; they are short */ };

mcpw_beside *mcpw_beside_new(mcpw_session *session, mcpw_error *error) {
    mcpw_beside *const b = calloc(1, sizeof *b);
    if (b == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a loop");
        return NULL;
    }
    mcpw_os_stream_init(&b->in);
    mcpw_os_stream_init(&b->out);
    b->queue = mcpw_queue_of(session, error);
    if (b->queue == NULL) {
        free(b);
        return NULL;
    }
    return b;
}

void mcpw_beside_free(mcpw_beside *b) {
    if (b != NULL) {
        free(b->watches);
        free(b->timers);
        free(b->fds);
        free(b);
    }
}

mcpw_queue *mcpw_beside_queue(const mcpw_beside *b) { return b->queue; }

bool mcpw_beside_is_quiet(const mcpw_beside *b) {
    return b->watch_count == 0 && b->timer_count == 0 && !mcpw_queue_is_shared(b->queue);
}

/* ---- Descriptors --------------------------------------------------------------------------------------- */

static watch *find_subscription(mcpw_beside *b, mcpw_handle fd) {
    for (size_t i = 0; i < b->watch_count; i++) {
        if (b->watches[i].fd == fd) {
            return b->watches + i;
        }
    }
    return NULL;
}

/* Makes room for one more in a list. NULL without memory, and then the list is as it was. */
static void *grow(void *items, size_t count, size_t size) {
    return count % WATCH_ROOM == 0 ? realloc(items, (count + WATCH_ROOM) * size) : items;
}

mcpw_status mcpw_io_watch(mcpw_io *io, mcpw_handle fd, short events,
                          void (*on_ready)(void *user, mcpw_io *io, mcpw_handle fd, short events),
                          void *user) {
    if (io == NULL || io->beside == NULL || fd < 0 || on_ready == NULL) {
        return MCPW_E_ARGUMENT;
    }
    mcpw_beside *const b = io->beside;
    watch *w = find_subscription(b, fd);
    if (w == NULL) {
        watch *const more = grow(b->watches, b->watch_count, sizeof *more);
        if (more == NULL) {
            return MCPW_E_MEMORY;
        }
        b->watches = more;
        w = more + b->watch_count++;
    }
    *w = (watch){fd, events, 0, on_ready, user};
    return MCPW_OK;
}

void mcpw_io_unwatch(mcpw_io *io, mcpw_handle fd) {
    mcpw_beside *const b = io != NULL ? io->beside : NULL;
    watch *const w = b != NULL ? find_subscription(b, fd) : NULL;
    if (w != NULL) {
        b->watch_count--;
        memmove(w, w + 1, (size_t)(b->watches + b->watch_count - w) * sizeof *w);
    }
}

mcpw_pollfd *mcpw_beside_fds(mcpw_beside *b, size_t own, size_t *count) {
    *count = own + 1 + b->watch_count;
    if (*count > b->fd_count) {
        mcpw_pollfd *const more = realloc(b->fds, (*count + WATCH_ROOM) * sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        b->fds = more;
        b->fd_count = *count + WATCH_ROOM;
    }
    b->fds[own] = (mcpw_pollfd){mcpw_queue_fd(b->queue), MCPW_OS_IN, 0};
    for (size_t i = 0; i < b->watch_count; i++) {
        b->fds[own + 1 + i] = (mcpw_pollfd){b->watches[i].fd, b->watches[i].events, 0};
    }
    return b->fds;
}

/* A callback may watch and unwatch. So what was seen is kept with each watch, and the walk starts over. */
static void run_watches(mcpw_beside *b, mcpw_io *io) {
    for (size_t i = 0; i < b->watch_count;) {
        const watch w = b->watches[i];
        if (w.seen == 0) {
            i++;
            continue;
        }
        b->watches[i].seen = 0;
        w.on_ready(w.user, io, w.fd, w.seen);
        i = 0;
    }
}

/* ---- Timers -------------------------------------------------------------------------------------------- */

/* The time that is so many milliseconds later, or the latest there is. */
static uint64_t later(uint64_t now, uint64_t ms) { return ms < UINT64_MAX - now ? now + ms : UINT64_MAX; }

mcpw_status mcpw_io_start_timer(mcpw_io *io, uint64_t first_ms, uint64_t period_ms,
                                void (*on_time)(void *user, mcpw_io *io), void *user, int64_t *number) {
    if (io == NULL || io->beside == NULL || on_time == NULL) {
        return MCPW_E_ARGUMENT;
    }
    mcpw_beside *const b = io->beside;
    const uint64_t now = mcpw_io_now();
    timer *const more = grow(b->timers, b->timer_count, sizeof *more);
    if (more == NULL) {
        return MCPW_E_MEMORY;
    }
    b->timers = more;
    more[b->timer_count++] = (timer){++b->last_number, later(now, first_ms), period_ms, on_time, user};
    if (number != NULL) {
        *number = b->last_number;
    }
    return MCPW_OK;
}

static void remove_timer(mcpw_beside *b, timer *t) {
    b->timer_count--;
    memmove(t, t + 1, (size_t)(b->timers + b->timer_count - t) * sizeof *t);
}

void mcpw_io_stop_timer(mcpw_io *io, int64_t number) {
    mcpw_beside *const b = io != NULL ? io->beside : NULL;
    for (size_t i = 0; b != NULL && i < b->timer_count; i++) {
        if (b->timers[i].number == number) {
            remove_timer(b, b->timers + i);
        }
    }
}

uint64_t mcpw_beside_due(const mcpw_beside *b) {
    uint64_t due = UINT64_MAX;
    for (size_t i = 0; i < b->timer_count; i++) {
        due = b->timers[i].due < due ? b->timers[i].due : due;
    }
    return due;
}

/* The timer that is due first, of those up to a number; NULL: none is due. */
static timer *due_timer(const mcpw_beside *b, uint64_t now, int64_t last) {
    timer *first = NULL;
    for (size_t i = 0; i < b->timer_count; i++) {
        timer *const t = b->timers + i;
        if (t->due <= now && t->number <= last && (first == NULL || t->due < first->due)) {
            first = t;
        }
    }
    return first;
}

/* Timers that callbacks start wait for the next step, however soon they are due. */
static void run_timers(mcpw_beside *b, mcpw_io *io) {
    const int64_t last = b->last_number;
    const uint64_t now = mcpw_io_now();
    timer *at;
    while ((at = due_timer(b, now, last)) != NULL) {
        const timer t = *at;
        if (t.period == 0) {
            remove_timer(b, at);
        } else { /* what was missed is not made up for */
            const uint64_t next = later(t.due, t.period);
            at->due = next > now ? next : later(now, t.period);
        }
        t.on_time(t.user, io);
    }
}

/* ---- A step -------------------------------------------------------------------------------------------- */

void mcpw_beside_look(mcpw_beside *b, size_t own, bool polled) {
    size_t count = 0;
    const mcpw_pollfd *fds = b->fds;
    b->is_called = !polled || fds[own].revents != 0; /* the queue can look at that itself, which costs less */
    if (b->watch_count == 0) {
        return;
    }
    if (!polled) {
        mcpw_pollfd *const looked = mcpw_beside_fds(b, own, &count);
        int ignored = 0;
        if (looked == NULL || mcpw_os_wait(looked + own, count - own, 0, &ignored) <= 0) {
            return;
        }
        fds = looked;
    }
    for (size_t i = 0; i < b->watch_count; i++) {
        b->watches[i].seen = fds[own + 1 + i].revents;
    }
}

void mcpw_beside_run(mcpw_beside *b, mcpw_io *io) {
    if (b->is_called) {
        b->is_called = false;
        mcpw_queue_run(b->queue);
    }
    if (b->watch_count != 0) {
        run_watches(b, io);
    }
    if (b->timer_count != 0) {
        run_timers(b, io);
    }
}
