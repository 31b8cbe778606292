/* SPDX-License-Identifier: MIT */
/* For the small library, which saves bytes rather than time: a plan that gives up at every value, so that
 * projection itself decides. */
#include <mcpw/detail/plan.h>

#include "project_internal.h"

struct mcpw_plan {
    bool unused;
};

mcpw_status mcpw_plan_make(const mcpw_type *from, const mcpw_type *to, const mcpw_plan_options *options,
                           mcpw_arena *arena, const mcpw_plan **out) {
    static const mcpw_plan plan = {false};
    (void)options;
    *out = NULL;
    if (from == NULL || to == NULL || from->ref.kind != MCPW_KIND_STRUCT ||
        to->ref.kind != MCPW_KIND_STRUCT || from->revision == to->revision || arena == NULL) {
        return MCPW_E_ARGUMENT;
    }
    *out = &plan;
    return MCPW_OK;
}

const mcpw_type *mcpw_plan_needs(const mcpw_plan *plan) {
    (void)plan;
    return NULL;
}

bool mcpw_plan_follow(const mcpw_plan *plan, const void *value, const void *made, mcpw_arena *arena,
                      const void **out) {
    (void)plan;
    (void)value;
    (void)made;
    (void)arena;
    *out = NULL;
    return false;
}
