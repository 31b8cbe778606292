/* SPDX-License-Identifier: MIT */
/* The clock of Windows, whose older C library has no timespec_get. */
#include "clock.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

uint64_t mcpw_tasks_system_time(void) {
    enum { TICKS_IN_MS = 10000, HALF = 32 };
    static const uint64_t ms_to_1970 = UINT64_C(11644473600000); /* since 1601 */
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return (((uint64_t)now.dwHighDateTime << HALF) | now.dwLowDateTime) / TICKS_IN_MS - ms_to_1970;
}
