/* SPDX-License-Identifier: MIT */
/* Sets of sockets by epoll, whose descriptor is the handle. */
#define _GNU_SOURCE
#include "os_set.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { MOST_EVENTS = 16 /* in one call */ };

struct mcpw_os_set {
    int epoll;
};

mcpw_os_set *mcpw_os_set_new(int *number) {
    mcpw_os_set *const set = malloc(sizeof *set);
    if (set != NULL) {
        set->epoll = epoll_create1(EPOLL_CLOEXEC);
    }
    *number = errno;
    if (set != NULL && set->epoll < 0) {
        free(set);
        return NULL;
    }
    return set;
}

void mcpw_os_set_free(mcpw_os_set *set) {
    if (set != NULL) {
        (void)close(set->epoll);
        free(set);
    }
}

mcpw_handle mcpw_os_set_handle(mcpw_os_set *set) { return set->epoll; }

bool mcpw_os_set_put(mcpw_os_set *set, mcpw_handle socket, unsigned events, uintptr_t who) {
    struct epoll_event event = {0, {.u64 = who}};
    event.events = (events & MCPW_SET_IN) != 0 ? EPOLLIN : 0;
    event.events |= (events & MCPW_SET_OUT) != 0 ? EPOLLOUT : 0;
    return epoll_ctl(set->epoll, EPOLL_CTL_ADD, socket, &event) == 0 ||
           (errno == EEXIST && epoll_ctl(set->epoll, EPOLL_CTL_MOD, socket, &event) == 0);
}

void mcpw_os_set_drop(mcpw_os_set *set, mcpw_handle socket) {
    (void)epoll_ctl(set->epoll, EPOLL_CTL_DEL, socket, NULL);
}

size_t mcpw_os_set_take(mcpw_os_set *set, mcpw_os_ready *ready, size_t most, int timeout) {
    struct epoll_event events[MOST_EVENTS];
    const int room = most < MOST_EVENTS ? (int)most : MOST_EVENTS;
    const int count = epoll_wait(set->epoll, events, room, timeout);
    size_t taken = 0;
    for (int i = 0; i < count; i++) {
        const uint32_t seen = events[i].events;
        if (events[i].data.u64 != UINTPTR_MAX) { /* else it is another set, whose owner asks it */
            ready[taken].who = (uintptr_t)events[i].data.u64;
            ready[taken].events = ((seen & EPOLLIN) != 0 ? MCPW_SET_IN : 0U) |
                                  ((seen & EPOLLOUT) != 0 ? MCPW_SET_OUT : 0U) |
                                  ((seen & (EPOLLHUP | EPOLLERR)) != 0 ? MCPW_SET_BROKEN : 0U);
            taken++;
        }
    }
    return taken;
}

uint64_t mcpw_os_set_due(const mcpw_os_set *set) {
    (void)set;
    return UINT64_MAX;
}

void mcpw_os_set_settle(mcpw_os_set *set) { (void)set; /* epoll looks at the sockets themselves */ }

bool mcpw_os_set_join(mcpw_os_set *set, mcpw_os_set *other) {
    return mcpw_os_set_put(set, other->epoll, MCPW_SET_IN, UINTPTR_MAX);
}

void mcpw_os_set_part(mcpw_os_set *set, mcpw_os_set *other) { mcpw_os_set_drop(set, other->epoll); }
