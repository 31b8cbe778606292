/* SPDX-License-Identifier: MIT */
/*
 * Writes to a descriptor without waiting and without making it non-blocking, because other processes may
 * share it.
 */
#ifndef MCPWIRE_TAP_SINK_H
#define MCPWIRE_TAP_SINK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sink {
    int fd; /* -1: closed */
    bool socket;
    size_t portion;         /* bytes that a writable descriptor takes without waiting */
    struct sink_pump *pump; /* writes to a pipe of Windows; NULL: nothing has to */
} sink;

sink sink_of(int fd);

/* Writes as much as fits. Returns the number of bytes, which may be 0; -1: errno is set. */
ptrdiff_t sink_write(const sink *s, const char *bytes, size_t len);

/* Waits until the descriptor takes something, at most so many ms (-1: no limit). False: it does not. */
bool sink_wait(const sink *s, int ms);

/* Waits until the last bytes are written, where another thread writes them, at most so many ms. */
void sink_finish(const sink *s, int ms);

void sink_close(sink *s);

#endif
