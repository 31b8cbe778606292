/* SPDX-License-Identifier: MIT */
/* Projection that is worked out before there is a value, for sessions. No part of the API: it may change in
 * any version. */
#ifndef MCPW_DETAIL_PLAN_H
#define MCPW_DETAIL_PLAN_H

#include <mcpw/project.h>

MCPW_BEGIN_DECLS

/* Makes the struct at out, of type `to`, of options->values alone. So mcpw_project makes a required struct
 * that the source lacks. On failure out is zeroed and the arena is as it was.
 * MCPW_E_PROJECTION: a required member is not among the values, or no member is; the error names it. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_project_values(const mcpw_type *to, mcpw_arena *arena, void *out,
                                                        const mcpw_project_options *options,
                                                        mcpw_error *error);

/* ---- What can be worked out before there is a value ---- */

/* How values of one type become values of another: which member goes where, which alternative stands for
 * which. It is made once, changes no more, and may be followed by several threads at a time. */
typedef struct mcpw_plan mcpw_plan;

/* How to make a plan. All of it is optional: zeros will do. */
typedef struct mcpw_plan_options {
    /* As for mcpw_project. The text of one may be absent, because it is known later: then the plan is
     * followed with a struct that was made of all values (mcpw_plan_needs). */
    mcpw_members values;
    /* Whether a member of this name may be dropped without a word. root: it is a member of the value itself,
     * not of a struct inside. */
    bool (*is_silent)(void *user, const char *name, bool root);
    void *user; /* passed to it */
    /* A plan between the same revisions with the same options: what both need is shared. */
    const mcpw_plan *like;
} mcpw_plan_options;

/* Makes a plan, which lies in the arena; so do the values that it needs.
 * MCPW_E_ARGUMENT: the types are not structs of two revisions. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_plan_make(const mcpw_type *from, const mcpw_type *to,
                                                   const mcpw_plan_options *options, mcpw_arena *arena,
                                                   const mcpw_plan **out);

/* The struct that is to be made of values before the plan can be followed all the way (mcpw_project_values);
 * NULL: none. */
MCPW_API const mcpw_type *mcpw_plan_needs(const mcpw_plan *plan);

/* Projects a value by the plan. *out is a new struct in the arena, equal to what mcpw_project writes. made is
 * the struct that mcpw_plan_needs asks for, or NULL. Returns false, with the arena as it was, for a value
 * that a plan is not enough for: it has members that its type does not name, a drop would have to be told, a
 * substitute is wanted, or it does not fit. Then mcpw_project decides. */
MCPW_NODISCARD MCPW_API bool mcpw_plan_follow(const mcpw_plan *plan, const void *value, const void *made,
                                              mcpw_arena *arena, const void **out);

MCPW_END_DECLS

#endif
