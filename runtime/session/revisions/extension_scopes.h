/* SPDX-License-Identifier: MIT */
/* The scopes that messages of extensions need. */
#ifndef MCPW_EXTENSION_SCOPES_H
#define MCPW_EXTENSION_SCOPES_H

#include "extension.h"

/* Calls `need` for the scopes that a message needs because it is one of an extension, or a subscription with
 * a filter of one. It returns the status of `need`. */
MCPW_NODISCARD mcpw_status mcpw_extensions_need(const mcpw_extensions *set, mcpw_str method,
                                                const mcpw_message_envelope *envelope, mcpw_need_scopes *need,
                                                void *user);

#endif
