/* SPDX-License-Identifier: MIT */
/*
 * Writing to a descriptor without ever waiting, and without making it non-blocking: others may share it, who
 * would not expect that.
 */
#ifndef MCPWIRE_TAP_SINK_H
#define MCPWIRE_TAP_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct sink {
    int fd; /* -1: closed */
    bool socket;
    size_t portion; /* bytes that a descriptor which is ready for writing takes without waiting */
} sink;

sink sink_of(int fd);

/* Writes what fits. The number of bytes written, which may be 0; -1: it failed, errno says how. */
ssize_t sink_write(const sink *s, const char *bytes, size_t len);

void sink_close(sink *s);

#endif
