/* SPDX-License-Identifier: MIT */
/* Projection that is prepared before there is a value, for sessions. This is not part of the API and may
 * change in any version. */
#ifndef MCPW_DETAIL_PLAN_H
#define MCPW_DETAIL_PLAN_H

#include <mcpw/project.h>

MCPW_BEGIN_DECLS

/* Makes the struct at out, of type `to`, from options->values alone. mcpw_project makes a required struct
 * that the source lacks in this way. On failure out is zeroed, and the arena is unchanged. MCPW_E_PROJECTION:
 * a required member is not among the values, or none of the members is; the error names it. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_project_values(const mcpw_type *to, mcpw_arena *arena, void *out,
                                                        const mcpw_project_options *options,
                                                        mcpw_error *error);

/* ---- Plans ---- */

/* A plan maps values of one type to values of another: each member to its place, each alternative to its
 * counterpart. It is made once and does not change. Several threads may follow it at once. */
typedef struct mcpw_plan mcpw_plan;

/* How to make a plan. Everything is optional and may be zero. */
typedef struct mcpw_plan_options {
    /* As for mcpw_project. The text of a value may be absent if it becomes known later. The plan is then
     * followed with a struct that was made from all values (mcpw_plan_needs). */
    mcpw_members values;
    /* Returns whether a member of this name may be dropped without a report. root: it is a member of the
     * value itself, not of a struct inside. */
    bool (*is_silent)(void *user, const char *name, bool root);
    void *user;       /* passed to is_silent */
    const char *kept; /* as for mcpw_project */
    /* A plan between the same revisions with the same options. Parts that both need are shared. */
    const mcpw_plan *like;
} mcpw_plan_options;

/* Makes a plan. The plan and the values that it needs lie in the arena. MCPW_E_ARGUMENT: the types are not
 * structs of two revisions. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_plan_make(const mcpw_type *from, const mcpw_type *to,
                                                   const mcpw_plan_options *options, mcpw_arena *arena,
                                                   const mcpw_plan **out);

/* The struct that must be made from values (mcpw_project_values) before the whole plan can be followed; NULL:
 * none. */
MCPW_API const mcpw_type *mcpw_plan_needs(const mcpw_plan *plan);

/* Projects a value by the plan. *out is a new struct in the arena, equal to what mcpw_project writes. made is
 * the struct of mcpw_plan_needs, or NULL. Returns false, with the arena unchanged, if a plan is not enough
 * for the value: it has members that its type does not name, a drop must be reported, a substitute is needed,
 * or it does not fit. The caller then uses mcpw_project. */
MCPW_NODISCARD MCPW_API bool mcpw_plan_follow(const mcpw_plan *plan, const void *value, const void *made,
                                              mcpw_arena *arena, const void **out);

MCPW_END_DECLS

#endif
