/* SPDX-License-Identifier: MIT */
/* The time of day of a C library without timespec_get, as one without a system around it is: full seconds.
 * Without a C library there is none. */
#include <mcpw/system.h>

#if !defined(MCPW_NO_STDIO)

#include <time.h>

uint64_t mcpw_time_of_day(void) {
    enum { MS_IN_S = 1000 };
    const time_t now = time(NULL);
    return now > 0 ? (uint64_t)now * MS_IN_S : 0;
}

#else

uint64_t mcpw_time_of_day(void) { return 0; }

#endif
