/* SPDX-License-Identifier: MIT */
/*
 * What a revision of the protocol says beyond its types: which capability a method needs, and by which code
 * an error is told. Sessions hold peers to it; gateways and tools ask for it. It is part of the library of
 * sessions.
 */
#ifndef MCPW_PROTOCOL_H
#define MCPW_PROTOCOL_H

#include <mcpw/type.h>

MCPW_BEGIN_DECLS

/* Errors that every revision has some code for. */
typedef enum mcpw_code_role {
    MCPW_CODE_RESOURCE_NOT_FOUND,  /* there is no such resource */
    MCPW_CODE_MISSING_CAPABILITY,  /* the request needs one that the client has not declared */
    MCPW_CODE_UNSUPPORTED_VERSION, /* the server does not speak the revision asked for */
    MCPW_CODE_COUNT                /* number of these */
} mcpw_code_role;

/* The code by which a revision tells an error; 0 for a revision that this library does not hold. */
MCPW_API int32_t mcpw_protocol_code(const mcpw_revision *revision, mcpw_code_role role);

/* The code by which a revision tells what `code` means: the code itself, unless only others have it. */
MCPW_API int32_t mcpw_protocol_code_in(const mcpw_revision *revision, int32_t code);

/* The name that a revision has in messages: its own, but for a revision with overlays on top, which messages
 * call as the one below. */
MCPW_API const char *mcpw_revision_wire(const mcpw_revision *revision);

/* What must have been declared before a method of a revision may be used, such as "tools"; NULL: nothing.
 * *by_sender, unless it is NULL: whether by who sends it; else it is by who receives it. */
MCPW_API const char *mcpw_capability_of(const mcpw_revision *revision, int method, bool *by_sender);

MCPW_END_DECLS

#endif
