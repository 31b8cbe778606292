/* SPDX-License-Identifier: MIT */
/* Access control: CORS for pages of other origins, and bearer tokens. */
#ifndef MCPW_GATE_H
#define MCPW_GATE_H

#include "exchange.h"

/* ---- cors.c ---- */

/* True if a request is a CORS preflight; answers it. */
bool mcpw_cors_is_preflight(const mcpw_http_exchange *exchange, mcpw_str method);
void mcpw_cors_answer(mcpw_http_exchange *exchange);

/* ---- bearer.c ---- */

/* Prepares the metadata and the path of the config's resource, once. On failure error explains what is wrong.
 */
MCPW_NODISCARD mcpw_status mcpw_bearer_prepare(mcpw_http_server *server, mcpw_error *error);
/* True if a path, without a query, is the path of the resource's metadata; sends the metadata. */
bool mcpw_bearer_has_metadata(const mcpw_http_exchange *exchange, mcpw_str path);
void mcpw_bearer_send_metadata(mcpw_http_exchange *exchange, mcpw_str method);
/* Asks the program whether it accepts the token of a request. False: the request was refused. */
MCPW_NODISCARD bool mcpw_bearer_admits(mcpw_http_exchange *exchange);

#endif
