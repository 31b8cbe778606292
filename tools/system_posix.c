/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

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

FILE *system_temporary(void) { return tmpfile(); }

char *system_full_path(const char *name) { return realpath(name, NULL); }
