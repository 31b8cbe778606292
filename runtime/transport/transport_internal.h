/* SPDX-License-Identifier: MIT */
/* What the files of the stdio transport ask of each other. */
#ifndef MCPW_TRANSPORT_INTERNAL_H
#define MCPW_TRANSPORT_INTERNAL_H

#include <mcpw/io.h>

#include <poll.h>

#include "error_internal.h"

/* Fills in error with what could not be done and the system's reason for it, and returns MCPW_E_IO. */
MCPW_COLD mcpw_status mcpw_io_failed(mcpw_error *error, int number, const char *what);

/* mcpw_io_step that also ends when there is something to read from one more descriptor, and says so in its
 * revents. */
MCPW_NODISCARD mcpw_status mcpw_io_step_beside(mcpw_io *io, int timeout, struct pollfd *beside,
                                               mcpw_error *error);

/* In session.c: whether input has ended, and nothing of the session's own can bring the answers that are
 * still due. */
bool mcpw_session_is_stalled(const mcpw_session *session);

/* Whether the child has ended; then it is reaped and exit_status says how. Its descriptors stay open. */
bool mcpw_child_exited(mcpw_child *child);

#endif
