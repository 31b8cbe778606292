/* SPDX-License-Identifier: MIT */
/* The resources that a client watches. */
#ifndef MCPW_URI_SUBSCRIPTION_H
#define MCPW_URI_SUBSCRIPTION_H

#include "../core/core.h"
#include "../core/registry.h"

/* Begins or ends a subscription to a resource. Handlers are called for the first and for the last. */
MCPW_NODISCARD mcpw_status mcpw_uri_subscription_begin(mcpw_session *session, mcpw_str uri);
void mcpw_uri_subscription_end(mcpw_session *session, mcpw_str uri);
/* Gives back the table of what is watched when nothing is. */
void mcpw_watched_free(mcpw_session *session);
/* The names of extensions in a filter have no subscription any more. */
void mcpw_filter_end_names(const mcpw_request *request, mcpw_filter *filter);
/* Ends the subscription that a request was. */
void mcpw_filter_end(mcpw_request *request);

#endif
