/* SPDX-License-Identifier: MIT */
/* Writing to a descriptor whose reader may have gone, without SIGPIPE: os_guard_posix.c or os_guard_macos.c.
 */
#ifndef MCPW_OS_GUARD_H
#define MCPW_OS_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Prepares a descriptor for the functions below. True if mcpw_os_guard_end is to be called. */
bool mcpw_os_guard_begin(int fd);
/* Gives a descriptor its earlier mode. */
void mcpw_os_guard_end(int fd);

/* As write(): errno has the reason of a failure, which is EPIPE where the reader has gone. */
ssize_t mcpw_os_guard_write(int fd, const char *bytes, size_t len);
/* The same for a socket. */
ssize_t mcpw_os_guard_send(int fd, const char *bytes, size_t len);

#endif
