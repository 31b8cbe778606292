/* SPDX-License-Identifier: MIT */
/* Messages of the peer whose method an extension adds (<mcpw/extension.h>). */
#ifndef MCPW_CUSTOM_H
#define MCPW_CUSTOM_H

#include "../requests/request.h"

/* Whether a request is admitted whose method was found while it was read. It has its binding then; else it is
 * as if its method had not been found, so that mcpw_custom_take finds the reason. */
bool mcpw_custom_admits(mcpw_request *request);
/* Finds the method of a request that the policy does not admit among those of extensions that this end
 * serves. If it is one of them, the request has its method, its binding and its params. *admitted is false if
 * it is refused, and then *verdict says how. Else nothing is changed. */
void mcpw_custom_take(mcpw_request *request, bool *admitted, mcpw_verdict *verdict);
/* Whether an extension serves the method of a request. */
bool mcpw_custom_is_of(mcpw_request *request);
/* Calls the handler of such a request. */
MCPW_NODISCARD mcpw_status mcpw_custom_serve(mcpw_request *request);
/* Finds the method of a notification, likewise, and reads its params. False: it is of no extension. *usable
 * is false if its params are wrong, which was reported. */
bool mcpw_custom_take_notification(mcpw_request *transport, bool *usable);
/* Calls the handler of such a notification. */
void mcpw_custom_notify_handler(mcpw_request *transport);

#endif
