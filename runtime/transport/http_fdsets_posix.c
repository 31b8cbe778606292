/* SPDX-License-Identifier: MIT */
/* Sets of select() on POSIX: a bit for each descriptor. libmicrohttpd closes a connection whose descriptor
 * has none. */
#include "http_fdsets.h"

#include "os_set.h"

#include <stdlib.h>
#include <sys/select.h>

enum { LEFT_FREE = 64 /* descriptors of a process that are no connections */ };

struct mcpw_http_fdsets {
    fd_set in;
    fd_set out;
    fd_set broken;
};

mcpw_http_fdsets *mcpw_http_fdsets_new(void) {
    mcpw_http_fdsets *const sets = malloc(sizeof *sets);
    if (sets != NULL) {
        mcpw_http_fdsets_clear(sets);
    }
    return sets;
}

void mcpw_http_fdsets_free(mcpw_http_fdsets *sets) { free(sets); }

unsigned mcpw_http_fdsets_most(void) { return FD_SETSIZE - LEFT_FREE; }

bool mcpw_http_fdsets_ask(mcpw_http_fdsets *sets, struct MHD_Daemon *daemon,
                          bool (*add)(void *self, mcpw_socket socket, unsigned events), void *self) {
    MHD_socket last = -1;
    mcpw_http_fdsets_clear(sets);
    if (MHD_get_fdset2(daemon, &sets->in, &sets->out, &sets->broken, &last, FD_SETSIZE) != MHD_YES) {
        return false;
    }
    for (int i = 0; i <= last; i++) {
        const unsigned in = FD_ISSET(i, &sets->in) ? MCPW_SET_IN : 0;
        const unsigned out = FD_ISSET(i, &sets->out) ? MCPW_SET_OUT : 0;
        const unsigned broken = FD_ISSET(i, &sets->broken) ? MCPW_SET_BROKEN : 0;
        if ((in | out | broken) != 0 && !add(self, i, (in | out) != 0 ? in | out : broken)) {
            return false;
        }
    }
    return true;
}

void mcpw_http_fdsets_clear(mcpw_http_fdsets *sets) {
    FD_ZERO(&sets->in);
    FD_ZERO(&sets->out);
    FD_ZERO(&sets->broken);
}

/* A socket that is broken is read and written, which says what is wrong with it. */
void mcpw_http_fdsets_mark(mcpw_http_fdsets *sets, mcpw_socket socket, unsigned events) {
    if ((events & (MCPW_SET_IN | MCPW_SET_BROKEN)) != 0) {
        FD_SET(socket, &sets->in);
    }
    if ((events & (MCPW_SET_OUT | MCPW_SET_BROKEN)) != 0) {
        FD_SET(socket, &sets->out);
    }
}

bool mcpw_http_fdsets_run(mcpw_http_fdsets *sets, struct MHD_Daemon *daemon) {
    const bool is_run = MHD_run_from_select(daemon, &sets->in, &sets->out, &sets->broken) == MHD_YES;
    mcpw_http_fdsets_clear(sets);
    return is_run;
}
