/* SPDX-License-Identifier: MIT */
#include "console.h"
#include "host.h"

#include <errno.h>

int console_write(const text *t) {
    if (t->lost) {
        return ENOMEM;
    }
    host_write(HOST_OUTPUT, t->buffer.data, t->buffer.len);
    return 0;
}

int console_flush(void) { return 0; }

bool console_is_terminal(void) { return false; }

bool console_has_colour(void) { return false; }

void text_write_stderr(const text *t) {
    if (!t->lost && t->buffer.len != 0) {
        host_write(HOST_ERRORS, t->buffer.data, t->buffer.len);
    }
}
