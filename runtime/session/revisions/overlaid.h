/* SPDX-License-Identifier: MIT */
/* Values that only an extension allows, such as an alternative that it adds to a union of the protocol. */
#ifndef MCPW_OVERLAID_H
#define MCPW_OVERLAID_H

#include "../core/core.h"

/* A value on its way out, in the types of the profile. */
typedef struct mcpw_overlaid_value {
    mcpw_message_kind kind;
    int method;            /* of a response: that of its request */
    const mcpw_type *type; /* NULL: it has no value */
    const void *value;     /* NULL: it is text */
    mcpw_json text;
    mcpw_declared peer; /* what the peer has declared */
} mcpw_overlaid_value;

/* MCPW_E_CAPABILITY: the value is none of the protocol without an extension that one of the two ends has not
 * declared. *capability names the extension, and *by_peer says that the peer lacks it. MCPW_OK
 * besides for values that are wrong in another way, which shows when they are encoded.
 * Callers ask has_extensions of the profile first, because reading what the peer has declared costs more than
 * most messages do. */
MCPW_NODISCARD mcpw_status mcpw_overlaid_check(const mcpw_session *session, const mcpw_profile *profile,
                                               const mcpw_overlaid_value *out, const char **capability,
                                               bool *by_peer, mcpw_error *error);

#endif
