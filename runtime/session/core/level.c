/* SPDX-License-Identifier: MIT */
/* Levels of log messages by name, and params that say one. */
#include "level.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/field.h>
#include <mcpw/detail/generated.h>
#include <mcpw/detail/reflect.h>

/* By mcpw_log_level, which goes from least to most grave. The tables have the order of the schema. */
static const char *const level_names[] = {NULL,    "debug",    "info",  "notice",   "warning",
                                          "error", "critical", "alert", "emergency"};

mcpw_str mcpw_level_name(mcpw_log_level level) {
    const bool is_level = level >= MCPW_LOG_DEBUG && level <= MCPW_LOG_EMERGENCY;
    return mcpw_str_from(is_level ? level_names[level] : NULL);
}

mcpw_status mcpw_level_params(const mcpw_type *type, mcpw_log_level level, mcpw_arena *arena,
                              const void **out) {
    const mcpw_str name = mcpw_level_name(level);
    const mcpw_slot slot = mcpw_type_slot(type, "level");
    const bool has_level = slot.ref.kind == MCPW_KIND_ENUM;
    unsigned char *const params = has_level ? mcpw_arena_alloc(arena, mcpw_type_size(type)) : NULL;
    *out = params;
    if (params == NULL) {
        return has_level ? MCPW_E_MEMORY : MCPW_E_METHOD;
    }
    const int32_t value = mcpw_enum_value_of(mcpw_type_revision(type), slot.ref.index, name.ptr, name.len);
    memset(params, 0, mcpw_type_size(type));
    memcpy(params + slot.offset, &value, sizeof value);
    return MCPW_OK;
}

mcpw_log_level mcpw_level_named(mcpw_str name) {
    for (int level = MCPW_LOG_DEBUG; level <= MCPW_LOG_EMERGENCY; level++) {
        if (mcpw_str_is(name, level_names[level])) {
            return (mcpw_log_level)level;
        }
    }
    return (mcpw_log_level)0;
}
