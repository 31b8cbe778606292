/* SPDX-License-Identifier: MIT */
/* Sets of select() on Windows: arrays of sockets, whose length is the caller's affair. */
#include "http_fdsets.h"

#include "os_set.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

enum { IN_SET, OUT_SET, BROKEN_SET, SETS };
enum { FIRST_ROOM = 64 };

struct mcpw_http_fdsets {
    fd_set *sets[SETS];
    unsigned room; /* sockets of each */
};

static bool make_room(mcpw_http_fdsets *sets, unsigned room) {
    for (size_t i = 0; i < SETS; i++) {
        fd_set *const more = realloc(sets->sets[i], offsetof(fd_set, fd_array) + room * sizeof(SOCKET));
        if (more == NULL) {
            return false;
        }
        sets->sets[i] = more;
    }
    sets->room = room;
    return true;
}

mcpw_http_fdsets *mcpw_http_fdsets_new(void) {
    mcpw_http_fdsets *const sets = calloc(1, sizeof *sets);
    if (sets != NULL && !make_room(sets, FIRST_ROOM)) {
        mcpw_http_fdsets_free(sets);
        return NULL;
    }
    if (sets != NULL) {
        mcpw_http_fdsets_clear(sets);
    }
    return sets;
}

void mcpw_http_fdsets_free(mcpw_http_fdsets *sets) {
    for (size_t i = 0; sets != NULL && i < SETS; i++) {
        free(sets->sets[i]);
    }
    free(sets);
}

unsigned mcpw_http_fdsets_most(void) { return INT_MAX; }

static bool has(const fd_set *set, SOCKET socket) {
    for (u_int i = 0; i < set->fd_count; i++) {
        if (set->fd_array[i] == socket) {
            return true;
        }
    }
    return false;
}

/* Asks, with more room if that is needed. */
static bool ask(mcpw_http_fdsets *sets, struct MHD_Daemon *daemon) {
    enum { MOST_ROOM = 1 << 20 };
    for (;;) {
        mcpw_http_fdsets_clear(sets);
        if (MHD_get_fdset2(daemon, sets->sets[IN_SET], sets->sets[OUT_SET], sets->sets[BROKEN_SET], NULL,
                           sets->room) == MHD_YES) {
            return true;
        }
        if (sets->room >= MOST_ROOM || !make_room(sets, 2 * sets->room)) {
            return false;
        }
    }
}

bool mcpw_http_fdsets_ask(mcpw_http_fdsets *sets, struct MHD_Daemon *daemon,
                          bool (*add)(void *self, mcpw_socket socket, unsigned events), void *self) {
    if (!ask(sets, daemon)) {
        return false;
    }
    const fd_set *const in = sets->sets[IN_SET];
    const fd_set *const out = sets->sets[OUT_SET];
    for (u_int i = 0; i < in->fd_count; i++) {
        const unsigned both = has(out, in->fd_array[i]) ? MCPW_SET_OUT : 0;
        if (!add(self, in->fd_array[i], MCPW_SET_IN | both)) {
            return false;
        }
    }
    for (u_int i = 0; i < out->fd_count; i++) {
        if (!has(in, out->fd_array[i]) && !add(self, out->fd_array[i], MCPW_SET_OUT)) {
            return false;
        }
    }
    return true;
}

void mcpw_http_fdsets_clear(mcpw_http_fdsets *sets) {
    for (size_t i = 0; i < SETS; i++) {
        sets->sets[i]->fd_count = 0;
    }
}

static void put(fd_set *set, unsigned room, SOCKET socket) {
    if (set->fd_count < room) {
        set->fd_array[set->fd_count++] = socket;
    }
}

/* A socket that is broken is read and written, which says what is wrong with it. */
void mcpw_http_fdsets_mark(mcpw_http_fdsets *sets, mcpw_socket socket, unsigned events) {
    if ((events & (MCPW_SET_IN | MCPW_SET_BROKEN)) != 0) {
        put(sets->sets[IN_SET], sets->room, socket);
    }
    if ((events & (MCPW_SET_OUT | MCPW_SET_BROKEN)) != 0) {
        put(sets->sets[OUT_SET], sets->room, socket);
    }
}

bool mcpw_http_fdsets_run(mcpw_http_fdsets *sets, struct MHD_Daemon *daemon) {
    const bool is_run = MHD_run_from_select(daemon, sets->sets[IN_SET], sets->sets[OUT_SET],
                                            sets->sets[BROKEN_SET]) == MHD_YES;
    mcpw_http_fdsets_clear(sets);
    return is_run;
}
