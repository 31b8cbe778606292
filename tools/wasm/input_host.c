/* SPDX-License-Identifier: MIT */
#include "host.h"
#include "input_source.h"

#include <errno.h>
#include <string.h>

bool input_source_open(input *in) {
    in->fd = host_open(in->name, strlen(in->name));
    if (in->fd == HOST_NO_TEXT) {
        (void)input_fail(in, "open", ENOENT);
    }
    return in->fd != HOST_NO_TEXT;
}

bool input_source_read(input *in, void *to, size_t len, size_t *got) {
    *got = host_read(in->fd, to, len);
    return true;
}

void input_source_close(input *in) { in->fd = HOST_NO_TEXT; }
