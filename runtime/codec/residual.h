/* SPDX-License-Identifier: MIT */
/* Checks of a value that the tables of the codec cannot express (mcpw_residual). */
#ifndef MCPW_CODEC_RESIDUAL_H
#define MCPW_CODEC_RESIDUAL_H

#include "walk.h"

#if defined(MCPW_NO_RESIDUAL) /* built without <mcpw/schema.h>: tables with demands do not link */
enum { MCPW_HAS_RESIDUALS = 0 };
#else
enum { MCPW_HAS_RESIDUALS = 1 };
#endif

/* Whether its value has to meet a demand. */
MCPW_INLINE bool mcpw_is_demanded(const mcpw_union *u) {
    return MCPW_HAS_RESIDUALS != 0 && (u->flags & MCPW_UNION_RESIDUAL) != 0;
}

/* The demand of a union that has one. */
MCPW_INLINE const mcpw_residual *mcpw_residual_of(const mcpw_revision *revision, const mcpw_union *u) {
    return revision->residuals + u->tests;
}

/* Whether the text of a value, which stands at p and is known to be JSON, meets the demand of its union. A
 * failure is noted in the walk's reader, and reported. */
MCPW_NODISCARD MCPW_COLD mcpw_status mcpw_meet_residual(mcpw_walk *w, const mcpw_union *u,
                                                        const unsigned char *p, const unsigned char *end);

/* The same for what was just written, of which nothing is known but that it is JSON. */
MCPW_NODISCARD MCPW_COLD mcpw_status mcpw_meets_residual(const mcpw_residual *residual, const char *text,
                                                         size_t len, mcpw_allocator allocator,
                                                         mcpw_error *error);

#endif
