/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "terminal.h"

#include <unistd.h>

bool terminal_shows(int fd) { return isatty(fd) != 0; }

bool terminal_obeys(int fd) { return terminal_shows(fd); }

bool terminal_asks(void) { return isatty(STDIN_FILENO) != 0; }

void terminal_begin(void) {}

void terminal_restore(void) {}

/* A terminal gives a line when it is complete, so its bytes need no buffer. */
terminal_line terminal_read(text *line) {
    char byte = '\0';
    const ssize_t n = read(STDIN_FILENO, &byte, 1);
    if (n == 1 && byte != '\n') {
        text_bytes(line, &byte, 1);
        return line->lost ? TERMINAL_ENDED : TERMINAL_MORE;
    }
    return n == 1 || (n == 0 && line->buffer.len != 0) ? TERMINAL_WHOLE : TERMINAL_ENDED;
}
