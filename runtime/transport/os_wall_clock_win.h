/* SPDX-License-Identifier: MIT */
/* The clock of wall_clock.h on Windows. */
#ifndef MCPW_OS_WALL_CLOCK_WIN_H
#define MCPW_OS_WALL_CLOCK_WIN_H

#include <stdint.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* The time in ms since 1970 (UTC). */
static inline uint64_t mcpw_wall_clock(void) {
    enum { UNITS_IN_MS = 10000 };
    static const uint64_t from_1601_to_1970 = 11644473600000; /* ms */
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return ((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime) / UNITS_IN_MS - from_1601_to_1970;
}

#endif
