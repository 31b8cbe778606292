/* SPDX-License-Identifier: MIT */
/* The end of a request without a result: its response, and the code of that. */
#ifndef MCPW_REFUSE_H
#define MCPW_REFUSE_H

#include "respond.h"

void mcpw_respond_status(mcpw_request *request, mcpw_status status);
/* Answers with an error. If not even that can be sent, the request ends without a response. */
void mcpw_request_end(mcpw_request *request, int64_t code, const char *message, mcpw_json data);

#endif
