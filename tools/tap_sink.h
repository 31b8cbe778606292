/* SPDX-License-Identifier: MIT */
/*
 * Writes to a descriptor without waiting and without making it non-blocking, because other processes may
 * share it.
 */
#ifndef MCPWIRE_TAP_SINK_H
#define MCPWIRE_TAP_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct sink {
    int fd; /* -1: closed */
    bool socket;
    size_t portion; /* bytes that a writable descriptor takes without waiting */
} sink;

sink sink_of(int fd);

/* Writes as much as fits. Returns the number of bytes, which may be 0; -1: errno is set. */
ssize_t sink_write(const sink *s, const char *bytes, size_t len);

void sink_close(sink *s);

#endif
