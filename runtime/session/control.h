/* SPDX-License-Identifier: MIT */
/* What only some revisions have a message for. */
#ifndef MCPW_CONTROL_H
#define MCPW_CONTROL_H

#include "core.h"

/* A request in the revision that has it; revision NULL: none is needed. */
typedef struct mcpw_control {
    const mcpw_revision *revision;
    int method;
    const void *params;
} mcpw_control;
/* Sets the level of log messages that a client wants, and makes the request that says so. */
MCPW_NODISCARD mcpw_status mcpw_control_level(mcpw_session *session, mcpw_log_level level, mcpw_arena *arena,
                                              mcpw_control *out, mcpw_error *error);

#endif
