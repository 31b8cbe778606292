/* SPDX-License-Identifier: MIT */
/* From the arrival of a request to its handler. */
#ifndef MCPW_DISPATCH_H
#define MCPW_DISPATCH_H

#include "request.h"

/* A request has come: message, dialect and batch are set. */
void mcpw_request_arrive(mcpw_request *request);
/* Whether somebody here answers a request of that method's; 0 is no method. */
bool mcpw_request_is_served(mcpw_session *session, const mcpw_dialect *dialect, int method);
/* What runs a request's handler, and what waits for the answers to its questions: see mcpw_course. */
extern const mcpw_course mcpw_dispatch_course;

#endif
