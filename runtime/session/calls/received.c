/* SPDX-License-Identifier: MIT */
/* A message of the peer's while it is received. */
#include "received.h"

mcpw_outline mcpw_outline_of(mcpw_received *received, mcpw_arena *arena) {
    mcpw_outline o = {0};
    if (received->envelope == NULL) {
        const mcpw_json text = {received->text.ptr, received->text.len, 0};
        received->envelope = &received->own;
        mcpw_ignore(mcpw_envelope_read(&received->own, text, MCPW_MAX_DEPTH, &received->error));
    }
    o.envelope = received->envelope;
    o.id = mcpw_envelope_id(o.envelope, arena);
    mcpw_ignore(mcpw_envelope_string(o.envelope, MCPW_AT_METHOD, arena, &o.method));
    o.has_outcome = o.envelope->at[MCPW_AT_RESULT].ptr != NULL || o.envelope->at[MCPW_AT_ERROR].ptr != NULL;
    return o;
}
