/* SPDX-License-Identifier: MIT */
/* A server at a URL, for the link. */
#ifndef MCPWIRE_CALL_HTTP_H
#define MCPWIRE_CALL_HTTP_H

#include "call_link.h"

/* Puts the session of a link on HTTP. */
MCPW_NODISCARD mcpw_status call_http_begin(server_link *l, const link_target *to, mcpw_error *error);

#endif
