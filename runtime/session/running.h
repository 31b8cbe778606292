/* SPDX-License-Identifier: MIT */
/* How the handler of a request is run, again if it has to, and what follows from its status. */
#ifndef MCPW_RUNNING_H
#define MCPW_RUNNING_H

#include "request.h"

/* A question of the server's in a round of input has been put into it, and has room. */
void mcpw_request_enter(mcpw_request *request);
/* Runs its handler, again or for the first time. One that is cancelled, or whose session is being
 * closed, does not run any more. */
void mcpw_request_run(mcpw_request *request);
/* What follows from the status with which another thread has returned it. */
void mcpw_request_settle(mcpw_request *request, mcpw_status status);

#endif
