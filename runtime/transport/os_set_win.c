/* SPDX-License-Identifier: MIT */
/*
 * Sets of sockets on Windows: WSAEventSelect lets all of them set one event, which is the handle. Such an
 * event is set once for each change, while a handle of a set is ready as long as a socket is. So the event is
 * reset only after a look at all sockets has found that none is ready. FD_WRITE comes only after a send that
 * had to wait, which is not always the last one: while output is waited for, the owner looks now and then.
 */
#include "os_net_win.h"
#include "os_win.h"

#include "os_set_list.h"

#include <stdlib.h>

enum { PAUSE = 10 /* ms without memory */, LOOK_AGAIN = 50 /* ms, for output */, MOST_OTHERS = 8 };

/* mcpw_os_entry.known */
enum { HAS_UNREAD = 1 /* bytes that nobody asked for */, HAS_FAILED = 2 /* to connect */ };

struct mcpw_os_set {
    mcpw_os_list list;
    HANDLE event;  /* its own */
    HANDLE target; /* which its sockets set: its own, or that of the set that it has joined */
    mcpw_os_set *other;
    WSAPOLLFD *polled;
    size_t room;
    uint64_t due; /* when to look for sockets that take output again; UINT64_MAX: none is waited for */
};

/* Bytes that stay would set the event again after each look at them. */
static long mask_of(const mcpw_os_entry *entry) {
    const bool in =
        (entry->events & (MCPW_SET_IN | MCPW_SET_BROKEN)) != 0 && (entry->known & HAS_UNREAD) == 0;
    return FD_CLOSE | ((entry->events & MCPW_SET_OUT) != 0 ? FD_WRITE | FD_CONNECT : 0) |
           (in ? FD_READ | FD_ACCEPT : 0);
}

static bool select_events(const mcpw_os_set *set, const mcpw_os_entry *entry) {
    return WSAEventSelect((SOCKET)entry->socket, set->target, mask_of(entry)) == 0;
}

static bool make_room(mcpw_os_set *set) {
    if (set->list.count > set->room) {
        WSAPOLLFD *const more = realloc(set->polled, 2 * set->list.count * sizeof *more);
        if (more == NULL) {
            return false;
        }
        set->polled = more;
        set->room = 2 * set->list.count;
    }
    return true;
}

/* ---- Looking ------------------------------------------------------------------------------------------- */

/* Whether the peer of a socket has gone, after WSAPoll() has seen something. It is for sockets of which no
 * other event is awaited. If one has bytes that nobody reads, only WSAPoll() tells that the peer has gone. */
static bool has_gone(mcpw_os_set *set, mcpw_os_entry *entry, unsigned seen) {
    char byte;
    if ((entry->known & HAS_UNREAD) != 0) {
        return (seen & MCPW_SET_BROKEN) != 0;
    }
    const int got = recv((SOCKET)entry->socket, &byte, 1, MSG_PEEK);
    if (got > 0) {
        entry->known |= HAS_UNREAD;
        (void)select_events(set, entry);
        (void)SetEvent(set->target); /* it may have gone meanwhile */
    }
    return got == 0 || (got < 0 && WSAGetLastError() != WSAEWOULDBLOCK);
}

/* The events of a socket that connects, of which WSAPoll() has reported none: on systems before Windows 10
 * 2004 it does so if the connection was refused. The system tells that once, so the entry keeps it. */
static unsigned connect_events(mcpw_os_entry *entry) {
    WSANETWORKEVENTS changes;
    const bool has_ended = (entry->known & HAS_FAILED) == 0 &&
                           WSAEnumNetworkEvents((SOCKET)entry->socket, NULL, &changes) == 0 &&
                           (changes.lNetworkEvents & FD_CONNECT) != 0;
    if (has_ended && changes.iErrorCode[FD_CONNECT_BIT] != 0) {
        entry->known |= HAS_FAILED;
    }
    if ((entry->known & HAS_FAILED) != 0) {
        return MCPW_SET_OUT | MCPW_SET_BROKEN;
    }
    return has_ended ? MCPW_SET_OUT : 0U;
}

/* The events of an entry after WSAPoll(). */
static unsigned seen_events(mcpw_os_set *set, mcpw_os_entry *entry, short revents) {
    unsigned seen = ((revents & POLLRDNORM) != 0 ? MCPW_SET_IN : 0U) |
                    ((revents & POLLWRNORM) != 0 ? MCPW_SET_OUT : 0U) |
                    ((revents & (POLLHUP | POLLERR | POLLNVAL)) != 0 ? MCPW_SET_BROKEN : 0U);
    if (entry->events == MCPW_SET_BROKEN) {
        return seen != 0 && has_gone(set, entry, seen) ? MCPW_SET_BROKEN : 0U;
    }
    if ((entry->events & MCPW_SET_OUT) != 0 && seen == 0) {
        seen = connect_events(entry);
        if (seen == 0) {
            (void)send((SOCKET)entry->socket, "", 0,
                       0); /* after a send that had to wait FD_WRITE is reported */
        }
    }
    return seen;
}

/* Asks the system about all sockets. False: none is ready. */
static bool poll_all(mcpw_os_set *set) {
    if (set->list.count == 0 || !make_room(set)) {
        return false;
    }
    for (size_t i = 0; i < set->list.count; i++) {
        const unsigned events = set->list.entries[i].events;
        const int in = (events & (MCPW_SET_IN | MCPW_SET_BROKEN)) != 0 ? POLLRDNORM : 0;
        const int out = (events & MCPW_SET_OUT) != 0 ? POLLWRNORM : 0;
        set->polled[i] = (WSAPOLLFD){(SOCKET)set->list.entries[i].socket, (SHORT)(in | out), 0};
    }
    return WSAPoll(set->polled, (ULONG)set->list.count, 0) >= 0;
}

static size_t look(mcpw_os_set *set, mcpw_os_ready *ready, size_t most) {
    size_t taken = 0;
    bool is_full = false;
    set->due = UINT64_MAX;
    if (!poll_all(set)) {
        return 0;
    }
    for (size_t i = 0; i < set->list.count && taken < most; i++) {
        mcpw_os_entry *const entry = &set->list.entries[i];
        const unsigned events = seen_events(set, entry, set->polled[i].revents);
        if (events != 0) {
            ready[taken++] = (mcpw_os_ready){entry->who, events};
        }
        is_full = is_full || (entry->events & ~events & MCPW_SET_OUT) != 0;
    }
    if (is_full) {
        set->due = mcpw_os_now() + LOOK_AGAIN;
    }
    return taken;
}

/* Resets the event, and sets it again if a socket is ready. */
static bool settle(mcpw_os_set *set) {
    mcpw_os_ready one;
    (void)ResetEvent(set->event);
    const bool is_ready = look(set, &one, 1) != 0 || (set->other != NULL && look(set->other, &one, 1) != 0);
    if (is_ready) {
        (void)SetEvent(set->event);
    }
    return is_ready;
}

/* ---- The set ------------------------------------------------------------------------------------------- */

mcpw_os_set *mcpw_os_set_new(int *number) {
    WSADATA data;
    mcpw_os_set *const set = calloc(1, sizeof *set);
    *number = set != NULL ? WSAStartup(MAKEWORD(2, 2), &data) : ERROR_OUTOFMEMORY;
    if (set == NULL || *number != 0) {
        free(set);
        return NULL;
    }
    set->event = CreateEventW(NULL, TRUE, FALSE, NULL);
    set->target = set->event;
    set->due = UINT64_MAX;
    if (set->event == NULL) {
        *number = (int)GetLastError();
        (void)WSACleanup();
        free(set);
        return NULL;
    }
    return set;
}

void mcpw_os_set_free(mcpw_os_set *set) {
    if (set != NULL) {
        (void)CloseHandle(set->event);
        free(set->list.entries);
        free(set->polled);
        free(set);
        (void)WSACleanup();
    }
}

mcpw_handle mcpw_os_set_handle(mcpw_os_set *set) { return (mcpw_handle)set->event; }

bool mcpw_os_set_put(mcpw_os_set *set, mcpw_handle socket, unsigned events, uintptr_t who) {
    mcpw_os_entry *entry = mcpw_os_list_find(&set->list, socket);
    if (entry != NULL && entry->events == events) {
        entry->who = who;
        entry->is_stale = false;
        return true;
    }
    entry = entry != NULL ? entry : mcpw_os_list_add(&set->list, socket);
    if (entry == NULL) {
        return false;
    }
    *entry = (mcpw_os_entry){socket, who, events, false, 0};
    if (!select_events(set, entry)) {
        mcpw_os_list_remove(&set->list, entry);
        return false;
    }
    (void)SetEvent(set->target); /* it may be ready already */
    return true;
}

void mcpw_os_set_drop(mcpw_os_set *set, mcpw_handle socket) {
    mcpw_os_entry *const entry = mcpw_os_list_find(&set->list, socket);
    if (entry != NULL) {
        (void)WSAEventSelect((SOCKET)socket, NULL, 0);
        mcpw_os_list_remove(&set->list, entry);
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
    for (size_t i = 0; i < set->list.count; i++) {
        const mcpw_os_entry *const entry = &set->list.entries[i];
        if (entry->is_stale) {
            (void)WSAEventSelect((SOCKET)entry->socket, NULL, 0);
        } else {
            set->list.entries[kept++] = *entry;
        }
    }
    set->list.count = kept;
}

uint64_t mcpw_os_set_due(const mcpw_os_set *set) { return set->due; }

/* How long to wait for the handle after it was settled. */
static DWORD wait_of(const mcpw_os_set *set, int timeout) {
    const uint64_t other = set->other != NULL ? set->other->due : UINT64_MAX;
    const uint64_t due = set->due < other ? set->due : other;
    const DWORD most = timeout < 0 ? INFINITE : (DWORD)timeout;
    const uint64_t now = mcpw_os_now();
    const uint64_t rest = due > now ? due - now : 0;
    return due != UINT64_MAX && rest < most ? (DWORD)rest : most;
}

size_t mcpw_os_set_take(mcpw_os_set *set, mcpw_os_ready *ready, size_t most, int timeout) {
    if (timeout != 0 && !settle(set)) {
        (void)WaitForSingleObject(set->event, wait_of(set, timeout));
    }
    return look(set, ready, most);
}

size_t mcpw_os_set_take_beside(mcpw_os_set *set, mcpw_os_ready *ready, size_t most, mcpw_pollfd *others,
                               size_t count, int timeout) {
    HANDLE all[MOST_OTHERS + 1] = {set->event};
    DWORD waited = 1;
    for (size_t i = 0; i < count; i++) {
        if (others[i].fd != MCPW_OS_NONE) {
            all[waited++] = (HANDLE)others[i].fd;
        }
    }
    const DWORD wait = timeout == 0 || settle(set) ? 0 : wait_of(set, timeout);
    if (WaitForMultipleObjects(waited, all, FALSE, wait) == WAIT_FAILED) {
        mcpw_os_sleep(PAUSE);
    }
    for (size_t i = 0; i < count; i++) {
        const bool is_ready =
            others[i].fd != MCPW_OS_NONE && WaitForSingleObject((HANDLE)others[i].fd, 0) == WAIT_OBJECT_0;
        others[i].revents = is_ready ? others[i].events : 0;
    }
    return look(set, ready, most);
}

void mcpw_os_set_settle(mcpw_os_set *set) {
    if (set->target == set->event) {
        (void)settle(set);
    }
}

/* ---- One set within another ------------------------------------------------------------------------------
 */

static bool select_all(const mcpw_os_set *set) {
    bool is_selected = true;
    for (size_t i = 0; i < set->list.count; i++) {
        is_selected = select_events(set, set->list.entries + i) && is_selected;
    }
    return is_selected;
}

bool mcpw_os_set_join(mcpw_os_set *set, mcpw_os_set *other) {
    set->other = other;
    other->target = set->event;
    (void)ResetEvent(other->event); /* its owner waits for the other handle */
    (void)SetEvent(set->event);
    return select_all(other);
}

void mcpw_os_set_part(mcpw_os_set *set, mcpw_os_set *other) {
    if (set->other == other) {
        set->other = NULL;
        other->target = other->event;
        (void)select_all(other);
        (void)SetEvent(other->event);
    }
}
