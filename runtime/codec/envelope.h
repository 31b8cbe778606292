/* SPDX-License-Identifier: MIT */
/* Rules of JSON-RPC for messages, whether they are read or written (envelope.c). */
#ifndef MCPW_ENVELOPE_H
#define MCPW_ENVELOPE_H

#include <mcpw/message.h>

#include "../base/error_text.h"

/* The members that JSON-RPC names, as numbers; but one mean something in every message. */
enum { MCPW_ENVELOPE_PARAMS = 3, MCPW_ENVELOPE_OTHER = 6 };
extern const char mcpw_envelope_names[MCPW_ENVELOPE_OTHER][sizeof "jsonrpc"];
unsigned mcpw_envelope_member(mcpw_str name);

/* Why a message of that kind cannot have such an id, or that method; NULL: it can. */
const char *mcpw_id_conflict(mcpw_message_kind kind, mcpw_id_kind id);
const char *mcpw_method_conflict(const mcpw_method *entry, mcpw_message_kind kind);

/* Further faults of messages that are read and written. */
#define MCPW_LACKS_PARAMS MCPW_TEXT_ARRAY("missing required member \"params\"")
#define MCPW_EMPTY_BATCH MCPW_TEXT_ARRAY("a batch is not empty")
#define MCPW_MIXED_BATCH MCPW_TEXT_ARRAY("a batch holds requests or responses, not both")
extern const char mcpw_lacks_params[sizeof MCPW_LACKS_PARAMS];
extern const char mcpw_empty_batch[sizeof MCPW_EMPTY_BATCH];
extern const char mcpw_mixed_batch[sizeof MCPW_MIXED_BATCH];

#endif
