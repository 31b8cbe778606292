/* SPDX-License-Identifier: MIT */
/* The beginning of a login. */
#ifndef MCPW_OAUTH_MACHINE_H
#define MCPW_OAUTH_MACHINE_H

#include "oauth.h"

/* The reason for a login. */
typedef struct mcpw_oauth_reason {
    mcpw_str metadata;    /* resource_metadata of the challenge; absent: none */
    mcpw_str scopes;      /* its scope; absent: none */
    mcpw_str description; /* its error_description; absent: none */
    bool is_step_up;
    bool is_refused;
} mcpw_oauth_reason;

/* Whether a login is under way. */
bool mcpw_oauth_is_active(const mcpw_oauth *oauth);
/* Begins a login. */
void mcpw_oauth_start(mcpw_oauth *oauth, const mcpw_oauth_reason *reason);
/* Begins to renew a token whose issuer is known. */
void mcpw_oauth_renew(mcpw_oauth *oauth);
/* Prepares a logout: keeps the tokens for their revocation. False: no memory. */
MCPW_NODISCARD bool mcpw_oauth_leave(mcpw_oauth *oauth);
/* Whether too many logins have failed to try another one now. */
bool mcpw_oauth_is_exhausted(mcpw_oauth *oauth);

#endif
