/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MS_PER_S = 1000, NS_PER_MS = 1000000 };

char **system_begin(int *argc, char **argv) {
    (void)argc;
    (void)signal(SIGPIPE, SIG_IGN);
    return argv;
}

FILE *system_open(const char *name) {
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    FILE *const file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (fd >= 0 && file == NULL) {
        const int why = errno;
        (void)close(fd);
        errno = why;
    }
    return file;
}

int64_t system_time(void) {
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * MS_PER_S + now.tv_nsec / NS_PER_MS;
}

FILE *system_temporary(void) { return tmpfile(); }

char *system_full_path(const char *name) { return realpath(name, NULL); }
