/* SPDX-License-Identifier: MIT */
/* The time of day of a session. It is a file of its own, so that programs that do not ask link no clock. */
#include "core.h"

#include <mcpw/extension_kit.h>
#include <mcpw/system.h>

uint64_t mcpw_session_time_of_day(const mcpw_session *session) {
    return session->config->clock != NULL ? session->config->clock(session->user) : mcpw_time_of_day();
}
