/* SPDX-License-Identifier: MIT */
/* From the arrival of a request to its handler. */
#ifndef MCPW_DISPATCH_H
#define MCPW_DISPATCH_H

#include "../requests/request.h"

/* A request has come: message, profile and batch are set. */
void mcpw_request_arrive(mcpw_request *request);
/* Whether somebody here answers a request of that method's; 0 is no method. */
bool mcpw_request_is_served(mcpw_session *session, const mcpw_profile *profile, int method);
/* Runs a request's handler, or waits for the responses to its input requests: see mcpw_rerun_callbacks. */
extern const mcpw_rerun_callbacks mcpw_dispatch_callbacks;
/* Calls the handler of a request, for such a table. */
MCPW_NODISCARD mcpw_status mcpw_request_dispatch(mcpw_request *request);
/* The parts of every request that are notified of its end, in the order of mcpw_ending_kind. */
#define MCPW_DISPATCH_ENDED                                                                                  \
    mcpw_request_walk_skip, mcpw_ask_forget, mcpw_relay_ended, mcpw_filter_end, mcpw_request_end_entry,      \
        mcpw_form_end
void mcpw_request_end_entry(mcpw_request *request);

#endif
