/* SPDX-License-Identifier: MIT */
/* The time of day of Windows, whose older C library has no timespec_get. */
#include <mcpw/system.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

uint64_t mcpw_time_of_day(void) {
    enum { TICKS_IN_MS = 10000, HALF = 32 };
    static const uint64_t ms_to_1970 = UINT64_C(11644473600000); /* since 1601 */
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return (((uint64_t)now.dwHighDateTime << HALF) | now.dwLowDateTime) / TICKS_IN_MS - ms_to_1970;
}
