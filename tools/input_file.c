/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "input_source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool open_url(input *in) {
    const char *why = "";
    in->fd = -1;
    in->url = url_open(in->name, &why);
    if (in->url == NULL) {
        (void)input_fail_why(in, "open", why);
    }
    return in->url != NULL;
}

bool input_source_open(input *in) {
    struct stat info;
    if (strcmp(in->name, "-") == 0) {
        in->fd = STDIN_FILENO;
        return true;
    }
    if (url_is_one(in->name)) {
        return open_url(in);
    }
    do {
        in->fd = open(in->name, O_RDONLY | O_CLOEXEC);
    } while (in->fd < 0 && errno == EINTR);
    if (in->fd < 0) {
        (void)input_fail(in, "open", errno);
        return false;
    }
    if (fstat(in->fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        in->size = (uint64_t)info.st_size;
    }
    return true;
}

void input_source_close(input *in) {
    if (in->fd > STDIN_FILENO) {
        (void)close(in->fd);
    }
    in->fd = -1;
    url_close(in->url);
    in->url = NULL;
}

/* Waits for a descriptor that another process may have made non-blocking. */
static bool waited(int fd) {
    struct pollfd one = {fd, POLLIN, 0};
    return (errno == EAGAIN || errno == EWOULDBLOCK) && (poll(&one, 1, -1) >= 0 || errno == EINTR);
}

bool input_source_read(input *in, void *to, size_t len, size_t *got) {
    ssize_t count;
    if (in->url != NULL) {
        const char *const wrong = url_read(in->url, to, len, got);
        if (wrong != NULL) {
            (void)input_fail_why(in, "read", wrong);
        }
        return wrong == NULL;
    }
    do {
        count = read(in->fd, to, len);
    } while (count < 0 && (errno == EINTR || waited(in->fd)));
    if (count < 0) {
        (void)input_fail(in, "read", errno);
        return false;
    }
    *got = (size_t)count;
    return true;
}
