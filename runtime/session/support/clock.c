/* SPDX-License-Identifier: MIT */
/* The time of day, where the config names no clock. A build without a C library around it has none. */
#include "clock.h"

#if !defined(MCPW_NO_STDIO)

#include <time.h>

uint64_t mcpw_wall_clock(void) {
    enum { MS_IN_A_SECOND = 1000 };
    const time_t now = time(NULL);
    return now > 0 ? (uint64_t)now * MS_IN_A_SECOND : 0;
}

#else

uint64_t mcpw_wall_clock(void) { return 0; }

#endif
