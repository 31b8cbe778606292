/* SPDX-License-Identifier: MIT */
/* Levels of log messages by name. */
#include "level.h"

/* By mcpw_log_level, which is the order of how grave they are; the tables hold them in the schema's order. */
static const char *const level_names[] = {NULL,    "debug",    "info",  "notice",   "warning",
                                          "error", "critical", "alert", "emergency"};

mcpw_str mcpw_level_name(mcpw_log_level level) {
    const bool is_level = level >= MCPW_LOG_DEBUG && level <= MCPW_LOG_EMERGENCY;
    return mcpw_str_from(is_level ? level_names[level] : NULL);
}

mcpw_log_level mcpw_level_named(mcpw_str name) {
    for (int level = MCPW_LOG_DEBUG; level <= MCPW_LOG_EMERGENCY; level++) {
        if (mcpw_str_is(name, level_names[level])) {
            return (mcpw_log_level)level;
        }
    }
    return (mcpw_log_level)0;
}
