/* SPDX-License-Identifier: MIT */
/*
 * Sets of sockets by poll(). A program that waits for the handle needs one descriptor for all of them, which
 * poll() does not have: then a thread polls them, and writes to a pipe when one is ready. It rests until the
 * owner has processed what is ready. A set whose handle nobody asks for has no thread.
 */
#define _GNU_SOURCE /* POLLRDHUP, where there is one */
#include "os.h"
#include "os_set_list.h"

#include <errno.h>
#include <stdlib.h>

#ifndef POLLRDHUP
#define POLLRDHUP POLLHUP
#endif

enum { PAUSE = 10 /* ms without memory */ };

/* The descriptors of one poll(). */
typedef struct polled {
    struct pollfd *fds;
    size_t room;
} polled;

struct mcpw_os_set {
    mcpw_os_list list; /* changed by the owner, under the mutex where there is a thread */
    polled own;        /* the owner's */
    bool has_thread;
    mcpw_os_wakeup ready;   /* its handle is the set's */
    mcpw_os_wakeup control; /* wakes the thread */
    mcpw_os_mutex polling;  /* the thread has it while it polls sockets; taken after the other one */
    mcpw_os_mutex mutex;    /* of what follows, and of the list */
    bool is_armed;          /* the thread is to report the next socket that is ready */
    bool is_woken;          /* control is set */
    bool is_ending;
    mcpw_os_thread thread;
};

static bool make_room(polled *p, size_t count) {
    if (count > p->room) {
        struct pollfd *const more = realloc(p->fds, 2 * count * sizeof *more);
        if (more == NULL) {
            return false;
        }
        p->fds = more;
        p->room = 2 * count;
    }
    return true;
}

/* Writes the entries of the list after the first `before` ones. */
static void copy_list(const mcpw_os_list *list, const polled *p, size_t before) {
    for (size_t i = 0; i < list->count; i++) {
        const unsigned events = list->entries[i].events;
        const int in = (events & MCPW_SET_IN) != 0 ? POLLIN : 0;
        const int out = (events & MCPW_SET_OUT) != 0 ? POLLOUT : 0;
        const int gone = events == MCPW_SET_BROKEN ? POLLRDHUP : 0;
        p->fds[before + i] = (struct pollfd){list->entries[i].socket, (short)(in | out | gone), 0};
    }
}

/* ---- The thread ---------------------------------------------------------------------------------------- */

static void wake_thread(mcpw_os_set *set) {
    if (!set->is_woken) {
        set->is_woken = true;
        mcpw_os_wakeup_set(&set->control);
    }
}

/* Waits once; false: the set ends. */
static bool watch_once(mcpw_os_set *set, polled *p) {
    mcpw_os_lock(&set->mutex);
    const bool is_ending = set->is_ending;
    if (set->is_woken) {
        mcpw_os_wakeup_clear(&set->control);
        set->is_woken = false;
    }
    const size_t count = set->is_armed ? set->list.count : 0;
    const bool has_room = make_room(p, count + 1);
    if (has_room && count != 0) {
        copy_list(&set->list, p, 1);
    }
    const bool polls = !is_ending && has_room && p->fds != NULL; /* the last is for analysers */
    if (polls) {
        mcpw_os_lock(&set->polling);
    }
    mcpw_os_unlock(&set->mutex);
    if (is_ending) {
        return false; /* nothing wakes it once more */
    }
    bool is_ready = !polls;
    if (polls) {
        p->fds[0] = (struct pollfd){mcpw_os_wakeup_handle(&set->control), POLLIN, 0};
        (void)poll(p->fds, (nfds_t)(count + 1), -1);
        mcpw_os_unlock(&set->polling);
        for (size_t i = 1; i <= count; i++) {
            is_ready = is_ready || p->fds[i].revents != 0;
        }
    } else {
        mcpw_os_sleep(PAUSE);
    }
    mcpw_os_lock(&set->mutex);
    if (is_ready && set->is_armed) {
        set->is_armed = false;
        mcpw_os_wakeup_set(&set->ready);
    }
    mcpw_os_unlock(&set->mutex);
    return true;
}

static void run_thread(void *self) {
    mcpw_os_set *const set = self;
    polled p = {NULL, 0};
    while (watch_once(set, &p)) {
    }
    free(p.fds);
}

static void end_wakeups(mcpw_os_set *set) {
    mcpw_os_wakeup_end(&set->ready);
    mcpw_os_wakeup_end(&set->control);
}

static bool begin_mutexes(mcpw_os_set *set) {
    if (!mcpw_os_mutex_begin(&set->mutex)) {
        return false;
    }
    if (!mcpw_os_mutex_begin(&set->polling)) {
        mcpw_os_mutex_end(&set->mutex);
        return false;
    }
    return true;
}

static void end_mutexes(mcpw_os_set *set) {
    mcpw_os_mutex_end(&set->polling);
    mcpw_os_mutex_end(&set->mutex);
}

static bool start_thread(mcpw_os_set *set) {
    int number;
    if (!mcpw_os_wakeup_begin(&set->ready, &number)) {
        return false;
    }
    if (!mcpw_os_wakeup_begin(&set->control, &number)) {
        mcpw_os_wakeup_end(&set->ready);
        return false;
    }
    if (!begin_mutexes(set)) {
        end_wakeups(set);
        return false;
    }
    set->is_armed = true;
    if (mcpw_os_thread_start(&set->thread, run_thread, set) != 0) {
        end_mutexes(set);
        end_wakeups(set);
        return false;
    }
    set->has_thread = true;
    return true;
}

static void lock(mcpw_os_set *set) {
    if (set->has_thread) {
        mcpw_os_lock(&set->mutex);
    }
}

/* After a change of the list. */
static void unlock(mcpw_os_set *set) {
    if (set->has_thread) {
        if (set->is_armed) {
            wake_thread(set);
        }
        mcpw_os_unlock(&set->mutex);
    }
}

/* Returns when the thread no longer polls what the caller has removed from the list: while a socket is
 * polled, the system keeps it open and its port taken, even if it is closed. The caller has the mutex, so the
 * thread does not poll again meanwhile. A thread that is not armed polls no socket. */
static void interrupt_thread(mcpw_os_set *set) {
    if (set->has_thread && set->is_armed) {
        wake_thread(set);
        mcpw_os_lock(&set->polling);
        mcpw_os_unlock(&set->polling);
    }
}

/* ---- The set ------------------------------------------------------------------------------------------- */

mcpw_os_set *mcpw_os_set_new(int *number) {
    mcpw_os_set *const set = calloc(1, sizeof *set);
    *number = set != NULL ? 0 : ENOMEM;
    return set;
}

void mcpw_os_set_free(mcpw_os_set *set) {
    if (set == NULL) {
        return;
    }
    if (set->has_thread) {
        mcpw_os_lock(&set->mutex);
        set->is_ending = true;
        wake_thread(set);
        mcpw_os_unlock(&set->mutex);
        mcpw_os_thread_join(&set->thread);
        end_mutexes(set);
        end_wakeups(set);
    }
    free(set->list.entries);
    free(set->own.fds);
    free(set);
}

mcpw_handle mcpw_os_set_handle(mcpw_os_set *set) {
    if (!set->has_thread && !start_thread(set)) {
        return MCPW_OS_NONE;
    }
    return mcpw_os_wakeup_handle(&set->ready);
}

bool mcpw_os_set_put(mcpw_os_set *set, mcpw_handle socket, unsigned events, uintptr_t who) {
    mcpw_os_entry *entry = mcpw_os_list_find(&set->list, socket);
    if (entry != NULL && entry->events == events) { /* the thread knows it */
        entry->who = who;
        entry->is_stale = false;
        return true;
    }
    lock(set);
    entry = entry != NULL ? entry : mcpw_os_list_add(&set->list, socket);
    if (entry != NULL) {
        *entry = (mcpw_os_entry){socket, who, events, false, 0};
    }
    unlock(set);
    return entry != NULL;
}

void mcpw_os_set_drop(mcpw_os_set *set, mcpw_handle socket) {
    mcpw_os_entry *const entry = mcpw_os_list_find(&set->list, socket);
    if (entry != NULL) {
        lock(set);
        mcpw_os_list_remove(&set->list, entry);
        interrupt_thread(set);
        unlock(set);
    }
}

size_t mcpw_os_set_count(const mcpw_os_set *set) { return set->list.count; }

void mcpw_os_set_renew(mcpw_os_set *set) {
    for (size_t i = 0; i < set->list.count; i++) {
        set->list.entries[i].is_stale = true;
    }
}

void mcpw_os_set_renewed(mcpw_os_set *set) {
    size_t kept = 0;
    lock(set);
    for (size_t i = 0; i < set->list.count; i++) {
        if (!set->list.entries[i].is_stale) {
            set->list.entries[kept++] = set->list.entries[i];
        }
    }
    set->list.count = kept;
    interrupt_thread(set);
    unlock(set);
}

static unsigned events_of(short revents) {
    const bool is_broken = (revents & (POLLHUP | POLLERR | POLLNVAL | POLLRDHUP)) != 0;
    return ((revents & POLLIN) != 0 ? MCPW_SET_IN : 0U) | ((revents & POLLOUT) != 0 ? MCPW_SET_OUT : 0U) |
           (is_broken ? MCPW_SET_BROKEN : 0U);
}

size_t mcpw_os_set_take_beside(mcpw_os_set *set, mcpw_os_ready *ready, size_t most, mcpw_pollfd *others,
                               size_t count, int timeout) {
    const size_t all = count + set->list.count;
    size_t taken = 0;
    if (!make_room(&set->own, all + 1)) {
        mcpw_os_sleep(PAUSE);
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        set->own.fds[i] = others[i];
        set->own.fds[i].revents = 0;
    }
    copy_list(&set->list, &set->own, count);
    const bool is_any = poll(set->own.fds, (nfds_t)all, timeout) > 0;
    for (size_t i = 0; i < count; i++) {
        others[i].revents = is_any ? set->own.fds[i].revents : 0;
    }
    for (size_t i = count; is_any && i < all && taken < most; i++) {
        const mcpw_os_entry *const entry = &set->list.entries[i - count];
        const unsigned events = events_of(set->own.fds[i].revents);
        if (events != 0 && entry->who != UINTPTR_MAX) { /* else it is another set, whose owner asks it */
            ready[taken++] = (mcpw_os_ready){entry->who, events};
        }
    }
    return taken;
}

size_t mcpw_os_set_take(mcpw_os_set *set, mcpw_os_ready *ready, size_t most, int timeout) {
    return mcpw_os_set_take_beside(set, ready, most, NULL, 0, timeout);
}

uint64_t mcpw_os_set_due(const mcpw_os_set *set) {
    (void)set;
    return UINT64_MAX;
}

/* Lets the thread report the next socket. */
void mcpw_os_set_settle(mcpw_os_set *set) {
    if (!set->has_thread) {
        return;
    }
    mcpw_os_lock(&set->mutex);
    if (!set->is_armed) {
        mcpw_os_wakeup_clear(&set->ready);
        set->is_armed = true;
        wake_thread(set);
    }
    mcpw_os_unlock(&set->mutex);
}

bool mcpw_os_set_join(mcpw_os_set *set, mcpw_os_set *other) {
    const mcpw_handle handle = mcpw_os_set_handle(other);
    return handle != MCPW_OS_NONE && mcpw_os_set_put(set, handle, MCPW_SET_IN, UINTPTR_MAX);
}

void mcpw_os_set_part(mcpw_os_set *set, mcpw_os_set *other) {
    if (other->has_thread) {
        mcpw_os_set_drop(set, mcpw_os_wakeup_handle(&other->ready));
    }
}
