/* SPDX-License-Identifier: MIT */
/* The bindings of methods that extensions add, in one revision of an endpoint. */
#ifndef MCPW_EXTENSION_BIND_H
#define MCPW_EXTENSION_BIND_H

#include "../core/core.h"

MCPW_NODISCARD mcpw_status mcpw_extensions_bind(mcpw_endpoint *endpoint, mcpw_profile *profile,
                                                mcpw_error *error);

#endif
