/* SPDX-License-Identifier: MIT */
/* The clock of a C library without timespec_get, as one without a system around it is: full seconds. Without
 * a C library there is none, and a program gives its own. */
#include "clock.h"

#if !defined(MCPW_NO_STDIO)

#include <time.h>

uint64_t mcpw_tasks_system_time(void) {
    enum { MS_IN_S = 1000 };
    const time_t now = time(NULL);
    return now > 0 ? (uint64_t)now * MS_IN_S : 0;
}

#else

uint64_t mcpw_tasks_system_time(void) { return 0; }

#endif
