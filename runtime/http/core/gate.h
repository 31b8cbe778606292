/* SPDX-License-Identifier: MIT */
/* Who gets in: pages of other origins, and those who bear a token. */
#ifndef MCPW_GATE_H
#define MCPW_GATE_H

#include "exchange.h"

/* ---- cors.c ---- */

/* Whether a request asks on behalf of a page whether it may make another one; and answers that. */
bool mcpw_cors_is_preflight(const mcpw_http_exchange *exchange, mcpw_str method);
void mcpw_cors_answer(mcpw_http_exchange *exchange);

/* ---- bearer.c ---- */

/* What the config says of tokens, written once. False: no memory, or error says what is wrong with it. */
MCPW_NODISCARD mcpw_status mcpw_bearer_prepare(mcpw_http_server *server, mcpw_error *error);
/* Whether a path, without a query, is that of the metadata of the resource; and answers with these. */
bool mcpw_bearer_has_metadata(const mcpw_http_exchange *exchange, mcpw_str path);
void mcpw_bearer_tell(mcpw_http_exchange *exchange, mcpw_str method);
/* Asks the program what the token of a request is worth. False: it was refused, and the answer is there. */
MCPW_NODISCARD bool mcpw_bearer_admits(mcpw_http_exchange *exchange);

#endif
