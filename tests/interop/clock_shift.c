/* SPDX-License-Identifier: MIT */
/* Preloaded into a program (LD_PRELOAD), it moves the time of day by MCPW_CLOCK_SHIFT seconds. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_US = 1000 };

static long shift(void) {
    const char *const seconds = getenv("MCPW_CLOCK_SHIFT");
    return seconds != NULL ? strtol(seconds, NULL, 0) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    const int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (failed == 0 && clock == CLOCK_REALTIME) {
        now->tv_sec += shift();
    }
    return failed;
}

int timespec_get(struct timespec *now, int base) {
    return clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

time_t time(time_t *out) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    struct timespec now = {0};
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / NS_PER_US};
    return 0;
}
