/* SPDX-License-Identifier: MIT */
/* The target of a request and the fields that frame it. */
#ifndef MCPW_FRAMING_H
#define MCPW_FRAMING_H

#include "exchange.h"

/* The target of a request, cut into its parts. */
typedef struct mcpw_target {
    mcpw_str authority; /* of the absolute form, "localhost:8080"; absent in the origin form */
    mcpw_str path;      /* "/mcp", without the query; byte by byte as it was sent */
} mcpw_target;

/* Cuts a target. (RFC 9112, 3.2.) */
mcpw_target mcpw_target_of(mcpw_str target);
/* A host without its port: "[::1]:80" is "[::1]". A text that ends with no port stays. */
mcpw_str mcpw_host_without_port(mcpw_str host);
/* Reads a Content-Length: digits alone. False: it is something else, or more than 64 bits hold. */
MCPW_NODISCARD bool mcpw_framing_length(mcpw_str text, uint64_t *length);
/* Says why two readers of a head could disagree, on where the request ends or on whom it is for; NULL: they
 * cannot. (RFC 9112, 3.2, 5.1, 6.1 and 6.3; RFC 9110, 5.5 and 7.2.) */
const char *mcpw_framing_fault(const mcpw_http_request *request);

#endif
