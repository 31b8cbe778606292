/* SPDX-License-Identifier: MIT */
/* Rules of JSON-RPC for messages, whether they are read or written. */
#include "envelope.h"

#include "../base/error_text.h"
#include "tables.h"

const char mcpw_envelope_names[MCPW_ENVELOPE_OTHER][sizeof "jsonrpc"] = {"jsonrpc", "id",     "method",
                                                                         "params",  "result", "error"};

const char mcpw_lacks_params[] = MCPW_LACKS_PARAMS;
const char mcpw_empty_batch[] = MCPW_EMPTY_BATCH;
const char mcpw_mixed_batch[] = MCPW_MIXED_BATCH;

unsigned mcpw_envelope_member(mcpw_str name) {
    unsigned member = 0;
    while (member < MCPW_ENVELOPE_OTHER && !mcpw_str_is(name, mcpw_envelope_names[member])) {
        member++;
    }
    return member;
}

/* Why a message of that kind cannot have such an id; NULL: it can. */
const char *mcpw_id_conflict(mcpw_message_kind kind, mcpw_id_kind id) {
    const bool given = id == MCPW_ID_STRING || id == MCPW_ID_INTEGER;
    switch (kind) {
    case MCPW_MESSAGE_REQUEST:
        return given ? NULL : MCPW_TEXT("a request's id is a string or an integer");
    case MCPW_MESSAGE_NOTIFICATION:
        return id == MCPW_ID_ABSENT ? NULL : MCPW_TEXT("a notification carries no id");
    case MCPW_MESSAGE_RESULT:
        return given ? NULL : MCPW_TEXT("a result carries the id of its request");
    case MCPW_MESSAGE_ERROR:
        return given || id == MCPW_ID_ABSENT || id == MCPW_ID_NULL
                   ? NULL
                   : MCPW_TEXT("an error's id is a string, an integer or null");
    case MCPW_MESSAGE_BATCH:
        return MCPW_TEXT("a batch cannot contain a batch");
    case MCPW_MESSAGE_NONE:
    default:
        return MCPW_TEXT("the message has no kind");
    }
}

/* Why it cannot be of that method, which may be unknown. */
const char *mcpw_method_conflict(const mcpw_method *entry, mcpw_message_kind kind) {
    if (entry == NULL || (entry->flags & MCPW_METHOD_INPUT) != 0) {
        return NULL; /* as a message of its own it is unknown */
    }
    if (kind == MCPW_MESSAGE_REQUEST && (entry->flags & MCPW_METHOD_REQUEST) == 0) {
        return MCPW_TEXT("a notification carries no id");
    }
    if (kind == MCPW_MESSAGE_NOTIFICATION && (entry->flags & MCPW_METHOD_NOTIFICATION) == 0) {
        return MCPW_TEXT("a request needs an id");
    }
    return NULL;
}
