/* SPDX-License-Identifier: MIT */
/* How the handler of a request is run, again if it has to, and what follows from its status. */
#ifndef MCPW_RUNNING_H
#define MCPW_RUNNING_H

#include "request.h"

/* Takes up an input request of a round of input, which has room, as a request. */
void mcpw_request_enter(mcpw_request *request);
/* Runs the handler of a request, again or for the first time. It does not run once the request is cancelled,
 * or its session is being closed. */
void mcpw_request_run(mcpw_request *request);
/* Does what follows from the status with which another thread has returned the request. */
void mcpw_request_settle(mcpw_request *request, mcpw_status status);

#endif
