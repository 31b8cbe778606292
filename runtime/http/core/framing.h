/* SPDX-License-Identifier: MIT */
/* The target of a request and the fields that frame it. */
#ifndef MCPW_FRAMING_H
#define MCPW_FRAMING_H

#include "exchange.h"

/* The parts of a request target. */
typedef struct mcpw_target {
    mcpw_str authority; /* of the absolute form, "localhost:8080"; absent in the origin form */
    mcpw_str path;      /* "/mcp", without the query; byte for byte as received */
} mcpw_target;

/* Splits a target. (RFC 9112, 3.2.) */
mcpw_target mcpw_target_of(mcpw_str target);
/* Removes the port of a host: "[::1]:80" becomes "[::1]". A text without a port is unchanged. */
mcpw_str mcpw_host_without_port(mcpw_str host);
/* Reads a Content-Length: digits only. False: it is something else, or exceeds 64 bits. */
MCPW_NODISCARD bool mcpw_framing_length(mcpw_str text, uint64_t *length);
/* Returns why two readers of a head could disagree on the request's end or on its host; NULL: they cannot.
 * (RFC 9112, 3.2, 5.1, 6.1 and 6.3; RFC 9110, 5.5 and 7.2.) */
const char *mcpw_framing_fault(const mcpw_http_request *request);

#endif
