/* SPDX-License-Identifier: MIT */
/* Levels of log messages by name, and params that say one. */
#ifndef MCPW_LEVEL_H
#define MCPW_LEVEL_H

#include <mcpw/session.h>

/* The level of that name; 0 for what is no level. */
mcpw_log_level mcpw_level_named(mcpw_str name);
/* Its name; absent for what is no level. */
mcpw_str mcpw_level_name(mcpw_log_level level);
/* Params of logging/setLevel in the arena. MCPW_E_METHOD when the type has no member for the level. */
MCPW_NODISCARD mcpw_status mcpw_level_params(const mcpw_type *type, mcpw_log_level level, mcpw_arena *arena,
                                             const void **out);

#endif
