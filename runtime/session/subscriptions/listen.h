/* SPDX-License-Identifier: MIT */
/* subscriptions/: changes, and other notifications, and their subscribers. */
/* Subscribers to changes: resources/subscribe and subscriptions/listen, at the server. */
#ifndef MCPW_LISTEN_H
#define MCPW_LISTEN_H

#include "../core/registry.h"
#include "../requests/request.h"

mcpw_status mcpw_listen_begin(mcpw_request *request);
/* Ends a subscription with its result. */
void mcpw_listen_end(mcpw_request *request);
mcpw_status mcpw_watch_request(mcpw_request *request, bool watch);
void mcpw_uri_subscriptions_free(mcpw_session *session);
/* Tells of the changes that had to wait for room in the output. */
void mcpw_session_emit_owed_diagnostics(mcpw_session *session);
/* The resource that the params of a notification name; absent: none. */
mcpw_str mcpw_change_uri(const mcpw_method *method, const void *params);
/* mcpw_session_notify; a log message belongs to a request of this session, unless that is NULL. */
MCPW_NODISCARD mcpw_status mcpw_session_notify_about(mcpw_session *session, const mcpw_request *about,
                                                     const mcpw_revision *revision, int method,
                                                     const void *params, mcpw_error *error);
/* Whether a notification reports a change, and which. */
bool mcpw_is_change(mcpw_own own, mcpw_change *out);
/* Tells of a change to no subscription in particular. The params name the resource where there is one. */
MCPW_NODISCARD mcpw_status mcpw_tell_change(mcpw_session *session, const mcpw_profile *profile,
                                            mcpw_change change, mcpw_str uri);
/* Tells of something by its name, with params as text, who named it in a filter. */
MCPW_NODISCARD mcpw_status mcpw_report_topic(mcpw_session *session, const mcpw_topic *topic, mcpw_str name,
                                             mcpw_json params);
/* Whether a filter has a name of a topic. */
bool mcpw_filter_names(const mcpw_filter *filter, const mcpw_topic *topic, mcpw_str name);
/* Writes params with the subscription in their _meta, beside what they have there. */
void mcpw_subscription_params(const mcpw_request *subscription, mcpw_json params, mcpw_text *text);
/* Writes a filter as JSON. */
void mcpw_filter_put(mcpw_text *text, const mcpw_filter *filter);

#endif
