/* SPDX-License-Identifier: MIT */
/* A server at a URL. */
#ifndef MCPWIRE_CALL_HTTP_H
#define MCPWIRE_CALL_HTTP_H

#include "call_link.h"

/* Connects the session of a link by HTTP. */
MCPW_NODISCARD mcpw_status call_http_begin(server_link *l, const link_target *to, mcpw_error *error);

#endif
