/* SPDX-License-Identifier: MIT */
/* Stateless requests, of revisions without a handshake. (MCP 2026-07-28, "Streamable HTTP".) */
#ifndef MCPW_STATELESS_H
#define MCPW_STATELESS_H

#include "../core/exchange.h"

#include <mcpw/envelope.h>

extern const mcpw_exchange_kind mcpw_stateless_exchange;

/* Handles the message in the body; envelope is its parsed envelope. */
void mcpw_stateless_post(mcpw_http_exchange *exchange, const mcpw_message_envelope *envelope);

#endif
