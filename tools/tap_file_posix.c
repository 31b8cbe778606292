/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE 1 /* O_NOFOLLOW on macOS */

#include "tap_file.h"

#include "text.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OWNER_ONLY = 0600, OTHERS = 077, BASE = 10 };

/* The number after a prefix; -1: the name has another form. */
static int number_after(const char *name, const char *prefix) {
    const size_t len = strlen(prefix);
    char *end = NULL;
    if (strncmp(name, prefix, len) != 0 || name[len] < '0' || name[len] > '9') {
        return -1;
    }
    const long number = strtol(name + len, &end, BASE);
    return *end == '\0' && number <= INT_MAX ? (int)number : -1;
}

/* The open descriptor that a name refers to; -1: it names a file. These names are symbolic links on Linux. */
static int descriptor_of(const char *name) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    int fd = strcmp(name, "/dev/stdout") == 0   ? STDOUT_FILENO
             : strcmp(name, "/dev/stderr") == 0 ? STDERR_FILENO
                                                : -1;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && fd == -1; i++) {
        fd = number_after(name, folders[i]);
    }
    return fd;
}

/* Ends an unfinished last line, which a killed recorder leaves. */
static bool end_last_line(int fd, const char *name, const struct stat *about) {
    char last = '\n';
    struct stat found;
    const int reader = about->st_size > 0 ? open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (about->st_size == 0) {
        return true;
    }
    const bool read = reader != -1 && fstat(reader, &found) == 0 && found.st_dev == about->st_dev &&
                      found.st_ino == about->st_ino && pread(reader, &last, 1, about->st_size - 1) == 1;
    if (reader != -1) {
        (void)close(reader);
    }
    return read && (last == '\n' || write(fd, "\n", 1) == 1);
}

/* Checks and prepares a regular file; NULL: it is ready. Otherwise returns why it is not written. */
static const char *prepare(int fd, const char *name, bool append) {
    struct stat about;
    if (fstat(fd, &about) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(about.st_mode)) {
        return NULL;
    }
    if (about.st_uid != geteuid()) {
        return "the file belongs to another user";
    }
    if (about.st_nlink != 1) {
        return "the file has another name, too (a hard link)";
    }
    if (((about.st_mode & OTHERS) != 0 && fchmod(fd, OWNER_ONLY) != 0) ||
        !(append ? end_last_line(fd, name, &about) : ftruncate(fd, 0) == 0)) {
        return strerror(errno);
    }
    return NULL;
}

static int open_named(const char *name, bool append) {
    const int given = descriptor_of(name);
    if (given != -1) {
        const int copy = fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (copy == -1) {
            tool_complain("%s: cannot open: %s", name, strerror(errno));
        }
        return copy;
    }
    const int fd = open(
        name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | (append ? O_APPEND : 0), OWNER_ONLY);
    if (fd == -1) {
        tool_complain("%s: cannot open: %s", name,
                      errno == ELOOP ? "it is a symbolic link, which is not followed" : strerror(errno));
        return -1;
    }
    const char *const why = prepare(fd, name, append);
    if (why != NULL) {
        tool_complain("%s: cannot open: %s", name, why);
        (void)close(fd);
        return -1;
    }
    return fd;
}

int tap_file_open(const char *pattern, bool append) {
    text name = TEXT_INIT;
    tap_file_name(&name, pattern);
    int fd = -1;
    if (name.lost) {
        tool_complain("%s: cannot open: out of memory", pattern);
    } else {
        fd = open_named(name.buffer.data, append);
    }
    text_free(&name);
    return fd;
}
