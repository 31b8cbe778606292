/* SPDX-License-Identifier: MIT */
/* The system's errors and its clock. */
#define _POSIX_C_SOURCE 200809L
#include "transport_internal.h"

#include <string.h>
#include <time.h>

mcpw_status mcpw_io_failed(mcpw_error *error, int number, const char *what) {
    char reason[MCPW_ERROR_MESSAGE_SIZE];
    if (strerror_r(number, reason, sizeof reason) != 0) {
        mcpw_error_set(error, MCPW_E_IO, 0, "%s: error %d", what, number);
    } else {
        mcpw_error_set(error, MCPW_E_IO, 0, "%s: %s", what, reason);
    }
    return MCPW_E_IO;
}

uint64_t mcpw_io_now(void) {
    enum { MS = 1000, NS_IN_MS = 1000000 };
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * MS + (uint64_t)t.tv_nsec / NS_IN_MS;
}
