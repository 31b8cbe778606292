/* SPDX-License-Identifier: MIT */
/* The capabilities of this end in a revision, and its name. */
#ifndef MCPW_CAPABILITY_H
#define MCPW_CAPABILITY_H

#include "declared.h"

/* The capabilities of this end in a revision, as a JSON object. */
MCPW_NODISCARD mcpw_status mcpw_capabilities(const mcpw_endpoint *endpoint, const mcpw_profile *profile,
                                             mcpw_arena *arena, mcpw_json *out);
/* Stands before a name that an extension declares in revisions that know it. */
#define MCPW_MAY_BE_UNKNOWN '?'

/* The declared capabilities of this end. Those of the handshake hold, whatever is registered later.
 * Absent when memory runs out. */
mcpw_json mcpw_capabilities_declared(const mcpw_session *session, const mcpw_profile *profile,
                                     mcpw_arena *arena);
/* Reads the config's names of capabilities. */
MCPW_NODISCARD mcpw_status mcpw_capabilities_declare(mcpw_endpoint *endpoint, mcpw_error *error);
/* A capability by its dotted name, as objects: {"resources":{"subscribe":{}}}. Absent when memory runs out.
 */
mcpw_json mcpw_capability_object(const char *path, mcpw_arena *arena);
/* This program as an Implementation of a revision. */
MCPW_NODISCARD mcpw_status mcpw_implementation(const mcpw_endpoint *endpoint, const mcpw_revision *revision,
                                               mcpw_arena *arena, mcpw_json *out);

#endif
