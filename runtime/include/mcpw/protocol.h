/* SPDX-License-Identifier: MIT */
/*
 * The rules of a protocol revision beyond its types: the capability that a method needs, and the code of an
 * error. Sessions enforce these rules; gateways and tools read them. It is part of the library of sessions.
 */
#ifndef MCPW_PROTOCOL_H
#define MCPW_PROTOCOL_H

#include <mcpw/type.h>

MCPW_BEGIN_DECLS

/* Errors whose code depends on the revision. */
typedef enum mcpw_code_role {
    MCPW_CODE_RESOURCE_NOT_FOUND,  /* there is no such resource */
    MCPW_CODE_MISSING_CAPABILITY,  /* the client has not declared a capability that the request needs */
    MCPW_CODE_UNSUPPORTED_VERSION, /* the server does not speak the revision asked for */
    MCPW_CODE_COUNT                /* how many there are */
} mcpw_code_role;

/* The code that a revision has for an error; 0 for a revision that this library lacks. */
MCPW_API int32_t mcpw_protocol_code(const mcpw_revision *revision, mcpw_code_role role);

/* The code that a revision sends for the meaning of `code`. It is `code` itself, unless only other revisions
 * have that. */
MCPW_API int32_t mcpw_protocol_code_in(const mcpw_revision *revision, int32_t code);

/* The name of a revision in messages. It is its own name. A revision with overlays has the name of the
 * revision below them. */
MCPW_API const char *mcpw_revision_wire(const mcpw_revision *revision);

/* The capability that must have been declared before a method of a revision may be used, such as "tools";
 * NULL: none. *by_sender, unless it is NULL, is true if the sender must declare it, and false if the receiver
 * must. */
MCPW_API const char *mcpw_capability_of(const mcpw_revision *revision, int method, bool *by_sender);

MCPW_END_DECLS

#endif
