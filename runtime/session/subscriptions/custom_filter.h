/* SPDX-License-Identifier: MIT */
/* Filters that extensions add to subscriptions. */
#ifndef MCPW_CUSTOM_FILTER_H
#define MCPW_CUSTOM_FILTER_H

#include "../revisions/extension.h"

#include <mcpw/detail/field.h>

/* Reads the names that a client asks for in filters of extensions. MCPW_E_CAPABILITY: it has not declared one
 * of these. */
MCPW_NODISCARD mcpw_status mcpw_custom_filters_read(mcpw_request *r, mcpw_field asked, mcpw_filter *filter);
/* The names of extensions in a filter have no subscription any more. */
void mcpw_custom_filters_end(mcpw_filter *filter);

#endif
