/* SPDX-License-Identifier: MIT */
/* The time of day by the C library. */
#include <mcpw/system.h>

#include <time.h>

uint64_t mcpw_time_of_day(void) {
    enum { MS_IN_S = 1000, NS_IN_MS = 1000000 };
    struct timespec now = {0, 0};
    (void)timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * MS_IN_S + (uint64_t)now.tv_nsec / NS_IN_MS;
}
