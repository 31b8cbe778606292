/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "console.h"

#include "terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int console_write(const text *t) {
    errno = 0;
    if (!t->lost && fwrite(t->buffer.data, 1, t->buffer.len, stdout) == t->buffer.len) {
        return 0;
    }
    return t->lost ? ENOMEM : errno != 0 ? errno : EIO;
}

int console_flush(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return 0;
    }
    return errno != 0 ? errno : EIO;
}

bool console_is_terminal(void) { return terminal_shows(TERMINAL_OUTPUT); }

static bool is_set(const char *variable) {
    const char *const value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

bool console_has_colour(void) {
    const char *const terminal = getenv("TERM");
    return !is_set("NO_COLOR") && !(terminal != NULL && strcmp(terminal, "dumb") == 0) &&
           terminal_obeys(TERMINAL_OUTPUT);
}

void text_write_stderr(const text *t) {
    if (!t->lost && t->buffer.len != 0) {
        (void)fwrite(t->buffer.data, 1, t->buffer.len, stderr);
        (void)fflush(stderr); /* which the C runtime of Windows keeps back otherwise */
    }
}
