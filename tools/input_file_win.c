/* SPDX-License-Identifier: MIT */
#include "input_source.h"

#include "system.h"

#include <errno.h>
#include <io.h>
#include <string.h>
#include <sys/stat.h>

static bool open_url(input *in) {
    const char *why = "";
    in->fd = -1;
    in->url = url_open(in->name, &why);
    if (in->url == NULL) {
        (void)input_fail_why(in, "open", why);
    }
    return in->url != NULL;
}

/* A descriptor of a file by its name in UTF-8; -1: errno has the reason. */
static int open_file(const char *name) {
    FILE *const file = system_open(name);
    const int fd = file != NULL ? _dup(_fileno(file)) : -1;
    if (file != NULL) {
        (void)fclose(file);
    }
    return fd;
}

bool input_source_open(input *in) {
    struct _stat64 info;
    if (strcmp(in->name, "-") == 0) {
        in->fd = 0;
        return true;
    }
    if (url_is_one(in->name)) {
        return open_url(in);
    }
    in->fd = open_file(in->name);
    if (in->fd < 0) {
        (void)input_fail(in, "open", errno);
        return false;
    }
    if (_fstat64(in->fd, &info) == 0 && (info.st_mode & _S_IFREG) != 0 && info.st_size > 0) {
        in->size = (uint64_t)info.st_size;
    }
    return true;
}

void input_source_close(input *in) {
    if (in->fd > 0) {
        (void)_close(in->fd);
    }
    in->fd = -1;
    url_close(in->url);
    in->url = NULL;
}

bool input_source_read(input *in, void *to, size_t len, size_t *got) {
    enum { MOST = 1 << 30 };
    if (in->url != NULL) {
        const char *const wrong = url_read(in->url, to, len, got);
        if (wrong != NULL) {
            (void)input_fail_why(in, "read", wrong);
        }
        return wrong == NULL;
    }
    const int count = _read(in->fd, to, len < MOST ? (unsigned)len : MOST);
    if (count < 0) {
        (void)input_fail(in, "read", errno);
        return false;
    }
    *got = (size_t)count;
    return true;
}
