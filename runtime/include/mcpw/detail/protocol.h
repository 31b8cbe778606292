/* SPDX-License-Identifier: MIT */
/* Properties of a revision that sessions read. This is not part of the API and may change in any version. */
#ifndef MCPW_DETAIL_PROTOCOL_H
#define MCPW_DETAIL_PROTOCOL_H

#include <mcpw/policy.h>

MCPW_BEGIN_DECLS

/* Errors whose code depends on the revision. */
typedef enum mcpw_code_role {
    MCPW_CODE_RESOURCE_NOT_FOUND,  /* there is no such resource */
    MCPW_CODE_MISSING_CAPABILITY,  /* the client has not declared a capability that the request needs */
    MCPW_CODE_UNSUPPORTED_VERSION, /* the server does not speak the revision asked for */
    MCPW_CODE_COUNT                /* how many there are */
} mcpw_code_role;

/* Whether an end with these capabilities makes tasks of a method's requests that carry params.task. Other
 * ends answer such a request with its result, like any other. (MCP 2025-11-25, "Tasks".) */
MCPW_SESSION_API bool mcpw_declares_tasks(mcpw_declared declared, const mcpw_revision *revision, int method);

/* Whether faults in a tool's arguments are answered with a result of the tool, so that the model sees them;
 * else with an error of the request. */
MCPW_SESSION_API bool mcpw_protocol_tells_arguments(const mcpw_revision *revision);

/* The code that a revision has for an error; 0 for a revision that this library lacks. */
MCPW_SESSION_API int32_t mcpw_protocol_code(const mcpw_revision *revision, mcpw_code_role role);

/* The code that a revision sends for the meaning of `code`. It is `code` itself, unless only other revisions
 * have that. */
MCPW_SESSION_API int32_t mcpw_protocol_code_in(const mcpw_revision *revision, int32_t code);

MCPW_END_DECLS

#endif
