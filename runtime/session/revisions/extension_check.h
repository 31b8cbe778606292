/* SPDX-License-Identifier: MIT */
/* The extensions of an endpoint: what they declare and require, and who serves their methods. */
#ifndef MCPW_EXTENSION_CHECK_H
#define MCPW_EXTENSION_CHECK_H

#include "extension.h"

/* Adds the revisions that extensions bring to a set of revisions. */
MCPW_NODISCARD mcpw_status mcpw_extensions_add_revisions(const mcpw_extensions *set, mcpw_library *library,
                                                         mcpw_error *error);
/* Puts the settings of all extensions into the capabilities that the config declares. */
MCPW_NODISCARD mcpw_status mcpw_extensions_declare(mcpw_endpoint *endpoint, mcpw_error *error);
/* Checks the whole configuration: requirements, cycles, and methods that the program's handlers have. */
MCPW_NODISCARD mcpw_status mcpw_extensions_check(mcpw_endpoint *endpoint, mcpw_error *error);

/* Whether this end has a handler for a method of an extension. */
bool mcpw_custom_is_served(const mcpw_endpoint *endpoint, const mcpw_custom *custom);
/* The dispatch of this end's role, if the handlers of an extension belong to it; else NULL. */
const mcpw_dispatch *mcpw_custom_dispatch(const mcpw_endpoint *endpoint, const mcpw_custom *custom);
/* Whether an extension answers a request that the revision has in its core. */
bool mcpw_extensions_are_in_core(const mcpw_endpoint *endpoint, const mcpw_profile *profile, mcpw_str name);

#endif
