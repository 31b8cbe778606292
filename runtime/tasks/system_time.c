/* SPDX-License-Identifier: MIT */
/* The clock of the C library. */
#include "clock.h"

#include <time.h>

uint64_t mcpw_tasks_system_time(void) {
    enum { MS_IN_S = 1000, NS_IN_MS = 1000000 };
    struct timespec now = {0, 0};
    (void)timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * MS_IN_S + (uint64_t)now.tv_nsec / NS_IN_MS;
}
