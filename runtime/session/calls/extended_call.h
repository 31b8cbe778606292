/* SPDX-License-Identifier: MIT */
/* Requests and notifications of this end at an end that has extensions or middleware. Most of these functions
 * are called by ../revisions/extended.h alone. */
#ifndef MCPW_EXTENDED_CALL_H
#define MCPW_EXTENDED_CALL_H

#include "received.h"

/* Sends a request whose method an extension adds, as text. */
MCPW_NODISCARD mcpw_status mcpw_call_send_custom(mcpw_pending *pending, const void *params,
                                                 mcpw_error *error);
/* Takes a request through the middleware, and sends what that leaves, unless a middleware has answered it. */
MCPW_NODISCARD mcpw_status mcpw_call_emit_passing(mcpw_pending *pending, const mcpw_profile *profile,
                                                  const mcpw_message *message, const mcpw_route *route,
                                                  mcpw_error *error);
/* Reads a result that an extension adds to a method of the protocol, which the tables of the revision cannot
 * read. It is kept as text. Returns false if the message is none. */
bool mcpw_call_read_added(mcpw_session *session, mcpw_received *text, const mcpw_error *why,
                          mcpw_request *transport);
/* Tells the caller such a result, if the tables have read it as a value of no type that they know. Returns
 * false for every other result. */
bool mcpw_call_reply_added(mcpw_pending *pending, mcpw_request *transport);
/* Tells the caller the result of a request that was sent as text, or a result that came as text. */
void mcpw_call_reply_custom(mcpw_pending *pending, mcpw_request *transport);
/* Tells the caller the response that a middleware has made. */
void mcpw_call_passed(mcpw_pending *pending);
/* A filter of subscriptions that an extension adds; NULL: there is none. */
const mcpw_topic *mcpw_custom_topic(const mcpw_session *session, const char *filter);
/* Sends a notification whose params are a struct, which is made in no request. */
MCPW_NODISCARD mcpw_status mcpw_custom_notify_value(mcpw_session *session, const mcpw_custom *custom,
                                                    const void *params, mcpw_error *error);

#endif
