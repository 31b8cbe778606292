/* SPDX-License-Identifier: MIT */
/*
 * Params and results between revisions, with what the session knows: projection by the tables, the values
 * that no table holds, and the documented substitutes for content that a revision cannot say.
 */
#ifndef MCPW_ADAPT_H
#define MCPW_ADAPT_H

#include <mcpw/project.h>

typedef struct mcpw_adapt_context {
    mcpw_members values; /* as in mcpw_project_options: resultType, ttlMs, _meta members, ... */
    void (*on_drop)(void *user, const char *path);
    void *user;
} mcpw_adapt_context;

/* *out, of type `to`, from the struct at value, of type `from`; *out is value itself when the types are the
 * same, and NULL on failure. Everything new lies in the arena; adapt.c lists the substitutes. */
MCPW_NODISCARD mcpw_status mcpw_adapt(const mcpw_type *from, const void *value, const mcpw_type *to,
                                      const mcpw_adapt_context *context, mcpw_arena *arena, const void **out,
                                      mcpw_error *error);

#endif
