/* SPDX-License-Identifier: MIT */
/* The clock that dates of OAuth are compared with. It may be set back; mcpw_io_now never goes back. */
#ifndef MCPW_WALL_CLOCK_H
#define MCPW_WALL_CLOCK_H

#include <stdint.h>

#ifdef _WIN32

#include "os_wall_clock_win.h"

#else

#include <time.h>

/* The time in ms since 1970 (UTC). */
static inline uint64_t mcpw_wall_clock(void) {
    enum { MS_IN_S = 1000, NS_IN_MS = 1000000 };
    struct timespec now = {0, 0};
    (void)timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * MS_IN_S + (uint64_t)now.tv_nsec / NS_IN_MS;
}

#endif

#endif
